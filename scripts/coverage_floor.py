"""Check the coverage of lines and branches by the tests; print the gaps, and exit with 1 if it is insufficient.

Usage: coverage_floor.py   (in the folder of the file ``.coverage``, the data of one or several runs)
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
"""Files of the package in which every line and every branch must be reached; each pattern must match a file."""
FLOOR = 96.5
"""Smallest percentage of lines and branches of all other files together. It may be raised, but not lowered."""
APART = (
    "archive/*.py",
    "cli/backups.py",
    "cli/mcp.py",
    "cli/serve.py",
    "cli/show.py",
    "cli/sync.py",
    "client/remote/*.py",
    "indexing/folder_state.py",
    "indexing/preview.py",
    "indexing/reembed.py",
    "indexing/renames.py",
    "indexing/restore_mark.py",
    "indexing/sync*.py",
    "language/embedders/multilingual_e5.py",
    "service/*.py",
    "service/*/*.py",
    "stores/portable_values.py",
    "stores/stored_documents.py",
    "stores/vector_sets.py",
    "systems/*/stored_*.py",
    "systems/*/stores_engine.py",
    "tetragraph_loaders/archive.py",
    "tetragraph_loaders/beir.py",
    "tetragraph_loaders/columns.py",
    "tetragraph_loaders/composing.py",
    "tetragraph_loaders/encodings.py",
    "tetragraph_loaders/ir_data_set.py",
    "tetragraph_loaders/json_file.py",
    "tetragraph_loaders/notebook.py",
    "tetragraph_loaders/restructured_text.py",
    "tetragraph_loaders/spreadsheet.py",
    "tetragraph_loaders/tables.py",
    "tetragraph_loaders/trec.py",
)
"""Files that were added with the service, formats and life cycle. Many are reached above all by servers and commands in
processes of their own, which are not measured."""
FLOOR_APART = 60.0
"""The same percentage for these files."""

Files = Mapping[str, Mapping[str, Any]]


def read_coverage() -> Files:
    """Report of coverage for each file, by its path below ``app/tetragraph`` or ``loaders``."""
    data = coverage.Coverage()
    data.load()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        data.json_report(outfile=str(report))
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    return {path.removeprefix("app/tetragraph/").removeprefix("loaders/"): found for path, found in files.items()}


def find_unmatched_patterns(files: Files) -> list[str]:
    """Messages about patterns that match no file, as after a move."""
    return [f"{pattern}: no such file" for pattern in COMPLETE if not any(fnmatch(path, pattern) for path in files)]


def find_gaps(files: Files) -> list[str]:
    """Lines and branches that are not reached in files that must be complete."""
    return [
        f"{path}: not reached: lines {found['missing_lines']}, branches {found['missing_branches']}"
        for path, found in files.items()
        if _must_be_complete(path) and (found["missing_lines"] or found["missing_branches"])
    ]


def percentage(files: Files, *, apart: bool) -> float:
    """Percentage of lines and branches that are reached in the files that need not be complete."""
    summaries = [
        found["summary"]
        for path, found in files.items()
        if not _must_be_complete(path) and any(fnmatch(path, pattern) for pattern in APART) == apart
    ]
    reached: int = sum(one["covered_lines"] + one["covered_branches"] for one in summaries)
    countable: int = sum(one["num_statements"] + one["num_branches"] for one in summaries)
    return 100 * reached / countable


def _must_be_complete(path: str) -> bool:
    return any(fnmatch(path, pattern) for pattern in COMPLETE)


if __name__ == "__main__":
    files = read_coverage()
    complaints = [*find_unmatched_patterns(files), *find_gaps(files)]
    for what, floor, apart in (("all other files", FLOOR, False), ("files of APART", FLOOR_APART, True)):
        if (reached := percentage(files, apart=apart)) < floor:
            complaints.append(f"{what} together: at least {floor} % must be reached, got {reached:.2f} %")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    sys.exit(bool(complaints))
