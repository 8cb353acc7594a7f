"""The search in several steps with names and facts from the stores: as from arrays, with both vector stores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import neo4j
import numpy as np
import pytest

import small_world
from environments import own_home
from tetragraph import Corpus, Document, Settings, Tetragraph, errors
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import Filters, content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.graph import Graph, Row
from tetragraph.systems.anchor_graph import AnchorOptions
from tetragraph.systems.anchor_graph.choices import STOP, VARIANTS
from tetragraph.systems.anchor_graph.indexes import FactIndex, NameIndex
from tetragraph.systems.base import SearchRequest
from tetragraph.systems.bipartite_graph.fact_index import load_facts
from tetragraph.systems.bipartite_graph.stored_fact_index import read_facts
from tetragraph.systems.engines import Chosen
from tetragraph.systems.evidence_walk import index_arrays
from tetragraph.systems.evidence_walk.name_index import load_names
from tetragraph.systems.evidence_walk.stored_name_index import read_names
from tetragraph.systems.registry import ANCHOR

QUESTIONS = (
    "Who founded the school where the second director was Mina Holt?",
    "Where was the daughter of the engineer who built the harbour of Halvik a surgeon?",
    "Who is the father of the author of The Grey Harbour?",
    "Which poet was the mayor of Old Port?",
    "harbour",
)
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"retriever": "dense"},
    {"retriever": "keyword"},
    {"graph": False},
    {"mode": "paper"},
    {"documents": 2, "updates": 0},
)
OTHER = Document(
    "elva-kron", "Elva Kron", "Elva Kron was a Southern pilot. She flew over Halvik with Bo Lund.", "other"
)


@pytest.fixture(scope="module", params=["facts on edge", "facts on a server", "mentions on edge"])
def world(request: pytest.FixtureRequest) -> str:
    """What joins the names of the corpus, and the vector store."""
    return str(request.param)


@pytest.fixture(scope="module")
def client(
    world: str, request: pytest.FixtureRequest, neo4j_server: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Tetragraph]:
    """A client with either vector store."""
    settings = own_home(neo4j_server, tmp_path_factory.mktemp("stores"))
    if world.endswith("server"):
        served: Settings = request.getfixturevalue("qdrant_settings")
        fields = ("qdrant_url", "qdrant_api_key")
        settings = settings.model_copy(update={name: getattr(served, name) for name in fields})
    with Tetragraph.connect(settings) as opened:
        yield opened


@pytest.fixture(scope="module")
def corpus(world: str, client: Tetragraph) -> Iterator[Corpus]:
    """A small corpus with facts or without, beside another one that has the same names."""
    made, other = (client.corpus(f"anchor-{world.replace(' ', '-')}-{one}") for one in ("own", "other"))
    build = ("bipartite",) if world.startswith("facts") else ()
    made.ingest(small_world.documents(), build=build)
    other.ingest([OTHER], build=build)
    yield made
    made.drop()
    other.drop()


@pytest.fixture
def stores(corpus: Corpus) -> CorpusStores:
    return corpus._connection.stores(corpus.name)


@pytest.fixture
def chunks(stores: CorpusStores) -> list[str]:
    """Ids of all chunks, and of one that the corpus lacks."""
    return [*chunk_table.load(stores).ids, "gone"]


def told(index: NameIndex, corpus: Corpus, chunks: list[str]) -> list[object]:
    """All that an index of names says of the questions, and of the chunks, of a few and of all."""
    embed = corpus._connection.question(corpus._connection.stores(corpus.name), "x").embed
    said: list[object] = []
    for question in QUESTIONS:
        asked = index.decompose(question, embed)
        said += [asked.names, [step.text for step in asked.steps], index.names_in(question.lower())]
        for some in (chunks[:3], chunks):
            said += [index.keys_of_titles(some), list(index.mentions_of(some, embed(question)))]
        for step in asked.answer_from(chunks):
            bridges = [(one.entity, one.name, round(one.weight, 3)) for one in step.bridges]
            passages = [(one, round(weight, 3)) for one, weight in step.passages]
            said.append((step.question, step.refers, bridges, passages))
    keys = [normalise_name(title) for title in (*small_world.WORLD, "Bo Lund", "nobody")]
    return [*said, dict(index.entity_ids(keys))]


def test_names_and_answers_are_those_of_the_arrays(corpus: Corpus, stores: CorpusStores, chunks: list[str]) -> None:
    said = told(read_names(stores), corpus, chunks)
    assert said == told(load_names(stores), corpus, chunks)
    assert "Bo Lund" not in str(said)


def test_facts_and_types_are_those_of_the_arrays(corpus: Corpus, stores: CorpusStores, chunks: list[str]) -> None:
    if "bipartite" not in stores.record.graphs:
        pytest.skip("a corpus without facts")
    embed = corpus._connection.question(stores, "x").embed
    names = [row["name"] for row in stores.graph.pages("entities/find_entities", corpus=stores.name, limit=1000)]
    aliases = [row["name"] for row in stores.graph.pages("bipartite_graph/find_aliases", corpus=stores.name, limit=99)]
    keys = [normalise_name(name) for name in (*names, *aliases, "nobody")]

    def tell(index: FactIndex) -> list[object]:
        found = [list(index.facts_of(some, embed(text))) for text in QUESTIONS for some in (chunks[:2], chunks, [])]
        said = [[(one.verb, one.title, tuple(one.participants)) for one in facts] for facts in found]
        return [*said, dict(index.types_of(keys[:5])), dict(index.types_of(keys))]

    said = tell(read_facts(stores))
    assert said == tell(load_facts(stores))
    assert said[-1]


def test_a_name_that_is_merged_into_an_entity_has_its_type(
    corpus: Corpus, stores: CorpusStores, driver: neo4j.Driver
) -> None:
    if "bipartite" not in stores.record.graphs:
        pytest.skip("a corpus without facts")
    merge = """
    MATCH (entity:Entity {corpus: $corpus, id: $entity})
    CREATE (alias:Alias {corpus: $corpus, id: $alias, name: 'The Grey One', type: 'PERSON'})
    CREATE (alias)-[:ALIAS_OF {document: $document, reason: 'test', score: 1.0}]->(entity)
    """
    values = {"corpus": corpus.name, "entity": content_id("halvik"), "alias": content_id("alias", "the grey one")}
    cases: dict[str, dict[str, str]] = {"some document": {}, "": {"the grey one": "PLACE"}}
    for document, types in cases.items():
        driver.execute_query(merge, {**values, "document": document})
        try:
            assert dict(read_facts(stores).types_of(["the grey one"])) == types
        finally:
            driver.execute_query("MATCH (alias:Alias {corpus: $corpus, id: $alias}) DETACH DELETE alias", values)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_step_is_that_of_the_arrays(corpus: Corpus, options: dict[str, Any]) -> None:
    for question in QUESTIONS[:2]:
        memory, found = (
            corpus.search(question, k=5, method="anchor", engine=engine, **options) for engine in ("memory", "stores")
        )
        assert [hit.chunk for hit in found] == [hit.chunk for hit in memory]
        assert [hit.score for hit in found] == pytest.approx([hit.score for hit in memory], abs=0.02)
        steps, wanted = (
            [(step["query"], step["judgement"], step["anchors"]) for step in one.trace["anchor"]["steps"]]
            for one in (found, memory)
        )
        assert steps == wanted
        assert (memory.manifest["engine"], found.manifest["engine"]) == ("memory", "stores")


def test_filters_hold_in_every_step(corpus: Corpus) -> None:
    years: Filters = {"year": {"gte": 1904}}
    memory, found = (
        corpus.search(QUESTIONS[0], k=9, method="anchor", engine=engine, filters=years)
        for engine in ("memory", "stores")
    )
    assert [hit.chunk for hit in found] == [hit.chunk for hit in memory]
    assert {hit.chunk.metadata["year"] for hit in found} == set(range(1904, 1912))
    assert not corpus.search(QUESTIONS[0], method="anchor", engine="stores", filters={"year": 1}).hits


def test_a_session_goes_on_in_the_stores(corpus: Corpus) -> None:
    steps = {}
    for engine in ("memory", "stores"):
        run = corpus.anchor(QUESTIONS[0], engine=engine, generate=False)
        first = list(run)
        session = corpus.session(run.session.id)
        assert session.record.options["engine"] == engine
        assert run.answer.evidence.manifest["engine"] == engine
        more = session.ask("When did she die?")
        steps[engine] = [
            (one.query, one.judgement, one.next_query, one.graph, [hit.chunk.id for hit in one.hits])
            for one in (*first, *more)
        ]
        session.delete()
    assert steps["stores"] == steps["memory"]


def test_a_session_that_was_broken_off_is_resumed_in_the_stores(corpus: Corpus) -> None:
    whole = list(corpus.anchor(QUESTIONS[1], engine="stores", generate=False))
    begun = corpus.anchor(QUESTIONS[1], engine="stores", generate=False)
    first = next(begun)
    resumed = corpus.session(begun.session.id).resume()
    rest = list(resumed)
    assert len(whole) > 1
    assert [step.query for step in (first, *rest)] == [step.query for step in whole]
    assert (rest[-1].graph, rest[-1].judgement) == (whole[-1].graph, whole[-1].judgement)
    assert resumed.answer.evidence.manifest["engine"] == "stores"


def test_a_policy_searches_with_the_engine(corpus: Corpus, stores: CorpusStores) -> None:
    question = corpus._connection.question(stores, QUESTIONS[0])
    found = []
    for engine in get_args(Chosen):
        request = SearchRequest(stores, question, 5, AnchorOptions(engine=engine))
        walker = ANCHOR.make_walker(request, lambda *_: STOP)
        assert [step.retriever for step in walker.collect_steps(question.text).steps] == ["evidence"]
        variants = walker.variants.items()
        found.append({name: [hit.chunk.id for hit in search(question.text)[:5]] for name, search in variants})
    assert found[0] == found[1]
    assert len(found[0]) == len(VARIANTS)


def test_a_retriever_that_reads_arrays_is_refused(corpus: Corpus) -> None:
    with pytest.raises(errors.InvalidInput, match="needs a retriever that can search in the stores, got 'fused'"):
        corpus.search(QUESTIONS[0], method="anchor", engine="stores", retriever="fused")
    with pytest.raises(errors.InvalidInput, match="engine must be one of auto, memory, stores, got 'gds'"):
        corpus.search(QUESTIONS[0], method="anchor", engine="gds")


def test_a_change_that_was_interrupted_is_noted(corpus: Corpus, driver: neo4j.Driver) -> None:
    note = "answered from the stores as they are, between two generations"
    before = corpus.search(QUESTIONS[0], method="anchor", engine="stores")
    assert note not in str(before.notes)
    change = "MATCH (c:Corpus {corpus: $corpus, id: $corpus}) SET c.generation = c.generation + $more"
    driver.execute_query(change, corpus=corpus.name, more=1)
    try:
        during = corpus.search(QUESTIONS[0], method="anchor", engine="stores")
        assert [hit.chunk for hit in during] == [hit.chunk for hit in before]
        assert note in str(during.notes)
    finally:
        driver.execute_query(change, corpus=corpus.name, more=-1)


def test_a_corpus_of_an_earlier_version_is_refused(corpus: Corpus, driver: neo4j.Driver) -> None:
    take = "MATCH (c:Corpus {corpus: $corpus, id: $corpus}) WITH c, c.chunks AS n SET c.chunks = $chunks RETURN n AS n"
    count = driver.execute_query(take, corpus=corpus.name, chunks=None).records[0]["n"]
    try:
        with pytest.raises(errors.NotBuilt, match=r"next change .* `tetragraph ingest SOURCE .* engine='memory' works"):
            corpus.search(QUESTIONS[0], method="anchor", engine="stores")
        assert corpus.search(QUESTIONS[0], method="anchor").manifest["engine"] == "memory"
    finally:
        driver.execute_query(take, corpus=corpus.name, chunks=count)


def test_no_array_is_read_and_look_ups_are_few(
    corpus: Corpus, stores: CorpusStores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(stores.arrays), "load", lambda *_: pytest.fail("an array of the corpus was read"))
    read = Graph.read
    asked: list[str] = []

    def count(self: Graph, name: str, /, **parameters: Any) -> list[Row]:
        asked.append(name)
        return read(self, name, **parameters)

    monkeypatch.setattr(Graph, "read", count)
    found = corpus.search(QUESTIONS[1], method="anchor", engine="stores", retriever="dense")
    steps = len(found.trace["anchor"]["steps"])
    own = [name for name in asked if name.partition("/")[0] in ("evidence_walk", "bipartite_graph")]
    assert steps > 1
    assert len(own) <= 9 * steps, own


def test_auto_takes_the_stores_where_there_are_no_arrays(client: Tetragraph) -> None:
    corpus = client.corpus("anchor-stores-bare")
    corpus.ingest(small_world.documents(), build=(), arrays=False)
    try:
        assert corpus.search(QUESTIONS[0], method="anchor").manifest["engine"] == "stores"
        stores = corpus._connection.stores(corpus.name)
        kinds = (chunk_table.KIND, index_arrays.KIND)
        assert not any(stores.arrays.has(stores.record.key, kind, stores.record.published) for kind in kinds)
    finally:
        corpus.drop()


def test_an_index_of_no_chunks_says_nothing(stores: CorpusStores) -> None:
    names = read_names(stores)
    asked = names.decompose(QUESTIONS[0], lambda _: np.ones(stores.record.dimension, dtype=np.float32))
    assert (asked.answer_from([]), asked.answer_from(["gone"]), names.keys_of_titles(["gone"])) == ((), (), frozenset())
    assert (names.entity_ids([]), names.names_in(""), read_facts(stores).types_of([])) == ({}, (), {})
