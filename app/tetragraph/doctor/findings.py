"""What the doctor finds, and what it does about each kind of fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

State = Literal["ok", "found", "repaired", "needs --yes", "not here"]
"""``found``: a repair mends it. ``needs --yes``: a repair was asked for, and this one deletes something. ``not here``:
the doctor cannot mend it; the detail says who can."""
YES: Final = "needs --yes"


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of fault that the doctor mends.

    Attributes:
        repair: What a repair does, in words.
        deletes: Whether it takes away something that is stored, so that somebody has to say yes.
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
    "orphaned vectors": Fault("deletes them from Qdrant", deletes=True),
    "wrong hashes": Fault("writes the hash of the text as it is"),
    "orphaned nodes": Fault("deletes them from Neo4j, and brings the graphs up to that", deletes=True),
    "incomplete graph": Fault("makes the graph anew, without what does not belong to it", deletes=True),
    "expired sessions": Fault("deletes them with their steps and anchors", deletes=True),
}
"""By ``Finding.kind``; a fault of any other kind is not mended here."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check, or one fault that it found.

    Attributes:
        name: What was looked at: ``gds``, ``corpus handbook``, and so on.
        ok: Whether all is well with it; true of what was repaired.
        detail: What was found and, where it can be told in a command, what to do.
        kind: Which fault; empty where there is none. Those that are mended are the keys of ``FAULTS``.
        part: Of which collection, graph or label; empty where that says nothing.
        count: How many are concerned.
        state: What became of it.
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
        """What a repair does, in words; empty where there is none."""
        return FAULTS[self.kind].repair if self.is_mendable else ""

    @property
    def deletes(self) -> bool:
        """Whether a repair deletes something that is stored."""
        return self.is_mendable and FAULTS[self.kind].deletes

    @property
    def is_mendable(self) -> bool:
        """Whether a repair is known, and nothing stands in its way."""
        return self.state in ("found", YES) and self.kind in FAULTS

    @property
    def place(self) -> tuple[str, str, str]:
        """What makes it the same fault in another examination, however many are concerned."""
        return self.name, self.kind, self.part


def fault(name: str, kind: str, detail: str, *, part: str = "", count: int = 0, is_mendable: bool = True) -> Finding:
    """A finding of something that is not well; arguments as the attributes."""
    state: State = "found" if is_mendable and kind in FAULTS else "not here"
    return Finding(name, ok=False, detail=detail, kind=kind, part=part, count=count, state=state)


@dataclass(frozen=True, slots=True)
class HealthReport:
    """What the doctor found; after a repair, what is left to be found, and what was repaired.

    Attributes:
        findings: In the order of the checks; those that were repaired stand last.
    """

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is left to be done."""
        return all(finding.ok for finding in self.findings)

    @property
    def faults(self) -> tuple[Finding, ...]:
        """What is left to be done."""
        return tuple(finding for finding in self.findings if not finding.ok)

    @property
    def repaired(self) -> tuple[Finding, ...]:
        """What was found and is well now."""
        return tuple(finding for finding in self.findings if finding.state == "repaired")
