"""The encoding tree searched in the stores: every option as in memory, on trees of two heights, reading a part only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import small_world
from environments import own_home
from tetragraph import Corpus, Evidence, Settings, Tetragraph, errors
from tetragraph.model import Filters
from tetragraph.systems.encoding_tree import stored_part, stores_engine

QUESTION = "Who founded the school where the second director was Mina Holt?"
MISSPELT = "Which academy did Tomaz Reyyer found?"
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"expansion": "none"},
    {"coarse": 1.0},
    {"gate": True, "communities": 1},
    {"mode": "paper"},
    {"mode": "paper", "communities": 1},
    {"threshold": 1.0},
    {"threshold": 0.5},
)


@pytest.fixture(scope="module", params=[2, 3])
def corpus(
    request: pytest.FixtureRequest, neo4j_server: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Corpus]:
    """A small corpus with a tree of one height."""
    settings = own_home(neo4j_server, tmp_path_factory.mktemp("stores"))
    with Tetragraph.connect(settings) as client:
        made = client.corpus(f"tree-stores-{request.param}")
        made.ingest(small_world.documents(), build=())
        made.build("tree", height=request.param)
        yield made
        made.drop()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds at which a search reads a part of the small corpus only."""
    for name, most in {"SIMILAR": 4, "COMMUNITIES": 1, "MEMBERS": 4, "SPELT": 4}.items():
        monkeypatch.setattr(stores_engine, name, most)
    monkeypatch.setattr(stored_part, "NAMED", 4)


def ids(found: Evidence) -> list[str]:
    return [hit.chunk.id for hit in found]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("question", [QUESTION, MISSPELT])
def test_every_option_finds_in_the_stores_what_it_finds_in_memory(
    corpus: Corpus, question: str, options: dict[str, Any]
) -> None:
    memory = corpus.search(question, k=5, method="tree", engine="memory", **options)
    stores = corpus.search(question, k=5, method="tree", engine="stores", **options)
    assert ids(stores) == ids(memory)
    assert [[step.target for step in hit.path] for hit in stores] == [
        [step.target for step in hit.path] for hit in memory
    ]
    assert [hit.score for hit in stores] == pytest.approx([hit.score for hit in memory], abs=1e-4)
    assert stores.manifest["graph"] == memory.manifest["graph"]


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_part_of_the_corpus_has_the_best_hits(corpus: Corpus, options: dict[str, Any]) -> None:
    memory = corpus.search(QUESTION, k=2, method="tree", engine="memory", **options)
    stores = corpus.search(QUESTION, k=2, method="tree", engine="stores", **options)
    assert ids(stores) == ids(memory)


@pytest.mark.usefixtures("few")
def test_a_gate_selects_more_communities_until_there_are_enough_hits(corpus: Corpus) -> None:
    filters: Filters = {"year": {"gte": 1906}}
    memory, stores = (
        corpus.search(QUESTION, k=6, method="tree", engine=engine, mode="paper", communities=1, filters=filters)
        for engine in ("memory", "stores")
    )
    assert len(stores) == 6
    assert ids(stores) == ids(memory)


@pytest.mark.usefixtures("few")
def test_a_gate_reads_no_more_communities_than_hold_what_may_be_found(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    filters: Filters = {"year": 1900}
    options: dict[str, Any] = {"k": 6, "method": "tree", "mode": "paper", "communities": 1, "filters": filters}
    memory = corpus.search("Who was Elva Kron?", engine="memory", **options)
    graph = corpus._connection.graph
    read, placed = graph.read, set[str]()

    def record(name: str, /, **parameters: Any) -> list[Any]:
        placed.update(parameters["ids"] if name == "encoding_tree/find_places" else ())
        return read(name, **parameters)

    monkeypatch.setattr(graph, "read", record)
    assert ids(corpus.search("Who was Elva Kron?", engine="stores", **options)) == ids(memory) != []
    assert 0 < len(placed) < len(small_world.documents())


@pytest.mark.parametrize("expansion", ["none", "first_hits"])
def test_a_title_of_more_chunks_than_are_read_counts_at_those_that_are(
    corpus: Corpus, expansion: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_part, "NAMED", 0)
    question = "Which school did Tomas Reyer found?"
    memory, stores = (
        corpus.search(question, k=12, method="tree", engine=engine, expansion=expansion)
        for engine in ("memory", "stores")
    )
    parts = [[dict(hit.parts) for hit in found] for found in (memory, stores)]
    assert ids(stores) == ids(memory)
    assert parts[1] == [pytest.approx(part, abs=1e-4) for part in parts[0]]
    assert any(part.get("entities" if expansion == "none" else "expansion") for part in parts[1])


def test_a_filter_that_nothing_passes_finds_nothing(corpus: Corpus) -> None:
    assert not corpus.search(QUESTION, method="tree", engine="stores", filters={"year": 1}).hits


def test_an_unfinished_tree_is_not_searched(corpus: Corpus) -> None:
    graph = corpus._connection.graph
    settings = corpus._connection.stores(corpus.name).graph.get("encoding_tree/get_tree", corpus=corpus.name)
    assert settings is not None
    graph.write("encoding_tree/upsert_unfinished", corpus=corpus.name, settings=settings["settings"])
    with pytest.raises(errors.StoreError, match="is being built, or a build was interrupted"):
        corpus.search(QUESTION, method="tree", engine="stores")
    corpus.build("tree")
    assert corpus.search(QUESTION, method="tree", engine="stores").hits
