"""What is read of a published generation is kept, unless the corpus changes meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tetragraph import Corpus, Document, Settings, Tetragraph
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.generation_memory import GenerationMemory


@pytest.fixture
def corpus(server_settings: Settings, corpus_name: str) -> Iterator[Corpus]:
    with Tetragraph.connect(server_settings) as client:
        made = client.corpus(corpus_name)
        made.ingest([Document("ferry", "Ferry", "The ferry goes to Halvik.")], build=())
        yield made


def stores_of(corpus: Corpus) -> CorpusStores:
    return corpus._connection.stores(corpus.name)


def read_once(value: str, meanwhile: Callable[[], object] = lambda: None) -> Callable[[CorpusStores], str]:
    """Reads a value, and lets something happen before it has been read."""

    def read(_: CorpusStores) -> str:
        meanwhile()
        return value

    return read


def test_a_value_is_read_once_for_each_published_generation(corpus: Corpus) -> None:
    memory: GenerationMemory[str] = GenerationMemory()
    assert memory.recall(stores_of(corpus), read_once("first")) == "first"
    assert memory.recall(stores_of(corpus), read_once("again")) == "first"
    corpus.ingest([Document("mill", "Mill", "The mill stands in Brenn.")], build=())
    assert memory.recall(stores_of(corpus), read_once("second")) == "second"


def test_a_value_that_was_read_during_a_change_is_not_kept(corpus: Corpus) -> None:
    memory: GenerationMemory[str] = GenerationMemory()
    mill = Document("mill", "Mill", "The mill stands in Brenn.")
    before = stores_of(corpus)
    assert memory.recall(before, read_once("half", lambda: corpus.ingest([mill], build=()))) is None
    assert memory.recall(before, read_once("half", lambda: None)) is None, "another generation by now"


def test_during_a_change_the_published_value_is_given_and_no_other_is_kept(corpus: Corpus) -> None:
    memory: GenerationMemory[str] = GenerationMemory()
    stores = stores_of(corpus)
    changing = replace(stores, record=replace(stores.record, generation=stores.record.generation + 1))
    assert memory.recall(changing, read_once("half")) is None
    assert memory.recall(stores, read_once("published")) == "published"
    assert memory.recall(changing, read_once("half")) == "published"
