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
    parts = _parts(results)
    other = "" if now == first else now
    marks = {f"{ELSEWHERE}{part}": other for part in parts if other or f"{ELSEWHERE}{part}" in kept}
    return {"machine": first, **marks}


def newest(folder: Path = FOLDER) -> Results:
    """The newest figures of each part with the embedder of the last day, and the day or machine of those of another."""
    files = sorted(file for file in folder.iterdir() if _DAY.fullmatch(file.name))
    days: list[Results] = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    last = days[-1]
    parts: Results = {}
    marks: dict[str, str] = {}
    for day in (day for day in days if day["embedder"] == last["embedder"]):
        for part in _parts(day):
            parts[part] = day[part]
            marks[f"{EARLIER}{part}"] = day["date"]
            marks[f"{ELSEWHERE}{part}"] = day.get(f"{ELSEWHERE}{part}") or day["machine"]
    others = {mark: value for mark, value in marks.items() if value not in (last["date"], last["machine"])}
    return {**{fact: last[fact] for fact in ("date", "machine", "embedder")}, **parts, **others}


def _parts(day: Results) -> list[str]:
    return [part for part, figures in day.items() if isinstance(figures, dict)]


def markdown(results: Results) -> str:
    """Every part as tables, with the names of figures as headings."""
    lines = [f"{measured(results)} MB are 10⁶ bytes.", ""]
    for part, figures in results.items():
        if isinstance(figures, dict):
            lines += [f"## {part}", "", *_tables(figures)]
    return "\n".join(lines)


def measured(results: Results, parts: Sequence[str] = ()) -> str:
    """Day, machine and embedder of the measurement; then the parts with another day or machine.

    Args:
        results: Results of a day, or the newest ones.
        parts: The parts that are described; all if empty.
    """
    here = results["date"], results["machine"]
    places: dict[tuple[str, str], list[str]] = {} if parts else {here: []}
    for part in parts or _parts(results):
        day, machine = (results.get(f"{mark}{part}") for mark in (EARLIER, ELSEWHERE))
        places.setdefault((day or here[0], machine or here[1]), []).append(f"`{part}`")
    (main, _), *others = places.items()
    named = (
        f"; {', '.join(some)} on {day}{f' on {machine}' if machine != main[1] else ''}"
        for (day, machine), some in others
    )
    return f"Measured on {main[0]}: {main[1]}{''.join(named)}; embedder {results['embedder']}."


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
    return stressed(f"{more:+.1f} ({low:.1f} to {high:.1f})", low, high)


def stressed(text: str, low: float, high: float) -> str:
    """The text, bold where an interval leaves out 0.

    >>> stressed("5.1", 1.6, 4.1), stressed("5.1", -0.3, 0.7)
    ('**5.1**', '5.1')
    """
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
