"""Jars are downloaded completely or not at all, from the nearest source, once."""

from __future__ import annotations

import pickle
import re
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tetragraph.errors import DownloadFailed, InvalidInput
from tetragraph.settings import Settings
from tetragraph.stores.local import download
from tetragraph.stores.local.download import Source
from tetragraph.stores.local.jars import Distribution, Lock

if TYPE_CHECKING:
    from .conftest import Mirror


class Bars:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.totals: dict[str, int | None] = {}
        self.amounts: dict[str, int] = {}
        self.finished: list[str] = []

    def start(self, stage: str, total: int | None, unit: str) -> None:
        assert unit == "bytes"
        self.totals[stage] = total

    def advance(self, stage: str, amount: int = 1) -> None:
        self.amounts[stage] = self.amounts.get(stage, 0) + amount

    def finish(self, stage: str) -> None:
        self.finished.append(stage)


def patient(mirror: Mirror) -> Source:
    """The mirror, asked four times without a pause."""
    return Source(mirror.url, pauses_s=(0.0, 0.0, 0.0))


def path(distribution: Distribution, artifact: str) -> str:
    return next(jar.path for jar in distribution.lock.jars if jar.artifact == artifact)


def file(distribution: Distribution, artifact: str) -> Path:
    return next(distribution.file(jar) for jar in distribution.lock.jars if jar.artifact == artifact)


def test_all_jars_come_verified_into_their_folders(distribution: Distribution, mirror: Mirror) -> None:
    bars = Bars()
    download.complete(distribution, patient(mirror), bars)
    assert distribution.damaged() == []
    assert file(distribution, "small").parent.name == "plugins"
    assert sorted(mirror.requests) == sorted(jar.path for jar in distribution.lock.jars)
    assert bars.totals == bars.amounts == {"jars": 401_000}
    assert bars.finished == ["jars"]


def test_a_complete_distribution_asks_for_nothing_and_says_nothing(distribution: Distribution, mirror: Mirror) -> None:
    download.complete(distribution, patient(mirror))
    mirror.requests.clear()
    bars = Bars()
    download.complete(distribution, patient(mirror), bars)
    download.complete(distribution, patient(mirror), bars, check=True)
    assert mirror.requests == []
    assert bars.totals == {}


def test_a_mirror_can_be_a_folder(distribution: Distribution, repository: Path) -> None:
    download.complete(distribution, Source(repository.as_uri()))
    assert distribution.damaged() == []


def test_a_truncated_jar_is_seen_by_its_size_and_fetched_again(distribution: Distribution, mirror: Mirror) -> None:
    download.complete(distribution, patient(mirror))
    mirror.requests.clear()
    file(distribution, "large").write_bytes(b"l" * 10)
    download.complete(distribution, patient(mirror))
    assert mirror.requests == [path(distribution, "large")]
    assert distribution.damaged() == []


def test_a_corrupt_jar_of_the_right_size_is_seen_by_the_full_check_alone(
    distribution: Distribution, mirror: Mirror
) -> None:
    download.complete(distribution, patient(mirror))
    mirror.requests.clear()
    file(distribution, "middle").write_bytes(b"x" * 100_000)
    download.complete(distribution, patient(mirror))
    assert mirror.requests == []
    download.complete(distribution, patient(mirror), check=True)
    assert mirror.requests == [path(distribution, "middle")]
    assert distribution.damaged() == []


@pytest.mark.parametrize("body", [b"x" * 100_000, b"m" * 99_999, b"m" * 900_000], ids=["wrong", "short", "long"])
def test_wrong_bytes_are_tried_four_times_and_never_stored(
    distribution: Distribution, mirror: Mirror, body: bytes
) -> None:
    wanted = path(distribution, "middle")
    mirror.bodies[wanted] = body
    with pytest.raises(DownloadFailed, match=f"cannot fetch {re.escape(wanted)} from .*expected 100000 bytes"):
        download.complete(distribution, patient(mirror))
    assert mirror.requests.count(wanted) == 4
    assert not file(distribution, "middle").exists()
    assert list(distribution.folder.rglob("*.part")) == []


def test_a_passing_failure_of_the_server_is_tried_again(distribution: Distribution, mirror: Mirror) -> None:
    mirror.statuses[path(distribution, "small")] = [503, 500]
    download.complete(distribution, patient(mirror))
    assert mirror.requests.count(path(distribution, "small")) == 3
    assert distribution.damaged() == []


@pytest.mark.parametrize("status", [401, 403, 404, 407])
def test_a_final_answer_is_not_asked_for_again(distribution: Distribution, mirror: Mirror, status: int) -> None:
    wanted = path(distribution, "small")
    mirror.statuses[wanted] = [status] * 9
    with pytest.raises(DownloadFailed, match=rf"cannot fetch {re.escape(wanted)} from http.*HTTP {status}"):
        download.complete(distribution, patient(mirror))
    assert mirror.requests.count(wanted) == 1


def test_an_address_that_nobody_answers_is_named(distribution: Distribution) -> None:
    with pytest.raises(DownloadFailed, match=r"from http://127\.0\.0\.1:9: .*refused.*TETRAGRAPH_MAVEN_URL"):
        download.complete(distribution, Source("http://127.0.0.1:9", pauses_s=(0.0,)))


def test_a_folder_without_the_jar_fails_at_once(distribution: Distribution, tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed, match="cannot fetch org/example/"):
        download.complete(distribution, Source(tmp_path.as_uri(), pauses_s=(3600.0,)))


def test_what_came_before_a_failure_is_kept(distribution: Distribution, mirror: Mirror) -> None:
    del mirror.bodies[path(distribution, "small")]
    with pytest.raises(DownloadFailed):
        download.complete(distribution, patient(mirror))
    mirror.bodies[path(distribution, "small")] = b"s" * 1_000
    kept = [jar.path for jar in distribution.lock.jars if jar not in distribution.missing()]
    mirror.requests.clear()
    download.complete(distribution, patient(mirror))
    assert set(mirror.requests).isdisjoint(kept)
    assert distribution.damaged() == []


def test_a_local_maven_repository_spares_the_network(
    distribution: Distribution, mirror: Mirror, repository: Path
) -> None:
    (repository / path(distribution, "large")).write_bytes(b"x" * 300_000)
    download.complete(distribution, Source(mirror.url, local=(repository,)))
    assert mirror.requests == [path(distribution, "large")]
    assert distribution.damaged() == []


def test_another_lock_in_the_cache_spares_the_network(distribution: Distribution, mirror: Mirror) -> None:
    download.complete(distribution, patient(mirror))
    mirror.requests.clear()
    smaller = Distribution(
        Lock("ba9876543210", distribution.lock.jars[:2]), distribution.folder.parent / "ba9876543210"
    )
    download.complete(smaller, patient(mirror))
    assert mirror.requests == []
    assert smaller.damaged() == []


def test_three_at_once_fetch_each_jar_once(distribution: Distribution, mirror: Mirror) -> None:
    with ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(download.complete, distribution, patient(mirror)) for _ in range(3)]:
            done.result()
    assert sorted(mirror.requests) == sorted(jar.path for jar in distribution.lock.jars)


def test_a_killed_download_goes_on_where_it_was(distribution: Distribution, mirror: Mirror, tmp_path: Path) -> None:
    mirror.held = path(distribution, "large")
    (tmp_path / "arguments").write_bytes(pickle.dumps((distribution, patient(mirror))))
    script = f"""
        import pathlib, pickle
        from tetragraph.stores.local import download
        download.complete(*pickle.loads(pathlib.Path({str(tmp_path / "arguments")!r}).read_bytes()))
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)])
    while len(distribution.missing()) != 1 or not list(distribution.folder.rglob("*.part")):
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    mirror.held = ""
    mirror.release.set()
    mirror.requests.clear()
    download.complete(distribution, patient(mirror))
    assert mirror.requests == [path(distribution, "large")]
    assert distribution.damaged() == []
    assert list(distribution.folder.rglob("*.part")) == []


def test_a_cache_that_cannot_be_written_is_named(distribution: Distribution, mirror: Mirror) -> None:
    distribution.folder.parent.mkdir(parents=True)
    distribution.folder.write_text("in the way")
    with pytest.raises(DownloadFailed, match=f"{distribution.folder}.*TETRAGRAPH_CACHE"):
        download.complete(distribution, patient(mirror))


def test_an_address_must_be_of_a_known_kind() -> None:
    with pytest.raises(InvalidInput, match="https, http or file, got 'ftp://example'"):
        Source("ftp://example")


def test_settings_name_the_mirror_and_the_local_repository(settings: Settings) -> None:
    named = settings.model_copy(update={"maven_url": "https://mirror.example/maven/", "m2": Path("/m2")})
    assert download.source(named) == Source("https://mirror.example/maven", (Path("/m2"),))


def test_an_empty_setting_switches_the_local_repository_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TETRAGRAPH_M2", "")
    assert download.source(Settings(_env_file=None)).local == ()


def test_the_default_address_is_the_one_of_jgo(settings: Settings) -> None:
    assert download.source(settings).base.startswith("https://")
