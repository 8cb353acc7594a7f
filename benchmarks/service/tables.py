"""Tables of the measured service for docs/service.md."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.report import Results, shown, table


def load(results: Results) -> list[str]:
    """Times and rates by number of clients, the ratio of two rates, and what HTTP adds."""
    figures = results["service_load"]
    names = {"p50, ms": "p50_ms", "p95, ms": "p95_ms", "a second": "per_s", "processor, ms": "cpu_ms"}
    columns = {name: key for name, key in names.items() if all(key in row for row in figures["searches"].values())}
    rows = [[name, *(shown(row[key]) for key in columns.values())] for name, row in figures["searches"].items()]
    ratio, added = (shown(value) for value in figures["ratios"].values())
    sentences = [
        f"The rate at 16 clients is {ratio} of that at 4; HTTP adds {added} ms to a search of one client",
        "(median over the questions of the difference).",
    ]
    return [*table(["searches of 2Wiki", *columns], rows), "", *sentences]


def soak(results: Results) -> list[str]:
    """Calls by kind and status, and the process once settled and at the end."""
    figures = results["service_soak"]
    calls = [[name, shown(count)] for name, count in figures["calls"].items()]
    process = [[name, *(shown(value) for value in row.values())] for name, row in figures["process"].items()]
    headers = list(next(iter(figures["process"].values())))
    return [*table(["call, status", "calls"], calls), "", *table(["the server's process", *headers], process)]


def jobs(results: Results) -> list[str]:
    """Jobs whose server was killed, and a server that was stopped."""
    figures = results["service_jobs"]
    lines = [table([name, *row], [["", *map(shown, row.values())]]) for name, row in figures.items()]
    return [line for part in lines for line in [*part, ""]][:-1]


def page(results: Results) -> list[str]:
    """Delay of steps on their page, and how pictures of some sizes move."""
    figures = results["service_page"]
    steps = [[shown(value) for value in figures["steps"].values()]]
    pictures = [[name, *(shown(value) for value in row.values())] for name, row in figures["pictures"].items()]
    delays = ["steps of sessions", *(f"stored to shown, {name}, ms" for name in ("p50", "p95", "p99"))]
    return [
        *table(delays, steps),
        "",
        *table(["picture", "until drawn, s", "frames a second, moved", "longest frame, ms"], pictures),
    ]


def mcp_calls(results: Results) -> list[str]:
    """Memory of the MCP server by transport."""
    rows = [[name, *(shown(value) for value in row.values())] for name, row in results["service_mcp"].items()]
    return table(["MCP over", "calls", "failed", "memory settled, MB", "at the end, MB"], rows)


TABLES: dict[str, Callable[[Results], list[str]]] = {
    "service_load": load,
    "service_soak": soak,
    "service_jobs": jobs,
    "service_page": page,
    "service_mcp": mcp_calls,
}
