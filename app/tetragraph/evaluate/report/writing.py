"""Writes the files of a report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tetragraph.errors import MissingDependency
from tetragraph.evaluate.model import EvaluationReport
from tetragraph.evaluate.report.content import content, timings
from tetragraph.evaluate.report.page import page


def write(report: EvaluationReport, folder: Path) -> tuple[list[Path], list[str]]:
    """Write ``report.json``, ``timings.json`` and ``report.html`` to a folder, which is created if necessary.

    ``report.json`` has sorted keys and no wall time: the same evaluation writes the same bytes.

    Returns:
        Paths of the written files, and notes on files that were not written. ``report.html`` is not written if the
        packages of the extra ``eval`` are missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tree = content(report)
    written = [_write(folder / "report.json", _json(tree)), _write(folder / "timings.json", _json(timings(report)))]
    try:
        written.append(_write(folder / "report.html", page(tree, report)))
    except MissingDependency as error:
        return written, [f"no report.html: {error}"]
    return written, []


def _json(tree: dict[str, Any]) -> str:
    return json.dumps(tree, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _write(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8")
    return file
