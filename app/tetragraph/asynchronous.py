"""The client for asyncio: every call runs the synchronous one in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from tetragraph.client import Corpus, CorpusSummary, Tetragraph
from tetragraph.evaluate.model import EvaluationReport, GoldQuestion
from tetragraph.evaluate.tune import Tuning
from tetragraph.indexing import IngestReport
from tetragraph.ingest.sources import Source
from tetragraph.model import Evidence
from tetragraph.progress import Progress
from tetragraph.settings import Settings
from tetragraph.systems.encoding_tree.overview import TreeOverview
from tetragraph.systems.encoding_tree.themes import Affinity, ThemeReport


class AsyncTetragraph:
    """:class:`~tetragraph.Tetragraph` for asyncio; the arguments and errors are the same."""

    def __init__(self, client: Tetragraph) -> None:
        self._client = client

    @classmethod
    async def connect(cls, settings: Settings | None = None, *, progress: Progress | None = None) -> Self:
        """See :meth:`Tetragraph.connect`."""
        return cls(await asyncio.to_thread(Tetragraph.connect, settings, progress=progress))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """See :meth:`Tetragraph.close`."""
        await asyncio.to_thread(self._client.close)

    def corpus(self, name: str) -> AsyncCorpus:
        """See :meth:`Tetragraph.corpus`."""
        return AsyncCorpus(self._client.corpus(name))

    async def corpora(self) -> list[CorpusSummary]:
        """See :meth:`Tetragraph.corpora`."""
        return await asyncio.to_thread(self._client.corpora)


class AsyncCorpus:
    """:class:`~tetragraph.Corpus` for asyncio; the arguments and errors are the same."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self.name = corpus.name

    async def ingest(self, source: Source, **options: Any) -> IngestReport:
        """See :meth:`Corpus.ingest`."""
        return await asyncio.to_thread(self._corpus.ingest, source, **options)

    async def build(self, what: str, **options: Any) -> IngestReport:
        """See :meth:`Corpus.build`."""
        return await asyncio.to_thread(self._corpus.build, what, **options)

    async def delete(self, *document_ids: str, **options: Any) -> IngestReport:
        """See :meth:`Corpus.delete`."""
        return await asyncio.to_thread(self._corpus.delete, *document_ids, **options)

    async def drop(self) -> None:
        """See :meth:`Corpus.drop`."""
        await asyncio.to_thread(self._corpus.drop)

    async def counts(self) -> dict[str, int]:
        """See :meth:`Corpus.counts`."""
        return await asyncio.to_thread(self._corpus.counts)

    async def search(self, question: str, **options: Any) -> Evidence:
        """See :meth:`Corpus.search`."""
        return await asyncio.to_thread(self._corpus.search, question, **options)

    async def tree(self, **options: Any) -> TreeOverview:
        """See :meth:`Corpus.tree`."""
        return await asyncio.to_thread(self._corpus.tree, **options)

    async def theme(self, theme: str, **options: Any) -> ThemeReport:
        """See :meth:`Corpus.theme`."""
        return await asyncio.to_thread(self._corpus.theme, theme, **options)

    async def affinity(self, first: str, second: str) -> Affinity | None:
        """See :meth:`Corpus.affinity`."""
        return await asyncio.to_thread(self._corpus.affinity, first, second)

    async def evaluate(self, questions: str | Path | Sequence[GoldQuestion], **options: Any) -> EvaluationReport:
        """See :meth:`Corpus.evaluate`."""
        return await asyncio.to_thread(self._corpus.evaluate, questions, **options)

    async def tune(
        self,
        questions: Sequence[GoldQuestion],
        report_on: AsyncCorpus,
        report_questions: Sequence[GoldQuestion],
        **options: Any,
    ) -> Tuning:
        """See :meth:`Corpus.tune`."""
        return await asyncio.to_thread(self._corpus.tune, questions, report_on._corpus, report_questions, **options)
