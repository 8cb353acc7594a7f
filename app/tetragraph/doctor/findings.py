"""Findings of the checks, and the repair of each kind of fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

State = Literal["ok", "found", "repaired", "needs --yes", "not here"]
"""``found``: a repair is known. ``needs --yes``: a repair was requested, and this one deletes data. ``not here``: the
doctor cannot repair it; the detail names the remedy."""
YES: Final = "needs --yes"


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of fault that the doctor can repair.

    Attributes:
        repair: Effect of the repair in words.
        deletes: Whether the repair deletes stored data, so that it needs ``--yes``.
    """

    repair: str
    deletes: bool = False


FAULTS: Mapping[str, Fault] = {
    "schema": Fault("applies the files and makes the constraints and indexes that are missing"),
    "stale projections": Fault("drops them from the server's memory; a search makes what it needs"),
    "abandoned collections": Fault("deletes them from Qdrant", deletes=True),
    "dead lease": Fault("gives the right to change the corpus back"),
    "interrupted change": Fault("writes vectors, entities and graphs for the documents in Neo4j, and publishes"),
    "finished notes": Fault("deletes them", deletes=True),
    "wrong layout": Fault("deletes the collection, and makes and fills it anew", deletes=True),
    "missing vectors": Fault("embeds what they are of"),
    "stale vectors": Fault("embeds again what they are of"),
    "other vectors": Fault("embeds every chunk again"),
    "other metadata": Fault("writes those of the documents"),
    "orphaned vectors": Fault("deletes them from Qdrant", deletes=True),
    "damaged cache": Fault("deletes the files; the next search computes them again"),
    "wrong hashes": Fault("writes the hash of the text as it is; the next ingest restores a changed text"),
    "missing links": Fault("links each chunk to the next one of its document"),
    "orphaned nodes": Fault("deletes them from Neo4j, and brings the graphs up to that", deletes=True),
    "incomplete graph": Fault("makes the graph anew, without what does not belong to it", deletes=True),
    "expired sessions": Fault("deletes them with their steps and anchors", deletes=True),
}
"""Kind of fault to its repair; faults of other kinds are not repaired by the doctor."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check, or one fault that it found.

    Attributes:
        name: Subject of the check: ``gds``, ``corpus handbook``, and so on.
        ok: Whether there is no fault; true for repaired faults.
        detail: Finding in words and, where a command helps, the command.
        kind: Kind of fault; empty for none. The keys of ``FAULTS`` can be repaired.
        part: Collection, graph or label that the fault is in; empty where that does not apply.
        count: Number of affected items.
        state: Outcome of the repair.
    """

    name: str
    ok: bool
    detail: str
    kind: str = ""
    part: str = ""
    count: int = 0
    state: State = "ok"

    @property
    def repair(self) -> str:
        """Effect of the repair in words; empty without a repair."""
        return FAULTS[self.kind].repair if self.is_mendable else ""

    @property
    def deletes(self) -> bool:
        """Whether a repair deletes stored data."""
        return self.is_mendable and FAULTS[self.kind].deletes

    @property
    def is_mendable(self) -> bool:
        """Whether a repair is known and possible."""
        return self.state in ("found", YES) and self.kind in FAULTS

    @property
    def place(self) -> tuple[str, str, str]:
        """Identity of the fault across runs of the checks, independent of its count."""
        return self.name, self.kind, self.part


def fault(name: str, kind: str, detail: str, *, part: str = "", count: int = 0, is_mendable: bool = True) -> Finding:
    """A finding with a fault; arguments as the attributes of :class:`Finding`."""
    state: State = "found" if is_mendable and kind in FAULTS else "not here"
    return Finding(name, ok=False, detail=detail, kind=kind, part=part, count=count, state=state)


@dataclass(frozen=True, slots=True)
class HealthReport:
    """Findings of the checks; after a repair, the remaining findings and the repaired faults.

    Attributes:
        findings: Findings in the order of the checks; repaired faults come last.
    """

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether no fault remains."""
        return all(finding.ok for finding in self.findings)

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The remaining faults."""
        return tuple(finding for finding in self.findings if not finding.ok)

    @property
    def repaired(self) -> tuple[Finding, ...]:
        """The repaired faults."""
        return tuple(finding for finding in self.findings if finding.state == "repaired")
