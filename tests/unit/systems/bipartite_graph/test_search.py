"""From a question to facts and chunks, on a graph in memory."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hidden_spacy import hide_spacy
from scripted_llm import ScriptedLlm
from tetragraph.errors import LlmNotConfigured
from tetragraph.llm import Operation
from tetragraph.model import FactFindings, Findings
from tetragraph.stores.array_cache import Strings
from tetragraph.stores.corpus import Question
from tetragraph.systems.bipartite_graph.options import BipartiteOptions
from tetragraph.systems.bipartite_graph.search import search, search_facts

if TYPE_CHECKING:
    from .conftest import Given, Graph

pytest.importorskip("spacy")
MakeGraph = Callable[..., "Graph"]
Fact = Callable[..., "Given"]
Ask = Callable[..., Question]
TYPES = {"Silver Harbour": "WORK", "Ghent": "PLACE", "Oslo": "PLACE", "Rye": "PLACE"}
ASKED = "Where was Silver Harbour's director born?"
DIRECTIONS = {ASKED: 20.0, "Silver Harbour's director": 0.0, "Where was the director born?": 60.0}
DIRECTIONS |= {"Where was Ada Byron born?": 60.0, "Ada Byron": 10.0, "Silver Harbour": 0.0}
RANKINGS = ("similarity", "paper")


@pytest.mark.parametrize(("built", "notes"), [("{}", 1), ('{"mode": "paper"}', 0)])
def test_a_search_in_mode_paper_reports_a_graph_that_was_built_in_another_mode(
    graph: Graph, ask: Ask, tmp_path: Path, built: str, notes: int
) -> None:
    made = Strings.pack("made", [json.dumps({"extractor": "dependency", "settings": built})])
    stores = replace(graph, arrays={**graph.arrays, **made}).stores(tmp_path)
    search(stores, ask(ASKED, directions=DIRECTIONS), 1, BipartiteOptions(mode="paper"))
    assert sum("build bipartite -c c -o mode=paper" in note for note in stores.notes) == notes


@pytest.fixture
def graph(make_graph: MakeGraph, fact: Fact) -> Graph:
    """Who directed what, and who was born where; chunks 3 and 4 state nothing of it."""
    facts = [
        fact("Silver Harbour", "Ada Byron", degrees=0),
        fact("Ada Byron", "Ghent", chunks=(1,), degrees=66, about=("Ada Byron",)),
        fact("Cy Dorn", "Oslo", chunks=(2,), degrees=60),
        fact("Eve Holt", "Rye", chunks=(3,), degrees=150),
    ]
    return make_graph(facts, (0, 70, 60, 150, 200), types=TYPES)


@pytest.fixture
def find(graph: Graph, ask: Ask, tmp_path: Path) -> Callable[..., Findings]:
    def look(
        text: str = ASKED,
        k: int = 5,
        allowed: Any = None,
        among: Graph | None = None,
        llm: Operation | None = None,
        **options: Any,
    ) -> Findings:
        question = ask(text, directions=DIRECTIONS)
        if llm:
            question = replace(question, llm=lambda: llm)
        stores = (among or graph).stores(tmp_path / ("other" if among else "own"))
        return search(stores, question, k, BipartiteOptions(**options), allowed)

    return look


def ids(findings: Findings) -> list[str]:
    return [hit.chunk.id for hit in findings.hits]


def test_both_facts_of_the_chain_come_first(find: Callable[..., Findings]) -> None:
    """The fact of Cy is nearer to the second question than Ada's; only the chain tells that it is another's."""
    found = find()
    assert set(ids(found)[:2]) == {"c0", "c1"}
    first, second = found.chain
    assert (first.question, second.question) == ("Silver Harbour's director", "Where was #1 born?")
    assert (first.refers, second.refers) == ((), (1,))
    assert first.bridges[0].name == "Ada Byron"
    assert (first.passages[0][0], second.passages[0][0]) == ("c0", "c1")


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("text", [ASKED, "Silver Harbour", "what is it"])
def test_scores_fall_parts_add_up_and_paths_lead_to_the_chunk(
    find: Callable[..., Findings], ranking: str, text: str
) -> None:
    hits = find(text, ranking=ranking).hits
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5]
    assert all(before.score >= after.score for before, after in itertools.pairwise(hits))
    for hit in hits:
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-9)
        assert (hit.path[0].source, hit.path[0].via, hit.path[-1].target) == ("question", "SEED", hit.chunk.id)
        assert all(before.target == after.source for before, after in itertools.pairwise(hit.path))
        assert hit.path[-1].via == ("STATED_IN" if hit.facts else "SEED")
        for one in hit.facts:
            assert hit.chunk.id in {statement.chunk for statement in one.statements}


@pytest.mark.parametrize("ranking", RANKINGS)
def test_a_smaller_k_gives_the_beginning_and_a_larger_one_every_chunk(
    find: Callable[..., Findings], ranking: str
) -> None:
    everything = find(k=100, ranking=ranking).hits
    assert sorted(hit.chunk.id for hit in everything) == ["c0", "c1", "c2", "c3", "c4"]
    assert [find(k=k, ranking=ranking).hits for k in range(1, 5)] == [everything[:k] for k in range(1, 5)]


@pytest.mark.parametrize("ranking", RANKINGS)
def test_only_allowed_chunks_and_what_they_state_take_part(find: Callable[..., Findings], ranking: str) -> None:
    found = find(k=10, allowed=["c0", "c2", "c4", "unknown"], ranking=ranking)
    assert sorted(ids(found)) == ["c0", "c2", "c4"]
    facts = {one.relation for hit in found.hits for one in hit.facts}
    assert facts == {"r00", "r02"}
    assert "r01" not in json.dumps(dict(found.trace))
    assert all(chunk in {"c0", "c2"} for step in found.chain for chunk, _ in step.passages)
    assert find(allowed=[], ranking=ranking).hits == ()


@pytest.mark.parametrize("ranking", RANKINGS)
def test_equal_chunks_and_facts_are_in_order_of_id(
    find: Callable[..., Findings], make_graph: MakeGraph, fact: Fact, ranking: str
) -> None:
    graph = make_graph([fact(f"Ada{n}", f"Bo{n}", chunks=(n,)) for n in range(4)])
    found = find("what is it", 4, among=graph, ranking=ranking)
    assert [[one.relation for one in hit.facts] for hit in found.hits] == [["r00"], ["r01"], ["r02"], ["r03"]]
    assert find("what is it", 4, among=graph, ranking=ranking) == found


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("options", [{"facts": 1}, {"hops": 0}, {"hub": 1, "relations": 1, "entities": 1}])
def test_the_tightest_bounds_still_give_every_chunk(
    find: Callable[..., Findings], ranking: str, options: Mapping[str, Any]
) -> None:
    assert len(find(ranking=ranking, **options).hits) == 5


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize(
    "text",
    [
        "Where was the director of {x} born?",
        "Where was {Silver Harbour}'s director born?",
        "Where was the director of Silver Harbour } born {?",
        "Where was the director of {0} {var1} {} Silver Harbour born?",
        "Where was the director of #2 born?",
        "???",
        "谁写了这本小说?",
    ],
)
def test_any_question_is_answered_whatever_is_in_it(find: Callable[..., Findings], ranking: str, text: str) -> None:
    found = find(text, ranking=ranking)
    assert len(found.hits) == 5
    json.dumps(dict(found.trace))


@pytest.mark.parametrize("ranking", RANKINGS)
@pytest.mark.parametrize("chunks", [0, 1, 3])
def test_a_graph_without_facts_answers_by_the_chunks_themselves(
    find: Callable[..., Findings], make_graph: MakeGraph, ranking: str, chunks: int
) -> None:
    found = find(k=2, among=make_graph([], range(chunks)), ranking=ranking)
    assert ids(found) == ["c0", "c1"][:chunks] or set(ids(found)) == {"c2", "c1"}
    assert not any(step.passages or step.bridges for step in found.chain)


def test_one_chunk_with_one_fact_is_a_corpus(find: Callable[..., Findings], make_graph: MakeGraph, fact: Fact) -> None:
    (hit,) = find(among=make_graph([fact("Silver Harbour", "Ada Byron")], (0,), types=TYPES)).hits
    assert [one.relation for one in hit.facts] == ["r00"]


def test_a_question_is_taken_apart_only_when_asked_to(find: Callable[..., Findings]) -> None:
    whole, apart = find(decompose=False), find()
    assert whole.chain == ()
    assert (whole.trace["sub_queries"], whole.trace["complexity"]["level"]) == ([], "complex")
    assert [(one["variable"], one["depends_on"]) for one in apart.trace["sub_queries"]] == [
        ("var1", []),
        ("final_answer", ["var1"]),
    ]
    assert all("sub_queries" not in hit.parts for hit in whole.hits)


@pytest.mark.parametrize("ranking", RANKINGS)
def test_the_trace_tells_what_answers_a_sub_query_and_what_it_binds(
    find: Callable[..., Findings], ranking: str
) -> None:
    director, born = find(ranking=ranking).trace["sub_queries"]
    assert director["bound"][0]["name"] == "Ada Byron"
    assert director["facts"][0]["relation"] == "r00"
    assert born["bound"] == []


def test_the_trace_tells_both_paths_and_the_hops(find: Callable[..., Findings]) -> None:
    (retrieval,) = find("Silver Harbour").trace["retrievals"]
    assert [one["name"] for one in retrieval["entities"]] == ["Silver Harbour"]
    assert retrieval["start"][0] == {"relation": "r00", "entity_path": 1 / 61, "relation_path": 1 / 61}
    assert retrieval["hops"] == [{"from": 4, "new": 0}]
    assert retrieval["stopped"] == "hops"


def test_the_paper_asks_each_sub_query_in_words(find: Callable[..., Findings]) -> None:
    found = find(ranking="paper")
    asked = [one["question"] for one in found.trace["retrievals"]]
    assert asked == ["Silver Harbour's director", "Where was Ada Byron born?"]
    assert [[(bridge.name, bridge.weight) for bridge in step.bridges] for step in found.chain] == [
        [("Ada Byron", 1.0)],
        [],
    ]


def test_facts_are_found_as_they_are_in_hits(graph: Graph, ask: Ask, tmp_path: Path) -> None:
    stores, question = graph.stores(tmp_path), ask(ASKED, directions=DIRECTIONS)
    found = search_facts(stores, question, 2)
    assert isinstance(found, FactFindings)
    assert [(one.rank, one.relation) for one in found.facts] == [(1, "r00"), (2, "r01")]
    hits = search(stores, question, 5)
    assert {one for hit in hits.hits for one in hit.facts} >= set(found.facts)
    assert (found.chain, found.trace, found.graph) == (hits.chain, hits.trace, {"extractor": "dependency"})
    assert len(search_facts(stores, question, 100).facts) == 4
    assert search_facts(stores, question, 100, allowed=["c4"]).facts == ()


@pytest.mark.parametrize("ranking", RANKINGS)
def test_a_search_that_ran_out_of_time_says_so(graph: Graph, ask: Ask, tmp_path: Path, ranking: Any) -> None:
    stores = graph.stores(tmp_path)
    found = search(stores, ask(ASKED, directions=DIRECTIONS), 5, BipartiteOptions(ranking, time_limit=1e-9))
    assert len(found.hits) == 5
    assert stores.notes == [
        "the traversal was stopped after 1e-09 s: with more time, or without time_limit, it goes on"
    ]


def test_a_question_that_nobody_parsed_is_answered_and_says_so(
    graph: Graph, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide_spacy(monkeypatch)
    stores = graph.stores(tmp_path)
    assert len(search(stores, ask(ASKED, directions=DIRECTIONS), 5).hits) == 5
    (note,) = stores.notes
    assert note.startswith("spaCy and its English model are not installed")
    assert note.endswith("pip install 'tetragraph[local]', or in a checkout pip install '.[local]'")


def test_a_question_with_a_word_that_is_too_long_to_be_parsed_says_so(graph: Graph, ask: Ask, tmp_path: Path) -> None:
    stores = graph.stores(tmp_path)
    assert search(stores, ask(f"{ASKED} {'x' * 100}", directions=DIRECTIONS), 5).hits
    (note,) = stores.notes
    assert note.startswith("a question with a word of 100 characters or more is not parsed: how complex")


@pytest.mark.parametrize("ranking", RANKINGS)
def test_a_language_model_may_say_what_is_named_and_which_steps_there_are(
    find: Callable[..., Findings], llm: ScriptedLlm, operation: Operation, ranking: str
) -> None:
    said = [("Silver Harbour's director", "director"), ("Where was #1 born?", "city")]
    steps = json.dumps({"steps": [{"question": one, "answer": noun} for one, noun in said]})
    llm.answer = lambda body: '{"names": ["silver harbour"]}' if "You mark" in body["messages"][0]["content"] else steps
    found = find(ranking=ranking, decomposition="llm", query_entities="llm", llm=operation)
    assert found.trace["llm"]["names"] == ["silver harbour"]
    assert [step["text"] for step in found.trace["llm"]["steps"]] == [one for one, _ in said]
    assert [step.question for step in found.chain] == [one for one, _ in said]
    assert llm.calls == 2
    assert set(ids(found)[:2]) == {"c0", "c1"}


def test_replies_that_cannot_be_used_are_noted_and_the_parser_answers(
    graph: Graph, ask: Ask, tmp_path: Path, llm: ScriptedLlm, operation: Operation
) -> None:
    llm.answer = lambda body: "I would rather not."
    stores = graph.stores(tmp_path)
    asked = replace(ask(ASKED, directions=DIRECTIONS), llm=lambda: operation)
    found = search(stores, asked, 5, BipartiteOptions(decomposition="llm", query_entities="llm"))
    assert found == search(stores, ask(ASKED, directions=DIRECTIONS), 5)
    assert [note.split(" could")[0] for note in stores.notes] == [
        "the language model's names",
        "the language model's steps",
    ]


def test_a_model_that_is_wanted_and_not_set_is_told(find: Callable[..., Findings]) -> None:
    for options in ({"decomposition": "llm"}, {"query_entities": "llm"}):
        with pytest.raises(LlmNotConfigured):
            find(**options)
