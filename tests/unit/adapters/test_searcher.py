"""A searcher passes arguments on, works with both kinds of corpus, and describes hits."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.model import Chunk, Evidence, Hit
from tetragraph.model.evidence import Bridge, ChainStep, PathStep
from tetragraph_adapters.searcher import Searcher, metadata_of

CHUNK = Chunk(
    "c1", "d1", "Harbour", "Halvik", "A town.", 3, 10, 17, 2, {"year": 1874, "title": "own"}, "docs/a.pdf", page=2
)
HIT = Hit(1, 0.5, CHUNK, {"walk": 0.5}, (PathStep("question", "c1", "SEED", "named in the question", 1.0),))
CHAIN = (ChainStep("Where?", (), (Bridge("e1", "Halvik", 0.9),), (("c1", 0.8),)),)
EVIDENCE = Evidence("Where?", "evidence", (HIT,), {"generation": 1}, ("degraded",), CHAIN)


class RecordedCorpus:
    """A corpus that returns the arguments of its search."""

    name = "recorded"

    def search(self, question: str, **arguments: Any) -> Any:
        return {"question": question, **arguments}


class AsyncRecordedCorpus(RecordedCorpus):
    """The same for asyncio."""

    async def search(self, question: str, **arguments: Any) -> Any:
        return {"question": question, **arguments}


def test_arguments_of_a_call_replace_those_of_the_searcher() -> None:
    searcher = Searcher(RecordedCorpus(), k=3, filters={"a": 1}, options={"restart": 0.3, "budget": "b"})
    found: Any = searcher.search("Who?", k=2, method="gain", restart=0.4)
    wanted = {"question": "Who?", "k": 2, "method": "gain", "filters": {"a": 1}, "restart": 0.4, "budget": "b"}
    assert found == wanted
    awaited: Any = asyncio.run(searcher.search_async("Who?", k=2, method="gain", restart=0.4))
    assert awaited == wanted


def test_an_asynchronous_corpus_is_awaited_and_refused_by_synchronous_calls() -> None:
    searcher = Searcher(AsyncRecordedCorpus())
    found: Any = asyncio.run(searcher.search_async("Who?"))
    assert (found["question"], found["k"], found["method"]) == ("Who?", 10, "evidence")
    with pytest.raises(InvalidInput, match="got an AsyncCorpus"):
        searcher.search("Who?")


def test_only_a_corpus_can_be_searched() -> None:
    with pytest.raises(InvalidInput, match="must have a corpus"):
        Searcher("handbook")  # type: ignore[arg-type]  # what a caller may try


def test_metadata_has_place_score_path_and_chain_as_types_of_json() -> None:
    (found,) = metadata_of(EVIDENCE)
    assert json.loads(json.dumps(found)) == found
    assert found["path"] == [
        {"source": "question", "target": "c1", "via": "SEED", "label": "named in the question", "weight": 1.0}
    ]
    assert found["chain"][0]["bridges"] == [{"entity": "e1", "name": "Halvik", "weight": 0.9}]
    assert (found["chunk"], found["document"], found["document_title"]) == ("c1", "d1", "Halvik")
    assert (found["source"], found["page"], found["place"]) == ("docs/a.pdf", 2, "docs/a.pdf, page 2 › Harbour")
    assert (found["position"], found["start"], found["end"]) == (3, 10, 17)
    assert (found["rank"], found["score"], found["parts"], found["notes"]) == (1, 0.5, {"walk": 0.5}, ["degraded"])


def test_metadata_of_the_document_never_hides_that_of_the_hit() -> None:
    (found,) = metadata_of(EVIDENCE)
    assert (found["year"], found["title"]) == (1874, "Harbour")
    assert found["metadata"] == {"year": 1874, "title": "own"}
