"""Sub-questions answered jointly: facts, entities, and probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import pytest

from tetragraph.language.questions.answer_type import ExpectedAnswer
from tetragraph.language.questions.variables import FINAL, SubQuery, filled
from tetragraph.systems.bipartite_graph.dual_path import FactQuestion, compare
from tetragraph.systems.bipartite_graph.joint_binding import (
    Answer,
    bind_jointly,
    chunk_probability,
    fact_probability,
    ways,
)
from tetragraph.systems.bipartite_graph.options import BINDING

if TYPE_CHECKING:
    from tetragraph.stores.corpus import Question

    from .conftest import Given, Graph

MakeGraph = Callable[..., "Graph"]
Fact = Callable[..., "Given"]
Ask = Callable[..., "Question"]
Answers = Callable[..., tuple[Answer, ...]]
SHARPNESS = 30
"""Of the beam: what a score weighs in the logarithm of a hypothesis."""
DIRECTOR = "the director of Silver Harbour"
BORN = "Where was {var1} born?"
ASKED = {DIRECTOR: 0.0, "Where was the director born?": 90.0}
"""The two sub-queries have nothing in common: a fact that answers one is far from the other."""
PLACES = {"Ghent": "PLACE", "Bergen": "PLACE", "Oslo": "PLACE", "Silver Harbour": "WORK"}
CHUNKS = (0, 90)


def likely(shares: Mapping[int, float]) -> dict[int, float]:
    return {row: share for row, share in shares.items() if share > 1e-9}


def two_steps(*expected: str) -> tuple[SubQuery, ...]:
    return (
        SubQuery(DIRECTOR, "var1", (), ExpectedAnswer(expected), ()),
        SubQuery(BORN, FINAL, ("var1",), ExpectedAnswer(), ("the director",)),
    )


@pytest.fixture
def answers(ask: Ask) -> Answers:
    """What answers sub-queries in a graph, but what hardly does; ``asked`` gives the direction of each."""

    def make(
        graph: Graph,
        queries: Sequence[SubQuery],
        allowed: str = "",
        hub: int = 200,
        asked: dict[str, float] = ASKED,
    ) -> tuple[Answer, ...]:
        compared = compare(graph.index, ask(directions=asked), [filled(query, {}) for query in queries])
        found = bind_jointly(graph.index, queries, compared, graph.index.table.mask(allowed.split() or None), hub)
        return tuple(Answer(likely(answer.facts), likely(answer.bound)) for answer in found)

    return make


def test_the_type_that_is_asked_for_is_likelier(make_graph: MakeGraph, fact: Fact, answers: Answers) -> None:
    """Neither Ada nor Ghent takes part in the second fact, so that it tells nothing of them."""
    facts = [fact("Silver Harbour", "Ada", "Ghent"), fact("Bergen", "Oslo", chunks=(1,), degrees=90)]
    graph = make_graph(facts, CHUNKS, types=PLACES)
    first, second = answers(graph, two_steps("PERSON"))
    assert first.facts == pytest.approx({0: 1})
    assert second.facts == pytest.approx({1: 1})
    share = 1 / (1 + math.exp(-2 * BINDING.expected))
    assert first.bound == pytest.approx({graph.entity("Ada"): share, graph.entity("Ghent"): 1 - share})
    assert second.bound == {}
    (place, _) = answers(graph, two_steps("PLACE"))
    assert place.bound == pytest.approx({graph.entity("Ada"): 1 - share, graph.entity("Ghent"): share})


def test_a_type_that_nobody_knows_is_neither_expected_nor_another(
    make_graph: MakeGraph, fact: Fact, answers: Answers
) -> None:
    facts = [fact("Silver Harbour", "Ada", "Ghent"), fact("Bergen", "Oslo", chunks=(1,), degrees=90)]
    graph = make_graph(facts, CHUNKS, types={**PLACES, "Ada": ""})
    first, _ = answers(graph, two_steps("PERSON"))
    assert first.bound[graph.entity("Ada")] == pytest.approx(1 / (1 + math.exp(-BINDING.expected)))


def test_what_the_sub_query_names_is_no_answer_to_it(make_graph: MakeGraph, fact: Fact, answers: Answers) -> None:
    facts = [fact("Silver Harbour", "Ada"), fact("Bergen", "Silver Harbour", chunks=(1,), degrees=90)]
    graph = make_graph(facts, CHUNKS, types=PLACES)
    first, _ = answers(graph, two_steps("WORK"))
    assert first.bound == pytest.approx({graph.entity("Ada"): 1})


def test_a_fact_whose_participants_are_all_named_binds_nothing(
    make_graph: MakeGraph, fact: Fact, answers: Answers
) -> None:
    queries = (SubQuery("the Ada of Bo", "var1", (), ExpectedAnswer(), ()), two_steps()[1])
    graph = make_graph([fact("Ada", "Bo"), fact("Bergen", "Oslo", chunks=(1,), degrees=90)], CHUNKS)
    first, second = answers(graph, queries, asked={**ASKED, "the Ada of Bo": 0.0, "Where was the director born?": 90.0})
    assert first.bound == {}
    assert second.facts == pytest.approx({1: 1})


def test_dates_and_what_everybody_has_are_less_likely(make_graph: MakeGraph, fact: Fact, answers: Answers) -> None:
    facts = [fact("Silver Harbour", "Ada", "May 1901"), fact("Bergen", "Oslo", chunks=(1,), degrees=90)]
    graph = make_graph(facts, CHUNKS, types={**PLACES, "May 1901": "DATE"})
    first, _ = answers(graph, two_steps())
    assert first.bound[graph.entity("Ada")] == pytest.approx(1 / (1 + math.exp(-BINDING.unnamed)))
    facts = [fact("Silver Harbour", "Ada", "Ghent"), fact("Bergen", "Oslo", chunks=(1,), degrees=90)]
    graph = make_graph([*facts, fact("Ghent", "Bergen", chunks=(2,), degrees=180)], (*CHUNKS, 180), types=PLACES)
    first, _ = answers(graph, two_steps())
    less = BINDING.telling * math.log(math.log(1 + 3 / 2) / math.log(1 + 3))  # Ghent takes part in two of three
    assert first.bound[graph.entity("Ada")] == pytest.approx(1 / (1 + math.exp(less)))


def test_the_second_fact_is_found_over_the_entity_that_the_first_binds(
    make_graph: MakeGraph, fact: Fact, answers: Answers
) -> None:
    """The fact of Cy is nearer to the second sub-query, by less than a stranger costs."""
    facts = [fact("Silver Harbour", "Ada"), fact("Cy", "Oslo", chunks=(1,), degrees=90)]
    graph = make_graph([*facts, fact("Ada", "Bergen", chunks=(1,), degrees=100)], CHUNKS, types=PLACES)
    first, second = answers(graph, two_steps("PERSON"))
    assert first.bound == pytest.approx({graph.entity("Ada"): 1})
    nearer = (1 - BINDING.chunk) * (1 - math.cos(math.radians(10)))
    assert second.facts[2] == pytest.approx(1 / (1 + math.exp(-SHARPNESS * (BINDING.stranger - nearer))), abs=1e-6)


def test_a_later_fact_tells_which_of_two_entities_an_earlier_one_binds(
    make_graph: MakeGraph, fact: Fact, answers: Answers
) -> None:
    facts = [fact("Silver Harbour", "Ada", "Emil"), fact("Emil", "Bergen", chunks=(1,), degrees=90)]
    graph = make_graph(facts, CHUNKS, types=PLACES)
    first, _ = answers(graph, two_steps("PERSON"))
    less = BINDING.telling * math.log(math.log(2) / math.log(3))  # Emil takes part in both facts
    odds = math.exp(less + SHARPNESS * BINDING.stranger)
    assert first.bound[graph.entity("Emil")] / first.bound[graph.entity("Ada")] == pytest.approx(odds)


def test_a_chunk_about_the_bound_entity_is_preferred(make_graph: MakeGraph, fact: Fact, answers: Answers) -> None:
    facts = [fact("Silver Harbour", "Ada")]
    facts += [
        fact("Ada", name, chunks=(1,), degrees=90, about=about) for name, about in (("Oslo", ()), ("Rye", ("Ada",)))
    ]
    _, second = answers(make_graph(facts, CHUNKS, types=PLACES), two_steps("PERSON"))
    assert second.facts[2] / second.facts[1] == pytest.approx(math.exp(SHARPNESS * BINDING.about))


def test_a_question_that_branches_is_answered_by_the_fact_of_both_variables(
    make_graph: MakeGraph, fact: Fact, answers: Answers
) -> None:
    last = "Where did {var1} meet {var2}?"
    queries = (
        SubQuery(DIRECTOR, "var1", (), ExpectedAnswer(("PERSON",)), ()),
        SubQuery("the writer of Low Tide", "var2", (), ExpectedAnswer(("PERSON",)), ()),
        SubQuery(last, FINAL, ("var1", "var2"), ExpectedAnswer(), ("the director", "the writer")),
    )
    asked = {DIRECTOR: 0.0, "the writer of Low Tide": 90.0, "Where did the director meet the writer?": 180.0}
    facts = [fact("Silver Harbour", "Ada"), fact("Low Tide", "Cy", chunks=(1,), degrees=90)]
    facts += [fact(name, "Oslo", chunks=(2,), degrees=180) for name in ("Ada", "Cy", "Dot")]
    graph = make_graph([*facts, fact("Ada", "Cy", "Oslo", chunks=(2,), degrees=190)], (0, 90, 180), types=PLACES)
    first, second, third = answers(graph, queries, asked=asked)
    assert max(first.bound, key=first.bound.__getitem__) == graph.entity("Ada")
    assert max(second.bound, key=second.bound.__getitem__) == graph.entity("Cy")
    assert max(third.facts, key=third.facts.__getitem__) == 5
    assert third.facts[5] > 0.98
    assert third.facts[4] < third.facts[2] == pytest.approx(third.facts[3])


def test_facts_that_may_not_be_found_answer_nothing(make_graph: MakeGraph, fact: Fact, answers: Answers) -> None:
    facts = [fact("Silver Harbour", "Ada"), fact("Ada", "Oslo", chunks=(1,), degrees=90)]
    graph = make_graph([*facts, fact("Cy", "Rye", chunks=(2,), degrees=120)], (0, 90, 90), types=PLACES)
    _, second = answers(graph, two_steps("PERSON"), allowed="c0 c2")
    assert second.facts == pytest.approx({2: 1})


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_facts_than_sub_queries_answer_nothing(
    make_graph: MakeGraph, fact: Fact, answers: Answers, count: int
) -> None:
    graph = make_graph([fact("Silver Harbour", "Ada")][:count], CHUNKS)
    assert answers(graph, two_steps("PERSON")) == ()


def test_probabilities_of_a_fact_and_of_its_chunk_add_up_to_one_at_most(
    make_graph: MakeGraph, fact: Fact, ask: Ask
) -> None:
    graph = make_graph([fact("Ada", "Bo"), fact("Ada", "Cy", chunks=(0, 1)), fact("Ada", "Di", chunks=(1,))], CHUNKS)
    (compared,) = compare(graph.index, ask(), ["What is it?"])
    given = (Answer({0: 0.7, 1: 0.2, 2: 0.1}), Answer({0: 0.6, 2: 0.4}))
    assert fact_probability(given) == pytest.approx({0: 1.0, 1: 0.2, 2: 0.5})

    def by_chunk(allowed: list[str] | None) -> list[float]:
        mask = graph.index.table.mask(allowed)
        found = FactQuestion(graph.index, compared, graph.entities(), chunk=0, names=0, allowed=mask)
        return list(chunk_probability(found, given))

    assert by_chunk(None) == pytest.approx([1.0, 0.5])
    assert by_chunk(["c1"])[1] == pytest.approx(0.7), "where the first may not be found the fact counts for the second"
    assert fact_probability(()) == {}


def test_the_way_to_the_second_fact_leads_over_the_bound_entity(
    make_graph: MakeGraph, fact: Fact, answers: Answers
) -> None:
    facts = [fact("Silver Harbour", "Ada"), fact("Cy", "Oslo", chunks=(1,), degrees=90)]
    graph = make_graph([*facts, fact("Ada", "Bergen", chunks=(1,), degrees=100)], CHUNKS, types=PLACES)
    queries = two_steps("PERSON")
    found = ways(graph.index, queries, answers(graph, queries))
    assert (found[2].facts, found[2].entities) == ((0, 2), (graph.entity("Ada"),))
    assert (found[0].facts, found[0].entities) == ((0,), ())
    assert (found[1].facts, found[1].entities) == ((1,), ())  # a stranger: no bound entity takes part
