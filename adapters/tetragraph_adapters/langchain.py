"""A retriever of LangChain; needs ``pip install 'tetragraph[langchain]'``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field, SkipValidation

from tetragraph.errors import InvalidInput
from tetragraph.model import Evidence
from tetragraph_adapters.searcher import METHOD, K, SearchableCorpus, Searcher, metadata_of


class TetragraphRetriever(BaseRetriever):
    """Chunks of a corpus as documents of LangChain, best first.

    ``invoke`` and ``ainvoke`` take any argument of :meth:`tetragraph.Corpus.search` for one call:
    ``retriever.invoke("Who …?", k=3, method="gain")``. LangChain has no filters of its own; ``filters`` are those of a
    corpus. The retriever cannot be pickled, as its corpus holds connections.

    Attributes:
        corpus: A ``Corpus``, or an ``AsyncCorpus`` for ``ainvoke`` alone.
        k: Number of documents.
        method: Search method.
        filters: Conditions on metadata.
        options: Other arguments of the search: the options of the method, and ``budget``.

    Raises:
        InvalidInput: an argument is wrong; see :meth:`tetragraph.Corpus.search` for all errors.
    """

    corpus: SkipValidation[SearchableCorpus] = Field(exclude=True)
    k: int = K
    method: str = METHOD
    filters: dict[str, Any] | None = None
    options: dict[str, Any] = Field(default_factory=dict)

    if not TYPE_CHECKING:  # type checkers know the arguments by the fields

        def __init__(self, **arguments: Any) -> None:
            # A base class ignores unknown arguments; `extra="forbid"` would raise an error of pydantic.
            fields = type(self).model_fields
            if unknown := {name: value for name, value in arguments.items() if name not in fields}:
                raise InvalidInput(
                    f"arguments of a retriever are {', '.join(fields)}, got {', '.join(unknown)}: options of the "
                    f"search go into options, options={unknown!r:.200}"
                )
            super().__init__(**arguments)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **arguments: Any
    ) -> list[Document]:
        return _documents(self._searcher().search(query, **arguments))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **arguments: Any
    ) -> list[Document]:
        return _documents(await self._searcher().search_async(query, **arguments))

    def _searcher(self) -> Searcher:
        return Searcher(self.corpus, self.k, self.method, self.filters, self.options)

    def __deepcopy__(self, memo: Mapping[int, Any] | None = None) -> TetragraphRetriever:
        return self.model_copy()  # the copy shares the connections

    def __getstate__(self) -> NoReturn:
        raise TypeError("a retriever cannot be pickled, as its corpus holds connections: connect in the other process")


def _documents(evidence: Evidence) -> list[Document]:
    return [
        Document(id=hit.chunk.id, page_content=hit.chunk.text, metadata=metadata)
        for hit, metadata in zip(evidence.hits, metadata_of(evidence), strict=True)
    ]
