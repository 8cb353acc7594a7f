"""Output of hits, with and without explanations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tetragraph import Chunk, Evidence, Hit
from tetragraph.cli import search
from tetragraph.model.anchors import AnchorGraph, AnchorStep, AnchorWalk
from tetragraph.model.explanations import Explanation, ScorePart
from tetragraph.model.subgraphs import Subgraph

HIT = Hit(1, 0.75, Chunk("c1", "halvik", "Halvik", "Halvik", "A town.", 0, 0, 7, 3), parts={"first": 0.75})


WHY = Explanation(
    "Where?",
    "anchor",
    1,
    0.75,
    HIT.chunk,
    (ScorePart("first", "its rank in the first step", 0.75),),
    (),
    Subgraph("world"),
    ("1. Halvik, 0.7500", "+0.7500 first: its rank in the first step"),
)


def printed(capsys: pytest.CaptureFixture[str], trace: dict[str, Any], *, explain: bool) -> list[str]:
    search.show(Evidence("Where?", "anchor", (HIT,), trace=trace), explanations=[WHY] if explain else None)
    return [line.strip() for line in capsys.readouterr().out.splitlines()]


def test_a_search_in_several_steps_tells_what_was_searched_for_and_why_it_ended(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = AnchorStep(1, "Where?", "Where?", "evidence", (HIT,), AnchorGraph(), judgement="insufficient")
    second = AnchorStep(2, "Where?", "Where is Halvik?", "evidence", (HIT,), AnchorGraph())
    trace = {"anchor": AnchorWalk((first, second), "budget").trace()}
    assert printed(capsys, trace, explain=True) == [
        "step 1, insufficient: Where?",
        "step 2, not judged: Where is Halvik?",
        "ended: the budget is spent",
        "1  0.7500  Halvik",
        HIT.chunk.place,
        "A town.",
        "+0.7500 first: its rank in the first step",
    ]


@pytest.mark.parametrize("trace", [{}, {"fused": {"dense": 1.0}}])
def test_a_method_that_says_nothing_of_its_way_is_explained_by_its_scores(
    capsys: pytest.CaptureFixture[str], trace: dict[str, Any]
) -> None:
    assert printed(capsys, trace, explain=True) == [
        "1  0.7500  Halvik",
        HIT.chunk.place,
        "A town.",
        "+0.7500 first: its rank in the first step",
    ]
    assert printed(capsys, trace, explain=False) == ["1  0.7500  Halvik", HIT.chunk.place, "A town."]


def test_a_title_of_several_lines_is_printed_in_one(capsys: pytest.CaptureFixture[str]) -> None:
    hit = replace(HIT, chunk=replace(HIT.chunk, title="Towns\n  of the coast"))
    search.show(Evidence("Where?", "dense", (hit,)))
    assert capsys.readouterr().out.splitlines()[0] == "  1  0.7500  Towns of the coast"
