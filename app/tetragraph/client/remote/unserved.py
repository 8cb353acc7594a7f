"""Methods of a corpus that a service does not offer, as they need its files and stores, or could read other corpora."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tetragraph import queries
from tetragraph.client.analytics import Table
from tetragraph.client.remote.tetragraph import not_served
from tetragraph.evaluate.embedder_comparison import METHODS as COMPARED
from tetragraph.evaluate.embedder_comparison import OnlyIf
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.executors import ExecutorName
from tetragraph.indexing.preview import IngestPreview
from tetragraph.indexing.reembed import ReembedReport
from tetragraph.indexing.sources import Source
from tetragraph.indexing.sync import SyncReport
from tetragraph.model.fetching import DEFAULT_FETCHING, FetchOptions
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph.model.usage import UNLIMITED, Budget
from tetragraph.progress import Progress


class UnservedMethods:
    """Each raises :class:`~tetragraph.errors.NotServed`."""

    def find_gone(
        self,
        source: Source,
        *,
        loader: str | None = None,
        prefix: str | None = None,
        reading: ReadingOptions = DEFAULT_READING,
    ) -> tuple[str, ...]:
        """Not served: the service does not know the files here."""
        not_served("find_gone", source, loader, prefix, reading)

    def preview(
        self,
        source: Source,
        *,
        embedder: str | None = None,
        chunk_tokens: int | None = None,
        sentences: str | None = None,
        loader: str | None = None,
        prefix: str | None = None,
        moved: bool = False,
        reading: ReadingOptions = DEFAULT_READING,
        progress: Progress | None = None,
    ) -> IngestPreview:
        """Not served: the service does not know the files here."""
        not_served("preview", source, embedder, chunk_tokens, sentences, loader, prefix, moved, reading, progress)

    def files(self, document_ids: Sequence[str]) -> dict[str, str]:
        """Not served: paths of the machine of the service are of no use here."""
        not_served("files", document_ids)

    def cypher(
        self,
        statement: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        limit: int = queries.MOST_ROWS,
        timeout_s: float = queries.SECONDS,
    ) -> Table:
        """Not served: a statement could read the corpora of others; see :attr:`analytics`."""
        not_served("cypher", statement, parameters, limit, timeout_s)

    def reembed(
        self,
        embedder: str,
        *,
        questions: str | Path | Sequence[GoldQuestion] | None = None,
        methods: Sequence[str] = COMPARED,
        only_if: OnlyIf | None = None,
        keep_s: float = 60.0,
        budget: Budget = UNLIMITED,
        progress: Progress | None = None,
    ) -> ReembedReport:
        """Not served: run ``tetragraph reembed`` beside the stores."""
        not_served("reembed", embedder, questions, methods, only_if, keep_s, budget, progress)

    def cancel_reembed(self) -> bool:
        """Not served: run ``tetragraph reembed`` beside the stores."""
        not_served("cancel_reembed")

    def sync(
        self,
        source: str | Path | Sequence[str | Path],
        *,
        build: Sequence[str] = ("gain",),
        loader: str | None = None,
        prefix: str | None = None,
        dry_run: bool = False,
        confirmed: bool = False,
        reading: ReadingOptions = DEFAULT_READING,
        fetching: FetchOptions = DEFAULT_FETCHING,
        gazetteer: str | Path | None = None,
        executor: ExecutorName | None = None,
        budget: Budget = UNLIMITED,
        progress: Progress | None = None,
    ) -> SyncReport:
        """Not served: folders and addresses are followed on the machine of a local client."""
        given = (source, build, loader, prefix, dry_run, confirmed, reading, fetching, gazetteer)
        not_served("sync", *given, executor, budget, progress)
