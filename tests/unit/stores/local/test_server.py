"""Start, stop and status without a server, or with another program at its ports."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tetragraph.errors import InvalidInput, JavaNotFound, LocalStoreError, MissingDependency
from tetragraph.host import optional_imports, processes
from tetragraph.settings import Settings
from tetragraph.stores import local
from tetragraph.stores.local import config, homes, jars, launch
from tetragraph.stores.local.homes import Home, State
from tetragraph.stores.local.jars import Distribution
from tetragraph.stores.local.server import LocalServer


@pytest.fixture
def home(settings: Settings) -> Home:
    home = homes.of(settings)
    home.prepare()
    return home


@pytest.fixture
def bystander(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[bytes]]:
    """Some process, with the arguments of the test's parameter."""
    command = [sys.executable, "-c", "print(flush=True); input()", *getattr(request, "param", [])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        yield process
        process.kill()


@pytest.fixture
def three_jars(distribution: Distribution, repository: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a mirror, and a lock of three small jars in place of the real one."""

    def small(cache: Path) -> Distribution:
        return distribution

    monkeypatch.setattr(jars, "distribution", small)
    return repository.as_uri()


def record(home: Home, pid: int) -> None:
    home.save_state(State(pid, 7001, 7002, "25", started_in_s=5.0))


def test_without_a_home_nothing_runs_and_nothing_is_made(settings: Settings) -> None:
    assert local.find(settings) is None
    assert local.stop(settings) is False
    assert not settings.home.exists()


def test_a_record_whose_process_number_another_has_taken_touches_nobody(
    settings: Settings, home: Home, bystander: subprocess.Popen[bytes]
) -> None:
    record(home, bystander.pid)
    assert local.find(settings) is None
    assert local.stop(settings) is False
    assert bystander.poll() is None
    assert home.state() is None


def test_a_server_without_a_record_is_named_and_ended_by_stop(settings: Settings, home: Home) -> None:
    command = [sys.executable, "-c", "print(flush=True); input()", config.home_argument(home)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as orphan:
        assert orphan.stdout
        orphan.stdout.readline()
        assert local.find(settings) is None
        with pytest.raises(LocalStoreError, match=rf"process {orphan.pid} is a Neo4j on .*tetragraph down"):
            launch.refuse_orphan(home)
        assert local.stop(settings) is True
        orphan.wait(30)
        assert not processes.is_running(orphan.pid, config.home_argument(home))
    launch.refuse_orphan(home)


def test_the_password_is_not_in_what_is_printed_of_a_server() -> None:
    server = LocalServer(
        "bolt://x", "http://x", "http://x", "neo4j", "secret", Path("auth"), 1, new=True, started_in_s=1.0
    )
    assert "secret" not in repr(server)
    assert dataclasses.asdict(server)["password"] == "secret"


def test_a_package_that_is_not_installed_is_named_with_the_command() -> None:
    with pytest.raises(
        MissingDependency, match=r"needs the package no_such_package: pip install 'tetragraph\[local\]'"
    ):
        optional_imports.load_local("no_such_package.part")


def test_the_status_of_nothing_says_what_is_there(settings: Settings) -> None:
    found = local.status(settings)
    assert (found.running, found.answers, found.pid, found.uri) == (False, False, None, None)
    assert (found.resident_mb, found.data_mb) == (0, 0)
    assert (found.neo4j, found.gds, found.browser) == ("2026.01.4", "2.26.0", "5.24.0")
    assert (found.jars_present, found.jars_total) == (0, 389)
    assert not settings.home.exists()


def test_the_status_knows_no_java_when_none_fits(settings: Settings, tmp_path: Path) -> None:
    assert local.status(settings.model_copy(update={"java": tmp_path / "none"})).java is None


def test_the_checks_on_a_fresh_machine_miss_only_the_jars(settings: Settings) -> None:
    findings = {finding.name: finding for finding in local.inspect(settings)}
    assert [name for name, finding in findings.items() if not finding.ok] == ["jars"]
    assert "389 of 389 jars (181 MB)" in findings["jars"].detail
    assert "tetragraph up" in findings["jars"].detail
    assert not settings.home.exists()
    assert not settings.cache.exists()


@pytest.mark.parametrize("above", ["a file", "a folder of another user"])
def test_the_checks_find_a_home_that_cannot_be_made(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, above: str
) -> None:
    if above == "a file":
        (tmp_path / above).touch()
    else:
        (tmp_path / above).mkdir()
        monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path / above)  # root may write everywhere
    own = settings.model_copy(update={"home": tmp_path / above / "data" / "home"})
    finding = next(finding for finding in local.inspect(own) if finding.name == "home")
    assert not finding.ok
    assert f"cannot be made, as {tmp_path / above} must be a folder that this user may write" in finding.detail


def test_the_checks_name_what_is_wrong_and_what_to_do(
    settings: Settings, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home.folder / "data" / "dbms").mkdir()
    (home.folder / "data" / "dbms" / "auth.ini").touch()
    monkeypatch.setattr("tetragraph.stores.local.disk_space.RESERVE_BYTES", 10**18)
    own = settings.model_copy(update={"java": tmp_path / "none", "bolt_port": 7000, "http_port": 7000})
    findings = {finding.name: finding for finding in local.inspect(own)}
    assert [name for name, finding in findings.items() if finding.ok] == ["packages"]
    assert "TETRAGRAPH_JAVA" in findings["java"].detail
    assert "free some" in findings["disk"].detail
    assert "gone or empty" in findings["home"].detail
    assert "change one of them" in findings["server"].detail


def test_the_checks_see_a_server_that_does_not_answer(settings: Settings, home: Home) -> None:
    command = [sys.executable, "-c", "print(flush=True); input()", config.home_argument(home)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as deaf:
        assert deaf.stdout
        deaf.stdout.readline()
        record(home, deaf.pid)
        finding = local.inspect(settings)[-1]
        found = local.status(settings)
        deaf.kill()
    assert (found.running, found.answers, found.pid) == (True, False, deaf.pid)
    assert not finding.ok
    assert f"process {deaf.pid} runs and does not answer" in finding.detail


@pytest.mark.parametrize("name", ["home", "cache"])
def test_a_folder_that_would_split_the_class_path_is_refused_before_anything_is_fetched(
    settings: Settings, tmp_path: Path, name: str
) -> None:
    own = settings.model_copy(update={name: tmp_path / "a:b"})
    refusal = f"TETRAGRAPH_{name.upper()} must be a path without ':', .*a:b: set it to another folder"
    with pytest.raises(InvalidInput, match=refusal):
        local.start(own)
    assert list(tmp_path.iterdir()) == []
    detail = next(finding.detail for finding in local.inspect(own) if finding.name == "home")
    assert re.search(refusal, detail)


def test_a_java_that_does_not_fit_ends_the_start_before_anything_runs(
    settings: Settings, three_jars: str, tmp_path: Path
) -> None:
    own = settings.model_copy(update={"java": tmp_path / "none", "maven_url": three_jars})
    with pytest.raises(JavaNotFound):
        local.start(own)
    assert homes.of(settings).state() is None
