"""Merges of names by reason, and the results for merges that were checked manually."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.facts import passages
from benchmarks.plan import Plan
from tetragraph.arrays import Vectors
from tetragraph.language.embedders.base import Embedder
from tetragraph.language.embedders.bge_small import bge_small
from tetragraph.language.entity_resolution.model import Resolution, Stated
from tetragraph.language.entity_resolution.resolve import resolve
from tetragraph.language.facts.dependency import DependencyExtractor
from tetragraph.language.lexicon.names import normalise_name

SET = "2wikimultihopqa"
CHECKED = Path(__file__).parent / "checked" / "merges.jsonl"
"""Merges of the set that were checked against their passages: those ``drawn`` at random, with a fixed number for each
reason, and wrong ones of earlier rules. Names are normalised; ``document`` is the id of the passage in which a merge is
valid, or empty."""


@dataclass(frozen=True, slots=True)
class CheckedMerge:
    """A merge that was checked manually, and whether it is correct."""

    alias: str
    entity: str
    document: str
    reason: str
    score: float
    right: bool
    drawn: bool


def measure_merges(_plan: Plan) -> dict[str, Any]:
    """Count the merges of each reason, and the checked ones that are still made."""
    chunks = passages(SET)
    facts = DependencyExtractor().extract(chunks)
    stated = [Stated(chunk.id, chunk.title, found) for chunk, found in zip(chunks, facts, strict=True)]
    vectors = _CountingEmbedder(bge_small())
    began = time.process_time()
    found = resolve(stated, vectors, [])
    spent = time.process_time() - began - vectors.cpu_s
    figures = {
        "names": _names(stated),
        "merges": len(found.merges),
        "embedded_names": vectors.count,
        "cpu_s": round(spent, 1),
        "embedding_cpu_s": round(vectors.cpu_s, 1),
    }
    return {SET: figures, **by_reason(found, read_checked())}


class _CountingEmbedder:
    """Embeds names, and measures their number and the processor time."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.count = 0
        self.cpu_s = 0.0

    def __call__(self, names: Sequence[str]) -> Vectors:
        began = time.process_time()
        vectors = self._embedder.embed(names)
        self.cpu_s += time.process_time() - began
        self.count += len(names)
        return vectors


def _names(stated: Iterable[Stated]) -> int:
    names = {participant.name for one in stated for fact in one.facts for participant in fact.participants}
    return len({normalise_name(name) for name in names})


def read_checked() -> list[CheckedMerge]:
    """Read the merges that were checked."""
    return [CheckedMerge(**json.loads(line)) for line in CHECKED.read_text(encoding="utf-8").splitlines()]


def by_reason(found: Resolution, judged: Iterable[CheckedMerge]) -> dict[str, dict[str, Any]]:
    """For each reason the number of merges, the precision of the drawn ones that are still made, and counts of others.

    A checked merge is still made if its two names denote one entity in its document, regardless of the direction.
    """
    counts = Counter[str](merge.reason for merge in found.merges)
    rows: dict[str, list[CheckedMerge]] = {reason: [] for reason in sorted(counts)}
    for one in judged:
        rows.setdefault(one.reason, []).append(one)
    return {reason: {"merges": counts[reason], **_figures(found, ones)} for reason, ones in rows.items()}


def _figures(found: Resolution, judged: Sequence[CheckedMerge]) -> dict[str, int]:
    made = {one for one in judged if is_made(found, one)}
    return {
        "drawn": sum(one.drawn for one in judged),
        "right_drawn": sum(one.drawn and one.right for one in judged),
        "right_still_made": sum(one.right for one in made),
        "wrong_known": sum(not one.right for one in judged),
        "wrong_still_made": sum(not one.right for one in made),
    }


def is_made(found: Resolution, one: CheckedMerge) -> bool:
    """Whether both names denote one entity in the document of a checked merge."""
    return found.entity(one.alias, one.document) == found.entity(one.entity, one.document)
