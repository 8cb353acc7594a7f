"""A retriever of LlamaIndex; needs ``pip install 'tetragraph[llama-index]'``."""

from __future__ import annotations

from typing import Any

from llama_index.core.callbacks import CallbackManager
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores import MetadataFilters

from tetragraph.model import Chunk, Evidence, Filters
from tetragraph_adapters.searcher import METHOD, READABLE, K, SearchableCorpus, Searcher, metadata_of
from tetragraph_adapters.translation import from_llama_index


class TetragraphRetriever(BaseRetriever):
    """Chunks of a corpus as nodes of LlamaIndex with scores, best first.

    A node has the id of its chunk, and its document as source. Of its metadata a language model is shown the titles,
    the source and the page; the rest is for programs.

    Args:
        corpus: A ``Corpus``, or an ``AsyncCorpus`` for ``aretrieve`` alone.
        k: Number of nodes.
        method: Search method.
        filters: ``MetadataFilters``, or conditions in the form of :meth:`tetragraph.Corpus.search`.
        callback_manager: Callbacks of LlamaIndex.
        options: Other arguments of the search: the options of the method, and ``budget``.

    Raises:
        InvalidInput: an argument is wrong, or a filter is none that a corpus can decide; see
            :meth:`tetragraph.Corpus.search` for all errors.
    """

    def __init__(
        self,
        corpus: SearchableCorpus,
        *,
        k: int = K,
        method: str = METHOD,
        filters: MetadataFilters | Filters | None = None,
        callback_manager: CallbackManager | None = None,
        **options: Any,
    ) -> None:
        super().__init__(callback_manager)
        if isinstance(filters, MetadataFilters):
            filters = from_llama_index(filters.model_dump(mode="json"))
        self._searcher = Searcher(corpus, k, method, filters, options)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes(self._searcher.search(query_bundle.query_str))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes(await self._searcher.search_async(query_bundle.query_str))


def _nodes(evidence: Evidence) -> list[NodeWithScore]:
    found = zip(evidence.hits, metadata_of(evidence), strict=True)
    return [NodeWithScore(node=_node(hit.chunk, metadata), score=hit.score) for hit, metadata in found]


def _node(chunk: Chunk, metadata: dict[str, Any]) -> TextNode:
    hidden = [key for key in metadata if key not in READABLE or not metadata[key]]
    return TextNode(
        id_=chunk.id,
        text=chunk.text,
        metadata=metadata,
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=hidden,
        start_char_idx=chunk.start,
        end_char_idx=chunk.end,
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=chunk.document_id)},
    )
