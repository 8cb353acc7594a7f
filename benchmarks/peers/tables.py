"""The table of other systems in docs/benchmarks.md: their newest runs, beside our methods on the same data."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.peers.results import CUTS
from benchmarks.report import FOLDER, Results, table
from benchmarks.shapes import SHAPES

NEEDS = ("shapes", "recall")
"""Parts with the figures of this project."""
OURS = ("evidence", "dense", "keyword")
"""Methods that both parts have with the same options."""
_AS_IT_IS = next(iter(SHAPES))


def newest(folder: Path = FOLDER) -> dict[str, Any]:
    """The newest results of other systems; without any, no runs."""
    files = sorted(folder.glob("peers-*.json"))
    return dict(json.loads(files[-1].read_text(encoding="utf-8"))) if files else {"runs": {}}


def rows(results: Results, theirs: Mapping[str, Any]) -> list[str]:
    """Recall at 2, 5 and 10 with a column for each data set, then day, machine, versions and settings of the others."""
    runs = list(theirs["runs"].values())
    if not runs:
        return []
    sets = {run["set"]: f"{run['set']}, {run['questions']} questions of {run['passages']:,} chunks" for run in runs}
    cells = {f"`{method}`": {name: _recalls(_ours(results, name, method)) for name in sets} for method in OURS}
    for run in runs:
        cells.setdefault(_name(run), {})[run["set"]] = _recalls(run["recall"])
    lines = table(
        [" / ".join(f"R@{k}" for k in CUTS), *sets.values()],
        [[label, *(by_set.get(name, "") for name in sets)] for label, by_set in cells.items()],
    )
    versions = {f"{run['system']} at {run['commit'][:7]}": run["notes"] for run in runs}
    told = "; ".join(", ".join([version, *notes]) for version, notes in versions.items())
    return [*lines, "", f"The other systems were measured on {theirs['date']}: {theirs['machine']}. {told}."]


def other_systems(results: Results) -> list[str]:
    """The table of the newest results in the folder."""
    return rows(results, newest())


def _name(run: Mapping[str, Any]) -> str:
    return f"{run['system']}, {run['embedder']['name']}"


def _ours(results: Results, name: str, method: str) -> Mapping[str, float]:
    """Recall of a method on a data set, empty if no part measures it there."""
    shapes, recall = (results[part] for part in NEEDS)
    return dict(shapes.get(f"{name}, {_AS_IT_IS}, {method}") or recall.get(f"{name}, {method}") or {})


def _recalls(row: Mapping[str, float]) -> str:
    return " / ".join(f"{row[f'R@{k}']:.1f}" for k in CUTS) if row else ""


TABLES: dict[str, Callable[[Results], list[str]]] = {"other_systems": other_systems}
