"""Searches a second over HTTP with several clients, and what HTTP adds to the time of a search.

What is compared is measured in turns, each side in a process that has seen none of the questions: other work on the
machine, and what Neo4j has read, count for both.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

import numpy as np

from benchmarks import data, index, measure
from benchmarks.plan import Plan
from benchmarks.service.connections import Connection, Timed, load, post
from benchmarks.service.process import Served
from tetragraph import Tetragraph

SET = "2wikimultihopqa"
FEW, MANY = 4, 16
"""Numbers of clients whose rates are compared."""
BLOCK = 40
"""Number of questions after which the number of clients changes."""
K = 10
PATH = f"/v1/corpora/{SET}/search"
Rows = dict[str, dict[str, float]]


def measure_load(plan: Plan) -> dict[str, Any]:
    """Ask the same questions in this process and over HTTP.

    The first questions are asked beforehand and not measured: indexes are loaded and loops compiled.

    Returns:
        For each number of clients the percentiles, the searches a second and the processor time of a search, the rate
        with 16 clients over that with 4, and the milliseconds that HTTP adds to a search.
    """
    index.ingest(plan, SET, ())
    texts = [question.text for question in data.questions(SET, "dev")[: plan.questions]]
    ways, added_ms = _compare_ways(plan, texts)
    rows = {**ways, **_compare_clients(plan, texts)}
    return {
        "searches": rows,
        "ratios": {
            "rate_at_16_over_rate_at_4": round(rows[_clients(MANY)]["per_s"] / rows[_clients(FEW)]["per_s"], 3),
            "http_adds_ms": added_ms,
        },
    }


def _compare_ways(plan: Plan, texts: Sequence[str]) -> tuple[Rows, float]:
    """One client asks each question in this process and over HTTP, the other way first each time.

    Over HTTP a search ends with its JSON as objects of Python.

    Returns:
        Rows of both ways, and the median over the questions of the milliseconds that HTTP adds to a question. The times
        of questions differ by a factor of three, so the difference of the two medians varies more from run to run.
    """
    alone, served, before = Timed(), Timed(), 0.0
    with ExitStack() as stack:
        server = stack.enter_context(_serve(plan))
        corpus = stack.enter_context(Tetragraph.connect(plan.settings)).corpus(SET)
        connection = stack.enter_context(Connection(server.port))
        for number, text in enumerate(texts):
            if number == measure.WARM_UP:
                before = measure.cpu_s(server.process.pid)
            ways: list[tuple[Timed, Callable[[], Any]]] = [
                (alone, partial(corpus.search, text, k=K)),
                (served, partial(_ask, connection, _request(text))),
            ]
            for timed, search in ways[:: -1 if number % 2 else 1]:
                _time(search, timed if number >= measure.WARM_UP else Timed())
        served.cpu_s += measure.cpu_s(server.process.pid) - before
    added_ms = round(float(np.median(np.subtract(served.ms, alone.ms))), 2)
    return {"in process, 1 client": _row(alone), "over HTTP, 1 client": _row(served)}, added_ms


def _compare_clients(plan: Plan, texts: Sequence[str]) -> Rows:
    """Each block of questions is asked by few and by many clients, each time of another server."""
    found = {FEW: Timed(), MANY: Timed()}
    requests = [_request(text) for text in texts]
    with ExitStack() as stack:
        servers = {clients: stack.enter_context(_serve(plan)) for clients in found}
        for clients, server in servers.items():
            load(server.port, requests[: measure.WARM_UP], clients, Timed())
        for number, start in enumerate(range(measure.WARM_UP, len(requests), BLOCK)):
            for clients in [*found][:: -1 if number % 2 else 1]:
                pid, timed = servers[clients].process.pid, found[clients]
                before = measure.cpu_s(pid) + time.process_time()
                load(servers[clients].port, requests[start : start + BLOCK], clients, timed)
                timed.cpu_s += measure.cpu_s(pid) + time.process_time() - before
    return {_clients(clients): _row(timed) for clients, timed in found.items()}


def _clients(count: int) -> str:
    """Name of the row of searches over HTTP by several clients."""
    return f"over HTTP, {count} clients"


def _serve(plan: Plan) -> Served:
    return Served(plan.environment, plan.home / "server.log")


def _request(text: str) -> bytes:
    return post(PATH, {"question": text, "k": K})


def _ask(connection: Connection, request: bytes) -> Any:
    return json.loads(connection.ask(request))


def _time(search: Callable[[], Any], timed: Timed) -> None:
    """Time one search, with the processor time of this process."""
    cpu_s, began = time.process_time(), time.perf_counter()
    search()
    seconds = time.perf_counter() - began
    timed.cpu_s += time.process_time() - cpu_s
    timed.ms.append(seconds * 1000)
    timed.wall_s += seconds


def _row(timed: Timed) -> dict[str, float]:
    count = len(timed.ms)
    rate, cpu_ms = round(count / timed.wall_s, 1), round(timed.cpu_s * 1000 / count, 1)
    return {**measure.percentiles(timed.ms), "per_s": rate, "cpu_ms": cpu_ms}
