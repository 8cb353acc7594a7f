"""Searches a second over HTTP with several clients, and what HTTP adds to the time of a search."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import local
from typing import Any

from benchmarks import data, index, measure
from benchmarks.plan import Plan
from benchmarks.service.process import Caller, Served
from tetragraph import Tetragraph

SET = "2wikimultihopqa"
CLIENTS = (1, 4, 16)
IN_PROCESS = "in process, 1 client"


def measure_load(plan: Plan) -> dict[str, Any]:
    """Ask the same questions in one process and over HTTP, each time in a new process that has cached none of them.

    Returns:
        For each number of clients the percentiles and the searches a second, the rate with 16 clients over that with 4,
        and the milliseconds that HTTP adds to the median.
    """
    index.ingest(plan, SET, ())
    texts = [question.text for question in data.questions(SET, "dev")[: plan.questions]]
    with Tetragraph.connect(plan.settings) as client:
        corpus = client.corpus(SET)
        alone = measure.load([partial(corpus.search, text, k=10) for text in texts])
    rows = {IN_PROCESS: alone}
    for clients in CLIENTS:
        with Served(plan.environment, plan.home / "server.log") as server:
            rows[f"over HTTP, {clients} clients"] = measure.load(_searches(server.port, texts), clients)
    one, four, sixteen = (rows[f"over HTTP, {clients} clients"] for clients in CLIENTS)
    return {
        "searches": rows,
        "ratios": {
            "rate_at_16_over_rate_at_4": round(sixteen["per_s"] / four["per_s"], 3),
            "http_adds_to_p50_ms": round(one["p50_ms"] - alone["p50_ms"], 2),
        },
    }


def _searches(port: int, texts: list[str]) -> list[Callable[[], None]]:
    """A search over HTTP for each question; each thread keeps its connection."""
    callers = local()

    def search(text: str) -> None:
        if not hasattr(callers, "own"):
            callers.own = Caller(port)
        status, _, body = callers.own.post(f"/v1/corpora/{SET}/search", {"question": text, "k": 10})
        if status != 200:
            raise RuntimeError(f"a search ended with {status}: {body}")

    return [partial(search, text) for text in texts]
