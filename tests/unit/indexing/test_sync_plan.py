"""Gone and new documents of equal content are paired by file name and id, in one pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph.indexing.sources import File
from tetragraph.indexing.sync_plan import _New, _pair
from tetragraph.indexing.sync_source import Stored

FILE = File(Path("a.md"), "a.md", "a.md")


def _gone(name: str, content: str) -> Stored:
    return Stored(name, content, f"/old/{name}", name)


def _new(name: str, content: str) -> _New:
    return _New(content, f"/new/{name}", name, FILE)


def test_a_file_of_the_same_name_is_preferred_and_the_others_follow_in_order() -> None:
    gone = [_gone(name, content) for name, content in (("a", "x"), ("b", "x"), ("c", "x"), ("d", "y"), ("e", ""))]
    new = {name: _new(name, content) for name, content in (("z", "x"), ("b", "x"), ("m", "x"), ("q", "y"), ("r", ""))}
    assert [(one.old, one.new) for one in _pair(new, gone)] == [("a", "m"), ("b", "b"), ("c", "z"), ("d", "q")]
    assert [(one.old, one.new) for one in _pair({"n": _new("n", "x")}, gone)] == [("a", "n")]
    assert [(one.old, one.new) for one in _pair(new, gone[:1])] == [("a", "b")]


def test_each_of_many_documents_of_equal_content_is_looked_at_a_fixed_number_of_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []

    def note(path: str) -> Path:
        seen.append(path)
        return Path(path)

    monkeypatch.setattr("tetragraph.indexing.sync_plan.Path", note)
    names = [f"{number:03}" for number in range(200)]
    gone = [_gone(name, "x") for name in names]
    found = _pair({f"n{name}": _new(f"n{name}", "x") for name in names}, gone)
    assert [(one.old, one.new) for one in found] == [(name, f"n{name}") for name in names]
    assert len(seen) == 2 * len(names)
