"""A retriever of Haystack; needs ``pip install 'tetragraph[haystack]'``."""

# No `from __future__ import annotations`: Haystack compares the annotations of `run` with types.
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict

from tetragraph import Tetragraph
from tetragraph.errors import InvalidInput
from tetragraph.model import Evidence
from tetragraph_adapters.searcher import METHOD, K, SearchableCorpus, Searcher, metadata_of
from tetragraph_adapters.translation import from_haystack


@component
class TetragraphRetriever:
    """Chunks of a corpus as documents of Haystack, best first; its ``run`` is that of a ``TextRetriever``.

    A pipeline that is saved keeps the name of the corpus. One that is loaded connects to the stores of the environment
    when it first runs.

    Args:
        corpus: A ``Corpus``, an ``AsyncCorpus`` for ``run_async`` alone, or the name of a corpus.
        top_k: Number of documents.
        method: Search method.
        filters: Conditions on metadata in the form of Haystack.
        options: Other arguments of the search: the options of the method, and ``budget``.

    Raises:
        InvalidInput: an argument is wrong, or a filter is none that a corpus can decide; see
            :meth:`tetragraph.Corpus.search` for all errors.
    """

    def __init__(
        self,
        corpus: SearchableCorpus | str,
        top_k: int = K,
        method: str = METHOD,
        filters: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        self._corpus = corpus
        self._client: Tetragraph | None = None
        self._filters = filters
        self._settings = {"top_k": top_k, "method": method, "options": options}
        self._arguments = (top_k, method, None if filters is None else from_haystack(filters), options or {})
        self._searcher = None if isinstance(corpus, str) else Searcher(corpus, *self._arguments)

    def warm_up(self) -> None:
        """Connect to the corpus, if only its name was given."""
        if self._searcher is None and isinstance(self._corpus, str):
            self._client = Tetragraph.connect()
            self._searcher = Searcher(self._client.corpus(self._corpus), *self._arguments)

    def close(self) -> None:
        """Close the connection that ``warm_up`` opened; a corpus of the caller stays open."""
        if self._client is not None:
            self._client.close()
            self._client = self._searcher = None

    @component.output_types(documents=list[Document], notes=list[str])
    def run(
        self,
        query: str,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Find the chunks that best support an answer to a question.

        Args:
            query: Text of the question.
            filters: Conditions on metadata in place of those of the component, in the form of Haystack.
            top_k: Number of documents in place of that of the component.
            options: Arguments of the search beside those of the component; ``method`` may be one of them.

        Returns:
            The ``documents``, and ``notes``: warnings about the result.
        """
        return _outputs(self._warm().search(query, **_given(filters, top_k, options)))

    @component.output_types(documents=list[Document], notes=list[str])
    async def run_async(
        self,
        query: str,
        filters: dict[str, Any] | None = None,
        top_k: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Find chunks without blocking the event loop; see ``run``."""
        return _outputs(await self._warm().search_async(query, **_given(filters, top_k, options)))

    def to_dict(self) -> dict[str, Any]:
        """The component as data; of the corpus only the name, as connections and passwords are not saved."""
        name = self._corpus if isinstance(self._corpus, str) else self._corpus.name
        return default_to_dict(self, corpus=name, filters=self._filters, **self._settings)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "TetragraphRetriever":
        """The component from data."""
        return default_from_dict(cls, data)

    def _warm(self) -> Searcher:
        self.warm_up()
        if self._searcher is None:
            raise InvalidInput(f"a corpus must be a Corpus or its name, got {self._corpus!r:.200}")
        return self._searcher


def _given(filters: dict[str, Any] | None, top_k: int | None, options: dict[str, Any] | None) -> dict[str, Any]:
    given = dict(options or {})
    if top_k is not None:
        given["k"] = top_k
    if filters is not None:
        given["filters"] = from_haystack(filters)
    return given


def _outputs(evidence: Evidence) -> dict[str, Any]:
    documents = [
        Document(id=hit.chunk.id, content=hit.chunk.text, meta=metadata, score=hit.score)
        for hit, metadata in zip(evidence.hits, metadata_of(evidence), strict=True)
    ]
    return {"documents": documents, "notes": list(evidence.notes)}
