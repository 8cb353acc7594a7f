"""Results that a client keeps: given again for the same question and generation, and never in place of others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import anchored_world
from tetragraph import Corpus, Document, Gold, GoldQuestion, Settings, Tetragraph
from tetragraph.model import Findings
from tetragraph.retrieval import kept_findings
from tetragraph.systems.base import Retriever, SearchRequest
from tetragraph.systems.registry import RETRIEVERS

QUESTION = anchored_world.QUESTION


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the methods whose searches were computed, one for each time."""
    names: list[str] = []

    def count(retriever: Retriever[Any]) -> None:
        search = retriever.search

        def counted(request: SearchRequest[Any]) -> Findings:
            names.append(retriever.name)
            return search(request)

        monkeypatch.setattr(retriever, "search", counted)

    for retriever in RETRIEVERS.values():
        count(retriever)
    return names


@pytest.fixture
def keeping(anchored_settings: Settings) -> Iterator[Tetragraph]:
    """A client that keeps results."""
    default = Settings.model_fields["kept_results"].default
    with Tetragraph.connect(anchored_settings.model_copy(update={"kept_results": default})) as client:
        yield client


@pytest.fixture
def corpus(keeping: Tetragraph, anchored: str) -> Corpus:
    return keeping.corpus(anchored)


@pytest.mark.parametrize("method", ["evidence", "tree"])
def test_the_same_search_is_computed_once(corpus: Corpus, computed: list[str], method: str) -> None:
    first = corpus.search(QUESTION, method=method)
    assert corpus.search(QUESTION, method=method) == first
    assert computed == [method]


def test_a_result_that_is_changed_changes_no_other(corpus: Corpus, computed: list[str]) -> None:
    for _ in range(3):  # computed, kept, and given again
        evidence = corpus.search(QUESTION)
        parts, metadata = evidence.hits[0].parts, evidence.hits[0].chunk.metadata
        assert parts
        assert "mark" not in metadata
        assert "mark" not in evidence.trace
        for mapping in (parts, metadata, evidence.trace):
            assert isinstance(mapping, dict)
            mapping.clear()
            mapping["mark"] = 1.0
    assert computed == ["evidence"]


def test_notes_of_a_search_come_with_its_kept_result(corpus: Corpus, computed: list[str]) -> None:
    first = corpus.search(QUESTION, as_of="2020-01-01")
    assert first.notes
    assert corpus.search(QUESTION, as_of="2020-01-01").notes == first.notes
    assert computed == ["evidence"]


@pytest.mark.parametrize(
    "other",
    [{"k": 3}, {"filters": {"year": {"gte": 1903}}}, {"chain": "off"}, {"question": f"{QUESTION}?"}],
    ids=lambda other: next(iter(other)),
)
def test_every_part_of_a_request_makes_another_search(
    corpus: Corpus, computed: list[str], other: dict[str, Any]
) -> None:
    corpus.search(QUESTION)
    corpus.search(**{"question": QUESTION, **other})
    assert computed == ["evidence", "evidence"]


@pytest.mark.parametrize(
    "given",
    [
        {"engine": "stores"},
        {"method": "gain"},
        {"method": "dense"},
        {"method": "keyword"},
        {"method": "anchor"},
        {"method": "bipartite", "time_limit": 60},
    ],
    ids=lambda given: "-".join(map(str, given.values())),
)
def test_what_stores_or_the_clock_had_a_part_in_is_computed_again(
    corpus: Corpus, computed: list[str], given: dict[str, Any]
) -> None:
    corpus.search(QUESTION, **given)
    times = len(computed)
    corpus.search(QUESTION, **given)
    assert len(computed) == 2 * times


def test_results_of_many_hits_are_not_kept(
    corpus: Corpus, computed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_findings, "MOST_KEPT_HITS", 3)
    for k in (3, 3, 4, 4):
        corpus.search(QUESTION, k=k)
    assert len(computed) == 3


def test_a_change_of_the_corpus_ends_what_was_kept(keeping: Tetragraph, corpus_name: str, computed: list[str]) -> None:
    corpus = keeping.corpus(corpus_name)
    corpus.ingest(anchored_world.documents(), build=())
    corpus.search("Who painted the Lodberg altar?")
    new = Document("altar", "Lodberg altar", "The Lodberg altar was painted by Kaja Winther.")
    corpus.ingest([new], build=())
    assert corpus.search("Who painted the Lodberg altar?").hits[0].chunk.document_id == "altar"
    assert computed == ["evidence", "evidence"]


def test_evaluations_compute_every_search(corpus: Corpus, computed: list[str]) -> None:
    questions = [GoldQuestion("one", QUESTION, (Gold("halvik"),))]
    corpus.evaluate(questions, methods=["evidence"], ks=(2,))
    times = len(computed)
    corpus.evaluate(questions, methods=["evidence"], ks=(2,))
    assert len(computed) == 2 * times


def test_a_client_can_keep_nothing(anchored_settings: Settings, anchored: str, computed: list[str]) -> None:
    with Tetragraph.connect(anchored_settings) as client:
        first, second = (client.corpus(anchored).search(QUESTION) for _ in range(2))
    assert first == second
    assert computed == ["evidence", "evidence"]
