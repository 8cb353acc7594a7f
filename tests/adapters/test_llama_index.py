"""LlamaIndex: nodes of the same chunks as the client finds, and its filters."""

from __future__ import annotations

import pytest

pytest.importorskip("llama_index.core")

from llama_index.core import Settings
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode
from llama_index.core.schema import MetadataMode, NodeWithScore
from llama_index.core.vector_stores import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

from adapted_corpus import METHODS, PAINTER, QUESTIONS, example, gather, run
from tetragraph import Corpus
from tetragraph.client.asynchronous import AsyncCorpus
from tetragraph.errors import InvalidInput
from tetragraph_adapters.llama_index import TetragraphRetriever


def ids(nodes: list[NodeWithScore]) -> list[str]:
    return [found.node.node_id for found in nodes]


def test_each_question_finds_what_the_client_finds_in_the_same_order(
    corpora: tuple[Corpus, AsyncCorpus], expected: list[list[str]]
) -> None:
    corpus, async_corpus = corpora
    retriever = TetragraphRetriever(corpus, k=5)
    assert [ids(retriever.retrieve(question)) for question in QUESTIONS] == expected
    assert [ids(found) for found in gather(retriever.aretrieve)] == expected
    assert [ids(found) for found in gather(TetragraphRetriever(async_corpus, k=5).aretrieve)] == expected


@pytest.mark.parametrize("method", METHODS)
def test_each_method_and_its_options_can_be_chosen(corpus: Corpus, method: str) -> None:
    wanted = [hit.chunk.id for hit in corpus.search(QUESTIONS[0], k=4, method=method, per_document=1)]
    assert ids(TetragraphRetriever(corpus, k=4, method=method, per_document=1).retrieve(QUESTIONS[0])) == wanted


def test_a_node_has_text_place_document_and_metadata_of_its_chunk(corpus: Corpus) -> None:
    (found,) = TetragraphRetriever(corpus, k=1).retrieve(PAINTER)
    (hit,) = corpus.search(PAINTER, k=1)
    node = found.node
    assert (node.text, found.score) == (hit.chunk.text, hit.score)
    assert (node.start_char_idx, node.end_char_idx, node.ref_doc_id) == (hit.chunk.start, hit.chunk.end, "elva-kron")
    assert (node.metadata["parts"], node.metadata["page"], node.metadata["year"]) == (dict(hit.parts), 7, 1900)
    shown = node.get_content(MetadataMode.LLM)
    assert "source: world/elva-kron.md" in shown
    assert "page: 7" in shown
    assert "parts" not in shown


def test_metadata_filters_are_translated(corpus: Corpus) -> None:
    years = MetadataFilters(filters=[MetadataFilter(key="year", value=1904, operator=FilterOperator.GTE)])
    both = MetadataFilters(
        filters=[years, MetadataFilter(key="tags", value="odd", operator=FilterOperator.CONTAINS)],
        condition=FilterCondition.AND,
    )
    found = TetragraphRetriever(corpus, k=12, filters=both).retrieve(QUESTIONS[0])
    assert sorted(one.node.metadata["year"] for one in found) == [1905, 1907, 1909, 1911]
    assert ids(TetragraphRetriever(corpus, k=12, filters={"year": 1905}).retrieve(QUESTIONS[0])) == [
        one.node.node_id for one in found if one.node.metadata["year"] == 1905
    ]
    matched = MetadataFilters(filters=[MetadataFilter(key="kind", value="p", operator=FilterOperator.TEXT_MATCH)])
    with pytest.raises(InvalidInput, match="text_match"):
        TetragraphRetriever(corpus, filters=matched)


def test_a_query_engine_answers_with_the_nodes_as_sources(corpus: Corpus, expected: list[list[str]]) -> None:
    Settings.llm = MockLLM()  # otherwise LlamaIndex looks for OpenAI's, though no answer is written
    engine = RetrieverQueryEngine.from_args(TetragraphRetriever(corpus, k=5), response_mode=ResponseMode.NO_TEXT)
    assert ids(engine.query(QUESTIONS[0]).source_nodes) == expected[0]


@pytest.mark.usefixtures("environment")
def test_the_example_of_the_page_runs() -> None:
    assert run(example("LlamaIndex"))["found"].node.metadata["year"] >= 1905
