"""Measures the papers' tables, all or some.

``python -m benchmarks.papers [PIECE …]`` adds the figures to those of the same day, and leaves the local Neo4j of the
home running; ``make bench ARGS=papers`` measures all.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
from pathlib import Path

from benchmarks import measure, report
from benchmarks.anchor import merge
from benchmarks.papers.part import PIECES, measure_pieces
from benchmarks.plan import Plan


def main() -> None:
    """Measure some pieces, and add each to the figures of the day as soon as it is complete."""
    given = _parser().parse_args()
    if unknown := sorted({*given.pieces} - {*PIECES}):
        _parser().error(f"a piece must be one of {', '.join(PIECES)}, got {unknown[0]}")
    plan = Plan(given.home.absolute(), given.questions, ())
    date = dt.date.today().isoformat()
    facts = {"date": date, "machine": measure.machine(), "embedder": plan.settings.embedder}
    for piece in given.pieces or PIECES:
        kept = given.out / f"{date}.json"
        before = json.loads(kept.read_text(encoding="utf-8")).get("papers", {}) if kept.is_file() else {}
        report.write({**facts, "papers": merge(before, measure_pieces(plan, [piece]))}, given.out)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.papers", description=__doc__)
    parser.add_argument("pieces", nargs="*", metavar="PIECE", help=", ".join(PIECES))
    parser.add_argument("--home", type=Path, required=True, help="where the corpora are, or come to")
    parser.add_argument("--questions", type=int, default=1000, help="how many questions are asked at the most")
    parser.add_argument("--out", type=Path, default=report.FOLDER, help="where results go")
    return parser


if __name__ == "__main__":
    main()
