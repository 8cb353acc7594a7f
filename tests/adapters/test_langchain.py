"""LangChain: its own standard tests, and the same chunks as the client finds."""

from __future__ import annotations

import asyncio
import copy
import pickle
from typing import Any

import pytest

pytest.importorskip("langchain_core")
pytest.importorskip("langchain_tests")

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import ConfigurableField
from langchain_tests.integration_tests import RetrieversIntegrationTests

from adapted_corpus import METHODS, PAINTER, QUESTIONS, example, gather, run
from tetragraph import Budget, Corpus
from tetragraph.client.asynchronous import AsyncCorpus
from tetragraph.errors import InvalidInput
from tetragraph_adapters.langchain import TetragraphRetriever


class TestStandard(RetrieversIntegrationTests):
    """The tests of ``langchain-tests``, unmodified."""

    @pytest.fixture(autouse=True)
    def _searched(self, corpus: Corpus) -> None:
        self._corpus = corpus

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return TetragraphRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"corpus": self._corpus}

    @property
    def retriever_query_example(self) -> str:
        return QUESTIONS[0]


def test_a_retriever_is_printed_with_the_name_of_its_corpus(corpus: Corpus) -> None:
    assert f"corpus=Corpus({corpus.name!r})" in repr(TetragraphRetriever(corpus=corpus))


def ids(documents: list[Document]) -> list[str | None]:
    return [document.id for document in documents]


def test_each_question_finds_what_the_client_finds_in_the_same_order(
    corpora: tuple[Corpus, AsyncCorpus], expected: list[list[str]]
) -> None:
    corpus, async_corpus = corpora
    retriever = TetragraphRetriever(corpus=corpus, k=5)
    assert [ids(retriever.invoke(question)) for question in QUESTIONS] == expected
    assert [ids(found) for found in gather(retriever.ainvoke)] == expected
    assert [ids(found) for found in gather(TetragraphRetriever(corpus=async_corpus, k=5).ainvoke)] == expected


@pytest.mark.parametrize("method", METHODS)
def test_each_method_can_be_chosen_for_one_call_or_for_all(corpus: Corpus, method: str) -> None:
    wanted = [hit.chunk.id for hit in corpus.search(QUESTIONS[0], k=4, method=method)]
    assert ids(TetragraphRetriever(corpus=corpus, k=4, method=method).invoke(QUESTIONS[0])) == wanted
    assert ids(TetragraphRetriever(corpus=corpus).invoke(QUESTIONS[0], k=4, method=method)) == wanted


def test_options_of_the_retriever_and_of_a_call_reach_the_search(corpus: Corpus) -> None:
    retriever = TetragraphRetriever(corpus=corpus, options={"per_document": 1, "budget": Budget(tokens=1)})
    wanted = corpus.search(QUESTIONS[0], per_document=1, restart=0.9)
    assert ids(retriever.invoke(QUESTIONS[0], restart=0.9)) == [hit.chunk.id for hit in wanted]
    with pytest.raises(InvalidInput, match="nonsense"):
        retriever.invoke(QUESTIONS[0], nonsense=1)


@pytest.mark.parametrize("unknown", [{"per_doc": 2}, {"per_document": 2}])
def test_an_unknown_argument_is_refused_with_the_place_of_options(corpus: Corpus, unknown: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=rf"got {next(iter(unknown))}: .* options=\{{'{next(iter(unknown))}'"):
        TetragraphRetriever(corpus=corpus, k=3, **unknown)
    with pytest.raises(InvalidInput, match="per_doc"):
        TetragraphRetriever(corpus=corpus, options={"per_doc": 2}).invoke(QUESTIONS[0])


def test_arguments_of_the_framework_and_fields_that_can_be_configured_stay(corpus: Corpus) -> None:
    retriever = TetragraphRetriever(corpus=corpus, k=3, name="handbook", tags=["a"], metadata={"team": "b"})
    assert (retriever.name, retriever.tags, retriever.metadata) == ("handbook", ["a"], {"team": "b"})
    configurable = retriever.configurable_fields(k=ConfigurableField(id="k"))
    assert len(configurable.with_config(configurable={"k": 2}).invoke(QUESTIONS[0])) == 2


def test_a_document_has_the_text_of_its_chunk_and_all_that_is_known_about_it(corpus: Corpus) -> None:
    (found,) = TetragraphRetriever(corpus=corpus, k=1).invoke(PAINTER)
    (hit,) = evidence = corpus.search(PAINTER, k=1)
    assert found.page_content == hit.chunk.text
    assert found.metadata["document"] == "elva-kron"
    assert found.metadata["source"] == "world/elva-kron.md"
    assert (found.metadata["page"], found.metadata["year"], found.metadata["tags"]) == (7, 1900, ["even"])
    assert (found.metadata["start"], found.metadata["end"]) == (hit.chunk.start, hit.chunk.end)
    assert found.metadata["parts"] == dict(hit.parts)
    assert found.metadata["path"] == hit.to_dict()["path"] != []
    assert found.metadata["chain"] == evidence.to_dict()["chain"]


def test_filters_exclude_documents(corpus: Corpus) -> None:
    found = TetragraphRetriever(corpus=corpus, filters={"year": {"gte": 1906}}).invoke(QUESTIONS[0])
    assert len(found) == 6
    assert min(document.metadata["year"] for document in found) == 1906


def test_a_synchronous_call_refuses_an_asynchronous_corpus(async_corpus: AsyncCorpus) -> None:
    with pytest.raises(InvalidInput, match="got an AsyncCorpus"):
        TetragraphRetriever(corpus=async_corpus).invoke(QUESTIONS[0])


def test_a_retriever_is_copied_with_its_connection_and_never_pickled(corpus: Corpus) -> None:
    retriever = TetragraphRetriever(corpus=corpus, k=2)
    assert ids(copy.deepcopy(retriever).invoke(QUESTIONS[0])) == ids(retriever.invoke(QUESTIONS[0]))
    assert "corpus" not in retriever.model_dump()
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(retriever)


def test_a_batch_and_a_chain_run(corpus: Corpus) -> None:
    chain = TetragraphRetriever(corpus=corpus, k=1) | (lambda documents: documents[0].metadata["title"])
    assert asyncio.run(chain.abatch(list(QUESTIONS[6:8]))) == chain.batch(list(QUESTIONS[6:8]))


@pytest.mark.usefixtures("environment")
def test_the_example_of_the_page_runs() -> None:
    variables = run(example("LangChain"))
    assert len(variables["fast"]) == 3


@pytest.mark.usefixtures("environment")
def test_a_plain_function_serves_frameworks_without_an_adapter() -> None:
    source = example("DSPy, OpenAI Agents and others")
    source += "\nfound = search_handbook('What is the seat of Sund County?', k=2)"
    assert len(run(source)["found"]) == 2
