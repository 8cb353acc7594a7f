"""The loop: reasons for its end, actions in each step, and continuation after an interruption."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from tetragraph.errors import BudgetExhausted, DeadlineExceeded, LlmUnavailable
from tetragraph.model import Chunk, Hit
from tetragraph.model.anchors import AnchorStep, Judgement, Stopped
from tetragraph.model.usage import NOTHING, Usage
from tetragraph.systems.anchor_graph.loop import Retrieve, Steps, Walker
from tetragraph.systems.anchor_graph.options import AnchorOptions
from tetragraph.systems.anchor_graph.reasoner import ReasonerInput, ReasonerOutput, Triple, Update

QUESTION = "q0"


def hit(name: str, rank: int = 1) -> Hit:
    return Hit(rank, 1 / rank, Chunk(name, f"d-{name}", name, name, f"About {name}.", 0, 0, 9, 3))


def retrieve(query: str) -> Sequence[Hit]:
    """Two passages of its own for each query, and one that all find."""
    return [hit(f"{query} a", 1), hit("common", 2), hit(f"{query} b", 3)]


class Scripted:
    """A reasoner that concludes what it is told to, by the number of the step; then it asks for ``q<number>``."""

    name = "scripted"

    def __init__(self, told: Sequence[ReasonerOutput | Exception] = ()) -> None:
        self.situations: list[ReasonerInput] = []
        self._told = told

    def reason(self, situation: ReasonerInput) -> ReasonerOutput:
        self.situations.append(situation)
        number = len(situation.steps)
        told = self._told[number] if number < len(self._told) else insufficient(f"q{number + 1}", number)
        if isinstance(told, Exception):
            raise told
        return told


def insufficient(query: str, number: int = 0, judgement: Judgement = "insufficient") -> ReasonerOutput:
    triple = Triple(f"q{number} a", "leads to", f"q{number} b")
    return ReasonerOutput(Update((), (triple,)), f"thought {number}", judgement, query, (f"note {number}",))


def walker(
    reasoner: Scripted | None = None, options: AnchorOptions | None = None, found: Retrieve = retrieve
) -> Walker:
    return Walker(found, reasoner or Scripted(), options or AnchorOptions(), lambda keys: {})


def run(steps: Steps) -> tuple[list[AnchorStep], Stopped]:
    made = []
    while True:
        try:
            made.append(next(steps))
        except StopIteration as end:
            return made, end.value


def test_each_step_asks_what_the_one_before_asked_for_until_there_are_as_many_as_there_may_be() -> None:
    made, stopped = run(walker().walk(QUESTION))
    assert stopped == "steps"
    assert [(step.number, step.query, step.next_query) for step in made] == [
        (1, "q0", "q1"), (2, "q1", "q2"), (3, "q2", "q3"), (4, "q3", "q4")
    ]  # fmt: skip
    assert [step.thought for step in made] == [f"thought {number}" for number in range(4)]
    assert [step.notes for step in made] == [(f"note {number}",) for number in range(4)]
    assert {step.retriever for step in made} == {"evidence"}
    assert [len(step.graph.anchors) for step in made] == [2, 4, 6, 8]
    assert [anchor.name for anchor in made[2].added] == ["q2 a", "q2 b"]
    assert made[0].graph.by_key["q0 a"].chunks == ("q0 a",)


def test_questions_and_queries_are_read_as_a_search_reads_them_and_kept_as_they_were_written() -> None:
    asked: list[str] = []
    reasoner = Scripted([insufficient("the _Low Tide_"), insufficient("", 1)])
    written = "Tell me who wrote *Gro\u0308\u00adße*"

    def record(query: str) -> Sequence[Hit]:
        asked.append(query)
        return retrieve(query)

    made, _ = run(walker(reasoner, found=record).walk(written))
    assert asked == ['who wrote "Größe"', 'the "Low Tide"']
    assert [(one.question, one.query) for one in reasoner.situations] == [(asked[0], one) for one in asked]
    assert [(step.question, step.query) for step in made] == [(written, written), (written, "the _Low Tide_")]


def test_evidence_that_suffices_ends_it_whatever_is_asked_beside() -> None:
    made, stopped = run(walker(Scripted([insufficient("q1"), insufficient("more?", 1, "sufficient")])).walk(QUESTION))
    assert (stopped, len(made), made[-1].next_query) == ("sufficient", 2, "")


def test_one_step_is_enough_where_there_may_be_one() -> None:
    made, stopped = run(walker(options=AnchorOptions(steps=1)).walk(QUESTION))
    assert (stopped, len(made)) == ("steps", 1)


def test_a_query_that_was_asked_ends_it_in_whatever_case() -> None:
    made, stopped = run(walker(Scripted([insufficient("q1"), insufficient(" Q0?!")])).walk(QUESTION))
    assert (stopped, len(made), made[-1].next_query) == ("repeated query", 2, " Q0?!")


def test_no_next_query_ends_it() -> None:
    made, stopped = run(walker(Scripted([insufficient("")])).walk(QUESTION))
    assert (stopped, len(made)) == ("no new evidence", 1)


def test_two_steps_in_a_row_that_read_nothing_new_end_it() -> None:
    made, stopped = run(walker(options=AnchorOptions(steps=9), found=lambda query: retrieve("q0")).walk(QUESTION))
    assert (stopped, [step.query for step in made]) == ("no new evidence", ["q0", "q1", "q2"])


def test_one_step_that_reads_nothing_new_is_none_too_many() -> None:
    found = {"q0": "q0", "q1": "q0", "q2": "q2", "q3": "q2", "q4": "q0", "q5": "q5"}
    options = AnchorOptions(steps=9)
    made, stopped = run(walker(options=options, found=lambda query: retrieve(found[query])).walk(QUESTION))
    assert (stopped, len(made)) == ("no new evidence", 5)


def test_a_passage_that_was_found_and_not_read_is_new_when_it_is_read() -> None:
    first, second = hit("first", 1), hit("second", 2)
    found = {"q0": [first, second], "q1": [first, second], "q2": [second, first], "q3": [first], "q4": [first]}
    made, stopped = run(walker(options=AnchorOptions(documents=1, steps=9), found=found.__getitem__).walk(QUESTION))
    assert (stopped, len(made)) == ("no new evidence", 5)


def test_a_search_that_finds_nothing_at_all_ends_it() -> None:
    reasoner = Scripted()
    made, stopped = run(walker(reasoner, found=lambda query: []).walk(QUESTION))
    assert (stopped, len(made), reasoner.situations) == ("no new evidence", 1, [])
    assert made[0].notes == ("the query found no passage: the graph is unchanged",)


@pytest.mark.parametrize(
    ("error", "reason"), [(BudgetExhausted("0 of 9 tokens are left"), "budget"), (DeadlineExceeded("over"), "deadline")]
)
def test_what_may_not_be_spent_ends_it_with_what_was_found(error: Exception, reason: Stopped) -> None:
    reasoner = Scripted([insufficient("q1"), error])
    made, stopped = run(walker(reasoner).walk(QUESTION))
    assert (stopped, len(made)) == (reason, 2)
    assert (made[1].judgement, made[1].graph, made[1].next_query) == (None, made[0].graph, "")
    assert [one.chunk.id for one in made[1].hits] == ["q1 a", "common", "q1 b"]
    assert made[1].notes == (f"the step was not judged: {error}",)


@pytest.mark.parametrize("error", [BudgetExhausted("nothing is left"), DeadlineExceeded("over")])
def test_a_search_that_does_not_fit_ends_it_unless_it_is_the_first(error: Exception) -> None:
    def found(query: str) -> Sequence[Hit]:
        if query == "q1":
            raise error
        return retrieve(query)

    made, stopped = run(walker(found=found).walk(QUESTION))
    assert (len(made), made[0].next_query) == (1, "q1")
    assert stopped in ("budget", "deadline")
    with pytest.raises(type(error)):
        run(walker(found=found).walk("q1"))


def test_time_that_is_over_ends_it_after_the_step() -> None:
    late = replace(walker(), deadline=time.monotonic() - 1)
    made, stopped = run(late.walk(QUESTION))
    assert (stopped, len(made)) == ("deadline", 1)


def test_another_failure_of_the_model_goes_up_and_the_steps_before_hold() -> None:
    steps = walker(Scripted([insufficient("q1"), LlmUnavailable("away")])).walk(QUESTION)
    assert next(steps).number == 1
    with pytest.raises(LlmUnavailable):
        next(steps)


def test_the_first_passages_are_read_and_all_are_kept() -> None:
    reasoner = Scripted()
    made, _ = run(walker(reasoner, AnchorOptions(documents=2)).walk(QUESTION))
    assert [len(one.hits) for one in reasoner.situations] == [2] * 4
    assert [one.chunk.id for one in reasoner.situations[0].behind] == ["q0 b"]
    assert [len(step.hits) for step in made] == [3] * 4


@pytest.mark.parametrize(("updates", "sizes"), [(0, [2, 2, 2, 2]), (1, [2, 4, 4, 4]), (3, [2, 4, 6, 8])])
def test_the_graph_is_extended_as_often_as_it_may_be(updates: int, sizes: list[int]) -> None:
    reasoner = Scripted()
    made, _ = run(walker(reasoner, AnchorOptions(updates=updates)).walk(QUESTION))
    assert [len(step.graph.anchors) for step in made] == sizes
    assert [one.may_update for one in reasoner.situations] == [number <= updates for number in range(4)]


def test_without_a_graph_there_is_none() -> None:
    reasoner = Scripted()
    made, _ = run(walker(reasoner, AnchorOptions(graph=False)).walk(QUESTION))
    assert {len(step.graph) for step in made} == {0}
    assert not any(one.may_update for one in reasoner.situations)


def test_what_is_too_much_for_a_step_is_said_in_it() -> None:
    triples = tuple(Triple(f"A{number}", "knows", f"B{number}") for number in range(10_000))
    made, _ = run(walker(Scripted([ReasonerOutput(Update((), triples), "", "sufficient", "")])).walk(QUESTION))
    assert len(made[0].graph.anchors) == 100
    assert "were left out: too many for one step" in made[0].notes[-1]


@pytest.mark.parametrize("count", range(5))
def test_a_walk_that_was_broken_off_goes_on_to_the_same_steps(count: int) -> None:
    whole, stopped = run(walker().walk(QUESTION))
    reasoner = Scripted()
    rest, ended = run(walker(reasoner).walk(QUESTION, steps=whole[:count]))
    assert ([*whole[:count], *rest], ended) == (whole, stopped)
    assert len(reasoner.situations) == 4 - count


def test_a_step_that_nobody_judged_is_made_again() -> None:
    whole, stopped = run(walker().walk(QUESTION))
    broken, reason = run(walker(Scripted([insufficient("q1"), BudgetExhausted("nothing is left")])).walk(QUESTION))
    assert (reason, broken[-1].judgement) == ("budget", None)
    rest, ended = run(walker().walk(QUESTION, steps=broken))
    assert ([*broken[:1], *rest], ended) == (whole, stopped)


def test_a_follow_up_question_begins_with_the_graph_and_counts_on() -> None:
    first, _ = run(walker(options=AnchorOptions(steps=2)).walk(QUESTION))
    reasoner = Scripted()
    second, _ = run(walker(reasoner).walk("p0", query="p0 of Halvik", graph=first[-1].graph, before=2))
    assert (second[0].number, second[0].question, second[0].query) == (3, "p0", "p0 of Halvik")
    assert second[0].graph.anchors[:4] == first[-1].graph.anchors
    assert (reasoner.situations[0].graph, reasoner.situations[0].steps) == (first[-1].graph, ())


def test_a_step_tells_what_it_cost_its_search_included() -> None:
    spent = costs()
    made, _ = run(replace(walker(), usage=lambda: next(spent)).walk(QUESTION))
    assert [step.usage for step in made] == [Usage(calls=1)] * 4


def test_a_step_that_nobody_judged_tells_what_it_cost_too() -> None:
    spent = costs()
    reasoner = Scripted([BudgetExhausted("nothing is left")])
    made, _ = run(replace(walker(reasoner), usage=lambda: next(spent)).walk(QUESTION))
    assert [step.usage for step in made] == [Usage(calls=1)]


def costs() -> Iterator[Usage]:
    """One call more each second time that somebody asks."""
    total = NOTHING
    while True:
        yield total
        total += Usage(calls=1)
        yield total
