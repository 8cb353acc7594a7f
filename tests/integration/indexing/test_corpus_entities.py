"""The entity dictionary in Neo4j equals that of a new build, regardless of earlier changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import neo4j
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from entity_state import EntityState, describe, find_state
from tetragraph.indexing.corpus_entities import EntityReport, analyse, update_entities
from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.language.lexicon.dictionary import build_dictionary
from tetragraph.model import Chunk, content_id
from tetragraph.progress import NoProgress
from tetragraph.settings import Settings
from tetragraph.stores.array_cache import ArrayCache
from tetragraph.stores.corpus import CorpusRecord, CorpusStores
from tetragraph.stores.graph import Graph
from tetragraph.stores.open_vectors import open_vectors

TITLES = st.sampled_from(["", "Bob", "Ada Byron (poet)", "Bank"])
TEXTS = st.lists(
    st.sampled_from(["Ada Byron met Bob.", "We saw the bank.", "The Bank fell.", "So New York grew.", "Bob left Bob."]),
    min_size=1,
    max_size=3,
).map(" ".join)
CORPORA = st.lists(st.tuples(TITLES, TEXTS), unique=True, max_size=5)


@pytest.fixture
def stores(graph: Graph, corpus_name: str, server_settings: Settings) -> Iterator[CorpusStores]:
    record = CorpusRecord(corpus_name, "now", "none", 8, {}, generation=1, published=0, database="test")
    vectors = open_vectors(server_settings, "test")
    yield CorpusStores(record, graph, vectors, ArrayCache(server_settings.cache))
    vectors.close()


def chunk(text: str, title: str = "") -> Chunk:
    return Chunk(content_id(title, text), "d", title, title, text, 0, 0, len(text), 1)


def make(passages: Sequence[tuple[str, str]]) -> list[Chunk]:
    return sorted((chunk(text, title) for title, text in passages), key=lambda made: made.id)


def bring(driver: neo4j.Driver, stores: CorpusStores, chunks: Sequence[Chunk]) -> EntityReport:
    """Make exactly these chunks the corpus, as an ingest of documents would, and run the stage."""
    rows = [{"id": made.id, "text": made.text, "title": made.title} for made in chunks]
    driver.execute_query(
        "MATCH (chunk:Chunk {corpus: $corpus}) WHERE NOT chunk.id IN $kept DETACH DELETE chunk",
        corpus=stores.name,
        kept=[made.id for made in chunks],
    )
    driver.execute_query(
        "UNWIND $rows AS row MERGE (chunk:Chunk {corpus: $corpus, id: row.id}) SET chunk += row",
        corpus=stores.name,
        rows=rows,
    )
    return update_entities(stores, chunks, analyse(stores, chunks), NoProgress())


def fresh(chunks: Sequence[Chunk]) -> EntityState:
    return describe(chunks, build_dictionary(chunks, analyse_chunks(chunks)))


def test_the_graph_holds_what_the_dictionary_says(driver: neo4j.Driver, stores: CorpusStores) -> None:
    chunks = make(
        [("Ada Byron (poet)", "She wrote."), ("", "So Bob met Ada Byron, and Ada Byron left."), ("", "Yes, Bob.")]
    )
    report = bring(driver, stores, chunks)
    assert report == EntityReport(entities=2, mentions=3, descriptions=1, written=2 + 2 + 1)
    ada = content_id("ada byron")
    state = find_state(stores)
    assert state.entities == {ada: ("Ada Byron", 1, 1, None), content_id("bob"): ("Bob", 2, 0, "never")}
    assert [count for (_, entity), count in state.mentions.items() if entity == ada] == [2]
    assert state == fresh(chunks)


def test_a_second_run_writes_nothing(driver: neo4j.Driver, stores: CorpusStores) -> None:
    chunks = make([("Bob", "He is Bob."), ("", "So Bob left.")])
    bring(driver, stores, chunks)
    assert bring(driver, stores, chunks).written == 0


def test_an_entity_goes_with_its_last_support(driver: neo4j.Driver, stores: CorpusStores) -> None:
    chunks = make([("", "On Mount Doom."), ("", "At Mount Doom.")])
    assert bring(driver, stores, chunks).entities == 1
    bring(driver, stores, chunks[:1])
    assert find_state(stores) == EntityState({}, {}, frozenset())


def test_an_entity_of_another_graph_stays_and_is_left_alone(driver: neo4j.Driver, stores: CorpusStores) -> None:
    chunks = make([("", "On Mount Doom."), ("", "At Mount Doom.")])
    bring(driver, stores, chunks)
    driver.execute_query(
        "MATCH (entity:Entity {corpus: $corpus}) SET entity.description = 'hot' "
        "MERGE (entity)-[:PARTICIPATES_IN]->(:Relation {corpus: $corpus, id: 'r'})",
        corpus=stores.name,
    )
    bring(driver, stores, chunks[:1])
    found, _, _ = driver.execute_query(
        "MATCH (entity:Entity {corpus: $corpus}) RETURN entity.description AS description, entity.df AS df",
        corpus=stores.name,
    )
    assert [row.data() for row in found] == [{"description": "hot", "df": None}]
    assert bring(driver, stores, chunks[:1]).written == 0
    assert bring(driver, stores, chunks).written > 0
    assert find_state(stores) == fresh(chunks)


def test_two_corpora_with_the_same_chunks_share_nothing(driver: neo4j.Driver, stores: CorpusStores) -> None:
    chunks = make([("", "On Mount Doom."), ("", "At Mount Doom.")])
    other = replace(stores, record=replace(stores.record, name=f"{stores.name}-other"))
    bring(driver, stores, chunks)
    assert bring(driver, other, chunks).written == 1 + 2
    bring(driver, other, [])
    assert find_state(other) == fresh([])
    assert find_state(stores) == fresh(chunks)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=CORPORA, after=CORPORA)
def test_any_change_ends_in_the_graph_of_a_fresh_build(
    driver: neo4j.Driver, stores: CorpusStores, before: list[tuple[str, str]], after: list[tuple[str, str]]
) -> None:
    bring(driver, stores, make(before))
    bring(driver, stores, make(after))
    assert find_state(stores) == fresh(make(after))
    assert bring(driver, stores, make(after)).written == 0
