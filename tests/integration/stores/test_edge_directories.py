"""The in-process engine: one owner for each directory, kills, threads, broken files."""

from __future__ import annotations

import errno
import re
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tetragraph.arrays import Vectors
from tetragraph.errors import CorruptHome, QueryFailed, StoreBusy, StoreError
from tetragraph.stores.qdrant_edge import EdgeVectors
from tetragraph.stores.vectors import Point

DIMENSION = 8
PREAMBLE = """
    import sys, time
    from pathlib import Path
    import numpy as np
    from tetragraph.stores.qdrant_edge import EdgeVectors
    from tetragraph.stores.vectors import Point

    def point(i):
        return Point(f"n{i}", np.random.default_rng(i).normal(size=8).astype(np.float32), f"hash{i}")
"""
Child = Callable[[str], "subprocess.Popen[str]"]


def vector(seed: int) -> Vectors:
    return np.random.default_rng(seed).normal(size=DIMENSION).astype(np.float32)


def point(i: int) -> Point:
    return Point(f"n{i}", vector(i), f"hash{i}")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EdgeVectors]:
    store = EdgeVectors(tmp_path, wait_s=0.0)
    yield store
    store.close()


@pytest.fixture
def child(tmp_path: Path) -> Iterator[Child]:
    """Starts another process on the same folder; it prints a line where the test is to go on."""
    started: list[subprocess.Popen[str]] = []

    def start(body: str) -> subprocess.Popen[str]:
        code = textwrap.dedent(PREAMBLE) + f"folder = Path({str(tmp_path)!r})\n" + textwrap.dedent(body)
        started.append(subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


HOLD = """
    store = EdgeVectors(folder, wait_s=0.0, idle_s=60.0)
    store.ensure("corpus", "chunks", 8)
    store.upsert("corpus", "chunks", [point(0)])
    print("held", flush=True)
    time.sleep({seconds})
    store.close()
    print("closed", flush=True)
    time.sleep(60)
"""


def test_a_second_process_gets_an_error_that_names_the_holder_and_the_ways_out(tmp_path: Path, child: Child) -> None:
    holder = child(HOLD.format(seconds=60))
    assert line(holder) == "held"

    with pytest.raises(StoreBusy) as refused:
        EdgeVectors(tmp_path, wait_s=0.2).count("corpus", "chunks")

    said = str(refused.value)
    assert re.search(rf"process {holder.pid} on \S+ \(`-c`, since \d{{4}}-\d\d-\d\dT", said)
    assert str(tmp_path / "corpus__chunks") in said
    assert "0.2 s" in said
    assert "TETRAGRAPH_EDGE_WAIT_S" in said
    assert "QDRANT_URL" in said


def test_a_second_process_goes_on_when_the_holder_lets_go_within_the_wait(tmp_path: Path, child: Child) -> None:
    holder = child(HOLD.format(seconds=0.5))
    assert line(holder) == "held"

    store = EdgeVectors(tmp_path, wait_s=30.0)
    assert store.hashes("corpus", "chunks") == {"n0": "hash0"}
    assert line(holder) == "closed"
    store.close()


def test_a_holder_that_is_killed_holds_no_longer(store: EdgeVectors, child: Child) -> None:
    holder = child(HOLD.format(seconds=60))
    assert line(holder) == "held"
    holder.kill()
    holder.wait()

    assert store.count("corpus", "chunks") == 1


def test_an_idle_holder_lets_go_by_itself(tmp_path: Path) -> None:
    service, command = EdgeVectors(tmp_path, 0.0, idle_s=0.1), EdgeVectors(tmp_path, 30.0)
    service.ensure("corpus", "chunks", DIMENSION)
    command.upsert("corpus", "chunks", [point(0)])
    command.close()
    assert service.count("corpus", "chunks") == 1
    service.close()


def test_two_clients_in_one_process_are_told_so(tmp_path: Path, store: EdgeVectors) -> None:
    store.ensure("corpus", "chunks", DIMENSION)
    with pytest.raises(StoreBusy, match=r"another client in this same process \d+ .*share one or close it"):
        EdgeVectors(tmp_path, wait_s=0.0).count("corpus", "chunks")


def test_a_program_that_knows_nothing_of_the_lock_is_noticed_too(tmp_path: Path, store: EdgeVectors) -> None:
    from qdrant_edge import EdgeShard

    store.ensure("corpus", "chunks", DIMENSION)
    store.close()
    foreign = EdgeShard.load(str(tmp_path / "corpus__chunks"))
    with pytest.raises(StoreBusy, match="a program that does not say who it is"):
        store.count("corpus", "chunks")
    foreign.close()
    assert store.count("corpus", "chunks") == 0


def test_a_closed_store_works_again_when_it_is_used_again(store: EdgeVectors) -> None:
    store.ensure("corpus", "chunks", DIMENSION)
    store.close()
    store.upsert("corpus", "chunks", [point(1)])
    assert store.count("corpus", "chunks") == 1


WRITE = """
    store = EdgeVectors(folder, wait_s=0.0)
    store.ensure("corpus", "chunks", 8)
    for start in range(0, 10**9, 25):
        store.upsert("corpus", "chunks", [point(i) for i in range(start, start + 25)])
        print(start + 25, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [25, 200, 450])
def test_a_killed_writer_loses_nothing_that_was_acknowledged(
    store: EdgeVectors, child: Child, acknowledged: int
) -> None:
    writer = child(WRITE)
    while int(line(writer)) < acknowledged:
        pass
    writer.kill()
    assert writer.stdout is not None
    told = max([acknowledged, *(int(number) for number in writer.stdout.read().splitlines())])

    hashes = store.hashes("corpus", "chunks")
    assert len(hashes) in {told, told + 25}
    assert hashes == {f"n{i}": f"hash{i}" for i in range(len(hashes))}
    vectors = store.get("corpus", "chunks", ["n0", f"n{told - 1}"])
    np.testing.assert_allclose(vectors[f"n{told - 1}"], vector(told - 1) / np.linalg.norm(vector(told - 1)), atol=1e-6)
    store.upsert("corpus", "chunks", [point(10**6)])
    assert store.count("corpus", "chunks") == len(hashes) + 1


def test_a_kill_in_the_middle_of_a_creation_leaves_nothing_in_the_way(tmp_path: Path, store: EdgeVectors) -> None:
    (tmp_path / "corpus__chunks.new" / "segments" / "half").mkdir(parents=True)
    (tmp_path / "corpus__chunks.old" / "wal").mkdir(parents=True)
    store.ensure("corpus", "chunks", DIMENSION)
    store.upsert("corpus", "chunks", [point(0)])
    store.drop("corpus", "chunks")
    assert list(tmp_path.iterdir()) == []


def test_threads_that_write_and_read_at_once_lose_nothing(store: EdgeVectors) -> None:
    store.ensure("corpus", "chunks", DIMENSION)

    def write(worker: int) -> None:
        for start in range(0, 200, 20):
            store.upsert("corpus", "chunks", [point(worker * 1000 + i) for i in range(start, start + 20)])

    def read(worker: int) -> None:
        for seed in range(20):
            scores = [hit.score for hit in store.query("corpus", "chunks", vector(worker + seed), 5)]
            assert scores == sorted(scores, reverse=True)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda worker: (write if worker < 4 else read)(worker), range(8)))
    assert store.count("corpus", "chunks") == 800


def test_letting_go_while_others_search_disturbs_nobody(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, wait_s=5.0, idle_s=0.001)
    store.ensure("corpus", "chunks", DIMENSION)
    store.upsert("corpus", "chunks", [point(i) for i in range(5)])
    for _ in range(20):
        assert len(store.query("corpus", "chunks", vector(0), 3)) == 3
        time.sleep(0.002)
    store.close()


def test_closing_ends_the_thread_that_lets_go(tmp_path: Path) -> None:
    store = EdgeVectors(tmp_path, wait_s=0.0, idle_s=0.01)
    before = set(threading.enumerate())
    store.ensure("corpus", "chunks", DIMENSION)
    workers = set(threading.enumerate()) - before
    store.close()
    for worker in workers:
        worker.join(timeout=10)
    assert workers
    assert not any(worker.is_alive() for worker in workers)


def overwrite(path: Path) -> None:
    path.write_bytes(b"no vectors" * 50)


def emptied(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: overwrite(folder / "edge_config.json"),
        lambda folder: overwrite(next(folder.glob("segments/*/segment.json"))),
        lambda folder: overwrite(next(folder.glob("segments/*/version.info"))),
        lambda folder: overwrite(folder / "wal" / "open-1"),
        lambda folder: next(folder.glob("segments/*/vector_storage/vectors/status.dat")).write_bytes(b""),
        emptied,
    ],
    ids=["configuration", "segment", "version", "log", "a panic of the engine", "empty"],
)
def test_broken_files_are_an_error_that_says_what_to_do(
    tmp_path: Path, store: EdgeVectors, damage: Callable[[Path], object]
) -> None:
    store.ensure("corpus", "chunks", DIMENSION)
    store.upsert("corpus", "chunks", [point(i) for i in range(3)])
    store.close()
    folder = tmp_path / "corpus__chunks"
    damage(folder)

    with pytest.raises(CorruptHome, match=r"cannot be read: .*move the directory away and run `tetragraph doctor"):
        store.count("corpus", "chunks")

    folder.rename(tmp_path / "away")
    store.ensure("corpus", "chunks", DIMENSION)
    assert store.count("corpus", "chunks") == 0


def test_a_damage_that_shows_only_later_is_an_error_that_says_so(tmp_path: Path, store: EdgeVectors) -> None:
    store.ensure("corpus", "chunks", DIMENSION)
    store.upsert("corpus", "chunks", [point(i) for i in range(100)])
    store.close()
    next(tmp_path.glob("*/segments/*/payload_storage/page_0.dat")).write_bytes(b"")

    with pytest.raises(QueryFailed, match="if the directory is damaged, move it away"):
        store.hashes("corpus", "chunks")


def test_a_disk_without_room_is_told_before_the_engine_writes(
    tmp_path: Path, store: EdgeVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.ensure("corpus", "chunks", DIMENSION)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9 - 64_000_100, 64_000_100))
    store.upsert("corpus", "chunks", [point(0)])
    with pytest.raises(StoreError, match="corpus__chunks needs 64 MB of free disk, it has 64 MB: free some"):
        store.upsert("corpus", "chunks", [point(row) for row in range(2)])
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 0))
    with pytest.raises(StoreError, match="needs 64 MB of free disk, it has 0 MB"):
        store.ensure("other", "chunks", DIMENSION)
    assert store.get("corpus", "chunks", ["n0"]).keys() == {"n0"}


@pytest.mark.parametrize("exists", [False, True])
def test_a_process_that_may_open_no_more_files_is_told_so(store: EdgeVectors, child: Child, exists: bool) -> None:
    if exists:
        store.ensure("corpus", "chunks", DIMENSION)
        store.close()
    told = child("""
        import fcntl, os, resource
        from tetragraph.errors import StoreError
        store = EdgeVectors(folder, wait_s=0.0)
        open_files = max(map(int, os.listdir("/proc/self/fd")))  # the listing's own is closed again
        for limit in range(open_files, open_files + 8):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, 1_000))
            try:
                store.ensure("corpus", "chunks", 8)
            except StoreError as error:
                if "Too many open files" not in str(error) or "ulimit -n" not in str(error):
                    print(type(error).__name__, error)
            store.close()
        print("done", flush=True)
    """)
    assert line(told) == "done"


def test_a_home_that_cannot_be_written_is_told_with_the_setting(
    store: EdgeVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("os.open", refuse)
    with pytest.raises(StoreError, match="Read-only file system; set TETRAGRAPH_HOME to a folder that this user may"):
        store.ensure("corpus", "chunks", DIMENSION)


def test_a_collection_that_the_engine_cannot_create_is_told_with_what_to_check(
    store: EdgeVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise Exception("Service runtime error: failed to open WAL")  # noqa: TRY002  # what the engine raises

    monkeypatch.setattr("tetragraph.stores.edge_directory.EdgeShard", type("Shard", (), {"create": refuse}))
    with pytest.raises(StoreError, match=r"could not be created: Service runtime error.*check the free space"):
        store.ensure("corpus", "chunks", DIMENSION)


@pytest.mark.parametrize("suffix", [".new", ".old"])
def test_what_a_kill_left_of_a_collection_is_listed_and_dropped(
    store: EdgeVectors, tmp_path: Path, suffix: str
) -> None:
    (tmp_path / f"corpus~2__chunks{suffix}").mkdir()
    (tmp_path / "corpus~2__chunks.lock").touch()
    (tmp_path / "other.new").mkdir()
    assert store.collections() == [("corpus~2", "chunks")]
    assert store.layout("corpus~2", "chunks") is None
    store.drop("corpus~2", "chunks")
    assert [path.name for path in tmp_path.iterdir()] == ["other.new"]
