"""Results at a prompt and in a notebook, and as values of JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tetragraph import Chunk, Evidence, Hit
from tetragraph.client.corpus import Corpus
from tetragraph.model.answers import Answer, Citation
from tetragraph.model.explanations import Explanation, ScorePart
from tetragraph.model.subgraphs import Subgraph

HOSTILE = "<script>alert(1)</script>"
CHUNK = Chunk("c1", "halvik", HOSTILE, HOSTILE, "A town. " * 200, 0, 0, 7, 3, source="docs/halvik.md")
HIT = Hit(1, 0.75, CHUNK, parts={"first": 0.75})
EVIDENCE = Evidence("Where?", "dense", (HIT, replace(HIT, rank=2)), notes=("a note",))
ANSWER = Answer("Where?", "Halvik", "extractive", (Citation.of(CHUNK, 0, 7),), 0, True, EVIDENCE)
EXPLANATION = Explanation(
    "Where?",
    "dense",
    1,
    0.75,
    CHUNK,
    (ScorePart("first", HOSTILE, 0.75),),
    (),
    Subgraph("world"),
    ("1. Halvik", "more"),
)
ALL: tuple[Any, ...] = (EVIDENCE, HIT, ANSWER, EXPLANATION)


def test_a_result_is_short_at_a_prompt() -> None:
    assert repr(EVIDENCE).splitlines()[0] == "Evidence('Where?', method='dense', 2 hits)"
    assert repr(EVIDENCE).splitlines()[-1] == "  note: a note"
    assert repr(HIT).startswith("Hit(1, 0.7500, 'docs/halvik.md', 'A town. A town.")
    assert repr(ANSWER) == "Answer('Halvik', extractive, insufficient, 1 citations)"
    sure = replace(ANSWER, confidence=0.875, insufficient=False)
    assert repr(sure) == "Answer('Halvik', extractive, 1 citations, confidence 0.88)"
    assert repr(EXPLANATION).splitlines()[1:] == ["  1. Halvik", "  more"]
    assert all(len(line) < 200 for one in ALL for line in repr(one).splitlines())


def test_a_notebook_gets_a_table_in_which_every_text_is_escaped() -> None:
    for one in ALL:
        page = one._repr_html_()
        assert page.startswith("<table><caption>")
        assert HOSTILE not in page
    assert "docs/halvik.md" in EVIDENCE._repr_html_()
    assert "<p>note: a note</p>" in EVIDENCE._repr_html_()
    assert "the evidence does not support" in ANSWER._repr_html_()
    assert "<p>confidence: 75%</p>" in replace(ANSWER, confidence=0.75)._repr_html_()


def test_a_result_becomes_values_of_json() -> None:
    for one in ALL:
        assert json.loads(json.dumps(one.to_dict())) == one.to_dict()
    assert EVIDENCE.to_dict()["hits"][0]["chunk"]["source"] == "docs/halvik.md"
    assert ANSWER.to_dict()["citations"][0]["source"] == "docs/halvik.md"


def test_a_corpus_is_called_by_its_name() -> None:
    connection: Any = None
    assert repr(Corpus(connection, "handbook")) == "Corpus('handbook')"
