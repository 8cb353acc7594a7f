"""What a look of the doctor takes on synthetic corpora of several sizes, part by part, and what a repair takes."""

from __future__ import annotations

from typing import Any

from benchmarks import growth, index
from benchmarks.growth_worker import ORIGINAL
from benchmarks.plan import Plan

LARGEST = 10_000
"""The size that a bound is promised for; larger corpora are not looked at."""


def measure_doctor(plan: Plan) -> dict[str, Any]:
    """Look at the corpora of the part ``growth``, which are made if absent; then lose vectors and have them mended.

    Each in a process of its own. The sample of chunks is looked up, not embedded, which takes the model a second.

    Returns:
        For each size seconds of a look, the best of three, of what it reads, and of a repair, which looks twice.
    """
    index.ingest(plan, ORIGINAL)
    sizes = [size for size in plan.sizes if size <= LARGEST]
    figures: dict[str, Any] = {}
    for size in sizes:
        growth.make_if_absent(plan, size)
        figures[str(size)], _ = growth.step(plan, "doctor", size)
    return figures
