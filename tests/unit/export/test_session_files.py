"""Exports of sessions are lossless for all texts."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from types import MappingProxyType
from typing import Any

import networkx as nx
import pytest

from anchor_session import DIARMAIT, MUGAIN, QUEENS, RECORD, SECOND, STEPS, a_step
from tetragraph.export.session_files import network, to_graphml, to_json
from tetragraph.model.anchors import (
    Anchor,
    Anchored,
    AnchorGraph,
    AnchorStep,
    SessionRecord,
)

Tree = dict[str, Any]
ODD = """"quoted" & <b>'marked'</b> ]]> \t {braces} naïve Ægir 名前 😀"""
FORBIDDEN = "bell\x07 escape\x1b[31m nothing\x00 half\ufffe"


def read_json(steps: Sequence[AnchorStep] = STEPS, record: SessionRecord = RECORD) -> Tree:
    tree: Tree = json.loads(to_json(record, steps))
    return tree


def read_graphml(text: str) -> Any:
    return nx.read_graphml(BytesIO(text.encode()), force_multigraph=True)


def anchors(told: Sequence[Tree]) -> dict[str, Anchor]:
    """The anchors as values again, by their keys."""
    return {
        one["key"]: Anchor(**{**one, "attributes": tuple(one["attributes"]), "chunks": tuple(one["chunks"])})
        for one in told
    }


def replayed(tree: Tree) -> list[AnchorGraph]:
    """The graph after each step, from what each step tells."""
    known: dict[str, Anchor] = {}
    relations: list[Anchored] = []
    graphs = []
    for step in tree["steps"]:
        known |= anchors(step["anchors"])
        relations += [Anchored(**one) for one in step["relations"]]
        graphs.append(AnchorGraph(tuple(known.values()), tuple(relations)))
    return graphs


def session_of(text: str) -> tuple[AnchorStep, ...]:
    """A session of one step in which every text is this one."""
    graph = AnchorGraph(
        (Anchor("a", text, (text, "b"), 1, "e1", ("c1", "c2")), Anchor("b", "B", (), 1)),
        (Anchored("a", text, "b", 1), Anchored("a", "other", "b", 1), Anchored("b", text, "a", 1)),
    )
    return (a_step(1, graph, replace(MUGAIN, title=text, text=text), query=text, thought=text),)


def test_the_graph_after_any_step_can_be_put_together_from_the_steps() -> None:
    assert replayed(read_json()) == [step.graph for step in STEPS]


def test_the_last_graph_is_told_as_a_whole_too() -> None:
    told = read_json()["graph"]
    assert tuple(anchors(told["anchors"]).values()) == SECOND.anchors
    assert tuple(Anchored(**one) for one in told["relations"]) == SECOND.relations


def test_a_step_tells_only_anchors_that_are_new_or_know_more() -> None:
    steps = read_json()["steps"]
    assert [[one["key"] for one in step["anchors"]] for step in steps] == [
        ["mugain", "diarmait mac cerbaill"],
        ["diarmait mac cerbaill", "corbach ingen maine"],
        [],
    ]
    assert [len(step["relations"]) for step in steps] == [1, 1, 0]


def test_everything_that_a_step_says_is_exported() -> None:
    first = read_json()["steps"][0]
    assert {name: first[name] for name in ("number", "query", "judgement", "next_query", "thought", "notes")} == {
        "number": 1,
        "query": STEPS[0].query,
        "judgement": "insufficient",
        "next_query": STEPS[0].next_query,
        "thought": STEPS[0].thought,
        "notes": list(STEPS[0].notes),
    }
    assert first["hits"] == [{"rank": 1, "score": 1.0, "chunk": "c1"}, {"rank": 2, "score": 0.5, "chunk": "c2"}]
    assert first["usage"]["input_tokens"] == 100
    assert first["chain"][0]["bridges"][0]["name"] == "Diarmait mac Cerbaill"


def test_a_passage_that_several_steps_found_is_there_once() -> None:
    passages = read_json()["passages"]
    assert [one["id"] for one in passages] == [MUGAIN.id, QUEENS.id, DIARMAIT.id]
    assert passages[0]["text"] == MUGAIN.text


def test_the_session_comes_with_its_settings() -> None:
    tree = read_json()
    assert tree["schema"] == 1
    assert tree["session"]["options"] == {"retriever": "evidence", "steps": 4}
    assert tree["session"]["filters"] == {"year": {"gte": 500}}
    assert (tree["session"]["stopped"], tree["session"]["answer"]) == ("sufficient", "Corbach ingen Maine")


def test_the_order_of_settings_changes_no_byte() -> None:
    turned = replace(RECORD, options=MappingProxyType({"retriever": "evidence", "steps": 4}))
    assert to_json(turned, STEPS) == to_json(RECORD, STEPS)
    assert to_graphml(turned, STEPS) == to_graphml(RECORD, STEPS)


def test_a_session_without_a_step_is_exported() -> None:
    tree = read_json(())
    assert (tree["steps"], tree["passages"], tree["graph"]) == ([], [], {"anchors": [], "relations": []})
    assert len(read_graphml(to_graphml(RECORD, ()))) == 0


@pytest.mark.parametrize("text", [ODD, FORBIDDEN, "two\r\nlines\rand a third"])
def test_json_keeps_every_character(text: str) -> None:
    tree = read_json(session_of(text), replace(RECORD, question=text))
    assert tree["session"]["question"] == text
    assert tree["passages"][0]["text"] == text
    assert replayed(tree)[0] == session_of(text)[0].graph


def test_graphml_has_the_anchors_with_all_that_is_known_of_them() -> None:
    graph = read_graphml(to_graphml(RECORD, STEPS))
    assert dict(graph.nodes(data=True)) == {
        "a1": {
            "label": "Mugain",
            "key": "mugain",
            "step": 1,
            "entity": "e1",
            "attributes": "queen of Tara",
            "chunks": "c1 c2",
        },
        "a2": {
            "label": "Diarmait mac Cerbaill",
            "key": "diarmait mac cerbaill",
            "step": 1,
            "entity": "e2",
            "attributes": "king",
            "chunks": "c1 c3",
        },
        "a3": {
            "label": "Corbach ingen Maine",
            "key": "corbach ingen maine",
            "step": 2,
            "attributes": "daughter of Maine",
            "chunks": "c3",
        },
    }


def test_graphml_has_the_relations_with_their_phrases_and_directions() -> None:
    graph = read_graphml(to_graphml(RECORD, STEPS))
    assert graph.is_directed()
    edges = [(source, target, about["label"], about["step"]) for source, target, about in graph.edges(data=True)]
    assert edges == [("a1", "a2", "wife of", 1), ("a2", "a3", "son of", 2)]


def test_graphml_has_question_and_answer_and_leaves_out_what_is_not_there() -> None:
    about = read_graphml(to_graphml(replace(RECORD, stopped=None, answer=""), STEPS)).graph
    assert about["session"] == RECORD.id
    assert (about["question"], about["retriever"], about["steps"]) == (RECORD.question, "evidence", 3)
    assert about.keys() & {"answer", "stopped", "forked_from"} == set()


def test_graphml_read_again_is_the_graph_that_was_written() -> None:
    steps = session_of(ODD)
    written, read = network(RECORD, steps[-1].graph), read_graphml(to_graphml(RECORD, steps))
    assert dict(read.nodes(data=True)) == dict(written.nodes(data=True))
    assert list(read.edges(keys=True, data=True)) == list(written.edges(keys=True, data=True))
    assert read.nodes["a1"]["label"] == ODD
    assert read.nodes["a1"]["attributes"].split("\n") == [ODD, "b"]


def test_several_relations_of_two_anchors_are_several_edges_with_names_of_their_own() -> None:
    text = to_graphml(RECORD, session_of("x"))
    edges = ET.fromstring(text.encode()).iter("{http://graphml.graphdrawing.org/xmlns}edge")  # noqa: S314  # written here
    assert [(edge.get("source"), edge.get("target"), edge.get("id")) for edge in edges] == [
        ("a1", "a2", "r1"),
        ("a1", "a2", "r2"),
        ("a2", "a1", "r3"),
    ]


def test_characters_that_xml_cannot_hold_are_replaced_and_the_rest_stays() -> None:
    label = read_graphml(to_graphml(RECORD, session_of(FORBIDDEN))).nodes["a1"]["label"]
    assert label == "bell\ufffd escape\ufffd[31m nothing\ufffd half\ufffd"
    assert read_graphml(to_graphml(RECORD, session_of("a\r\nb\rc"))).nodes["a1"]["label"] == "a\nb\nc"
