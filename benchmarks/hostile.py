"""Calls of the Python interface with hostile input: none may end in an error that is not of tetragraph, or take long.

``python -m benchmarks.hostile --count 300 --seed 2`` makes fewer calls, or others, and prints those that failed.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import uuid
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.hostile_calls import GRAPHS, Case, Ground, generate
from benchmarks.hostile_known import KNOWN
from benchmarks.plan import Plan, own_stores
from tetragraph import Tetragraph, samples
from tetragraph.errors import TetragraphError
from tetragraph.indexing.sources import read_documents
from tetragraph.model import Document
from tetragraph.settings import Settings
from tetragraph.stores import local

COUNT = 5_000
SEED = 1
LONGEST = 10_000
"""Longest generated question and title, in characters."""
LIMIT_S = 5.0
"""Longest time that a call may take."""
DOCUMENTS = 12
_FRESH = 50
"""Calls after which the changed corpus is deleted, so that builds stay those of a small corpus."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of one call.

    Attributes:
        case: The call.
        result: ``answered``, ``refused`` by an error of tetragraph, or ``raw`` for any other error.
        error: Class and message of the error; empty without one.
        seconds: Duration of the call.
    """

    case: Case
    result: str
    error: str
    seconds: float


def measure_hostile(plan: Plan) -> dict[str, Any]:
    """Make the known and the generated calls on a corpus of twelve documents; prints those that failed."""
    return _measure(plan, COUNT, SEED)


def _measure(plan: Plan, count: int, seed: int) -> dict[str, Any]:
    local.start(plan.settings)
    with tempfile.TemporaryDirectory() as scratch, prepare(plan.settings, Path(scratch)) as ground:
        outcomes = []
        for outcome in run([*KNOWN, *generate(seed, count, LONGEST)], ground):
            outcomes.append(outcome)
            if outcome.result == "raw" or outcome.seconds > LIMIT_S:
                print(f"{outcome.seconds:.1f} s {outcome.error}: {outcome.case}", flush=True)
    return table(outcomes)


@contextmanager
def prepare(settings: Settings, folder: Path) -> Iterator[Ground]:
    """A corpus of the first documents of the sample with all graphs; its corpora are deleted afterwards."""
    name = f"hostile-{uuid.uuid4().hex[:8]}"
    with Tetragraph.connect(settings) as client:
        ground = Ground(client, name, f"{name}-changed", folder)
        ground.corpus.ingest(first_documents(), build=GRAPHS)
        try:
            yield ground
        finally:
            _drop(client, ground.changed)
            _drop(client, ground.read)


def first_documents(count: int = DOCUMENTS) -> list[Document]:
    """The first documents of the sample."""
    readable = (one for one in read_documents(samples.passages()) if isinstance(one, Document))
    return list(islice(readable, count))


def run(cases: Iterable[Case], ground: Ground) -> Iterator[Outcome]:
    """Make each call, and time it."""
    for number, case in enumerate(cases):
        if number % _FRESH == 0:
            _drop(ground.client, ground.changed)
            ground.target.ingest(first_documents(), build=GRAPHS)
        began = time.monotonic()
        result, error = _attempt(case, ground)
        yield Outcome(case, result, error, time.monotonic() - began)


def _attempt(case: Case, ground: Ground) -> tuple[str, str]:
    """Result and error of a call; a warning counts as an error, since users see it on their terminal."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            case.run(ground)
    except TetragraphError as error:
        return "refused", f"{type(error).__name__}: {error}"
    except Exception as error:  # noqa: BLE001 - any other error is what is looked for
        return "raw", f"{type(error).__name__}: {error}"
    return "answered", ""


def table(outcomes: Iterable[Outcome]) -> dict[str, dict[str, Any]]:
    """For each kind of call, and in total, the number of calls by result, and the longest time."""
    rows: dict[str, dict[str, Any]] = {}
    for one in outcomes:
        for kind in (one.case.kind, "total"):
            row = rows.setdefault(
                kind, {"calls": 0, "answered": 0, "refused": 0, "raw": 0, f"above {LIMIT_S:g} s": 0, "longest_s": 0.0}
            )
            row["calls"] += 1
            row[one.result] += 1
            row[f"above {LIMIT_S:g} s"] += one.seconds > LIMIT_S
            row["longest_s"] = round(max(row["longest_s"], one.seconds), 1)
    return dict(sorted(rows.items(), key=lambda item: (item[0] == "total", item[0])))


def _drop(client: Tetragraph, name: str) -> None:
    if name in {corpus.name for corpus in client.corpora()}:
        client.corpus(name).drop()


def main() -> None:
    """Make a number of calls in stores of their own, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile", description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help="number of generated calls")
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    with own_stores("hostile") as plan:
        found = _measure(plan, arguments.count, arguments.seed)
        header = ["", *found["total"]]
        rows = [[kind, *map(report.shown, row.values())] for kind, row in found.items()]
        print("\n".join(report.table(header, rows)))


if __name__ == "__main__":
    main()
