"""Runs the permitted repairs of all findings, then the checks again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from tetragraph.connection import Connection
from tetragraph.doctor.corpus_repairs import CorpusRepair
from tetragraph.doctor.findings import YES, Finding, HealthReport
from tetragraph.doctor.run_checks import (
    abandoned_collections,
    check,
    check_installation,
    connect,
    stale_projections,
)
from tetragraph.errors import TetragraphError
from tetragraph.progress import Progress
from tetragraph.settings import Settings
from tetragraph.stores import gds, migrations

ROUNDS = 3
"""Rounds of checks and repairs; a fault that only shows after another repair is repaired in the next round."""
Place = tuple[str, str, str]


def repair_installation(settings: Settings, corpus: str | None, *, delete: bool, progress: Progress) -> HealthReport:
    """Repair the installation of the settings; see :func:`repair_connected`. A stopped local Neo4j is not started."""
    around = tuple(check_installation(settings)) if corpus is None else ()
    opened = connect(settings)
    if isinstance(opened, Finding):
        return HealthReport((*around, opened))
    try:
        return HealthReport((*around, *repair_connected(opened, corpus, delete=delete, progress=progress).findings))
    finally:
        opened.close()


def repair_connected(connection: Connection, corpus: str | None, *, delete: bool, progress: Progress) -> HealthReport:
    """Repair databases and corpora through an open connection, and check again.

    A repair holds the lease of its corpus, can be killed at any time and run again, and changes nothing that has no
    fault. The report is that of the last check, plus the faults that were found before and are repaired.

    Args:
        connection: Connection to the stores.
        corpus: Name of the only corpus to repair; None for all, and for data that belongs to none.
        delete: Whether stored data may be deleted.
        progress: Receives the stages of embedding and building.

    Raises:
        CorpusBusy: another process changes the requested corpus.
        UnknownCorpus: there is no corpus of that name.
    """
    if corpus is not None:
        CorpusRepair.check_free(connection, corpus)
    seen: dict[Place, Finding] = {}
    refused: dict[str, str] = {}
    found = list(check(connection, corpus))
    for _ in range(ROUNDS):
        todo = [one for one in found if one.is_mendable and (delete or not one.deletes) and one.name not in refused]
        if not todo:
            break
        seen |= {one.place: one for one in todo}
        refused |= _repair_all(connection, corpus, todo, delete=delete, progress=progress)
        found = list(check(connection, corpus))
    left = {one.place for one in found}
    repaired = [replace(one, ok=True, state="repaired") for place, one in seen.items() if place not in left]
    return HealthReport((*(_final_state(one, refused) for one in found), *repaired))


def _final_state(finding: Finding, refused: dict[str, str]) -> Finding:
    """A finding of the last check, with the reason why its repair failed."""
    if finding.ok or not finding.is_mendable:
        return finding
    if finding.name in refused:
        return replace(finding, detail=f"{finding.detail}; it could not be mended: {refused[finding.name]}")
    return replace(finding, state=YES) if finding.deletes else finding


def _repair_all(
    connection: Connection, corpus: str | None, todo: Sequence[Finding], *, delete: bool, progress: Progress
) -> dict[str, str]:
    """Repair the given faults; returns the reason by name of each finding that could not be repaired."""
    refused: dict[str, str] = {}
    for name, findings in groupby(todo, lambda one: one.name):
        some = list(findings)
        try:
            if name.startswith("corpus "):
                CorpusRepair(connection, name.removeprefix("corpus "), delete=delete, progress=progress).repair(some)
            else:
                repair_database(connection, corpus, {one.kind for one in some})
        except TetragraphError as error:
            refused[name] = str(error)
    return refused


def repair_database(connection: Connection, corpus: str | None, kinds: set[str]) -> None:
    """Repair faults that belong to no corpus; of projections only those of the corpus, if one is given."""
    if "schema" in kinds:
        migrations.restore(connection.graph)
    if "stale projections" in kinds:
        gds.drop(connection.graph, stale_projections(connection, corpus))
    if "abandoned collections" in kinds:
        for name, kind in abandoned_collections(connection):
            connection.vectors.drop(name, kind)
