"""Haystack: documents of the same chunks as the client finds, its filters, and pipelines that are saved and loaded."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("haystack")

from haystack import Document, Pipeline

from adapted_corpus import METHODS, PAINTER, QUESTIONS, example, gather, run
from tetragraph import Corpus
from tetragraph.client.asynchronous import AsyncCorpus
from tetragraph.errors import InvalidInput
from tetragraph_adapters.haystack import TetragraphRetriever


def ids(outputs: dict[str, Any]) -> list[str]:
    documents: list[Document] = outputs["documents"]
    return [document.id for document in documents]


def test_each_question_finds_what_the_client_finds_in_the_same_order(
    corpora: tuple[Corpus, AsyncCorpus], expected: list[list[str]]
) -> None:
    corpus, async_corpus = corpora
    retriever = TetragraphRetriever(corpus, top_k=5)
    assert [ids(retriever.run(question)) for question in QUESTIONS] == expected
    assert [ids(found) for found in gather(retriever.run_async)] == expected
    assert [ids(found) for found in gather(TetragraphRetriever(async_corpus, top_k=5).run_async)] == expected


@pytest.mark.parametrize("method", METHODS)
def test_each_method_and_its_options_can_be_chosen(corpus: Corpus, method: str) -> None:
    wanted = [hit.chunk.id for hit in corpus.search(QUESTIONS[0], k=4, method=method, per_document=1)]
    own = TetragraphRetriever(corpus, top_k=4, method=method, options={"per_document": 1})
    assert ids(own.run(QUESTIONS[0])) == wanted
    given = {"method": method, "per_document": 1}
    assert ids(TetragraphRetriever(corpus).run(QUESTIONS[0], top_k=4, options=given)) == wanted


def test_a_document_has_the_text_the_score_and_the_metadata_of_its_chunk(corpus: Corpus) -> None:
    outputs = TetragraphRetriever(corpus, top_k=1).run(PAINTER)
    (hit,) = evidence = corpus.search(PAINTER, k=1)
    (document,) = outputs["documents"]
    assert (document.content, document.score) == (hit.chunk.text, hit.score)
    assert (document.meta["page"], document.meta["parts"], document.meta["year"]) == (7, dict(hit.parts), 1900)
    assert outputs["notes"] == list(evidence.notes)
    assert Document.from_dict(document.to_dict()) == document


def test_filters_are_translated(corpus: Corpus) -> None:
    late = {"field": "meta.year", "operator": ">=", "value": 1904}
    odd = {"field": "meta.tags", "operator": "in", "value": ["odd"]}
    retriever = TetragraphRetriever(corpus, filters={"operator": "AND", "conditions": [late, odd]})
    found = retriever.run(QUESTIONS[0])["documents"]
    assert sorted(document.meta["year"] for document in found) == [1905, 1907, 1909, 1911]
    assert len(ids(retriever.run(QUESTIONS[0], filters={"operator": "NOT", "conditions": [odd]}))) == 6
    assert len(ids(retriever.run(QUESTIONS[0], filters={}))) == 10
    assert len(ids(TetragraphRetriever(corpus, filters={}).run(QUESTIONS[0]))) == 10
    malformed: Any = []
    with pytest.raises(InvalidInput, match="must be a dict"):
        TetragraphRetriever(corpus, filters=malformed)
    with pytest.raises(InvalidInput, match="must be a dict"):
        retriever.run(QUESTIONS[0], filters=malformed)
    with pytest.raises(InvalidInput, match="alternatives"):
        retriever.run(QUESTIONS[0], filters={"operator": "OR", "conditions": [late, odd]})


@pytest.mark.usefixtures("environment")
def test_a_pipeline_that_was_saved_finds_the_same_after_loading(corpus: Corpus, expected: list[list[str]]) -> None:
    pipeline = Pipeline()
    pipeline.add_component("retriever", TetragraphRetriever(corpus, top_k=5))
    saved = pipeline.dumps()
    assert "password" not in saved
    loaded = Pipeline.loads(saved, allowed_modules=["tetragraph_adapters.haystack"])
    assert ids(pipeline.run({"query": QUESTIONS[0]})["retriever"]) == expected[0]
    assert ids(asyncio.run(loaded.run_async({"query": QUESTIONS[0]}))["retriever"]) == expected[0]
    loaded.get_component("retriever").close()


@pytest.mark.usefixtures("environment")
def test_the_example_of_the_page_runs() -> None:
    documents = run(example("Haystack"))["found"]["retriever"]["documents"]
    assert len(documents) == 5
    assert min(document.meta["year"] for document in documents) >= 1905
