"""Facts and participants below a confidence are left out of the graph."""

from __future__ import annotations

from tetragraph.language.entity_resolution.model import Stated
from tetragraph.language.facts.model import Fact, Participant
from tetragraph.systems.bipartite_graph.thresholds import drop_uncertain


def fact(confidence: float, **participants: float) -> Fact:
    named = tuple(Participant(name, "", "subject", certainty) for name, certainty in participants.items())
    return Fact(" ".join(participants), "met", confidence, named, 0, 1)


STATED = {
    "c": Stated("d", "", [fact(0.4, Ada=0.9, Bo=0.8), fact(0.6, Ada=0.9, Bo=0.3, Cy=0.5), fact(0.7, Di=0.2, Eve=1)])
}


def remaining(entity: float, relation: float) -> list[list[str]]:
    return [[one.name for one in found.participants] for found in drop_uncertain(STATED, entity, relation)["c"].facts]


def test_without_thresholds_everything_stays() -> None:
    assert drop_uncertain(STATED, 0, 0) is STATED


def test_facts_below_their_threshold_are_left_out() -> None:
    assert remaining(0, 0.5) == [["Ada", "Bo", "Cy"], ["Di", "Eve"]]
    assert remaining(0, 0.7) == [["Di", "Eve"]]


def test_a_fact_keeps_the_participants_that_are_certain_enough_if_they_are_two_or_more() -> None:
    assert remaining(0.5, 0) == [["Ada", "Bo"], ["Ada", "Cy"]]
    assert remaining(0.5, 0.5) == [["Ada", "Cy"]]
