"""Measure everything that the project promises a figure for.

``python -m benchmarks [PART …]`` with the parts ``local``, ``index``, ``search``, ``recall``, ``kill``; all of them by
default. Results go to ``benchmarks/results/<date>.json`` and to a Markdown table beside it.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import index, kill, local, measure, recall, search

PARTS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "local": local.measure_local,
    "index": index.measure_index,
    "search": search.measure_search,
    "recall": recall.measure_recall,
    "kill": kill.measure_kill,
}


def main() -> None:
    """Run the parts in order in one home, so that a corpus indexed by one serves the next."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--home", type=Path, help="keep the corpora here and use those that are there")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.parts) - set(PARTS))
    if unknown:
        parser.error(f"a part must be one of {', '.join(PARTS)}, got {unknown[0]}")
    results: dict[str, Any] = {"date": dt.date.today().isoformat(), "machine": measure.machine()}
    with tempfile.TemporaryDirectory(prefix="tetragraph-bench-") as scratch:
        home = arguments.home or Path(scratch)
        try:
            for part in arguments.parts or PARTS:
                results[part] = PARTS[part](home)
                _write(results)
        finally:
            local.stop(home)


def _write(results: dict[str, Any]) -> None:
    folder = Path(__file__).parent / "results"
    folder.mkdir(exist_ok=True)
    place = folder / f"{results['date']}.json"
    kept = json.loads(place.read_text(encoding="utf-8")) if place.is_file() else {}
    kept.update(results)
    place.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    table = _markdown(kept)
    place.with_suffix(".md").write_text(table, encoding="utf-8")
    print(table, flush=True)


def _markdown(results: dict[str, Any]) -> str:
    lines = [
        f"Measured on {results['date']}: {results['machine']}.",
        "",
        "| part | what | figure |",
        "| --- | --- | --- |",
    ]
    for part in PARTS:
        for what, figures in results.get(part, {}).items():
            told = ", ".join(f"{name} {value}" for name, value in figures.items())
            lines.append(f"| {part} | {what} | {told} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
