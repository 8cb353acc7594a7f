"""A search with defaults, from synchronous and asynchronous code, and the metadata of its hits."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tetragraph.errors import InvalidInput
from tetragraph.model import Chunk, Evidence, Filters

K = 10
"""Number of chunks that a search returns, unless the caller sets another."""
METHOD = "evidence"
"""Method of a search, unless the caller sets another."""
READABLE = ("document_title", "title", "source", "page")
"""Keys of the metadata that help a language model to read a chunk; the others are for programs."""


class SearchableCorpus(Protocol):
    """A ``Corpus`` or ``AsyncCorpus``, of local stores or of a server."""

    @property
    def name(self) -> str: ...
    @property
    def search(self) -> Callable[..., Any]: ...


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches one corpus, with arguments that each call can replace.

    Attributes:
        corpus: Corpus to search.
        k: Number of chunks.
        method: Search method.
        filters: Conditions on metadata, in the form of :meth:`tetragraph.Corpus.search`.
        options: Other arguments of :meth:`tetragraph.Corpus.search`: the options of the method, and ``budget``.

    Raises:
        InvalidInput: ``corpus`` is no corpus.
    """

    corpus: SearchableCorpus
    k: int = K
    method: str = METHOD
    filters: Filters | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not callable(getattr(self.corpus, "search", None)):
            rule = "a retriever must have a corpus, such as Tetragraph.connect().corpus('handbook')"
            raise InvalidInput(f"{rule}, got {self.corpus!r:.200}")

    def search(self, question: str, **given: Any) -> Evidence:
        """Search, and wait for the result.

        Args:
            question: Text of the question.
            given: Arguments of :meth:`tetragraph.Corpus.search` that replace those of the searcher.

        Raises:
            InvalidInput: the corpus is an ``AsyncCorpus``.
            TetragraphError: see :meth:`tetragraph.Corpus.search`.
        """
        if self._is_asynchronous:
            rule = "a synchronous search needs a Corpus"
            raise InvalidInput(f"{rule}, got an AsyncCorpus: call the asynchronous method, or pass a Corpus")
        evidence: Evidence = self.corpus.search(question, **self._arguments(given))
        return evidence

    async def search_async(self, question: str, **given: Any) -> Evidence:
        """Search without blocking the event loop; a ``Corpus`` is searched in a thread."""
        if self._is_asynchronous:
            found: Evidence = await self.corpus.search(question, **self._arguments(given))
            return found
        return await asyncio.to_thread(self.search, question, **given)

    @property
    def _is_asynchronous(self) -> bool:
        return inspect.iscoroutinefunction(self.corpus.search)

    def _arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return {"k": self.k, "method": self.method, "filters": self.filters, **self.options, **given}


def metadata_of(evidence: Evidence) -> list[dict[str, Any]]:
    """Metadata of each hit as types of JSON, in the order of the hits.

    Returns:
        The metadata of the document by its own keys, except those that would hide one of the following; all of them
        under ``metadata``; ``document``, ``document_title``, ``title``, ``source``, ``place``, ``page`` (None where it
        is unknown), ``chunk``, ``position``, ``start``, ``end``; the fields of the hit (``rank``, ``score``, ``parts``,
        ``path``, ``facts``, ``contributions``, ``also_in``); and ``method``, ``chain`` and ``notes`` of the search.
    """
    plain = evidence.to_dict()
    about = {name: plain[name] for name in ("method", "chain", "notes")}
    return [
        {**found["chunk"]["metadata"], **found, **_place(hit.chunk, found["chunk"]), **about}
        for hit, found in zip(evidence.hits, plain["hits"], strict=True)
    ]


def _place(chunk: Chunk, found: Mapping[str, Any]) -> dict[str, Any]:
    same = ("metadata", "document_title", "title", "source", "page", "position", "start", "end")
    return {
        **{name: found[name] for name in same},
        "chunk": chunk.id,
        "document": chunk.document_id,
        "place": chunk.place,
    }
