"""Fifty clients for ten minutes: errors, memory, descriptors and threads of the server.

``python -m benchmarks.service.soak --minutes 2`` is shorter.
"""

from __future__ import annotations

import argparse
import itertools
import random
import threading
import time
from collections import Counter
from typing import Any

import psutil

from benchmarks.hostile import first_documents
from benchmarks.plan import Plan, own_stores
from benchmarks.service import tables
from benchmarks.service.process import Caller, Served
from benchmarks.watch import Watch
from tetragraph import Tetragraph, samples
from tetragraph.stores import local

CLIENTS = 50
MINUTES = 10.0
SETTLED = 0.2
"""Share of the time after which caches are full, and growth is measured from."""
SHARES = {"search": 0.75, "ask": 0.2, "ingest": 0.05}
READ, WRITTEN = "read", ("written-1", "written-2")
PASSAGES = 400
REFUSED = (429, 503)
EVERY_S = 1.0


def measure_soak(plan: Plan, minutes: float = MINUTES) -> dict[str, Any]:
    """Let clients search, ask and ingest at random, and read the process of the server meanwhile.

    Returns:
        Calls by kind and status, and the highest resident memory, number of open descriptors and of threads of the
        process of the server in a tenth of the time: once settled, and at the end.
    """
    local.start(plan.settings)
    with Tetragraph.connect(plan.settings) as client:
        client.corpus(READ).ingest(first_documents(PASSAGES), build=())
        for name in WRITTEN:
            client.corpus(name).ingest(first_documents(5), build=())
    counts: Counter[tuple[str, int]] = Counter()
    with Served(plan.environment, plan.home / "server.log") as served:
        process = psutil.Process(served.process.pid)
        probes = {
            "memory, MB": lambda: process.memory_info().rss / 1e6,
            "descriptors": lambda: float(process.num_fds()),
            "threads": lambda: float(process.num_threads()),
        }
        began = time.monotonic()
        end = began + minutes * 60
        with Watch(probes, EVERY_S) as watch:
            clients = [threading.Thread(target=_call, args=(served.port, i, end, counts)) for i in range(CLIENTS)]
            for one in clients:
                one.start()
            for one in clients:
                one.join()
        settled = began + minutes * 60 * SETTLED
        tenth = minutes * 6
        growth = {
            name: {
                "settled": watch.highest(name, settled, settled + tenth),
                "at the end": watch.highest(name, end - tenth, end),
            }
            for name in probes
        }
    calls = {f"{kind}, {status}": count for (kind, status), count in sorted(counts.items())}
    return {"calls": calls, "process": growth}


def _call(port: int, number: int, end: float, counts: Counter[tuple[str, int]]) -> None:
    """Call the server until a time; what it refuses as busy is not repeated, but waited for."""
    chance = random.Random(number)  # noqa: S311  # a choice of calls, no secret
    questions = [question.question for question in samples.questions()]
    caller = Caller(port)
    for count in itertools.count():
        if time.monotonic() > end:
            break
        (kind,) = chance.choices(list(SHARES), list(SHARES.values()))
        status, headers, _ = _one(caller, kind, chance, questions, f"{number}-{count}")
        counts[kind, status] += 1
        if status in REFUSED:
            time.sleep(float(headers.get("Retry-After", 1)))
    caller.close()


def _one(caller: Caller, kind: str, chance: random.Random, questions: list[str], name: str) -> Any:
    if kind == "ingest":
        document = {"id": f"note-{chance.randrange(20)}", "title": "Note", "text": f"Elva Kron wrote note {name}."}
        corpus = chance.choice(WRITTEN)
        return caller.post(f"/v1/corpora/{corpus}/documents", {"documents": [document], "build": []})
    body = {"question": f"{chance.choice(questions)} {chance.randrange(50)}", "k": 5}
    return caller.post(f"/v1/corpora/{READ}/{kind}", body)


def main() -> None:
    """Run with stores of their own, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    arguments = parser.parse_args()
    with own_stores("soak") as plan:
        found = measure_soak(plan, arguments.minutes)
    print("\n".join(tables.soak({"service_soak": found})))


if __name__ == "__main__":
    main()
