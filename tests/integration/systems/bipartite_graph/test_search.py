"""Searches in a stored bipartite graph: results, isolation of corpora, and generations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import pytest

from tetragraph.errors import NotBuilt, StoreError
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.stores.vectors import Point
from tetragraph.systems.bipartite_graph import BipartiteOptions, check_stores, load, search, search_facts
from tetragraph.systems.registry import FACTS

World = Any
MakeWorld = Callable[[str], World]
Triples = Mapping[str, Sequence[tuple[str, str, str]]]
SOME: Triples = {
    "Silver Harbour": [("Silver Harbour", "was directed by", "Ada Byron"), ("Silver Harbour", "is set in", "Halvik")],
    "Ada Byron": [("Ada Byron", "was born in", "Ghent"), ("Ada Byron", "directed", "Storm Coast")],
    "Emil Voss": [("Emil Voss", "was born in", "Lyon")],
    "Ghent": [("Ada Byron", "was born in", "Ghent"), ("Ghent", "lies in", "Flanders")],
    "Nothing": [],
}
TEXT = "Where was Ada Byron born?"
RANKINGS = ("similarity", "paper")
DAMAGES = {
    "1 facts are stated by no chunk": """
        MATCH (fact:Relation {corpus: $corpus})-[stated:STATED_IN]->()
        WITH fact, collect(stated) AS found ORDER BY fact.id LIMIT 1 FOREACH (one IN found | DELETE one)
    """,
    "1 facts have fewer than two participants": """
        MATCH (fact:Relation {corpus: $corpus})<-[part:PARTICIPATES_IN]-()
        WITH fact, collect(part) AS found ORDER BY fact.id LIMIT 1 FOREACH (one IN tail(found) | DELETE one)
    """,
    "its root is missing": "MATCH (graph:BipartiteGraph {corpus: $corpus}) DETACH DELETE graph",
    "its last build was interrupted": "MATCH (graph:BipartiteGraph {corpus: $corpus}) SET graph.unfinished = true",
}


class Ask(Protocol):
    """Makes a question with the vector that the corpus' embedder gives it."""

    def __call__(self, world: World, text: str = TEXT) -> Question: ...


def fill(world: World, triples: Triples) -> None:
    """Bring documents in, with the vectors of their chunks, and build."""
    world.record({**SOME, **triples})
    world.add(triples)
    world.stores.vectors.ensure(world.stores.name, "chunks", world.embedder.dimension)
    chunks = [world.chunks[f"c-{document}"] for document in sorted(triples)]
    vectors = world.embedder.embed([chunk.passage for chunk in chunks])
    points = [Point(chunk.id, vector, "") for chunk, vector in zip(chunks, vectors, strict=True)]
    world.stores.vectors.upsert(world.stores.name, "chunks", points)
    world.build_recorded()


def published(world: World, generation: int, *, changing: bool = False) -> CorpusStores:
    """The stores as a search finds them when that generation is complete."""
    record = replace(world.stores.record, generation=generation + changing, published=generation)
    stores: CorpusStores = replace(world.stores, record=record, notes=[])
    return stores


@pytest.fixture
def built(world: World) -> World:
    fill(world, SOME)
    return world


@pytest.fixture
def ask() -> Ask:
    def make(world: World, text: str = TEXT) -> Question:
        return Question(text, world.embedder.embed_question(text), world.embedder.embed_question)

    return make


@pytest.mark.parametrize("ranking", RANKINGS)
def test_hits_say_why_they_are_there(built: World, ask: Ask, ranking: Any) -> None:
    found = search(built.stores, ask(built), 9, BipartiteOptions(ranking))
    assert [hit.rank for hit in found.hits] == [1, 2, 3, 4, 5]
    relations, stated = built.nodes("Relation"), {(a, b) for a, b, _ in built.edges("STATED_IN")}
    parts = {(a, b) for a, b, _ in built.edges("PARTICIPATES_IN")}
    for hit in found.hits:
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-9)
        assert (hit.path[0].source, hit.path[-1].target) == ("question", hit.chunk.id)
        for one in hit.facts:
            assert (one.relation, hit.chunk.id) in stated
            assert one.description == relations[one.relation]["description"]
            assert {(part.entity, one.relation) for part in one.participants} <= parts
            assert one.weight == len(one.statements) == relations[one.relation]["weight"]
        for step in hit.path:
            assert step.via != "PARTICIPATES_IN" or {(step.source, step.target), (step.target, step.source)} & parts
    assert found.graph["relations"] == len(relations)


def test_the_facts_of_whom_the_question_names_are_found_and_where_each_is_stated(built: World, ask: Ask) -> None:
    facts = search_facts(built.stores, ask(built), 100).facts
    (born,) = [one for one in facts if {part.name for part in one.participants} == {"Ada Byron", "Ghent"}]
    assert {statement.chunk for statement in born.statements} == {"c-Ada Byron", "c-Ghent"}
    for statement in born.statements:
        assert built.chunks[statement.chunk].text[statement.start : statement.end].startswith("Ada Byron was born in")
    assert born.path[0].label == "named in the question"
    assert len(facts) == built.nodes("BipartiteGraph")[built.stores.name]["relations"] == 6


def test_two_searches_and_two_loads_give_the_same_bytes(built: World, ask: Ask) -> None:
    first, again, anew = (search(stores, ask(built), 9) for stores in (built.stores, built.stores, published(built, 7)))
    assert repr(first) == repr(again) == repr(anew)


@pytest.mark.parametrize("ranking", RANKINGS)
def test_a_filter_keeps_chunks_and_what_only_they_state_out(built: World, ask: Ask, ranking: Any) -> None:
    allowed = {"c-Ghent", "c-Emil Voss", "unknown"}
    hits = search(built.stores, ask(built), 9, BipartiteOptions(ranking), allowed).hits
    assert {hit.chunk.id for hit in hits} == {"c-Ghent", "c-Emil Voss"}
    facts = [one for hit in hits for one in hit.facts]
    assert {statement.chunk for one in facts for statement in one.statements} <= allowed
    assert not any("Storm Coast" in one.description for one in facts)
    assert search(built.stores, ask(built), 9, BipartiteOptions(ranking), set()).hits == ()


@pytest.mark.parametrize("ranking", RANKINGS)
def test_a_corpus_of_nothing_or_of_one_chunk_is_searched(make_world: MakeWorld, ask: Ask, ranking: Any) -> None:
    world = make_world("-small")
    fill(world, {})
    assert search(published(world, 2), ask(world), 3, BipartiteOptions(ranking)).hits == ()
    fill(world, {"Nothing": []})
    assert [hit.chunk.id for hit in search(published(world, 3), ask(world), 3).hits] == ["c-Nothing"]
    fill(world, {"Emil Voss": SOME["Emil Voss"]})
    hits = search(published(world, 4), ask(world), 3, BipartiteOptions(ranking)).hits
    assert {hit.chunk.id: len(hit.facts) for hit in hits} == {"c-Nothing": 0, "c-Emil Voss": 1}


def test_while_documents_change_the_last_complete_graph_answers_and_says_so(built: World, ask: Ask) -> None:
    before = search(published(built, 4), ask(built), 50)
    fill(built, {"Storm Coast": [("Storm Coast", "was written by", "Mina Holt")]})
    stores = published(built, 4, changing=True)
    assert search(stores, ask(built), 50) == before
    assert [note.partition(": ")[2] for note in stores.notes] == ["answered from generation 4, not 5"]
    after = search(published(built, 5), ask(built), 50)
    assert {hit.chunk.id for hit in after.hits} - {hit.chunk.id for hit in before.hits} == {"c-Storm Coast"}
    with pytest.raises(NotBuilt, match="is being changed"):
        search(published(built, 6, changing=True), ask(built), 5)


def test_a_corpus_without_the_graph_is_told_with_the_command_that_makes_it(built: World) -> None:
    with pytest.raises(NotBuilt, match=f"`tetragraph build bipartite -c {built.stores.name}` makes it"):
        FACTS.check_ready(built.stores)
    FACTS.check_ready(replace(built.stores, record=replace(built.stores.record, graphs=("bipartite",))))


@pytest.mark.parametrize("words", DAMAGES)
def test_a_graph_that_is_not_whole_is_told_and_mended_by_the_command_that_is_named(built: World, words: str) -> None:
    check_stores(built.stores, built.chunks)
    built.run(DAMAGES[words])
    command = f"`tetragraph build bipartite -c {built.stores.name}` mends it"
    for look in (lambda: load(published(built, 9)), lambda: check_stores(built.stores, built.chunks)):
        with pytest.raises(StoreError, match=f"but {words}") as told:
            look()
        assert command in str(told.value)
    built.build_recorded()
    check_stores(built.stores, built.chunks)


@pytest.mark.parametrize(("kind", "what"), [("relations", "facts"), ("entities", "entities")])
def test_vectors_that_are_missing_or_belong_to_nothing_are_told_and_mended(built: World, kind: Any, what: str) -> None:
    vectors, name = built.stores.vectors, built.stores.name
    (gone, vector), *_ = sorted(built.points(kind).items())
    vectors.delete(name, kind, [gone])
    vectors.upsert(name, kind, [Point("f" * 16, vector, "")])
    with pytest.raises(StoreError, match=f"1 {what} have no vector, 1 vectors belong to nothing"):
        check_stores(built.stores, built.chunks)
    built.build_recorded()
    check_stores(built.stores, built.chunks)


def test_a_fact_without_its_vector_is_no_graph_to_search_in(built: World) -> None:
    built.stores.vectors.delete(built.stores.name, "relations", sorted(built.nodes("Relation"))[:1])
    with pytest.raises(StoreError, match=r"1 of corpus .* lack theirs"):
        load(published(built, 9))


def test_two_corpora_with_the_same_names_do_not_meet(make_world: MakeWorld, ask: Ask) -> None:
    ours, theirs = make_world("-a"), make_world("-b")
    fill(ours, {name: SOME[name] for name in ("Silver Harbour", "Ada Byron")})
    fill(theirs, {name: SOME[name] for name in ("Ada Byron", "Ghent")})
    for world in (ours, theirs):
        found = search(world.stores, ask(world), 100)
        assert {hit.chunk.id for hit in found.hits} == set(world.chunks)
        facts = [one for hit in found.hits for one in hit.facts]
        assert {one.relation for one in facts} == set(world.nodes("Relation"))
        assert {statement.chunk for one in facts for statement in one.statements} <= set(world.chunks)
