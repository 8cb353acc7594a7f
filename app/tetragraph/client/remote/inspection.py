"""Entities, statements for analysts and whole graphs of a service."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

from tetragraph.client.analytics import Analytics, Statement, Table
from tetragraph.client.entities import Entities
from tetragraph.client.remote.replies import read_reply
from tetragraph.client.remote.requests import AnalyticsRequest, NamesRequest
from tetragraph.client.remote.tetragraph import not_served
from tetragraph.client.remote.transport import Transport, form, segment
from tetragraph.client.remote.values import GraphCounts, TableForm
from tetragraph.errors import InvalidInput
from tetragraph.export import ExportReport
from tetragraph.indexing.report import IngestReport
from tetragraph.progress import Progress
from tetragraph.systems.bipartite_graph.entity_lookup import EntityReport
from tetragraph.systems.bipartite_graph.entity_queries import KnownFact, MergedName, RolePlayer, Way

RunJob = Callable[..., Any]
COUNTS: Final = "X-Tetragraph-Counts"
"""Header of an exported graph: numbers of nodes and relationships by kind, as JSON."""


class RemoteEntities(Entities):
    """The entities of a corpus of a service; obtained from ``Corpus.entities``."""

    def __init__(self, transport: Transport, corpus: str, run: RunJob) -> None:
        self._transport = transport
        self._path = f"/v1/corpora/{corpus}/entities"
        self._run = run

    def get(self, entity: str) -> EntityReport:
        """One entity."""
        found: EntityReport = self._transport.get(EntityReport, f"{self._path}/entity", entity=entity)
        return found

    def facts(self, entity: str, limit: int = 10) -> tuple[KnownFact, ...]:
        """Facts in which an entity takes part."""
        return self._list(KnownFact, "facts", entity=entity, limit=limit)

    def between(self, first: str, second: str, hops: int = 2, limit: int = 10) -> tuple[Way, ...]:
        """Paths of facts that connect two entities."""
        return self._list(Way, "paths", first=first, second=second, hops=hops, limit=limit)

    def merged(self, limit: int = 100) -> tuple[MergedName, ...]:
        """Names that were merged into entities."""
        return self._list(MergedName, "merged", limit=limit)

    def by_role(self, role: str, limit: int = 10) -> tuple[RolePlayer, ...]:
        """Entities with a role."""
        unknown = InvalidInput(f"a role must be that of a fact, such as 'subject', got {role!r}")
        return self._list(RolePlayer, f"roles/{segment(role, unknown)}", limit=limit)

    def split(self, entity: str, alias: str, *, progress: Progress | None = None) -> IngestReport:
        """Undo the merge of a name into an entity; returns when the job has ended."""
        return self._change_names("splits", entity, alias, progress)

    def join(self, entity: str, alias: str, *, progress: Progress | None = None) -> IngestReport:
        """Undo a :meth:`split`; returns when the job has ended."""
        return self._change_names("joins", entity, alias, progress)

    def _change_names(self, what: str, entity: str, alias: str, progress: Progress | None) -> IngestReport:
        body = form(NamesRequest, entity=entity, alias=alias)
        report: IngestReport = self._run(f"entities/{what}", body, IngestReport, progress)
        return report

    def _list(self, kind: type[Any], path: str, **parameters: Any) -> tuple[Any, ...]:
        return tuple(self._transport.get(list[kind], f"{self._path}/{path}", **parameters))  # type: ignore[valid-type]  # made at run time


class RemoteAnalytics(Analytics):
    """The statements for analysts of a service; obtained from ``Corpus.analytics``."""

    def __init__(self, transport: Transport, corpus: str) -> None:
        self._transport = transport
        self._path = f"/v1/corpora/{corpus}/analytics"

    def list(self) -> tuple[Statement, ...]:
        """Statements that can be run, by group and name."""
        found: tuple[Statement, ...] = self._transport.get(tuple[Statement, ...], "/v1/analytics")
        return found

    def run(self, name: str, /, **parameters: Any) -> Table:
        """Run one statement of the pack."""
        file = name.rpartition("/")[2] if isinstance(name, str) else name
        path = f"{self._path}/{segment(file, InvalidInput(f'name must be the name of a statement, got {name!r}'))}"
        found: TableForm = self._transport.post(TableForm, path, form(AnalyticsRequest, parameters=parameters))
        return found.table()


def save_graph(transport: Transport, corpus: str, path: Path, form: str | None, *, overwrite: bool) -> ExportReport:
    """Write the whole graph of a corpus to a file, which appears when it is complete.

    Args:
        transport: Connection to the service.
        corpus: Path of the corpus.
        path: The file.
        form: ``graphml`` or ``jsonl``; derived from the path when left out.
        overwrite: Whether an existing file is replaced.

    Raises:
        InvalidInput: the path exists.
        NotServed: the format is another one.
        ServiceError: the numbers of the graph are missing.
    """
    chosen = form or path.suffix.removeprefix(".")
    if chosen not in ("graphml", "jsonl"):
        not_served(f"an export as {chosen or 'a file without suffix'}")
    if path.exists() and not overwrite:
        raise InvalidInput(f"{str(path)!r} exists: choose another path, or set overwrite")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        headers = transport.download(f"{corpus}/graph", part, form=chosen)
        counts: GraphCounts = read_reply(GraphCounts, headers.get(COUNTS, ""))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return ExportReport(str(path), cast("Any", chosen), counts.nodes, counts.relationships)
