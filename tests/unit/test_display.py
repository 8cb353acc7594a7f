"""Results at a prompt and in a notebook, and as values of JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tetragraph import Chunk, Evidence, Hit
from tetragraph.client.corpus import Corpus
from tetragraph.export import anchor_picture
from tetragraph.model.anchors import Anchor, Anchored, AnchorGraph, SessionRecord
from tetragraph.model.answers import Answer, Citation
from tetragraph.model.evidence import FactEvidence, FoundFact, PathStep
from tetragraph.model.explanations import Explanation, ScorePart
from tetragraph.model.subgraphs import Subgraph
from tetragraph.systems.encoding_tree.overview import SHOWN_THEMES, Theme, TreeOverview
from tetragraph.systems.encoding_tree.themes import CentralChunk, TellingEntity, ThemeReport

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
FACT = FoundFact(
    1, 0.5, "f1", HOSTILE, "born in", 0.9, 2, 0, (), (), (PathStep("question", "f1", "SEED", "named", 1.0),)
)
FACTS = FactEvidence("Where?", (FACT,), notes=("a note",))
THEME = Theme("t1", HOSTILE, 1, 3, 4.0, 1.0, 0.5, (Theme("t2", "sea", 2, 2, 2.0, 1.0, 0.5),))
TREE = TreeOverview(3, 1.0, 2.0, 0.02, 0, {}, 1200, (THEME,))
REPORT = ThemeReport(THEME, (CentralChunk("c1", HOSTILE, 2.0, 0.5),), (TellingEntity("e", HOSTILE, 2, 3, 1.0),), ())
SESSION = SessionRecord(
    "s1", HOSTILE, "ended", "sufficient", "evidence", "rules", {}, 5, {}, 2, "2026-01-01", "", answer=HOSTILE
)
ALL: tuple[Any, ...] = (EVIDENCE, HIT, ANSWER, EXPLANATION)
TABLES: tuple[Any, ...] = (*ALL, FACT, FACTS, TREE, REPORT, SESSION)


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
    for one in TABLES:
        page = one._repr_html_()
        assert page.startswith("<table><caption>")
        assert HOSTILE not in page
    assert "<td>· sea</td><td>2</td><td>2</td><td>50%</td>" in TREE._repr_html_()
    assert "2 chunks</td><td>named</td>" in FACTS._repr_html_()
    assert "docs/halvik.md" in EVIDENCE._repr_html_()
    assert "<p>note: a note</p>" in EVIDENCE._repr_html_()
    assert "the evidence does not support" in ANSWER._repr_html_()
    assert "<p>confidence: 75%</p>" in replace(ANSWER, confidence=0.75)._repr_html_()


def test_a_long_tree_is_cut_and_the_rest_counted() -> None:
    page = replace(TREE, themes=(THEME,) * SHOWN_THEMES)._repr_html_()
    assert f"<p>{SHOWN_THEMES:,} themes more</p>" in page


def test_an_anchor_graph_is_drawn_without_scripts_and_with_every_name_escaped() -> None:
    anchors = (Anchor("a", HOSTILE, (), 1), Anchor("b", "Halvik", (), 1), Anchor("c", "Old Port", (), 2))
    picture = anchor_picture.draw(AnchorGraph(anchors, (Anchored("a", HOSTILE, "b", 1),)))
    assert picture.startswith("<svg ")
    assert "<script" not in picture
    assert picture.count("<circle") == 3
    assert picture.count("<line") == 1
    assert HOSTILE not in picture
    assert anchor_picture.draw(AnchorGraph(anchors[:1])).count("<circle") == 1
    assert anchor_picture.draw(AnchorGraph()) == ""


def test_a_result_becomes_values_of_json() -> None:
    for one in ALL:
        assert json.loads(json.dumps(one.to_dict())) == one.to_dict()
    assert EVIDENCE.to_dict()["hits"][0]["chunk"]["source"] == "docs/halvik.md"
    assert ANSWER.to_dict()["citations"][0]["source"] == "docs/halvik.md"


def test_a_corpus_is_called_by_its_name() -> None:
    connection: Any = None
    assert repr(Corpus(connection, "handbook")) == "Corpus('handbook')"
