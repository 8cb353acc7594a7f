"""Which names are merged and why, and what has become of the merges that were read and judged."""

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
"""Merges of the set that were read beside their passages: those that are ``drawn`` at random, as many of a reason as
were decided beforehand, and wrong ones that former rules made. Names are normalised, ``document`` is the id of the
passage inside which a merge holds, or empty."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A merge that somebody has read, and whether it is right."""

    alias: str
    entity: str
    document: str
    reason: str
    score: float
    right: bool
    drawn: bool


def measure_merges(_plan: Plan) -> dict[str, Any]:
    """Merges of each reason, and how many of the checked ones are still made."""
    chunks = passages(SET)
    facts = DependencyExtractor().extract(chunks)
    stated = [Stated(chunk.id, chunk.title, found) for chunk, found in zip(chunks, facts, strict=True)]
    vectors = _Counting(bge_small())
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
    return {SET: figures, **by_reason(found, checked())}


class _Counting:
    """Embeds names, and counts them and the processor time."""

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


def checked() -> list[Checked]:
    """The merges that were judged."""
    return [Checked(**json.loads(line)) for line in CHECKED.read_text(encoding="utf-8").splitlines()]


def by_reason(found: Resolution, judged: Iterable[Checked]) -> dict[str, dict[str, Any]]:
    """For each reason its merges, the precision of those drawn that are still made, and what became of the others.

    A judged merge is still made where its two names mean one entity in its document, whichever stands for the other.
    """
    counts = Counter[str](merge.reason for merge in found.merges)
    rows: dict[str, list[Checked]] = {reason: [] for reason in sorted(counts)}
    for one in judged:
        rows.setdefault(one.reason, []).append(one)
    return {reason: {"merges": counts[reason], **_figures(found, ones)} for reason, ones in rows.items()}


def _figures(found: Resolution, judged: Sequence[Checked]) -> dict[str, int]:
    made = {one for one in judged if is_made(found, one)}
    return {
        "drawn": sum(one.drawn for one in judged),
        "right_drawn": sum(one.drawn and one.right for one in judged),
        "right_still_made": sum(one.right for one in made),
        "wrong_known": sum(not one.right for one in judged),
        "wrong_still_made": sum(not one.right for one in made),
    }


def is_made(found: Resolution, one: Checked) -> bool:
    """Whether both names mean one entity in the document of a judged merge."""
    return found.entity(one.alias, one.document) == found.entity(one.entity, one.document)
