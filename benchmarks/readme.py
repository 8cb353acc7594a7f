"""Writes the figures of README and of pages in docs from the newest results, between their markers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from benchmarks import anchor_tables, answer_tables, graph_tables, report, scale_tables, text_tables
from benchmarks.growth import EXPONENT
from benchmarks.latency import EMBEDDING
from benchmarks.local import LIFE
from benchmarks.papers import tables as papers
from benchmarks.peers import tables as peers
from benchmarks.recall import METHODS
from benchmarks.report import Results, shown, table
from benchmarks.service import tables as service
from benchmarks.tree_search import K as RANK
from benchmarks.trees import PLANTED

_ROOT = Path(__file__).parents[1]
_DOCUMENTS = (
    "anchor-graph",
    "answers",
    "benchmarks",
    "bipartite-graph",
    "encoding-tree",
    "language-models",
    "papers",
    "reliability",
    "rl-mode",
    "scale",
    "service",
    "sources",
)
PAGES = (_ROOT / "README.md", *(_ROOT / "docs" / f"{name}.md" for name in _DOCUMENTS))
_BLOCK = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)
_AS_MEASURED = (
    "archive",
    "kill_commands",
    "reembed_killed",
    "renames",
    "repeated",
    "engines",
    "reading",
    "report_pages",
    "web_pages",
)
_INDEXED = {
    "index, s": "total, s",
    "index, Python's peak, MB": "total, python_mb",
    "index, Neo4j's peak, MB": "total, neo4j_mb",
}
_SEARCHED = "search, Python's peak with all methods, MB"
_SUMMARISED = {
    "evidence": "memory",
    "gain": "gds",
    "tree": "memory",
    "bipartite": "memory",
    "fused": "",
    "dense": "",
    "keyword": "",
}
"""Methods of the summary, with the engine of their defaults on a corpus of that size."""
_NEEDS: dict[str, tuple[str, ...]] = {
    "machine": (),
    "summary": ("recall", "latency"),
    "bipartite_recall": ("bipartite",),
    "scale": ("growth",),
    **dict.fromkeys(anchor_tables.TABLES, (anchor_tables.PART,)),
    **dict.fromkeys(peers.TABLES, peers.NEEDS),
    **dict.fromkeys(papers.TABLES, (papers.PART,)),
}
"""Parts of the results that a table needs, for tables that need another part than that of their name."""


def write(results: Results) -> None:
    """Fill all pages."""
    for page in PAGES:
        page.write_text(fill(page.read_text(encoding="utf-8"), results), encoding="utf-8")


def fill(text: str, results: Results) -> str:
    """Replace every block of figures in a text; the block of a part that was not measured is empty.

    Raises:
        KeyError: a marker names an unknown table.
    """

    def block(found: re.Match[str]) -> str:
        name = found[2]
        needed = _NEEDS.get(name, (name,))
        lines = TABLES[name](results) if all(part in results for part in needed) else []
        return "\n".join([f"{found[1]}", *lines, *([""] if lines else []), found[3]])

    return _BLOCK.sub(block, text)


def machine(results: Results) -> list[str]:
    """Machine, date and embedder of the measurements."""
    return [f"{report.measured(results)} MB are 10⁶ bytes."]


def summary(results: Results) -> list[str]:
    """Recall at 5 on each data set and the median latency of each method, with the machine."""
    recalls, latencies = results["recall"], results["latency"]
    sets = list(dict.fromkeys(key.split(", ")[0] for key in recalls))
    rows = [
        [
            f"`{method}`",
            *(str(recalls[f"{name}, {method}"]["R@5"]) for name in sets),
            shown((latencies.get(f"{method}, engine {engine}") or latencies[method])["1"]["p50_ms"]),
        ]
        for method, engine in _SUMMARISED.items()
    ]
    return [*table(["", *sets, "p50, ms"], rows), "", report.measured(results, ("recall", "latency"))]


def _by_set(part: Results) -> tuple[dict[tuple[str, str], Results], list[str], list[str]]:
    """Figures with keys like ``musique, dense`` by data set and row; then the sets and the rows, in their order."""
    figures = {(name, row): found for key, found in part.items() for name, _, row in [key.partition(", ")]}
    return figures, list(dict.fromkeys(name for name, _ in figures)), list(dict.fromkeys(row for _, row in figures))


def recall(results: Results) -> list[str]:
    """Recall at 2, 5 and 10 of the methods of this version, with a column for each data set; the best is bold."""
    figures, sets, measured = _by_set(results["recall"])
    methods = [method for method in measured if method in METHODS]
    best = {name: max(figures[name, method]["R@5"] for method in methods) for name in sets}

    def cell(name: str, method: str) -> str:
        value = figures[name, method]
        text = " / ".join(str(value[f"R@{k}"]) for k in (2, 5, 10))
        return f"**{text}**" if value["R@5"] == best[name] else text

    return table(["", *sets], [[f"`{method}`", *(cell(name, method) for name in sets)] for method in methods])


def latency(results: Results) -> list[str]:
    """Milliseconds with one client, and questions a second with more."""
    figures = results["latency"]
    clients = list(figures[EMBEDDING])
    header = ["", "p50 / p95 / p99, ms", *(f"a second, {count} client{'s' * (count != '1')}" for count in clients)]
    rows = []
    for variant, loads in figures.items():
        alone = loads[clients[0]]
        times = " / ".join(shown(alone[f"p{cut}_ms"]) for cut in (50, 95, 99))
        rows.append([variant, times, *(shown(loads[count].get("per_s")) for count in clients)])
    return table(header, rows)


def index(results: Results) -> list[str]:
    """Time, memory and disk of an ingest."""
    rows = []
    for name, figures in results["index"].items():
        if "passages" in figures:
            disks = [value for key, value in figures.items() if key.endswith("disk_mb")]
            cells = (figures.get(key) for key in ("passages", "s", "python_mb", "neo4j_mb"))
            rows.append([name, *(shown(value) for value in (*cells, sum(disks) if disks else None))])
    return table(["", "passages", "s", "Python's peak, MB", "Neo4j's peak, MB", "disk, MB"], rows)


def growth(results: Results) -> list[str]:
    """Index time, memory and median search at each size, with the exponent of its growth."""
    figures = results["growth"]
    wanted = {label: figures["index"][key] for label, key in _INDEXED.items()}
    searched = {key: row for key, row in figures["search"].items() if key.endswith(", p50_ms")}
    wanted |= {f"{key.removesuffix(', p50_ms')}, p50 in ms": row for key, row in searched.items()}
    wanted[_SEARCHED] = figures["search"]["all, python_mb"]
    columns = list(next(iter(wanted.values())))
    header = ["", *(f"{int(column):,} passages" if column != EXPONENT else "grows with n to the" for column in columns)]
    return table(header, [[label, *(shown(row[column]) for column in columns)] for label, row in wanted.items()])


def trees(results: Results) -> list[str]:
    """Entropy of the communities of each graph by every method, the lowest in bold, and processor seconds."""
    graphs = {name: rows for name, rows in results["trees"].items() if name != PLANTED}
    methods = list(next(iter(graphs.values())))

    def cell(rows: Results, method: str) -> str:
        value, cpu_s = rows[method]["H2"], shown(rows[method]["cpu_s"])
        is_least = value == min(row["H2"] for row in rows.values())
        return f"**{value:.3f}** ({cpu_s} s)" if is_least else f"{value:.3f} ({cpu_s} s)"

    return table(["", *methods], [[name, *(cell(rows, method) for method in methods)] for name, rows in graphs.items()])


def tree_search(results: Results) -> list[str]:
    """Recall of the encoding tree by weights and layers, with a column for each data set."""
    figures, sets, rows = _by_set(results["tree_search"])
    cells = ([row, *(f"{figures[name, row][f'R@{RANK}']:.1f}" for name in sets)] for row in rows)
    return table(["", *sets], list(cells))


def untrained_policy(results: Results) -> list[str]:
    """Answers and form of a policy that was not trained, beside answers without a model."""
    figures = results["untrained_policy"]
    columns = list(dict.fromkeys(name for row in figures.values() for name in row))
    return table(["", *columns], [[name, *(shown(row.get(one)) for one in columns)] for name, row in figures.items()])


def local(results: Results) -> list[str]:
    """Time, memory and disk of starting and stopping the local Neo4j."""
    figures = results["local"]
    rows = [[what, *(shown(figures[what].get(key)) for key in ("s", "resident_mb", "mb"))] for what in LIFE]
    return table(["the local Neo4j", "s", "memory, MB", "disk, MB"], rows)


def explain(results: Results) -> list[str]:
    """Milliseconds of a search and of its explanation, for each method."""
    rows = []
    for method, found in results["explain"].items():
        times = (" / ".join(shown(one[f"p{cut}_ms"]) for cut in (50, 95)) for one in found.values())
        rows.append([f"`{method}`", *times])
    pieces = list(next(iter(results["explain"].values())))
    return table(["p50 / p95, ms", *pieces], rows)


def doctor(results: Results) -> list[str]:
    """Seconds of a check and of a repair, by number of chunks."""
    figures = results["doctor"].values()
    rows = [[shown(found["chunks"]), *(shown(found[one]) for one in ("look_s", "repair_s"))] for found in figures]
    return table(["chunks", "a look, s", "a repair of lost vectors, s"], rows)


def as_measured(part: str) -> Callable[[Results], list[str]]:
    """A table with a line for each row of a part, and a column for each figure that one of them has."""

    def rows(results: Results) -> list[str]:
        figures = results[part]
        columns = list(dict.fromkeys(column for found in figures.values() for column in found))
        return table(
            ["", *columns],
            [[name, *(shown(found.get(column)) for column in columns)] for name, found in figures.items()],
        )

    return rows


TABLES: dict[str, Callable[[Results], list[str]]] = {
    "machine": machine,
    "summary": summary,
    "recall": recall,
    "latency": latency,
    "index": index,
    "growth": growth,
    "local": local,
    "trees": trees,
    "tree_search": tree_search,
    "untrained_policy": untrained_policy,
    anchor_tables.POLICY: anchor_tables.policy,
    "explain": explain,
    "doctor": doctor,
    **{part: as_measured(part) for part in _AS_MEASURED},
    **anchor_tables.TABLES,
    **answer_tables.TABLES,
    **graph_tables.TABLES,
    **papers.TABLES,
    **peers.TABLES,
    **scale_tables.TABLES,
    **service.TABLES,
    **text_tables.TABLES,
}
