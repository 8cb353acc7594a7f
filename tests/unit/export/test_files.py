"""Valid paths of exports, and no files after errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from file_limit import largest_file
from tetragraph.errors import InvalidInput, StoreError, StoreUnavailable
from tetragraph.export import save_subgraph
from tetragraph.model.subgraphs import NodeKey, Subgraph

ONE = Subgraph("world", {NodeKey("Chunk", "1"): {"title": "one"}})
TWO = Subgraph("world", {NodeKey("Entity", "2"): {"name": "two"}})


class _Failing(dict[NodeKey, Mapping[str, Any]]):
    """Nodes that a database stops giving."""

    def items(self) -> Iterator[tuple[NodeKey, Mapping[str, Any]]]:  # type: ignore[override]  # a view otherwise
        yield NodeKey("Chunk", "1"), {}
        raise StoreUnavailable("gone")


@pytest.mark.parametrize("form", ["graphml", "jsonl", "parquet", "html"])
def test_a_fault_leaves_what_was_there_and_nothing_beside_it(tmp_path: Path, form: str) -> None:
    place = tmp_path / "graph"
    save_subgraph(ONE, place, form=form)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    with pytest.raises(StoreUnavailable):
        save_subgraph(Subgraph("world", _Failing()), place, form=form, overwrite=True)
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before
    assert list(tmp_path.iterdir()) == [place]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_what_is_there_is_replaced_when_that_is_asked_for_alone(tmp_path: Path, form: str) -> None:
    place = tmp_path / f"graph.{form}"
    save_subgraph(ONE, place)
    with pytest.raises(InvalidInput, match="overwrite=True"):
        save_subgraph(TWO, place)
    save_subgraph(TWO, place, overwrite=True)
    save_subgraph(TWO, tmp_path / f"fresh.{form}")
    assert _files(place) == _files(tmp_path / f"fresh.{form}")


def _files(place: Path) -> dict[Path, bytes]:
    inside = [place] if place.is_file() else [file for file in place.rglob("*") if file.is_file()]
    return {file.relative_to(place): file.read_bytes() for file in inside}


def test_a_folder_of_somebody_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine" / "nodes").mkdir(parents=True)
    (tmp_path / "mine" / "nodes" / "thesis.txt").write_text("years")
    for form in ("parquet", "graphml"):
        with pytest.raises(InvalidInput, match="replace"):
            save_subgraph(ONE, tmp_path / "mine", form=form, overwrite=True)
    assert (tmp_path / "mine" / "nodes" / "thesis.txt").read_text() == "years"


def test_folders_on_the_way_are_made_and_a_place_that_cannot_be_is_told(tmp_path: Path) -> None:
    report = save_subgraph(ONE, str(tmp_path / "new" / "graph.jsonl"))
    assert Path(report.path).is_file()
    with pytest.raises(InvalidInput, match="can be written to"):
        save_subgraph(ONE, tmp_path / "new" / "graph.jsonl" / "inside.jsonl")


@pytest.mark.parametrize("form", ["graphml", "jsonl", "parquet", "html"])
def test_a_disk_without_space_is_told_with_the_remedy(tmp_path: Path, form: str) -> None:
    with largest_file(10), pytest.raises(StoreError, match=rf"in {tmp_path}: .*; raise the limit of file sizes"):
        save_subgraph(ONE, tmp_path / "graph", form=form)
    assert list(tmp_path.iterdir()) == []


def test_a_format_that_is_none_is_told_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(
        InvalidInput, match=r"graphml, jsonl, parquet, html, a page \(html\) for results of a search only, got 'gml'"
    ):
        save_subgraph(ONE, tmp_path / "graph.gml")
    with pytest.raises(InvalidInput, match="got 'csv'"):
        save_subgraph(ONE, tmp_path / "graph.jsonl", form="csv")
