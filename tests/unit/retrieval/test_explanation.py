"""From the paths of a hit to relationships of the graph, to words, and to the statement that draws them."""

from __future__ import annotations

import pytest

from tetragraph import Chunk, Hit
from tetragraph.model import Contribution, PathStep
from tetragraph.model.path_links import (
    ENDS,
    links_of,
    path_graph,
    paths_of,
)
from tetragraph.model.subgraphs import LinkKey, NodeKey, Subgraph
from tetragraph.retrieval.explanation_text import path_sentence
from tetragraph.systems.registry import find_retriever

CHUNK = Chunk("c2", "d", "Halvik", "Halvik", "A town.", 0, 0, 7, 3)
OVER_ENTITY = (
    PathStep("question", "c1", "SEED", "similar to the question", 1.0),
    PathStep("c1", "e1", "MENTIONS", "Halvik", 1.0),
    PathStep("e1", "c2", "DESCRIBES", "Halvik", 1.0),
)
OVER_FACTS = (
    PathStep("question", "r1", "SEED", "named in the question", 1.0),
    PathStep("r1", "e1", "PARTICIPATES_IN", "Halvik", 1.0),
    PathStep("e1", "r2", "PARTICIPATES_IN", "Halvik is a town", 1.0),
    PathStep("r2", "c2", "STATED_IN", "Halvik is a town", 1.0),
)
GAIN = (PathStep("c1", "c2", "INFO_GAIN", "novel", 0.4),)
MENTIONS = LinkKey("MENTIONS", NodeKey("Chunk", "c1"), NodeKey("Entity", "e1"))
DESCRIBES = LinkKey("DESCRIBES", NodeKey("Chunk", "c2"), NodeKey("Entity", "e1"))


def test_relationships_of_a_path_are_told_in_the_direction_that_the_graph_has() -> None:
    assert list(links_of(OVER_ENTITY)) == [DESCRIBES, MENTIONS]
    assert list(links_of(OVER_FACTS)) == [
        LinkKey("STATED_IN", NodeKey("Relation", "r2"), NodeKey("Chunk", "c2")),
        LinkKey("PARTICIPATES_IN", NodeKey("Entity", "e1"), NodeKey("Relation", "r2")),
        LinkKey("PARTICIPATES_IN", NodeKey("Entity", "e1"), NodeKey("Relation", "r1")),
    ]
    assert list(links_of(GAIN)) == [LinkKey("INFO_GAIN", NodeKey("Chunk", "c1"), NodeKey("Chunk", "c2"))]


def test_an_outline_has_the_ways_of_path_and_contributions_once() -> None:
    hit = Hit(1, 1.0, CHUNK, path=OVER_ENTITY, contributions=(Contribution("walk", "Halvik", 0.5, OVER_ENTITY[1:]),))
    assert paths_of(hit) == (OVER_ENTITY, OVER_ENTITY[1:])
    assert path_graph([hit]) == ({NodeKey("Chunk", "c2")}, {MENTIONS, DESCRIBES})


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (OVER_ENTITY, "similar to the question: C1 → mentions E1 → described by C2"),
        (OVER_FACTS, "named in the question: R1 → with E1 → takes part in R2 → stated by C2"),
        (GAIN, "C1 → to which C2 adds what is novel"),
    ],
)
def test_a_way_is_told_by_the_names_of_its_nodes(path: tuple[PathStep, ...], words: str) -> None:
    assert path_sentence(path, str.upper) == words


def test_a_statement_has_a_part_for_each_kind_of_relationship_and_label_and_its_quotes_are_safe() -> None:
    alone, odd = NodeKey("Chunk", "it's } RETURN 1 //"), NodeKey("Entity", 'a"\\b\n')
    links: dict[LinkKey, dict[str, str]] = {
        MENTIONS: {},
        LinkKey("MENTIONS", NodeKey("Chunk", "c1"), odd): {},
        DESCRIBES: {},
    }
    nodes: dict[NodeKey, dict[str, str]] = {key: {} for link in links for key in link[1:]}
    nodes[alone] = {}
    parts = Subgraph("world", nodes, links).cypher.split("\nUNION\n")
    assert [part.splitlines()[0] for part in parts] == [
        "UNWIND [['c2', 'e1']] AS pair",
        "UNWIND [['c1', 'a\"\\\\b\\n'], ['c1', 'e1']] AS pair",
        "UNWIND ['it\\'s } RETURN 1 //'] AS id",
    ]
    assert all("{corpus: 'world', id: " in part for part in parts)


def test_nothing_is_drawn_by_a_statement_that_returns_nothing() -> None:
    assert "RETURN shown" in Subgraph("world").cypher


def test_every_relationship_that_paths_take_has_words_and_ends() -> None:
    assert {"MENTIONS", "DESCRIBES", "INFO_GAIN", "CONTAINS", "PARTICIPATES_IN", "STATED_IN"} == ENDS.keys()
    assert find_retriever("fused").part_meaning("evidence") == "its place among what evidence finds"
