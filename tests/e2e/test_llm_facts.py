"""Facts and names by a language model, from documents to answers: cost and notes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from scripted_facts import extracting
from scripted_llm import ScriptedLlm, last_turn
from tetragraph import Document, Settings, Tetragraph, errors
from tetragraph.model.usage import NOTHING, Budget

pytest.importorskip("spacy")
ASKED = "Where was the director of Silver Harbour born?"
TEXTS = {
    "Silver Harbour": "Ada Byron directed Silver Harbour.",
    "Ada Byron": "Ada Byron was born in Ghent.",
    "Ghent": "Ghent lies in Flanders.",
    "Lyon": "Emil Voss was born in Lyon.",
}
DOCUMENTS = [Document(id=title, title=title, text=text) for title, text in TEXTS.items()]
STEPS = [("Who directed Silver Harbour?", "director"), ("Where was #1 born?", "city")]


def answering(body: dict[str, Any]) -> str:
    """By what the prompt asks for."""
    system = body["messages"][0]["content"]
    if "You plan" in system:
        return json.dumps({"steps": [{"question": question, "answer": noun} for question, noun in STEPS]})
    if "You mark" in system:
        return '{"names": ["Silver Harbour"]}'
    if "You name" in system:
        count = last_turn(body).count("</theme ")
        return json.dumps({"names": [{"theme": number, "name": f"Theme {number}"} for number in range(1, count + 1)]})
    return "Ada Byron was born in Ghent." if "encyclopedia" in system else extracting(body)


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(answering) as llm:
        yield llm


@pytest.fixture
def asking(llm: ScriptedLlm, server_settings: Settings) -> Iterator[Tetragraph]:
    with Tetragraph.connect(llm.settings(server_settings, llm_retries=0)) as client:
        yield client


def test_a_corpus_is_built_kept_and_searched_with_the_model(
    asking: Tetragraph, client: Tetragraph, llm: ScriptedLlm, corpus_name: str
) -> None:
    corpus = asking.corpus(corpus_name)
    corpus.ingest(DOCUMENTS[:-1])
    assert corpus.estimate("bipartite", extractor="llm").calls == 6
    assert llm.calls == 0
    assert corpus.build("bipartite", extractor="llm").usage.calls == llm.calls == 6
    assert corpus.build("bipartite").usage == NOTHING
    with pytest.raises(errors.LlmNotConfigured):
        client.corpus(corpus_name).ingest(DOCUMENTS)
    assert corpus.ingest(DOCUMENTS).usage.calls == 2
    assert client.corpus(corpus_name).delete(DOCUMENTS[-1].id).deleted, "what stays has its facts"
    again = corpus.ingest(DOCUMENTS).usage
    assert (again.calls, again.cached) == (0, 2)
    named = corpus.build("tree", names="llm", neighbours=2)
    assert named.usage.calls == corpus.estimate("tree", names="llm", neighbours=2).cached > 0
    assert all(theme.name.startswith("Theme ") for theme in corpus.tree().walk())

    found = corpus.facts(ASKED, decomposition="llm", query_entities="llm")
    assert found.usage.calls == 2
    assert found.trace["llm"]["names"] == ["Silver Harbour"]
    assert [step["text"] for step in found.trace["llm"]["steps"]] == [question for question, _ in STEPS]
    assert {"Ada Byron directed Silver Harbour", "Ada Byron was born in Ghent"} <= {one.description for one in found}
    walked = corpus.search(ASKED, method="evidence", decomposition="llm")
    assert [step.question for step in walked.chain] == [question for question, _ in STEPS]
    assert (walked.usage.calls, walked.usage.cached) == (0, 1)
    written = corpus.search(ASKED, method="tree", expansion="self_query")
    assert written.trace == {"llm": {"passage": "Ada Byron was born in Ghent."}}
    assert written.manifest["llm"]["prompts"][0].startswith("self_query 1 ")


def test_a_budget_ends_an_extraction_and_the_next_build_goes_on(
    asking: Tetragraph, llm: ScriptedLlm, corpus_name: str
) -> None:
    corpus = asking.corpus(corpus_name)
    corpus.ingest(DOCUMENTS)
    with pytest.raises(errors.BudgetExhausted):
        corpus.build("bipartite", extractor="llm", budget=Budget(tokens=4_000))
    assert 0 < llm.calls < 8
    corpus.build("bipartite", extractor="llm")
    assert set(llm.calls_by_content.values()) == {1}
    assert llm.calls == 8
    assert len(corpus.facts("Who directed Silver Harbour?")) == 4


def test_a_search_that_wants_a_model_says_where_none_is_set(client: Tetragraph, corpus_name: str) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(DOCUMENTS)
    corpus.build("bipartite")
    corpus.build("tree", neighbours=2)
    wanted: list[tuple[str, dict[str, Any]]] = [
        ("evidence", {"decomposition": "llm"}),
        ("bipartite", {"query_entities": "llm"}),
        ("tree", {"expansion": "self_query"}),
        ("tree", {"expansion": "both"}),
    ]
    for method, options in wanted:
        with pytest.raises(errors.LlmNotConfigured):
            corpus.search(ASKED, method=method, **options)
