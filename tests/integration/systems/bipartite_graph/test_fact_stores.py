"""The bipartite graph searched in the stores: every option as in memory, reading a part only, with filters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import small_world
from environments import own_home
from tetragraph import Corpus, Evidence, Settings, Tetragraph, errors
from tetragraph.model import Filters
from tetragraph.systems.bipartite_graph import stored_part, stores_engine

pytest.importorskip("spacy")
QUESTION = "Who founded the school where the second director was Mina Holt?"
CHAIN = "When was the harbour of the town where Elva Kron was born built?"
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"decompose": False},
    {"hops": 3},
    {"hops": 0},
    {"hub": 2, "relations": 3},
    {"paths": "entities"},
    {"paths": "relations"},
    {"mode": "paper"},
    {"mode": "paper", "hops": 4, "facts": 40, "entities": 2},
    {"ranking": "paper", "hub": 1, "facts": 12},
)


@pytest.fixture(scope="module")
def corpus(neo4j_server: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """A small corpus with the facts of its texts."""
    settings = own_home(neo4j_server, tmp_path_factory.mktemp("stores"))
    with Tetragraph.connect(settings) as client:
        made = client.corpus("fact-stores")
        made.ingest(small_world.documents(), build=("bipartite",))
        yield made
        made.drop()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds at which a search reads a part of the small corpus only."""
    for name, most in {"NEAR": 12, "SIMILAR": 4, "ENTITIES": 12}.items():
        monkeypatch.setattr(stored_part, name, most)


def ids(found: Evidence) -> list[str]:
    return [hit.chunk.id for hit in found]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("question", [QUESTION, CHAIN])
def test_every_option_finds_in_the_stores_what_it_finds_in_memory(
    corpus: Corpus, question: str, options: dict[str, Any]
) -> None:
    memory = corpus.search(question, k=5, method="bipartite", engine="memory", **options)
    stores = corpus.search(question, k=5, method="bipartite", engine="stores", **options)
    assert ids(stores) == ids(memory)
    for one, other in zip(stores, memory, strict=True):
        assert one.path == other.path
        assert [fact.description for fact in one.facts] == [fact.description for fact in other.facts]
        assert [fact.participants for fact in one.facts] == [fact.participants for fact in other.facts]
        assert [fact.statements for fact in one.facts] == [fact.statements for fact in other.facts]
        assert [shared.label for shared in one.contributions] == [shared.label for shared in other.contributions]
    assert [hit.score for hit in stores] == pytest.approx([hit.score for hit in memory], abs=1e-4)
    assert stores.manifest["graph"] == memory.manifest["graph"]
    assert [step.question for step in stores.chain] == [step.question for step in memory.chain]
    assert [[bridge.entity for bridge in step.bridges] for step in stores.chain] == [
        [bridge.entity for bridge in step.bridges] for step in memory.chain
    ]


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_part_of_the_corpus_has_the_best_hits(corpus: Corpus, options: dict[str, Any]) -> None:
    memory = corpus.search(QUESTION, k=2, method="bipartite", engine="memory", **options)
    stores = corpus.search(QUESTION, k=2, method="bipartite", engine="stores", **options)
    assert ids(stores) == ids(memory)
    assert [hit.score for hit in stores] == pytest.approx([hit.score for hit in memory], abs=1e-4)


@pytest.mark.parametrize("ranking", ["similarity", "paper"])
def test_facts_are_found_in_the_stores_as_in_memory(corpus: Corpus, ranking: str) -> None:
    memory, stores = (corpus.facts(QUESTION, k=12, ranking=ranking, engine=engine) for engine in ("memory", "stores"))
    assert (memory.manifest["engine"], stores.manifest["engine"]) == ("memory", "stores")
    assert [fact.relation for fact in stores] == [fact.relation for fact in memory]
    assert [fact.path for fact in stores] == [fact.path for fact in memory]
    assert [fact.statements for fact in stores] == [fact.statements for fact in memory]


@pytest.mark.parametrize(
    "filters", [{"year": {"gte": 1905}}, {"@source": "world", "year": [1900, 1901, 1904]}], ids=str
)
@pytest.mark.parametrize("ranking", ["similarity", "paper"])
def test_a_filter_excludes_chunks_and_the_facts_that_only_they_state(
    corpus: Corpus, ranking: str, filters: Filters
) -> None:
    memory, stores = (
        corpus.search(QUESTION, k=12, method="bipartite", ranking=ranking, engine=engine, filters=filters)
        for engine in ("memory", "stores")
    )
    assert ids(stores) == ids(memory)
    shown, expected = (
        [(fact.relation, fact.statements) for hit in found for fact in hit.facts] for found in (stores, memory)
    )
    assert shown == expected
    found = {hit.chunk.id for hit in stores}
    assert {one.chunk for hit in stores for fact in hit.facts for one in fact.statements} <= found


def test_a_filter_that_nothing_passes_finds_nothing(corpus: Corpus) -> None:
    assert not corpus.search(QUESTION, method="bipartite", engine="stores", filters={"year": 1}).hits
    assert not corpus.facts(QUESTION, engine="stores", filters={"year": 1}).facts


@pytest.mark.parametrize("options", [{}, {"mode": "paper", "hops": 4, "facts": 40}], ids=str)
def test_of_a_frequent_entity_the_facts_found_otherwise_count(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    """All facts of the small corpus are near to the question, so those of the frequent entity are found, too."""
    monkeypatch.setattr(stored_part, "FOLLOWED", 2)
    memory, stores = (
        corpus.search(QUESTION, k=5, method="bipartite", engine=engine, **options) for engine in ("memory", "stores")
    )
    assert ids(stores) == ids(memory)
    assert [hit.path for hit in stores] == [hit.path for hit in memory]


@pytest.mark.usefixtures("few")
def test_a_search_that_reads_too_many_facts_stops_and_says_so(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores_engine, "MOST_FACTS", 1)
    found = corpus.search(QUESTION, method="bipartite", engine="stores")
    assert found.hits
    assert any("crossed no further entity: engine='memory' has no such bound" in note for note in found.notes)


def test_a_time_limit_holds_in_the_stores(corpus: Corpus) -> None:
    found = corpus.search(QUESTION, method="bipartite", engine="stores", time_limit=1e-9)
    assert found.hits
    assert any("the traversal was stopped after" in note for note in found.notes)


def test_a_fact_without_its_vector_is_told_with_the_command_that_mends_it(corpus: Corpus) -> None:
    stores = corpus._connection.stores(corpus.name)
    (best, *_) = corpus.facts(QUESTION, engine="stores").facts
    stores.vectors.delete(corpus.name, "relations", [best.relation])
    with pytest.raises(errors.StoreError, match=f"{best.relation} .* `tetragraph build bipartite -c .* mends it"):
        corpus.search(QUESTION, method="bipartite", engine="stores")
    corpus.build("bipartite")
    assert corpus.facts(QUESTION, engine="stores").facts[0].relation == best.relation


def test_an_unfinished_graph_is_not_searched(corpus: Corpus) -> None:
    graph = corpus._connection.graph
    graph.write("bipartite_graph/upsert_graph", corpus=corpus.name, properties={"unfinished": True})
    with pytest.raises(errors.StoreError, match="is being built, or a build was interrupted"):
        corpus.search(QUESTION, method="bipartite", engine="stores")
    corpus.build("bipartite")
    assert corpus.search(QUESTION, method="bipartite", engine="stores").hits


def test_another_corpus_with_the_same_names_is_not_read(corpus: Corpus) -> None:
    other = corpus._connection
    with Tetragraph.connect(other.settings) as client:
        double = client.corpus("fact-stores-double")
        document = small_world.documents()[0]
        double.ingest([document], build=("bipartite",))
        found = double.search(QUESTION, k=12, method="bipartite", engine="stores")
        assert {hit.chunk.document_id for hit in found} == {document.id}
        facts = double.facts(QUESTION, k=100, engine="stores").facts
        assert {one.chunk for fact in facts for one in fact.statements} == {hit.chunk.id for hit in found}
        double.drop()
