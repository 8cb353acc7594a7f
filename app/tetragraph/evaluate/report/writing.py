"""Writes the files of a report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tetragraph.errors import MissingDependency
from tetragraph.evaluate.manifest import PAGE, PLACE, REPORT, TIMINGS
from tetragraph.evaluate.model import EvaluationReport
from tetragraph.evaluate.report.content import content, timings
from tetragraph.evaluate.report.page import page
from tetragraph.host.system_errors import report_refusals
from tetragraph.host.whole_files import write_whole


def write(report: EvaluationReport, folder: Path) -> tuple[list[Path], list[str]]:
    """Write ``report.json``, ``timings.json`` and ``report.html`` to a folder, which is created if necessary.

    ``report.json`` has sorted keys and no wall time: the same evaluation writes the same bytes.

    Returns:
        Paths of the written files, and notes on files that were not written. ``report.html`` is not written if the
        packages of the extra ``eval`` are missing.

    Raises:
        StoreError: the system refused a file, as on a full disk; those of an earlier report are removed first.
    """
    tree = content(report)
    texts, notes = {REPORT: _json(tree), TIMINGS: _json(timings(report))}, []
    try:
        texts[PAGE] = page(tree, report)
    except MissingDependency as error:
        notes = [f"no {PAGE}: {error}"]
    with report_refusals(folder, PLACE):
        folder.mkdir(parents=True, exist_ok=True)
        for name in (*texts, PAGE):
            (folder / name).unlink(missing_ok=True)
        for name, text in texts.items():
            write_whole(folder / name, text)
    return [folder / name for name in texts], notes


def _json(tree: dict[str, Any]) -> str:
    return json.dumps(tree, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
