"""Duration of a check by the doctor on synthetic corpora of several sizes, by part, and of a repair."""

from __future__ import annotations

from typing import Any

from benchmarks import growth, index
from benchmarks.growth_worker import ORIGINAL
from benchmarks.plan import Plan

LARGEST = 10_000
"""Number of passages for which a limit is promised; larger corpora are not checked."""


def measure_doctor(plan: Plan) -> dict[str, Any]:
    """Check the corpora of the part ``growth``, which are created if absent; then delete vectors and repair them.

    Each corpus has a process of its own. The vectors of the sample of chunks are looked up; embedding takes a second.

    Returns:
        For each size the seconds of a check, the best of three, of its parts, and of a repair, which checks twice.
    """
    index.ingest(plan, ORIGINAL)
    sizes = [size for size in plan.sizes if size <= LARGEST]
    figures: dict[str, Any] = {}
    for size in sizes:
        growth.create_if_absent(plan, size)
        figures[str(size)], _ = growth.step(plan, "doctor", size)
    return figures
