"""Stores results in a JSON file for each day, and as Markdown tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "results"
ELSEWHERE = "machine of "
"""Prefix of the keys for the machines of single parts."""
EARLIER = "day of "
"""Prefix of the keys for the days of single parts."""
ANYWHERE = frozenset(
    {
        "archive",
        "engines",
        "kill_commands",
        "llm_local",
        "papers",
        "reembed_killed",
        "renames",
        "repeated",
        "service_jobs",
        "service_load",
        "service_mcp",
        "service_page",
        "service_soak",
        "tree_search",
        "untrained_policy",
    }
)
"""Parts that are comparable between machines: their figures are hardly times."""
_FACTS = ("machine", "embedder")
_DAY = re.compile(r"\d{4}-\d\d-\d\d\.json")
Results = dict[str, Any]


def write(results: Results, folder: Path) -> str:
    """Store the measured parts; other parts of the same day are preserved.

    A part that was measured on another machine than the first one of the day is marked.

    Returns:
        The tables of the whole day.
    """
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{results['date']}.json"
    kept = json.loads(place.read_text(encoding="utf-8")) if place.is_file() else {}
    kept = kept | results | _machines(kept, results)
    place.write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    tables = markdown(kept)
    place.with_suffix(".md").write_text(tables, encoding="utf-8")
    return tables


def _machines(kept: Results, results: Results) -> Results:
    """The machine of the day, and of each new part if it differs; empty for a part that was repeated on the former."""
    now = results.get("machine", kept.get("machine", ""))
    first = kept.get("machine", now)
    parts = [part for part, figures in results.items() if isinstance(figures, dict)]
    other = "" if now == first else now
    marks = {f"{ELSEWHERE}{part}": other for part in parts if other or f"{ELSEWHERE}{part}" in kept}
    return {"machine": first, **marks}


def newest(folder: Path = FOLDER) -> Results:
    """The newest figures of each part for one machine and embedder, with the day of those of another day.

    The machine is the last one on which other parts than :data:`ANYWHERE` were measured; those are taken from every
    machine, and marked.
    """
    files = sorted(file for file in folder.iterdir() if _DAY.fullmatch(file.name))
    days: list[Results] = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    last = next((day for day in reversed(days) if not _parts(day) <= ANYWHERE), days[-1])
    found: Results = {}
    dates: dict[str, str] = {}
    for day in days:
        taken = day if all(day[fact] == last[fact] for fact in _FACTS) else _elsewhere(day)
        parts = _parts(taken)
        found = {key: value for key, value in found.items() if key.removeprefix(ELSEWHERE) not in parts} | taken
        date: str = day["date"]
        dates |= dict.fromkeys(parts, date)
    marks = {f"{EARLIER}{part}": date for part, date in sorted(dates.items()) if date != last["date"]}
    return {**found, **{fact: last[fact] for fact in ("date", *_FACTS)}, **marks}


def _parts(day: Results) -> set[str]:
    return {part for part, figures in day.items() if isinstance(figures, dict)}


def _elsewhere(day: Results) -> Results:
    """The parts of a day on another machine that may be taken, each with its machine."""
    taken = sorted(_parts(day) & ANYWHERE)
    marks: Results = {f"{ELSEWHERE}{part}": day.get(f"{ELSEWHERE}{part}") or day["machine"] for part in taken}
    return {**{part: day[part] for part in taken}, **marks}


def markdown(results: Results) -> str:
    """Every part as tables, with the names of figures as headings."""
    lines = [measured(results), ""]
    for part, figures in results.items():
        if isinstance(figures, dict):
            lines += [f"## {part}", "", *_tables(figures)]
    return "\n".join(lines)


def measured(results: Results) -> str:
    """Day, machine and embedder of the measurement, then the parts with another day or machine."""
    where = f"{results['machine']}{''.join(_others(results))}"
    return f"Measured on {results['date']}: {where}; embedder {results['embedder']}. MB are 10⁶ bytes."


def _others(results: Results) -> Iterator[str]:
    for part in results:
        day, machine = (results.get(f"{mark}{part}") for mark in (EARLIER, ELSEWHERE))
        if day or machine:
            yield f"; `{part}` on {' on '.join(one for one in (day, machine) if one)}"


def _tables(figures: Mapping[str, Any]) -> list[str]:
    """One table for the rows of each set of columns, in the order of their first appearance."""
    groups: dict[tuple[str, ...], list[list[str]]] = {}
    for row, columns in flatten(figures):
        groups.setdefault(tuple(columns), []).append([row, *(shown(value) for value in columns.values())])
    tables = [table(["", *(column.replace("_", " ") for column in columns)], rows) for columns, rows in groups.items()]
    return [line for lines in tables for line in [*lines, ""]]


def flatten(figures: Mapping[str, Any], name: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The innermost mappings with the keys that lead to them, joined by commas.

    >>> list(flatten({"a": {"b": {"x": 1}, "c": {"x": 2}}}))
    [('a, b', {'x': 1}), ('a, c', {'x': 2})]
    """
    if any(isinstance(value, Mapping) for value in figures.values()):
        for key, value in figures.items():
            yield from flatten(value, f"{name}, {key}" if name else key)
    else:
        yield name, figures


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a Markdown table."""
    return [f"| {' | '.join(cells)} |" for cells in (header, ["---"] * len(header), *rows)]


def difference(more: float, low: float, high: float) -> str:
    """Format a paired difference with its interval, bold where the interval leaves out 0.

    >>> difference(2.8, 1.6, 4.1), difference(0.2, -0.3, 0.7)
    ('**+2.8 (1.6 to 4.1)**', '+0.2 (-0.3 to 0.7)')
    """
    text = f"{more:+.1f} ({low:.1f} to {high:.1f})"
    return f"**{text}**" if low > 0 or high < 0 else text


def shown(value: Any) -> str:
    """Format a figure with three digits and separators of thousands.

    >>> [shown(value) for value in (None, True, 0.0, 1e-12, 0.04321, 5.73, 51.22, 6119, 6119.4, "a")]
    ['', 'yes', '0', '1e-12', '0.0432', '5.73', '51.2', '6,119', '6,119', 'a']
    """
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float() if abs(value) >= 100:
            return f"{value:,.0f}"
        case float():
            return f"{value:.3g}"
    return str(value)
