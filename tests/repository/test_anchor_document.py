"""docs/anchor-graph.md agrees with the code on settings, endings and the joined ranking."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from tetragraph import queries
from tetragraph.model import ChainStep, Chunk, Hit
from tetragraph.model.anchors import AnchorGraph, AnchorStep, Stopped
from tetragraph.systems.anchor_graph import AnchorOptions, rank

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "anchor-graph.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text of a section."""
    return re.split(r"^## \d+\. ", DOCUMENT.partition(f". {title}\n")[2], flags=re.MULTILINE)[0]


def rows(text: str) -> list[list[str]]:
    """The cells of the rows of tables."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for line in lines]


def test_every_reason_to_end_is_explained() -> None:
    named = {name for row in rows(section("The loop")) for name in re.findall(r"`([^`]+)`", row[0])}
    assert set(get_args(Stopped)) <= named


def test_the_settings_are_those_of_the_method_with_their_defaults() -> None:
    said: dict[str, str] = {}
    for row in rows(section("Settings")):
        names = re.findall(r"`(\w+)`", row[0])
        values = [value.strip("` ").replace(",", "") for value in re.split(r", (?!\d{3}\b)", row[1])]
        said |= dict(zip(names, values, strict=len(names) > 0))
    assert said == {one.name: str(one.default).lower() for one in fields(AnchorOptions)}


def test_passages_are_ranked_as_the_formula_says() -> None:
    share, flatness, chained = (
        float(re.findall(rf"{letter} = ([\d.]*\d)", section("One ranking of all steps"))[0]) for letter in "λcγ"
    )

    def worth(place: int) -> float:
        return (flatness + 1) / (flatness + place)

    chunk = Chunk("c1", "d1", "", "", "Words.", 0, 0, 6, 2)
    chain = (ChainStep("who?", (), (), (("c1", 0.5),)),)
    graph = AnchorGraph()
    steps = [
        AnchorStep(1, "q", "q", "dense", (Hit(3, 0.0, chunk),), graph),
        AnchorStep(2, "q", "q2", "dense", (Hit(2, 0.0, chunk),), graph),
        AnchorStep(3, "q", "q3", "dense", (Hit(4, 0.0, chunk),), graph, chain=chain),
    ]
    (hit,) = rank(steps, 1)
    assert hit.score == pytest.approx(worth(3) + share * (worth(2) + worth(4)) + chained * 0.5)


def test_every_statement_that_is_named_is_one_for_analysts_about_evidence() -> None:
    named = {row[0].strip("`") for row in rows(section("The graph in Neo4j")) if row[0].startswith("`find_")}
    assert named
    assert {queries.get(f"analytics/{name}").group for name in named} == {"evidence"}
