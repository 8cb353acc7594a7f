"""The work of a job: calls the client with the stored request, and returns the result as JSON.

A job that was interrupted is run again: ingest and build continue where they stopped, and what a deletion has already
deleted counts as done.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from tetragraph.client.corpus import Corpus
from tetragraph.client.remote.jobs import Kind
from tetragraph.client.remote.requests import (
    BuildRequest,
    DeletionRequest,
    EvaluationRequest,
    IngestOptions,
    NamesRequest,
)
from tetragraph.client.remote.values import encode
from tetragraph.client.tetragraph import Tetragraph
from tetragraph.errors import InvalidInput, UnknownCorpus
from tetragraph.indexing import operations
from tetragraph.indexing.report import IngestReport
from tetragraph.model import Unreadable
from tetragraph.progress import Progress
from tetragraph.service.jobs.spool import Spool
from tetragraph.service.jobs.store import JobRecord
from tetragraph.validation import merge_options


class Work:
    """The execution of one job.

    Args:
        client: Client of the stores.
        spool: Documents of jobs.
        record: The job.
        progress: Receives every stage.
        is_repeated: Whether the job was started before.
    """

    def __init__(
        self, client: Tetragraph, spool: Spool, record: JobRecord, progress: Progress, *, is_repeated: bool
    ) -> None:
        self._corpus: Corpus = client.corpus(record.form.corpus)
        self._client = client
        self._spool = spool
        self._record = record
        self._progress = progress
        self._is_repeated = is_repeated

    def run(self) -> tuple[str, Mapping[str, float]]:
        """Do the work; returns the result as JSON, and the seconds of its stages."""
        found = _WORK[self._record.form.kind](self)
        if found is None:
            return json.dumps(None), {}
        return encode(found).decode(), found.seconds if isinstance(found, IngestReport) else {}

    def _ingest(self) -> IngestReport:
        asked = IngestOptions.model_validate(self._record.request)
        unreadable: list[Unreadable] = []
        report = self._corpus.ingest(
            self._spool.read(self._record.form.id, self._record.content, unreadable),
            build=asked.build,
            embedder=asked.embedder,
            chunk_tokens=asked.chunk_tokens,
            sentences=asked.sentences,
            arrays=asked.arrays,
            budget=asked.budget.budget(),
            progress=self._progress,
        )
        return replace(report, skipped=(*report.skipped, *unreadable))

    def _delete(self) -> IngestReport:
        ids = DeletionRequest.model_validate(self._record.request).documents
        if self._is_repeated:
            graph = self._client.connection.graph
            rows = graph.read("ingest/find_documents_by_id", corpus=self._corpus.name, ids=list(ids))
            noted = graph.read("ingest/find_deleted_documents", corpus=self._corpus.name, ids=list(ids))
            ids = tuple(sorted({row["id"] for row in (*rows, *noted)}))
        return self._corpus.delete(*ids, progress=self._progress) if ids else self._complete()

    def _build(self) -> IngestReport:
        asked = BuildRequest.model_validate(self._record.request)
        return self._corpus.build(**merge_options(asked.arguments, progress=self._progress))

    def _drop(self) -> None:
        try:
            operations.drop(self._client.connection, self._corpus.name, self._record.form.id)
        except UnknownCorpus:
            if not self._is_repeated:
                raise

    def _split(self) -> IngestReport:
        return self._change_names(self._corpus.entities.split)

    def _join(self) -> IngestReport:
        return self._change_names(self._corpus.entities.join)

    def _change_names(self, change: Callable[..., IngestReport]) -> IngestReport:
        asked = NamesRequest.model_validate(self._record.request)
        try:
            return change(asked.entity, asked.alias, progress=self._progress)
        except InvalidInput:
            if not self._is_repeated:  # the decision was written before the interruption
                raise
            return self._complete()

    def _complete(self) -> IngestReport:
        """Complete an interrupted change of a corpus that is still there."""
        self._client.connection.stores(self._corpus.name)
        return self._corpus.ingest([], build=(), progress=self._progress)

    def _evaluate(self) -> Any:
        asked = EvaluationRequest.model_validate(self._record.request)
        methods = asked.methods
        runs = (
            {name: (one.method, one.options) for name, one in methods.items()} if isinstance(methods, dict) else methods
        )
        return self._corpus.evaluate(
            asked.questions,
            runs,
            ks=asked.ks,
            baseline=asked.baseline,
            allow_missing=asked.allow_missing,
            judge_answers=asked.judge_answers,
            progress=self._progress,
        )


_WORK: Final[Mapping[Kind, Callable[[Work], Any]]] = {
    "ingest": Work._ingest,
    "delete": Work._delete,
    "build": Work._build,
    "drop": Work._drop,
    "split": Work._split,
    "join": Work._join,
    "evaluate": Work._evaluate,
}
