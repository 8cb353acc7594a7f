"""Contents of each format, read by other programs."""

from __future__ import annotations

import json
import math
from pathlib import Path

import networkx as nx
import pandas as pd
import pytest

from tetragraph.errors import MissingDependency
from tetragraph.export import parquet, save_subgraph
from tetragraph.export.contents import (
    Type,
    type_of,
    wider,
)
from tetragraph.model.captions import as_text
from tetragraph.model.subgraphs import LinkKey, NodeKey, Subgraph

HELD_BY_XML = 'a\ufffdb\ufffd \n\t "quoted" & <tag> 𝄞 \u2028 \ufffd'


def test_graphml_gives_networkx_typed_properties(subgraph: Subgraph, tmp_path: Path) -> None:
    save_subgraph(subgraph, tmp_path / "world.graphml")
    read = nx.read_graphml(tmp_path / "world.graphml")
    assert read.graph["corpus"] == "world"
    first, second = "Chunk:c%25%001", "Chunk:c%25%012"
    assert set(read) == {first, second, "Entity:e1"}
    assert read.nodes[first]["text"] == HELD_BY_XML
    assert read.nodes[first]["tokens"] == 3
    assert read.nodes[first]["meta_year"] == "1856"  # another chunk has a text there
    assert json.loads(read.nodes[first]["meta_tags"]) == ["a", "b"]
    assert read.nodes[second] == {
        "kind": "Chunk", "label": "Second", "id": "c%\ufffd2", "meta_part": 2.5, "meta_year": "unknown",
        "text": "", "title": "Second", "tokens": 4,
    }  # fmt: skip
    assert read.nodes["Entity:e1"]["known"] is True
    assert read.edges[first, second] == {"kind": "INFO_GAIN", "label": "novel", "gain": 1.0, "level": "novel"}
    assert read.edges[first, "Entity:e1"] == {"kind": "MENTIONS", "label": "MENTIONS", "count": 2}


def test_json_lines_keep_every_character_and_type(subgraph: Subgraph, tmp_path: Path) -> None:
    save_subgraph(subgraph, tmp_path / "world.jsonl")
    lines = (tmp_path / "world.jsonl").read_text(encoding="utf-8").split("\n")
    assert lines.pop() == ""
    read = [json.loads(line) for line in lines]
    nodes = {NodeKey(one["label"], one["id"]): one["properties"] for one in read if one["kind"] == "node"}
    links = {
        LinkKey(one["type"], NodeKey(**one["start"]), NodeKey(**one["end"])): one["properties"]
        for one in read
        if one["kind"] == "relationship"
    }
    told = {
        key: {name: value for name, value in one.items() if value is not None} for key, one in subgraph.nodes.items()
    }
    assert (nodes, links) == (told, subgraph.links)


def test_parquet_gives_pandas_typed_columns(subgraph: Subgraph, tmp_path: Path) -> None:
    save_subgraph(subgraph, tmp_path / "world.parquet")
    chunks = pd.read_parquet(tmp_path / "world.parquet/nodes/Chunk.parquet")
    assert list(chunks) == ["id", "meta_part", "meta_tags", "meta_year", "text", "title", "tokens"]
    assert chunks["text"][0] == subgraph.nodes[NodeKey("Chunk", chunks["id"][0])]["text"]
    assert chunks["tokens"].sum() == 7
    assert list(chunks["meta_year"]) == ["1856", "unknown"]
    assert list(chunks["meta_tags"][0]) == ["a", "b"]
    assert chunks["meta_tags"].isna()[1]
    gains = pd.read_parquet(tmp_path / "world.parquet/relationships/INFO_GAIN.parquet")
    assert list(gains) == ["start_label", "start_id", "end_label", "end_id", "gain", "level"]
    assert list(gains["gain"]) == [1.0, 0.25]


def test_rows_of_several_groups_are_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROWS", 3)
    nodes = {NodeKey("Chunk", f"{number:02}"): {"position": number} for number in range(8)}
    nodes[NodeKey("Chunk", "08")] = {"meta_late": True}
    save_subgraph(Subgraph("world", nodes), tmp_path / "world.parquet")
    read = pd.read_parquet(tmp_path / "world.parquet/nodes/Chunk.parquet")
    assert list(read["id"]) == [f"{number:02}" for number in range(9)]
    assert read["position"].sum() == 28
    assert read["meta_late"].sum() == 1


@pytest.mark.parametrize("form", ["graphml", "jsonl", "html"])
def test_the_same_part_gives_the_same_bytes_in_whatever_order_it_carries(
    subgraph: Subgraph, tmp_path: Path, form: str
) -> None:
    turned = {key: dict(reversed(list(properties.items()))) for key, properties in subgraph.nodes.items()}
    save_subgraph(subgraph, tmp_path / f"one.{form}", title="same")
    save_subgraph(Subgraph("world", turned, subgraph.links), tmp_path / f"other.{form}", title="same")
    assert (tmp_path / f"one.{form}").read_bytes() == (tmp_path / f"other.{form}").read_bytes()


def test_a_part_without_anything_is_exported_too(tmp_path: Path) -> None:
    for form in ("graphml", "jsonl", "html", "parquet"):
        report = save_subgraph(Subgraph("world"), tmp_path / f"nothing.{form}")
        assert (report.nodes, report.relationships) == ({}, {})
    assert len(nx.read_graphml(tmp_path / "nothing.graphml")) == 0


def test_numbers_that_are_none_are_told_as_each_format_can(tmp_path: Path) -> None:
    odd = Subgraph("world", {NodeKey("Document", "d"): {"meta_a": math.inf, "meta_b": [math.nan]}})
    for form in ("graphml", "jsonl", "parquet"):
        save_subgraph(odd, tmp_path / f"odd.{form}")
    assert nx.read_graphml(tmp_path / "odd.graphml").nodes["Document:d"]["meta_a"] == math.inf
    assert json.loads((tmp_path / "odd.jsonl").read_text())["properties"] == {"meta_a": None, "meta_b": [None]}
    assert pd.read_parquet(tmp_path / "odd.parquet/nodes/Document.parquet")["meta_a"][0] == math.inf


def test_values_of_several_types_find_one_that_holds_them() -> None:
    assert wider(type_of(1), type_of(0.5)) == Type("number")
    assert wider(type_of(True), type_of(1)) == Type("text")
    assert wider(type_of([]), type_of(["a"])) == Type("text", is_list=True)
    assert wider(type_of(["a"]), type_of("a")) == Type("text")
    assert [as_text(value) for value in (True, 0.5, ["ä"], -math.inf)] == ["true", "0.5", '["ä"]', "-INF"]


def test_a_missing_package_is_named_with_its_extra(
    subgraph: Subgraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "find_spec", lambda name: None if name == "pyarrow" else object())
    with pytest.raises(MissingDependency, match=r"needs pyarrow: pip install 'tetragraph\[analytics\]'"):
        save_subgraph(subgraph, tmp_path / "world.parquet")
    assert list(tmp_path.iterdir()) == []
