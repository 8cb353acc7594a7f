"""Memory of the MCP server over thousands of calls, by official clients over standard input and output and over HTTP.

``python -m benchmarks.service.mcp_calls --calls 500`` is shorter.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

import psutil
from mcp import Client, StdioServerParameters

from benchmarks.hostile import first_documents
from benchmarks.plan import Plan, own_stores
from benchmarks.service import tables
from benchmarks.service.process import Served
from tetragraph import Tetragraph, samples
from tetragraph.stores import local

CORPUS: Final = "read"
PASSAGES: Final = 400
CALLS: Final = 10_000
SETTLED: Final = 0.2
"""Share of the calls after which caches are full, and growth is measured from."""
Open = Callable[[], AbstractAsyncContextManager[Client]]


def measure_mcp_calls(plan: Plan, calls: int = CALLS) -> dict[str, Any]:
    """Call the tools ``corpora`` and ``search`` in turn, each transport as often as the other.

    Returns:
        For each transport the calls, those that failed, and the resident memory of the server in MB once settled and
        at the end.
    """
    local.start(plan.settings)
    with Tetragraph.connect(plan.settings) as client:
        client.corpus(CORPUS).ingest(first_documents(PASSAGES), build=())
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "tetragraph", "mcp", "--corpus", CORPUS], env=plan.environment
    )
    rows = {"standard input and output": asyncio.run(_call(lambda: Client(command), _child, calls // 2))}
    with Served(plan.environment, plan.home / "server.log") as served:
        server = psutil.Process(served.process.pid)
        rows["HTTP"] = asyncio.run(_call(lambda: Client(f"{served.address}/mcp"), lambda: server, calls // 2))
    return rows


def _child() -> psutil.Process:
    """The server that the client has started."""
    return next(one for one in psutil.Process().children(recursive=True) if "mcp" in one.cmdline())


async def _call(open_client: Open, find_server: Callable[[], psutil.Process], calls: int) -> dict[str, float]:
    questions = itertools.cycle(question.question for question in samples.questions())
    failed, settled = 0, 0.0
    async with open_client() as client:
        server = find_server()
        for number in range(calls):
            if number == int(calls * SETTLED):
                settled = server.memory_info().rss / 1e6
            if number % 2:
                found = await client.call_tool("corpora", {})
            else:
                found = await client.call_tool("search", {"corpus": CORPUS, "question": next(questions), "k": 5})
            failed += bool(found.is_error)
        return {
            "calls": calls,
            "failed": failed,
            "settled_mb": round(settled, 1),
            "end_mb": round(server.memory_info().rss / 1e6, 1),
        }


def main() -> None:
    """Run with stores of its own, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service.mcp_calls", description=__doc__)
    parser.add_argument("--calls", type=int, default=CALLS)
    arguments = parser.parse_args()
    with own_stores("mcp") as plan:
        print("\n".join(tables.mcp_calls({"service_mcp": measure_mcp_calls(plan, arguments.calls)})))


if __name__ == "__main__":
    main()
