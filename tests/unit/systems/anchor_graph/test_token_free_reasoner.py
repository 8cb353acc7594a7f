"""The reasoner without a model: next sub-question, additions, and sufficiency of the evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tetragraph.model import Hit, content_id
from tetragraph.model.anchors import AnchorGraph, AnchorStep
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.anchor_graph.graph import extend
from tetragraph.systems.anchor_graph.passage_facts import find_triple_source
from tetragraph.systems.anchor_graph.reasoner import ReasonerInput, ReasonerOutput, Triple, Update
from tetragraph.systems.anchor_graph.token_free_reasoner import TokenFreeReasoner
from tetragraph.systems.bipartite_graph.fact_index import load_facts
from tetragraph.systems.bipartite_graph.system import FactGraph
from tetragraph.systems.evidence_walk.name_index import load_names

PASSAGES = {
    "Silver Harbour": "Silver Harbour is a film directed by Ada Byron.",
    "Ada Byron": "Ada Byron was a director. She was born in Ghent.",
    "Emil Voss": "Emil Voss was a producer. He was born in Lyon.",
    "Ghent": "Ghent is a city in Belgium.",
    "Storm Coast": "Storm Coast is a film about a ship.",
}
FACTS = [
    ("Silver Harbour", "directed", [("Silver Harbour", "WORK", "object"), ("Ada Byron", "PERSON", "agent")]),
    ("Ada Byron", "born", [("Ada Byron", "PERSON", "subject"), ("Ghent", "PLACE", "in")]),
    ("Emil Voss", "born", [("Emil Voss", "PERSON", "subject"), ("Lyon", "PLACE", "in")]),
]
QUESTION = "Where was the director of Silver Harbour born?"
Embed = Callable[[str], NDArray[np.float32]]


class Search:
    """A search by hand: what is found is said, and what is concluded becomes a step."""

    def __init__(self, stores: CorpusStores, embed: Embed, question: str) -> None:
        names = load_names(stores)
        triples = find_triple_source(stores, names, FactGraph(), lambda: load_facts(stores))
        self.reasoner = TokenFreeReasoner(names, triples, embed)
        self.steps: list[AnchorStep] = []
        self._chunks = {chunk.title: chunk for chunk in chunk_table.load(stores).chunks()}
        self._question = question

    @property
    def graph(self) -> AnchorGraph:
        return self.steps[-1].graph if self.steps else AnchorGraph()

    def situation(self, titles: Sequence[str], *, behind: Sequence[str] = (), may_update: bool = True) -> ReasonerInput:
        query = self.steps[-1].next_query if self.steps else self._question
        hits, more = (
            [Hit(place, 1 / place, self._chunks[title]) for place, title in enumerate(some, 1)]
            for some in (titles, behind)
        )
        number = len(self.steps) + 1
        return ReasonerInput(self._question, query, hits, self.graph, tuple(self.steps), number, may_update, more)

    def step(self, *titles: str, behind: Sequence[str] = ()) -> ReasonerOutput:
        situation = self.situation(titles, behind=behind)
        told = self.reasoner.reason(situation)
        number = len(self.steps) + 1
        passages = [hit.chunk for hit in situation.hits]
        graph, _ = extend(
            situation.graph, told.update, number, passages, lambda keys: {key: content_id(key) for key in keys}
        )
        self.steps.append(
            AnchorStep(
                number,
                self._question,
                situation.query,
                "evidence",
                tuple(situation.hits),
                graph,
                told.thought,
                told.judgement,
                told.next_query,
            )
        )
        return told


@pytest.fixture
def search(make_stores: Callable[..., CorpusStores], embed: Embed) -> Callable[..., Search]:
    """Begins a search; the corpus has facts unless it is told not to."""

    def begin(question: str = QUESTION, *, with_facts: bool = True) -> Search:
        return Search(make_stores(PASSAGES, FACTS if with_facts else None), embed, question)

    return begin


def test_the_next_query_is_the_open_part_with_the_bridge_put_in_and_then_the_evidence_suffices(
    search: Callable[..., Search],
) -> None:
    looking = search()
    first = looking.step("Silver Harbour", "Storm Coast")
    assert first.judgement == "insufficient"
    assert "Ada Byron" in first.next_query
    assert "Silver Harbour" not in first.next_query
    second = looking.step("Ada Byron")
    assert (second.judgement, second.next_query) == ("sufficient", "")
    assert second.thought.endswith("relations lead to Ghent")
    keys = {anchor.key for anchor in looking.graph.anchors}
    assert {"silver harbour", "ada byron", "ghent"} <= keys
    assert "emil voss" not in keys


def test_anchors_are_what_the_question_names_what_answers_its_parts_and_what_facts_join_with_these(
    search: Callable[..., Search],
) -> None:
    told = search().step("Silver Harbour", "Emil Voss")
    assert told.update.entities[0] == ("Silver Harbour", ())
    assert Triple("Silver Harbour", "director", "Ada Byron") in told.update.triples
    assert Triple("Silver Harbour", "directed by", "Ada Byron") in told.update.triples
    assert "Lyon" not in repr(told.update)


def test_passages_behind_those_that_are_read_answer_parts_and_state_nothing(search: Callable[..., Search]) -> None:
    told = search().step("Storm Coast", behind=["Silver Harbour"])
    assert "Ada Byron" in told.next_query
    assert not any("directed" in triple.phrase for triple in told.update.triples)


def test_a_question_of_one_part_is_answered_at_once_by_a_relation(search: Callable[..., Search]) -> None:
    told = search("Where was Ada Byron born?").step("Ada Byron")
    assert (told.judgement, told.next_query, told.chain) == ("sufficient", "", ())
    assert told.thought == "relations lead to Ghent"


def test_a_question_of_one_part_without_an_answer_is_asked_again_with_what_was_found(
    search: Callable[..., Search],
) -> None:
    looking = search("When did Silver Harbour win?")
    first = looking.step("Silver Harbour")
    assert (first.judgement, first.next_query) == ("insufficient", "When did Silver Harbour win? Ada Byron")
    second = looking.step("Ada Byron")
    assert second.judgement == "insufficient"
    assert second.next_query == "When did Silver Harbour win? Ghent"
    third = looking.step("Ghent")
    assert third.next_query == "", "there is nothing left that no passage describes"


def test_what_a_passage_at_hand_describes_is_not_asked_for_again(search: Callable[..., Search]) -> None:
    told = search("When did Silver Harbour win?").step("Silver Harbour", "Ada Byron")
    assert told.next_query == "When did Silver Harbour win? Ghent"


def test_a_question_that_names_nothing_begins_with_what_its_query_names(search: Callable[..., Search]) -> None:
    looking = search("Where was she born?")
    nothing = looking.reasoner.reason(looking.situation(["Ada Byron"]))
    assert (nothing.judgement, nothing.update.entities, nothing.next_query) == ("insufficient", (), "")
    situation = looking.situation(["Ada Byron"])
    named = ReasonerInput(situation.question, "Where was she born? Ada Byron", situation.hits, situation.graph, (), 1)
    told = looking.reasoner.reason(named)
    assert told.judgement == "sufficient"
    assert told.update.entities[0] == ("Ada Byron", ())


def test_a_follow_up_question_prefers_what_it_found_itself(search: Callable[..., Search]) -> None:
    looking = search("Where was Ada Byron born?")
    earlier = Update((), (Triple("Ada Byron", "worked in", "Lyon"),))
    graph, _ = extend(AnchorGraph(), earlier, 2, (), lambda _: {})
    situation = replace(looking.situation(["Ada Byron"]), graph=graph, number=3)
    assert looking.reasoner.reason(situation).thought == "relations lead to Ghent"


def test_without_hits_nothing_is_added_but_what_the_question_names(search: Callable[..., Search]) -> None:
    told = search().step()
    assert told.update == Update((("Silver Harbour", ()),), ())
    assert (told.judgement, told.chain) == ("insufficient", ())


def test_a_graph_that_may_not_grow_does_not_and_judges_all_the_same(search: Callable[..., Search]) -> None:
    looking = search()
    looking.step("Silver Harbour")
    told = looking.reasoner.reason(looking.situation(["Ada Byron"], may_update=False))
    assert told.update == Update()
    assert told.judgement == "insufficient", "no relation leads to Ghent"


def test_without_facts_mentions_join_anchors(search: Callable[..., Search]) -> None:
    looking = search(with_facts=False)
    assert "Ada Byron" in looking.step("Silver Harbour", "Storm Coast").next_query
    assert looking.step("Ada Byron").judgement == "sufficient"
    assert ("ada byron", "mentions", "ghent") in {
        (one.source, one.phrase, one.target) for one in looking.graph.relations
    }


def test_the_same_situation_is_read_the_same_way_by_whoever_comes_new(search: Callable[..., Search]) -> None:
    looking = search()
    looking.step("Silver Harbour", "Storm Coast")
    situation = looking.situation(["Ada Byron", "Ghent"])
    fresh = search()
    assert fresh.reasoner.reason(situation) == looking.reasoner.reason(situation)


def test_no_query_is_asked_twice_in_whatever_spelling(search: Callable[..., Search]) -> None:
    looking = search()
    assert looking.step("Silver Harbour", "Storm Coast").next_query == "Where was Ada Byron born?"
    looking.steps[-1] = replace(looking.steps[-1], next_query="where was  ADA BYRON born")
    assert looking.step("Storm Coast").next_query == ""
