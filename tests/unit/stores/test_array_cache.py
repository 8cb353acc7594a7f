"""The array cache: complete or absent, built once, named by generation."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.arrays import Array
from tetragraph.errors import StoreError
from tetragraph.stores.array_cache import MAX_GENERATIONS, ArrayCache, ArraySet, Strings


def arrays(value: int) -> dict[str, Array]:
    return {"numbers": np.array([value]), **Strings.pack("names", ["a", "ü", ""])}


def number(found: ArraySet) -> int:
    return int(found["numbers"][0])


@given(st.lists(st.text()))
def test_a_column_of_texts_comes_back_as_it_was(texts: list[str]) -> None:
    column = ArraySet(Strings.pack("names", texts)).strings("names")
    assert list(column) == texts
    assert len(column) == len(texts)
    assert column[1:] == texts[1:]


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
    assert here.load("corpus", "kind", 1, build, number) == 7
    assert here.load("corpus", "kind", 1, build, number) == 7
    assert there.load("corpus", "kind", 1, build, number) == 7
    assert built == [1]


def test_another_generation_kind_or_corpus_is_another_set(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    keys = [("a", "kind", 1), ("a", "kind", 2), ("a", "other", 1), ("b", "kind", 1)]
    for value, key in enumerate(keys):
        assert cache.load(*key, lambda value=value: arrays(value), number) == value  # type: ignore[misc]  # bound now


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
        cache.load("corpus", "kind", 1, fail, number)
    assert not cache.has("corpus", "kind", 1)
    assert cache.load("corpus", "kind", 1, lambda: arrays(3), number) == 3


def test_old_generations_go_and_the_latest_stay(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    for generation in range(1, 6):
        cache.put("corpus", "kind", generation, arrays(generation))
    kept = [generation for generation in range(1, 6) if cache.has("corpus", "kind", generation)]
    assert kept == list(range(6 - MAX_GENERATIONS, 6))


def test_a_forgotten_corpus_is_built_anew(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    cache.load("corpus", "kind", 1, lambda: arrays(1), number)
    cache.load("other", "kind", 1, lambda: arrays(1), number)
    cache.forget("corpus")
    assert cache.load("corpus", "kind", 1, lambda: arrays(2), number) == 2
    assert cache.load("other", "kind", 1, lambda: arrays(2), number) == 1


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
@pytest.mark.parametrize("name", ["numbers.npy", "names.data.npy", "contents.json"])
def test_a_damaged_set_is_found_and_built_again(tmp_path: Path, name: str, damage: Callable[[Path], object]) -> None:
    ArrayCache(tmp_path).put("corpus", "kind", 1, arrays(1))
    (place,) = (tmp_path / "corpus" / "kind").glob("[0-9]*")
    damage(place / name)
    cache = ArrayCache(tmp_path)
    assert cache.find_damaged("corpus") == [place]
    assert not cache.has("corpus", "kind", 1)
    assert cache.newest("corpus", "kind") is None
    assert cache.load("corpus", "kind", 1, lambda: arrays(2), number) == 2
    assert cache.find_damaged("corpus") == []


def test_changed_numbers_of_a_large_file_are_found_by_a_full_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tetragraph.stores.array_cache.CHECKED_BYTES", 0)
    cache = ArrayCache(tmp_path)
    cache.put("corpus", "kind", 1, arrays(1))
    (place,) = (tmp_path / "corpus" / "kind").glob("[0-9]*")
    _flip(place / "numbers.npy")
    assert cache.has("corpus", "kind", 1)
    assert cache.find_damaged("corpus") == [place]
    cache.delete_damaged("corpus")
    assert not cache.has("corpus", "kind", 1)


def test_a_cache_that_cannot_be_written_is_told_with_its_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"the cache in .*file cannot be written: .*; make room there"):
        ArrayCache(tmp_path / "file").put("corpus", "kind", 1, arrays(1))
