"""Tables of docs/scale.md: cost of a corpus and of larger ones, neighbours found in lists, corpora in parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from benchmarks.growth import EXPONENT
from benchmarks.measure import exponent
from benchmarks.neighbours import COUNTS, EXACT, GRAPHS, LISTS
from benchmarks.report import Results, shown, table

LARGER = (1_000_000, 10_000_000, 100_000_000)
_INDEX: Mapping[str, tuple[str, float]] = {
    "index, hours": ("total, s", 3600),
    "index, processor hours of Python": ("total, python_cpu_s", 3600),
    "index, Python's peak, GB": ("total, python_mb", 1000),
    "index, Neo4j's peak, GB": ("total, neo4j_mb", 1000),
    "Neo4j on disk, GB": ("total, neo4j_disk_mb", 1000),
    "arrays on disk, GB": ("total, arrays_disk_mb", 1000),
}
"""Key in the figures of indexing, and the divisor for the unit of the label."""
_P50 = ", p50_ms"


def scale(results: Results) -> list[str]:
    """Figures at the largest measured size, the exponent between the two largest, and the values at larger sizes."""
    index, search = results["growth"]["index"], results["growth"]["search"]
    peak = search["all, python_mb"]
    rows = [_row(label, index[key], divisor) for label, (key, divisor) in _INDEX.items() if key in index]
    rows += [_row(f"{key.removesuffix(_P50)}, p50 in ms", row, 1) for key, row in search.items() if _P50 in key]
    rows.append(_row("search, Python's peak with all methods, GB", peak, 1000))
    header = ["", f"measured, {_sizes(peak)[-1]:,} chunks", "grows with n to the"]
    return table([*header, *(f"computed, {size // 1_000_000} M" for size in LARGER)], rows)


def extrapolate(value: float, growth: float, ratio: float) -> float:
    """The value at ``ratio`` times the size, which grows with the size to the power of ``growth``.

    >>> extrapolate(3.0, 0.5, 100)
    30.0
    """
    return float(value * ratio**growth)


def _row(label: str, row: Mapping[str, float], divisor: float) -> list[str]:
    sizes = _sizes(row)[-2:]
    value = row[str(sizes[-1])] / divisor
    growth = exponent(sizes, [row[str(size)] for size in sizes])
    if growth is None:
        return [label, _two_digits(value), *[""] * (1 + len(LARGER))]
    larger = (extrapolate(value, growth, one / sizes[-1]) for one in LARGER)
    return [label, _two_digits(value), f"{growth:.2f}", *map(_two_digits, larger)]


def _two_digits(value: float) -> str:
    return shown(float(f"{value:.2g}"))


def _sizes(row: Mapping[str, float]) -> list[int]:
    return sorted(int(size) for size in row if size != EXPONENT)


def neighbours(results: Results) -> list[str]:
    """Share of exact neighbours that are found in lists, and recall of the graphs of both."""
    rows = []
    for name, found in results["neighbours"].items():
        shares = (shown(found[one]) for one in ("chunks", "compared", *(f"found of {count}" for count in COUNTS)))
        recalls = (f"{found[f'{graph}, {EXACT}']} → {found[f'{graph}, {LISTS}']}" for graph in GRAPHS)
        rows.append([name, *shares, *recalls])
    named = [*(f"found of {count}, %" for count in COUNTS), *(f"R@5 of `{graph}`" for graph in GRAPHS)]
    return table(["", "chunks", "compared with, %", *named], rows)


def shards(results: Results) -> list[str]:
    """Recall of one corpus and of its parts, and how many hits both have."""
    rows = [[f"`{method}`", *map(str, found.values())] for method, found in results["shards"].items()]
    return table(["", *next(iter(results["shards"].values()))], rows)


TABLES: dict[str, Callable[[Results], list[str]]] = {"scale": scale, "neighbours": neighbours, "shards": shards}
