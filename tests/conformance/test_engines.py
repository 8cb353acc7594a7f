"""Rules for every method that can be computed in the stores: as in memory, and without an array of the corpus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import pytest

from tetragraph import Corpus, Document, Settings, Tetragraph, errors
from tetragraph.systems.registry import RETRIEVERS, find_retriever

QUESTIONS = (
    "Who founded the school where the second director was Mina Holt?",
    "Which poet was the mayor of Old Port?",
    "harbour",
)


def has_engines(method: str) -> bool:
    """Whether a method accepts ``engine="stores"``."""
    options = find_retriever(method).search_options
    if "engine" not in {field.name for field in fields(options)}:
        return False
    try:
        options(engine="stores")
    except errors.InvalidInput:
        return False
    return True


pytestmark = pytest.mark.parametrize("method", [name for name in RETRIEVERS if has_engines(name)])


@pytest.fixture(scope="module")
def bare(
    conformance_settings: Settings, searched: Corpus, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Corpus]:
    """The world, seen by a client without any array."""
    settings = conformance_settings.model_copy(update={"cache": tmp_path_factory.mktemp("empty")})
    with Tetragraph.connect(settings) as client:
        yield client.corpus(searched.name)


def test_the_engines_find_the_same(searched: Corpus, method: str) -> None:
    for question in QUESTIONS:
        memory = searched.search(question, k=5, method=method, engine="memory")
        stores = searched.search(question, k=5, method=method, engine="stores")
        assert [hit.chunk for hit in stores] == [hit.chunk for hit in memory]
        assert [hit.score for hit in stores] == pytest.approx([hit.score for hit in memory], rel=0.02, abs=0.02)
        assert (memory.manifest["engine"], stores.manifest["engine"]) == ("memory", "stores")


def test_a_search_in_the_stores_repeats_without_arrays(bare: Corpus, method: str) -> None:
    for question in QUESTIONS:
        first, second = (bare.search(question, k=5, method=method, engine="stores") for _ in range(2))
        assert [(hit.chunk.id, hit.score.hex(), hit.parts) for hit in first] == [
            (hit.chunk.id, hit.score.hex(), hit.parts) for hit in second
        ]
        for hit in first:
            assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-9)


def test_a_filter_holds_in_the_stores(searched: Corpus, method: str) -> None:
    *_, last = searched.search(QUESTIONS[0], k=12, method=method)
    year = last.chunk.metadata["year"]
    found = searched.search(QUESTIONS[0], k=12, method=method, engine="stores", filters={"year": year})
    assert found.hits
    assert {hit.chunk.metadata["year"] for hit in found} == {year}


def test_more_hits_than_chunks_gives_each_chunk_once(searched: Corpus, world: list[Document], method: str) -> None:
    ids = [hit.chunk.id for hit in searched.search(QUESTIONS[0], k=100, method=method, engine="stores")]
    assert len(ids) == len({*ids}) == len(world)
