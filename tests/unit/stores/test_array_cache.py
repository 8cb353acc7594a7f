"""The array cache: complete or absent, built once, named by generation."""

from __future__ import annotations

import errno
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from file_limit import largest_file
from tetragraph.arrays import Array
from tetragraph.errors import StoreError
from tetragraph.stores.array_cache import MAX_GENERATIONS, ArrayCache, ArraySet, Strings
from tetragraph.stores.array_folder import Pieces


def arrays(value: int) -> dict[str, Array]:
    return {"numbers": np.array([value]), **Strings.pack("names", ["a", "ü", ""])}


def number_of(found: ArraySet) -> int:
    return int(found["numbers"][0])


@given(st.lists(st.text()))
def test_a_column_of_texts_comes_back_as_it_was(texts: list[str]) -> None:
    column = ArraySet(Strings.pack("names", texts)).strings("names")
    assert list(column) == texts
    assert len(column) == len(texts)
    assert column[1:] == texts[1:]


def test_arrays_of_all_kinds_come_back_as_they_were_and_cannot_be_changed(tmp_path: Path) -> None:
    written: dict[str, Array] = {
        "floats": np.array([[1.5, -2.0], [np.nan, 0.0]], dtype=np.float32),
        "columns": np.asfortranarray(np.arange(6).reshape(2, 3)),
        "none": np.empty((0, 3), dtype=np.int64),
        "one": np.array(7),
        "names": np.array(["a", "ü"]),
        "flags": np.array([True, False, True]),
    }
    cache = ArrayCache(tmp_path)
    cache.put("corpus", "kind", 1, written)
    found = cache.newest("corpus", "kind")
    assert found is not None
    for name, array in written.items():
        np.testing.assert_array_equal(found[name], array, strict=True)
        assert not found[name].flags.writeable


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are listed in /proc")
def test_a_loaded_set_keeps_one_file_open(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    before = len(list(Path("/proc/self/fd").iterdir()))
    loaded = [
        cache.load(f"corpus-{corpus}", kind, 1, lambda: arrays(1), lambda found: found)
        for corpus in range(3)
        for kind in ("chunks", "walk")
    ]
    assert len(list(Path("/proc/self/fd").iterdir())) - before == len(loaded)


def test_a_column_knows_its_ends() -> None:
    column = ArraySet(Strings.pack("names", ["a", "b"])).strings("names")
    assert column[-1] == "b"
    with pytest.raises(IndexError):
        column[2]


def test_a_set_is_built_once_and_found_by_another_process(tmp_path: Path) -> None:
    built: list[int] = []

    def build() -> Mapping[str, Array]:
        built.append(1)
        return arrays(7)

    here, there = ArrayCache(tmp_path), ArrayCache(tmp_path)
    assert here.load("corpus", "kind", 1, build, number_of) == 7
    assert here.load("corpus", "kind", 1, build, number_of) == 7
    assert there.load("corpus", "kind", 1, build, number_of) == 7
    assert built == [1]


def test_another_generation_kind_or_corpus_is_another_set(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    keys = [("a", "kind", 1), ("a", "kind", 2), ("a", "other", 1), ("b", "kind", 1)]
    for value, key in enumerate(keys):
        assert cache.load(*key, lambda value=value: arrays(value), number_of) == value  # type: ignore[misc]  # bound now


def test_threads_that_ask_at_once_get_one_index(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    together = threading.Barrier(4)
    found: list[ArraySet] = []

    def ask() -> None:
        together.wait()
        found.append(cache.load("corpus", "kind", 1, lambda: arrays(1), lambda loaded: loaded))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(one) for one in found}) == 1


def test_a_build_that_fails_leaves_nothing_and_can_be_repeated(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)

    def fail() -> Mapping[str, Array]:
        raise KeyError

    with pytest.raises(KeyError):
        cache.load("corpus", "kind", 1, fail, number_of)
    assert not cache.has("corpus", "kind", 1)
    assert cache.load("corpus", "kind", 1, lambda: arrays(3), number_of) == 3


def test_old_generations_go_and_the_latest_stay(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    for generation in range(1, 6):
        cache.put("corpus", "kind", generation, arrays(generation))
    kept = [generation for generation in range(1, 6) if cache.has("corpus", "kind", generation)]
    assert kept == list(range(6 - MAX_GENERATIONS, 6))


def test_a_forgotten_corpus_is_built_anew(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    cache.load("corpus", "kind", 1, lambda: arrays(1), number_of)
    cache.load("other", "kind", 1, lambda: arrays(1), number_of)
    cache.forget("corpus")
    assert cache.load("corpus", "kind", 1, lambda: arrays(2), number_of) == 2
    assert cache.load("other", "kind", 1, lambda: arrays(2), number_of) == 1


@given(st.lists(st.text()))
def test_a_column_in_pieces_is_the_one_that_is_packed_whole(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        cache = ArrayCache(Path(folder))
        cache.put("corpus", "whole", 1, {**Strings.pack("names", texts), "rows": np.arange(6.0).reshape(3, 2)})
        rows = Pieces(np.float64, (2,), (part for part in (np.arange(2.0)[None], np.arange(2.0, 6.0).reshape(2, 2))))
        cache.put("corpus", "pieces", 1, {**cache.pack_stream("names", texts), "rows": rows})
        whole, pieces = ((Path(folder) / "corpus" / kind / f"{1:012d}") for kind in ("whole", "pieces"))
        assert {file.name: file.read_bytes() for file in whole.iterdir()} == {
            file.name: file.read_bytes() for file in pieces.iterdir()
        }


def test_a_staged_set_is_mapped_and_becomes_that_of_a_generation(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    with cache.stage("corpus", "kind", arrays(5)) as staged:
        assert number_of(staged.arrays) == 5
        assert cache.newest("corpus", "kind") is None
        cache.put("corpus", "kind", 1, arrays(1))
        cache.publish(staged, 2)
    assert number_of(staged.arrays) == 5
    found = cache.newest("corpus", "kind")
    assert found is not None
    assert number_of(found) == 5
    assert cache.find_damaged("corpus") == []


def test_a_staged_set_that_is_not_published_is_removed(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    with pytest.raises(KeyError), cache.stage("corpus", "kind", arrays(5)) as staged:
        raise KeyError
    assert number_of(staged.arrays) == 5, "what is mapped remains"
    assert [path.name for path in (tmp_path / "corpus" / "kind").iterdir()] == ["lock"]


def test_a_generation_that_is_stored_is_not_replaced_by_a_staged_set(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    cache.put("corpus", "kind", 1, arrays(1))
    with cache.stage("corpus", "kind", arrays(5)) as staged:
        cache.publish(staged, 1)
    assert cache.load("corpus", "kind", 1, lambda: arrays(2), number_of) == 1


def test_what_a_killed_process_has_staged_is_removed_by_the_next(tmp_path: Path) -> None:
    script = (
        "import os, pathlib, numpy as np; from tetragraph.stores.array_cache import ArrayCache; "
        f"cache = ArrayCache(pathlib.Path({str(tmp_path)!r})); scratch = cache.scratch(); "
        "held = cache.stage('corpus', 'kind', {'numbers': np.zeros(9)}); held.__enter__(); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -9
    folder = tmp_path / "corpus" / "kind"
    (left,) = folder.glob(".unfinished-*")
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"], "a file without a name leaves nothing"
    cache = ArrayCache(tmp_path)
    with cache.stage("corpus", "kind", arrays(5)) as staged:
        assert not left.exists()
        cache.put("corpus", "kind", 1, arrays(1))
        assert staged.folder.exists(), "that of a living process stays"


def _truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def _flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[-1] ^= 0xFF
    file.write_bytes(data)


@pytest.mark.parametrize(
    "damage",
    [_truncate, _flip, lambda file: file.write_bytes(b""), Path.unlink, lambda file: (file.parent / "x.npy").touch()],
    ids=["truncated", "flipped", "empty", "missing", "foreign"],
)
@pytest.mark.parametrize("name", ["arrays", "contents.json"])
def test_a_damaged_set_is_found_and_built_again(tmp_path: Path, name: str, damage: Callable[[Path], object]) -> None:
    ArrayCache(tmp_path).put("corpus", "kind", 1, arrays(1))
    (place,) = (tmp_path / "corpus" / "kind").glob("[0-9]*")
    damage(place / name)
    cache = ArrayCache(tmp_path)
    assert cache.find_damaged("corpus") == [place]
    assert not cache.has("corpus", "kind", 1)
    assert cache.newest("corpus", "kind") is None
    assert cache.load("corpus", "kind", 1, lambda: arrays(2), number_of) == 2
    assert cache.find_damaged("corpus") == []


def test_changed_numbers_of_a_large_file_are_found_by_a_full_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tetragraph.stores.array_cache.CHECKED_BYTES", 0)
    cache = ArrayCache(tmp_path)
    cache.put("corpus", "kind", 1, arrays(1))
    (place,) = (tmp_path / "corpus" / "kind").glob("[0-9]*")
    _flip(place / "arrays")
    assert cache.has("corpus", "kind", 1)
    assert cache.find_damaged("corpus") == [place]
    cache.delete_damaged("corpus")
    assert not cache.has("corpus", "kind", 1)


def test_sets_that_others_could_read_are_closed_when_the_cache_is_opened(tmp_path: Path) -> None:
    folder = tmp_path / "arrays"
    ArrayCache(folder).put("corpus", "kind", 1, arrays(1))
    inner = [path for path in folder.rglob("*") if path.suffix != ".lock"]
    assert {path.stat().st_mode & 0o077 for path in inner if path.is_file()} == {0}
    for path in (folder, *inner):
        path.chmod(0o755 if path.is_dir() else 0o644)
    ArrayCache(folder)
    modes = {path.is_dir(): path.stat().st_mode & 0o777 for path in (folder, *inner)}
    assert modes == {True: 0o700, False: 0o600}


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.EMFILE, r"raise the limit of open files \(ulimit -n\)"),
        (errno.ENOMEM, "raise the limit of memory"),
        (errno.EACCES, "set TETRAGRAPH_CACHE to a folder that this user may read and write"),
    ],
)
def test_a_sound_set_that_the_system_does_not_open_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, remedy: str
) -> None:
    cache = ArrayCache(tmp_path)
    cache.put("corpus", "kind", 1, arrays(1))

    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, "refused")

    with monkeypatch.context() as patch:
        patch.setattr("mmap.mmap", refuse)
        with pytest.raises(StoreError, match=remedy):
            cache.load("corpus", "kind", 1, lambda: arrays(2), number_of)
    assert cache.load("corpus", "kind", 1, lambda: arrays(2), number_of) == 1


def test_a_full_disk_is_told_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tetragraph.stores.array_folder._write_arrays", refuse)
    with pytest.raises(StoreError, match="No space left on device; free some space there, or set TETRAGRAPH_CACHE"):
        ArrayCache(tmp_path).put("corpus", "kind", 1, arrays(1))


def test_texts_for_which_the_disk_has_no_space_are_told_with_the_remedy(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    with (
        largest_file(1000),
        pytest.raises(StoreError, match=rf"in {tmp_path}: File too large; raise the limit of file"),
    ):
        cache.pack_stream("names", ["x" * 1000] * 100)
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_cannot_be_written_is_told_with_its_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"refused to read or write in .*file: .*; .* set TETRAGRAPH_CACHE"):
        ArrayCache(tmp_path / "file").put("corpus", "kind", 1, arrays(1))
