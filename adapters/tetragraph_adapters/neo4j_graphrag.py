"""A retriever of neo4j-graphrag; needs ``pip install 'tetragraph[neo4j-graphrag]'``."""

from __future__ import annotations

from typing import Any, Optional

import neo4j
from neo4j_graphrag.retrievers.base import Retriever
from neo4j_graphrag.types import RawSearchResult, RetrieverResult, RetrieverResultItem

from tetragraph.model import Evidence
from tetragraph_adapters.searcher import METHOD, K, SearchableCorpus, Searcher, metadata_of
from tetragraph_adapters.translation import from_neo4j_graphrag


class TetragraphRetriever(Retriever):
    """Chunks of a corpus as records, for ``GraphRAG`` and as a tool.

    It takes no driver, as a corpus has connections of its own.

    Args:
        corpus: A ``Corpus``, or an ``AsyncCorpus`` for ``search_async`` alone.
        method: Search method.
        filters: Conditions on metadata in the form of neo4j-graphrag, ``{"year": {"$gte": 1990}}``.
        options: Other arguments of the search: ``k``, the number of chunks, 10 when left out; ``budget``; and the
            options of the method.

    Raises:
        InvalidInput: an argument is wrong, or a filter is none that a corpus can decide; see
            :meth:`tetragraph.Corpus.search` for all errors.
    """

    VERIFY_NEO4J_VERSION = False

    def __init__(
        self,
        corpus: SearchableCorpus,
        *,
        method: str = METHOD,
        filters: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        # The base class only keeps a driver and asks it for its version; this retriever has none.
        conditions = None if filters is None else from_neo4j_graphrag(filters)
        self._searcher = Searcher(corpus, K, method, conditions, options)

    # `convert_to_tool` reads these annotations, and takes `dict[str, Any] | None` for a text.
    def get_search_results(
        self,
        query_text: str,
        top_k: Optional[int] = None,  # noqa: UP045 - see above
        method: Optional[str] = None,  # noqa: UP045 - see above
        filters: Optional[dict[str, Any]] = None,  # noqa: UP045 - see above
        options: Optional[dict[str, Any]] = None,  # noqa: UP045 - see above
    ) -> RawSearchResult:
        """Find the chunks that best support an answer to a question.

        Args:
            query_text: Text of the question.
            top_k: Number of chunks in place of that of the retriever.
            method: Search method in place of that of the retriever.
            filters: Conditions on metadata in place of those of the retriever, in the form of neo4j-graphrag.
            options: Arguments of the search beside those of the retriever.
        """
        return _records(self._searcher.search(query_text, **_given(top_k, method, filters, options)))

    async def search_async(
        self,
        query_text: str,
        top_k: int | None = None,
        method: str | None = None,
        filters: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> RetrieverResult:
        """Search without blocking the event loop; arguments and result are those of ``search``.

        neo4j-graphrag has no asynchronous retrievers, so that its own classes do not call this method.
        """
        evidence = await self._searcher.search_async(query_text, **_given(top_k, method, filters, options))
        found = _records(evidence)
        items = [self.default_record_formatter(record) for record in found.records]
        return RetrieverResult(items=items, metadata={**(found.metadata or {}), "__retriever": type(self).__name__})

    def default_record_formatter(self, record: neo4j.Record) -> RetrieverResultItem:
        """The text of a chunk after its titles, and its metadata."""
        return RetrieverResultItem(content=record["content"], metadata=record["metadata"])


def _given(
    top_k: int | None, method: str | None, filters: dict[str, Any] | None, options: dict[str, Any] | None
) -> dict[str, Any]:
    given: dict[str, Any] = dict(options or {})
    if top_k is not None:
        given.setdefault("k", top_k)
    if method is not None:
        given["method"] = method
    if filters is not None:
        given["filters"] = from_neo4j_graphrag(filters)
    return given


def _records(evidence: Evidence) -> RawSearchResult:
    rows = [
        {"id": hit.chunk.id, "content": hit.chunk.passage, "score": hit.score, "metadata": metadata}
        for hit, metadata in zip(evidence.hits, metadata_of(evidence), strict=True)
    ]
    records = [neo4j.Record(row) for row in rows]  # type: ignore[no-untyped-call]  # is not typed
    about = evidence.to_dict()
    return RawSearchResult(records=records, metadata={name: about[name] for name in about.keys() - {"hits"}})
