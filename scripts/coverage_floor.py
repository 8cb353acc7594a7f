"""Check how much of the code the last run of tests reached, lines and branches; exit 1 where it is too little.

Usage: coverage_floor.py   (in the folder of the file ``.coverage``)
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import coverage

COMPLETE = ("algorithms/*.py", "model/*.py", "queries.py", "validation.py", "systems/base.py", "systems/registry.py")
"""Files of the package in which every line and every branch must be reached."""
EXPECTED = {"systems/base.py", "systems/registry.py"}
"""Patterns of ``COMPLETE`` that match no file yet. Once one does, it has to be removed from here."""
FLOOR = 0.0
"""Least percentage of lines and branches of all other files together. It may rise, and must not fall."""

Files = Mapping[str, Mapping[str, Any]]


def measured() -> Files:
    """What coverage reports of each file, by its path below ``app/tetragraph`` or ``loaders``."""
    data = coverage.Coverage()
    data.load()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        data.json_report(outfile=str(report))
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    return {path.removeprefix("app/tetragraph/").removeprefix("loaders/"): found for path, found in files.items()}


def unmatched(files: Files) -> list[str]:
    """Complaints about patterns that match no file although they must, or match one although they are expected."""
    complaints = []
    for pattern in COMPLETE:
        matches = any(fnmatch(path, pattern) for path in files)
        if matches == (pattern in EXPECTED):
            complaints.append(f"{pattern}: {'remove it from EXPECTED' if matches else 'matches no file'}")
    return complaints


def incomplete(files: Files) -> list[str]:
    """The lines and branches that are not reached in files that must be complete."""
    return [
        f"{path}: not reached: lines {found['missing_lines']}, branches {found['missing_branches']}"
        for path, found in files.items()
        if _must_be_complete(path) and (found["missing_lines"] or found["missing_branches"])
    ]


def percentage(files: Files) -> float:
    """Share of lines and branches that are reached in all files which need not be complete."""
    summaries = [found["summary"] for path, found in files.items() if not _must_be_complete(path)]
    reached = sum(one["covered_lines"] + one["covered_branches"] for one in summaries)
    return 100 * reached / sum(one["num_statements"] + one["num_branches"] for one in summaries)


def _must_be_complete(path: str) -> bool:
    return any(fnmatch(path, pattern) for pattern in COMPLETE)


if __name__ == "__main__":
    files = measured()
    complaints = [*unmatched(files), *incomplete(files)]
    reached = percentage(files)
    if reached < FLOOR:
        complaints.append(f"coverage of all other files must be at least {FLOOR} %, got {reached:.2f} %")
    print(*complaints, sep="\n")
    print(f"complete: {', '.join(COMPLETE)}; all other files: {reached:.2f} %, at least {FLOOR} %")
    sys.exit(bool(complaints))
