"""Output of facts with their paths."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.cli import facts
from tetragraph.cli.search import complexity_line, path_line
from tetragraph.model import (
    Bridge,
    ChainStep,
    FactEvidence,
    FactParticipant,
    FactStatement,
    FoundFact,
    PathStep,
)

SEED = PathStep("question", "f1", "SEED", "named in the question", 1.0)
OVER = PathStep("f1", "e1", "PARTICIPATES_IN", "Old Port", 1.0)
FURTHER = PathStep("e1", "f2", "PARTICIPATES_IN", "the union sits in Old Port", 1.0)
NEXT = PathStep("f2", "e2", "PARTICIPATES_IN", "the union", 1.0)
LAST = PathStep("e2", "f3", "PARTICIPATES_IN", "Orla founded the union", 1.0)
STATED = PathStep("f3", "c1", "STATED_IN", "Orla founded the union", 1.0)
TRACE: dict[str, Any] = {
    "complexity": {
        "level": "complex",
        "markers": ("where",),
        "has_possessive": True,
        "names": 2,
        "clause_depth": 1,
        "steps": 3,
        "parsed": True,
    }
}


def fact(**changed: Any) -> FoundFact:
    values: dict[str, Any] = {
        "rank": 1,
        "score": 0.5,
        "relation": "f1",
        "description": "Mina Holt lived in Old Port",
        "type": "lived in",
        "confidence": 0.8,
        "weight": 1,
        "hop": 0,
        "participants": (
            FactParticipant("e1", "Mina Holt", "PERSON", "subject"),
            FactParticipant("e2", "Old Port", "", "place"),
        ),
        "statements": (FactStatement("c1", 3, 30),),
        "path": (SEED,),
    }
    return FoundFact(**{**values, **changed})


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ([SEED], "named in the question"),
        ([SEED, OVER, FURTHER], "named in the question → with Old Port"),
        (
            [SEED, OVER, FURTHER, NEXT, LAST],
            "named in the question → with Old Port → the union sits in Old Port → with the union",
        ),
        (
            [SEED, OVER, FURTHER, NEXT, LAST, STATED],
            "named in the question → with Old Port → the union sits in Old Port → with the union → "
            "states that Orla founded the union",
        ),
    ],
)
def test_a_way_tells_each_entity_it_crosses_and_each_fact_once(path: list[PathStep], told: str) -> None:
    assert path_line(path) == told


def test_a_fact_tells_what_it_says_who_takes_part_and_where_it_is_stated(capsys: pytest.CaptureFixture[str]) -> None:
    facts.show(FactEvidence("Who?", (fact(),)), explain=False)
    assert printed(capsys) == [
        "  1  0.5000  Mina Holt lived in Old Port",
        "             named in the question",
        "             subject Mina Holt (PERSON), place Old Port",
        "             stated in c1 3–30",
    ]


def test_many_places_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    places = tuple(FactStatement(f"c{number}", 0, 9) for number in range(5))
    facts.show(FactEvidence("Who?", (fact(statements=places),)), explain=False)
    assert printed(capsys)[-1].strip() == "stated in c0 0–9, c1 0–9, c2 0–9 and 2 more"


def test_explained_it_begins_with_what_the_question_was_taken_for(capsys: pytest.CaptureFixture[str]) -> None:
    step = ChainStep("the union", (), (Bridge("e1", "Sund Union", 0.75),), (("c1", 0.5),))
    facts.show(FactEvidence("Where?", (fact(),), chain=(step,), trace=TRACE), explain=True)
    lines = [line.strip() for line in printed(capsys)]
    assert lines[:2] == [
        "complex: steps 3, names 2, clauses 1, a possessive, where",
        "#1 the union → Sund Union 75%",
    ]


def test_what_was_not_seen_in_a_question_is_not_told() -> None:
    plain = {**TRACE["complexity"], "markers": (), "has_possessive": False, "level": "simple"}
    assert complexity_line({"complexity": plain}) == "simple: steps 3, names 2, clauses 1"


def test_no_fact_is_told_and_notes_go_beside(capsys: pytest.CaptureFixture[str]) -> None:
    facts.show(FactEvidence("Who?", (), notes=("the corpus is being changed",)), explain=False)
    captured = capsys.readouterr()
    assert captured.out == "no fact found\n"
    assert captured.err == "note: the corpus is being changed\n"
