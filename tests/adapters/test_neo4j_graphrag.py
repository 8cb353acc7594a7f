"""neo4j-graphrag: records of the same chunks as the client finds, its filters, its pipeline and its tools."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("neo4j_graphrag")

from neo4j_graphrag.generation import GraphRAG
from neo4j_graphrag.llm import LLMInterface, LLMResponse
from neo4j_graphrag.types import RetrieverResult

from adapted_corpus import METHODS, PAINTER, QUESTIONS, example, gather, run
from tetragraph import Corpus
from tetragraph.client.asynchronous import AsyncCorpus
from tetragraph.errors import InvalidInput
from tetragraph_adapters.neo4j_graphrag import TetragraphRetriever


def ids(result: RetrieverResult) -> list[str]:
    return [item.metadata["chunk"] for item in result.items if item.metadata]


def test_each_question_finds_what_the_client_finds_in_the_same_order(
    corpora: tuple[Corpus, AsyncCorpus], expected: list[list[str]]
) -> None:
    corpus, async_corpus = corpora
    retriever = TetragraphRetriever(corpus)
    assert [ids(retriever.search(query_text=question, top_k=5)) for question in QUESTIONS] == expected
    for searched in (corpus, async_corpus):
        asynchronous = TetragraphRetriever(searched)
        assert [ids(found) for found in gather(lambda text: asynchronous.search_async(text, top_k=5))] == expected  # noqa: B023 - awaited in this turn of the loop


@pytest.mark.parametrize("method", METHODS)
def test_each_method_and_its_options_can_be_chosen(corpus: Corpus, method: str) -> None:
    wanted = [hit.chunk.id for hit in corpus.search(QUESTIONS[0], k=4, method=method, per_document=1)]
    own = TetragraphRetriever(corpus, method=method, per_document=1)
    assert ids(own.search(query_text=QUESTIONS[0], top_k=4)) == wanted
    given = {"method": method, "options": {"per_document": 1}}
    assert ids(TetragraphRetriever(corpus).search(query_text=QUESTIONS[0], top_k=4, **given)) == wanted


def test_the_number_of_chunks_is_that_of_the_call_or_of_the_retriever(corpus: Corpus) -> None:
    own = TetragraphRetriever(corpus, k=3)
    assert len(ids(own.search(query_text=QUESTIONS[0]))) == 3
    assert len(ids(own.search(query_text=QUESTIONS[0], top_k=2))) == 2
    assert len(ids(TetragraphRetriever(corpus).search(query_text=QUESTIONS[0]))) == 10
    assert len(gather(lambda text: own.search_async(text))[0].items) == 3


def test_an_item_has_the_passage_and_the_result_what_repeats_the_search(corpus: Corpus) -> None:
    result = TetragraphRetriever(corpus).search(query_text=PAINTER, top_k=1)
    (hit,) = evidence = corpus.search(PAINTER, k=1)
    (item,) = result.items
    assert item.content == hit.chunk.passage
    assert (item.metadata["document"], item.metadata["page"], item.metadata["parts"]) == (
        "elva-kron",
        7,
        dict(hit.parts),
    )
    assert result.metadata["manifest"] == evidence.to_dict()["manifest"]
    assert result.metadata["chain"] == evidence.to_dict()["chain"]


def test_filters_are_translated(corpus: Corpus) -> None:
    retriever = TetragraphRetriever(corpus, filters={"year": {"$between": [1904, 1906]}})
    years = [item.metadata["year"] for item in retriever.search(query_text=QUESTIONS[0]).items]
    assert sorted(years) == [1904, 1905, 1906]
    found = retriever.search(query_text=QUESTIONS[0], filters={"year": {"$in": [1900, 1901]}})
    assert sorted(item.metadata["year"] for item in found.items) == [1900, 1901]
    malformed: Any = []
    with pytest.raises(InvalidInput, match="must be a dict"):
        TetragraphRetriever(corpus, filters=malformed)
    with pytest.raises(InvalidInput, match="must be a dict"):
        retriever.search(query_text=QUESTIONS[0], filters=malformed)
    with pytest.raises(InvalidInput, match="like"):
        retriever.search(query_text=QUESTIONS[0], filters={"kind": {"$like": "p"}})


class Echo(LLMInterface):
    """A language model that answers with its prompt."""

    def __init__(self) -> None:
        super().__init__("echo")

    def invoke(self, input: str, *args: Any, **kwargs: Any) -> LLMResponse:  # noqa: A002 - the name of the base class
        return LLMResponse(content=str(input))

    async def ainvoke(self, input: str, *args: Any, **kwargs: Any) -> LLMResponse:  # noqa: A002 - likewise
        return self.invoke(input)


def test_a_model_is_given_the_passages(corpus: Corpus) -> None:
    pipeline = GraphRAG(TetragraphRetriever(corpus), Echo())
    answer = pipeline.search("What is the seat of Sund County?", retriever_config={"top_k": 2}, return_context=True)
    assert "Its seat is Old Port" in answer.answer
    assert len(answer.retriever_result.items) == 2


def test_the_retriever_is_a_tool_with_typed_parameters(corpus: Corpus, expected: list[list[str]]) -> None:
    tool = TetragraphRetriever(corpus).convert_to_tool("search", "Search the corpus.")
    parameters = tool.get_parameters()["properties"]
    assert {name: one["type"] for name, one in parameters.items()} == {
        "query_text": "string",
        "top_k": "integer",
        "method": "string",
        "filters": "object",
        "options": "object",
    }
    assert ids(tool.execute(query_text=QUESTIONS[0], top_k=5)) == expected[0]


@pytest.mark.usefixtures("environment")
def test_the_example_of_the_page_runs() -> None:
    variables = run(example("neo4j-graphrag"))
    assert len(variables["result"].items) == 5
    assert variables["tool"].get_name() == "search_handbook"
