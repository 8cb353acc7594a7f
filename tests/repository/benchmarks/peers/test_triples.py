"""Triples are recorded ones if a set has them for every passage, otherwise spaCy's."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from benchmarks.peers.material import Material, Passage
from benchmarks.peers.triples import make_triples

from tetragraph.errors import InvalidInput

OSLO = Passage("a", "Oslo", "Oslo hosted the Olympics in 1952. Two athletes from Kenya won there.")
TWIN = Passage("b", OSLO.title, OSLO.text)
GIVEN = Material("towns", "dev", (OSLO, TWIN), ())


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder whose set `towns` has recorded triples for its first passage only."""
    (tmp_path / "README.md").touch()
    (tmp_path / "towns").mkdir()
    row = {"passage_id": "a", "entities": ["Oslo"], "triples": [["Oslo", "is", "a city"]]}
    with gzip.open(tmp_path / "towns" / "openie.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    monkeypatch.setenv("TETRAGRAPH_DATA", str(tmp_path))
    return tmp_path


def test_recorded_triples_are_taken_where_every_passage_has_them() -> None:
    made = make_triples(Material("towns", "dev", (OSLO,), ()), None)
    assert made.source == "recorded"
    (row,) = made.rows
    assert row["passage"] == OSLO.whole
    assert (row["extracted_entities"], row["extracted_triples"]) == (["Oslo"], [["Oslo", "is", "a city"]])


def test_recorded_triples_of_some_passages_are_refused_when_they_are_asked_for() -> None:
    with pytest.raises(InvalidInput, match="1 of the 2 of 'towns' have none: choose --triples spacy"):
        make_triples(GIVEN, "recorded")


def test_spacy_joins_the_title_to_each_named_entity_by_the_root_verb_and_reads_equal_passages_once() -> None:
    made = make_triples(GIVEN, None)
    assert made.source == "spacy"
    (row,) = made.rows
    assert ["Oslo", "won", "Kenya"] in row["extracted_triples"]
    assert {triple[0] for triple in row["extracted_triples"]} == {"Oslo"}
    assert {"Oslo", "Two"}.isdisjoint(triple[2] for triple in row["extracted_triples"])
    assert row["extracted_entities"] == ["Oslo", *dict.fromkeys(triple[2] for triple in row["extracted_triples"])]
