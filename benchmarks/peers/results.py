"""Description of a run of a peer: recall, time, and everything needed to repeat it."""

from __future__ import annotations

import datetime as dt
import json
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import measure
from tetragraph.evaluate.metrics import score_run
from tetragraph.evaluate.model import GoldQuestion, Run

CUTS = (2, 5, 10)


def recall(run: Run, questions: Sequence[GoldQuestion]) -> dict[str, float]:
    """Share of a question's gold among the first k, as mean over the questions with gold, in per cent."""
    metrics = score_run(run, questions, CUTS).metrics
    return {f"R@{cut}": round(100 * metrics[f"recall@{cut}"], 1) for cut in CUTS if f"recall@{cut}" in metrics}


def times(index: Mapping[str, float], search: Sequence[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Seconds of indexing, and milliseconds of a question, both with the share of the embedding."""
    wall = [1000 * lap["wall_s"] for lap in search]
    return {
        "index": {name: round(seconds, 1) for name, seconds in index.items()},
        "search": {
            "p50_ms": round(statistics.median(wall), 1),
            "mean_ms": round(statistics.mean(wall), 1),
            "mean_cpu_ms": round(1000 * statistics.mean(lap["cpu_s"] for lap in search), 1),
            "mean_embedding_ms": round(1000 * statistics.mean(lap["embedding_wall_s"] for lap in search), 1),
        },
    }


def record(run: Mapping[str, Any], folder: Path) -> str:
    """Add a run to the results of the day; it replaces an earlier one of the same name on the same set.

    Returns:
        The Markdown table of all runs of the day, which is also written to a file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    today = dt.datetime.now(dt.UTC).date().isoformat()
    place = folder / f"peers-{today}.json"
    kept = json.loads(place.read_text(encoding="utf-8")) if place.is_file() else {"runs": {}}
    kept |= {"date": today, "machine": measure.machine()}
    kept["runs"][f"{run['set']}, {run['run']}"] = run
    place.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    table = to_markdown(kept)
    place.with_suffix(".md").write_text(table, encoding="utf-8")
    return table


def to_markdown(results: Mapping[str, Any]) -> str:
    """The table of a day's runs, followed by their settings."""
    runs = list(results["runs"].values())
    lines = [
        f"Measured on {results['date']}: {results['machine']}.",
        "",
        "| set | run | R@2 | R@5 | R@10 | index, s (processor s) | question, p50 ms (processor ms) |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
        *map(_row, runs),
        "",
        *dict.fromkeys(_note(run) for run in runs),
    ]
    return "\n".join(lines) + "\n"


def _row(run: Mapping[str, Any]) -> str:
    scores = " | ".join(str(run["recall"].get(f"R@{cut}", "–")) for cut in CUTS)
    index, search = run["index"], run["search"]
    what = f"{run['set']} ({run['questions']} of {run['split']}, {run['passages']:,} passages)"
    return (
        f"| {what} | {run['run']} | {scores} "
        f"| {index['wall_s']:.0f} ({index['cpu_s']:.0f}) | {search['p50_ms']:.0f} ({search['mean_cpu_ms']:.0f}) |"
    )


def _note(run: Mapping[str, Any]) -> str:
    chosen = ", ".join(f"{name} {value}" for name, value in run["parameters"].items()) or "its defaults"
    notes = "".join(f"; {note}" for note in run["notes"])
    system = f"{run['system']} at {run['commit'][:7]} with {run['embedder']['name']}"
    return f"- {run['run']} on {run['set']}: {system}, {chosen}{notes}."
