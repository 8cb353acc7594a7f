"""Results at a prompt and in a notebook, and as values of JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from tetragraph import Chunk, Evidence, Hit
from tetragraph.client.analytics import SHOWN_ROWS, Table
from tetragraph.client.corpus import Corpus
from tetragraph.model.anchors import Anchor, Anchored, AnchorGraph, SessionRecord
from tetragraph.model.answers import Answer, Citation
from tetragraph.model.evidence import NAMED, SIMILAR, FactEvidence, FactParticipant, FoundFact, PathStep
from tetragraph.model.explanations import Explanation, ScorePart
from tetragraph.model.subgraphs import LinkKey, NodeKey, Subgraph
from tetragraph.systems.encoding_tree.overview import SHOWN_THEMES, Theme, ThemeChunk, TreeOverview
from tetragraph.systems.encoding_tree.themes import (
    CentralChunk,
    Neighbour,
    TellingEntity,
    ThemeBridge,
    ThemeReport,
)

HOSTILE = "<script>alert(1)</script>"
CHUNK = Chunk("c1", "halvik", HOSTILE, HOSTILE, "A town. " * 200, 0, 0, 7, 3, source="docs/halvik.md")
CITED = replace(CHUNK, title="Halvik")
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
FIRST, SECOND = NodeKey("Chunk", "c1"), NodeKey("Chunk", "c2")
SUBGRAPH = Subgraph(
    "world",
    {FIRST: {"title": "Halvik", "text": HOSTILE}, SECOND: {}},
    {LinkKey("INFO_GAIN", FIRST, SECOND): {"level": "minor", "gain": 0.2}},
)
ANCHORS = AnchorGraph(
    (Anchor("a", HOSTILE, (HOSTILE,), 1), Anchor("b", "Halvik", (), 1), Anchor("c", "Old Port", (), 2)),
    (Anchored("a", HOSTILE, "b", 1),),
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


def drawn_names(page: str) -> list[str]:
    """The words of a picture, in order, except those of its legend and beside its links."""
    return re.findall(r'font-size="12"[^>]*>([^<]*)</text>', page)


def test_every_picture_has_no_script_and_every_text_in_it_is_escaped() -> None:
    for one in (*TABLES, TREE.themes[0], SUBGRAPH, ANCHORS):
        page = one._repr_html_()
        picture = page[page.find("<svg ") :]
        assert "<script" not in picture
        assert HOSTILE not in page
        assert "<svg " in page or one in (EXPLANATION, ANSWER, SESSION)
        assert one._repr_html_() == page
    assert "</p><svg " in replace(EXPLANATION, subgraph=SUBGRAPH)._repr_html_()
    assert "</p><svg " in replace(ANSWER, evidence=replace(EVIDENCE, hits=(HIT,)))._repr_html_()


def test_an_empty_result_has_a_table_and_no_picture() -> None:
    for one in (replace(EVIDENCE, hits=()), replace(FACTS, facts=()), AnchorGraph(), Subgraph("world")):
        assert "<svg " not in one._repr_html_()


def test_a_picture_of_hits_leads_from_the_question_over_named_nodes_to_each_hit() -> None:
    chunks = {name: replace(CHUNK, id=name, title=name.upper()) for name in ("a", "b", "d", "e")}
    walked = (
        PathStep("question", "x", "SEED", NAMED, 0.5),
        PathStep("x", "a", "MENTIONS", "Halvik", 0.5),
    )
    gained = (
        PathStep("question", "a", "SEED", SIMILAR, 0.5),
        PathStep("a", "u", "INFO_GAIN", "substantial", 0.25),
        PathStep("u", "b", "INFO_GAIN", "minor", 0.25),
    )
    stated = (
        PathStep("question", "f", "SEED", SIMILAR, 1.0),
        PathStep("f", "y", "PARTICIPATES_IN", "Orla Brandt", 1.0),
        PathStep("y", "g", "PARTICIPATES_IN", "built harbours", 1.0),
        PathStep("g", "d", "STATED_IN", "built harbours", 1.0),
    )
    paths = {"a": walked, "b": gained, "d": stated, "e": ()}
    hits = tuple(Hit(rank, 1 / rank, chunks[name], path=path) for rank, (name, path) in enumerate(paths.items(), 1))
    page = replace(EVIDENCE, hits=hits)._repr_html_()
    assert drawn_names(page) == [
        "question",
        "Halvik",
        "1 · A",
        "2 · B",
        "Orla Brandt",
        "built harbours",
        "3 · D",
        "4 · E",
    ]
    assert page.count("<line ") == 1 + 2 + 3 + 4 - 1 + 1
    for words in (
        "INFO_GAIN: substantial (0.25)",
        ">minor</text>",
        "score 0.2500",
        "Relation 2",
        "Entity 2",
        "Chunk 5",
    ):
        assert words in page


def test_a_picture_of_an_answer_has_the_cited_hits_alone_and_names_the_others_on_their_paths() -> None:
    over = (
        PathStep("question", "c2", "SEED", SIMILAR, 0.5),
        PathStep("c2", "c1", "INFO_GAIN", "novel", 0.5),
    )
    cited = replace(HIT, chunk=CITED, path=over)
    others = [replace(HIT, rank=rank, chunk=replace(CHUNK, id=f"c{rank}", title="Old Port")) for rank in (2, 3)]
    page = replace(ANSWER, evidence=replace(EVIDENCE, hits=(cited, *others)), text="Jens")._repr_html_()
    assert drawn_names(page) == ["question", "2 · Old Port", "1 · Halvik", "Jens"]
    assert "cited</title>" in page


def test_a_picture_of_facts_joins_entities_to_facts_in_their_roles() -> None:
    people = tuple(
        FactParticipant(name, name.title(), "", role) for name, role in (("orla", "agent"), ("port", "place"))
    )
    page = FactEvidence("?", (replace(FACT, description="built", participants=people),))._repr_html_()
    assert drawn_names(page) == ["1 · built", "Orla", "Port"]
    assert re.findall(r'font-size="10"[^>]*>([^<]*)<', page) == ["agent", "place"]


def test_a_picture_of_a_part_of_a_graph_has_all_its_nodes_and_what_names_them() -> None:
    page = SUBGRAPH._repr_html_()
    assert "<td>Chunk</td><td>2</td>" in page
    assert "<td>INFO_GAIN</td><td>1</td>" in page
    assert drawn_names(page) == ["Halvik", "c2"]
    assert ">minor</text>" in page


def test_a_picture_of_themes_is_as_wide_as_they_have_chunks() -> None:
    below = replace(
        THEME.children[0], name="sea", size=2, chunks=(ThemeChunk("c1", "Port"), ThemeChunk("c2", "", "f.md"))
    )
    page = replace(TREE, chunks=3, themes=(replace(THEME, name="harbours", children=(below,)),))._repr_html_()
    assert drawn_names(page) == ["3 chunks", "harbours", "sea", "Port", "f.md"]
    assert re.findall(r'<rect [^>]*width="([0-9.]+)"', page) == ["958.5", "958.5", "638.5", "318.5", "318.5"]


def test_a_picture_of_a_theme_joins_its_neighbours_over_the_chunks_nearest_to_them() -> None:
    near = ThemeBridge(ThemeChunk("c1", "Halvik"), ThemeChunk("c9", "Lund"), 0.5)
    far = ThemeBridge(ThemeChunk("c8", "Kron"), ThemeChunk("c9", "Lund"), 0.5)
    page = replace(REPORT, neighbours=(Neighbour("t9", "songs", 4, 1.5, 2, (), (near, far)),))._repr_html_()
    assert "to Lund: 0.50" in page
    assert page.count("<line ") == 4


def test_a_session_has_a_picture_of_its_anchors() -> None:
    page = ANCHORS._repr_html_()
    assert page.startswith("<table><caption>3 anchors")
    assert page.count("<line ") == 1
    assert drawn_names(page)[1:] == ["Halvik", "Old Port"]


def test_a_table_of_a_statement_is_cut_and_the_rest_counted() -> None:
    rows = tuple({"title": HOSTILE, "chunks": number} for number in range(SHOWN_ROWS + 2))
    page = Table("s", ("title", "chunks"), rows, ("a note",))._repr_html_()
    assert page.count("<tr>") == SHOWN_ROWS + 1
    assert page.endswith("<p>2 rows more</p><p>note: a note</p>")
    assert HOSTILE not in page


def test_a_result_becomes_values_of_json() -> None:
    for one in ALL:
        assert json.loads(json.dumps(one.to_dict())) == one.to_dict()
    assert EVIDENCE.to_dict()["hits"][0]["chunk"]["source"] == "docs/halvik.md"
    assert ANSWER.to_dict()["citations"][0]["source"] == "docs/halvik.md"


def test_a_corpus_is_called_by_its_name() -> None:
    connection: Any = None
    assert repr(Corpus(connection, "handbook")) == "Corpus('handbook')"


def test_what_json_has_no_number_for_is_null() -> None:
    table = Table("own", ("a", "b"), ({"a": float("inf"), "b": [1.5, float("nan")]},))
    assert json.loads(table.to_json(), parse_constant=str) == [{"a": None, "b": [1.5, None]}]
