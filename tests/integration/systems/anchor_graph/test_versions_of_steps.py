"""The search in several steps where steps find different versions of a document."""

from __future__ import annotations

from pathlib import Path

import small_world
from environments import own_home
from tetragraph import Document, Settings, Tetragraph
from tetragraph.model import Findings, Hit
from tetragraph.stores import chunk_table
from tetragraph.systems.anchor_graph import AnchorOptions
from tetragraph.systems.anchor_graph.system import AnchorSearch
from tetragraph.systems.base import Retriever, SearchRequest
from tetragraph.systems.registry import ANCHOR
from tetragraph.systems.rerank_options import RerankOptions

QUESTION = "Who founded the school where the second director was Mina Holt?"
OLD, NEW = "reyer-academy", "reyer-academy-2024"


class Turns(Retriever[RerankOptions]):
    """A retriever that finds the old version at its first search, and the new one, with the same words, later."""

    name = summary = "turns"
    search_options = RerankOptions

    def __init__(self) -> None:
        self._documents = [OLD]

    def search(self, request: SearchRequest[RerankOptions]) -> Findings:
        wanted = self._documents.pop() if self._documents else NEW
        chunks = chunk_table.load(request.stores).chunks()
        found = (chunk for chunk in chunks if chunk.document_id == wanted)
        return Findings(tuple(Hit(rank, 1 / rank, chunk) for rank, chunk in enumerate(found, start=1)))


def test_of_copies_in_several_steps_that_of_the_newer_document_is_kept(neo4j_server: Settings, tmp_path: Path) -> None:
    documents = small_world.documents()
    new = Document(NEW, "Reyer Academy", small_world.WORLD["Reyer Academy"], "world", {"supersedes": OLD})
    with Tetragraph.connect(own_home(neo4j_server, tmp_path)) as client:
        corpus = client.corpus("versions-of-steps")
        corpus.ingest([new, *documents], build=())
        try:
            stores = client.connection.stores(corpus.name)
            question = client.connection.question(stores, QUESTION)
            documents_of = {}
            for as_of in ("", "2024-05-31"):
                anchor = AnchorSearch(lambda _: Turns(), ANCHOR._names, ANCHOR._facts, ANCHOR._fact_target)
                found = anchor.search(SearchRequest(stores, question, 5, AnchorOptions(as_of=as_of)))
                assert len(found.trace["anchor"]["steps"]) > 1
                documents_of[as_of] = [hit.chunk.document_id for hit in found.hits]
            assert documents_of == {"": [NEW], "2024-05-31": [OLD]}
        finally:
            corpus.drop()
