"""A switch of the embedder that is killed while clients search: no search fails, and none mixes the two embedders.

``python -m benchmarks.reembed_killed --kills 20 --keep`` measures it and stores the figures. Neo4j is one of its own;
the vectors are on the Qdrant server of ``QDRANT_URL``, as only a server shares them between processes.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks import readme
from benchmarks.kill_commands import EARLIEST, SEED, SHORTER, finish, keep, own_bench, read_content
from benchmarks.killed_process import Launcher
from benchmarks.killed_world import CORPUS, QUESTION, Bench, Command, drop, prepare, write_files
from benchmarks.plan import Plan, own_stores
from tetragraph import Settings, Tetragraph

PART = "reembed_killed"
KILLS = 20
CLIENTS = 4
QUESTIONS = (QUESTION, "Who wrote it?", "Where was he born?")
METHODS = ("dense", "evidence")
READERS_S = 5
"""Seconds that the old vectors stay after the switch, for searches that have begun."""
COMMAND = Command(("reembed", CORPUS, "--embedder", "minilm", "--keep", str(READERS_S)))
Hits = list[tuple[str, float]]
Answers = dict[tuple[str, str, str], Hits]


@dataclass
class Seen:
    """What the clients found.

    Attributes:
        searches: Number of searches that ended.
        failed: Errors.
        mixed: Results that are not those of the embedder that they name.
    """

    searches: int = 0
    failed: list[str] = field(default_factory=list)
    mixed: list[str] = field(default_factory=list)


def measure_reembed_killed(plan: Plan, kills: int = KILLS) -> dict[str, Any]:
    """Kill a switch of the embedder at random moments while clients search, and run it again.

    Returns:
        Numbers of kills, of ends equal to an undisturbed one, of clients, of searches, of those that failed, and of
        results that mix the embedders.
    """
    with own_bench(plan) as bench:
        write_files(bench.folder)
        launcher = Launcher(bench.environment, bench.folder)
        words = [bench.corpus if one == CORPUS else one for one in COMMAND.arguments] + ["--json"]
        prepare(bench, COMMAND, "")
        answers = _ask_all(bench)
        began = time.monotonic()
        finish(launcher, words)
        length = time.monotonic() - began
        answers |= _ask_all(bench)
        expected = read_content(bench)
        rng = np.random.default_rng(SEED)
        seen, done, equal = Seen(), 0, 0
        while done < kills:
            prepare(bench, COMMAND, "")
            with _searched(bench, answers, seen):
                is_killed = launcher.run(words, kill_after_s=length * rng.uniform(EARLIEST, 1.0)) is None
                if is_killed:
                    launcher.run(words)
            if is_killed:
                done += 1
                equal += read_content(bench) == expected
            else:
                length *= SHORTER
        with Tetragraph.connect(bench.settings) as client:
            drop(client, bench)
    for fault in dict.fromkeys((*seen.failed, *seen.mixed)):
        print(fault, flush=True)
    return {
        "reembed, kill -9 and again": {
            "kills": done,
            "equal to undisturbed": equal,
            "clients": CLIENTS,
            "searches": seen.searches,
            "failed": len(seen.failed),
            "mixed": len(seen.mixed),
        }
    }


def _ask_all(bench: Bench) -> Answers:
    """Hits of every question by every method, by the embedder that the result names, too."""
    with Tetragraph.connect(bench.settings) as client:
        found = (_ask(client, bench.corpus, question, method) for question in QUESTIONS for method in METHODS)
        return dict(found)


def _ask(client: Tetragraph, corpus: str, question: str, method: str) -> tuple[tuple[str, str, str], Hits]:
    result = client.corpus(corpus).search(question, method=method, k=5)
    hits = [(hit.chunk.id, round(hit.score, 5)) for hit in result.hits]
    return (str(result.manifest["embedder"]), question, method), hits


@contextmanager
def _searched(bench: Bench, answers: Answers, seen: Seen) -> Iterator[None]:
    """Clients that search all the time while the block runs."""
    done, lock = threading.Event(), threading.Lock()

    def search(number: int) -> None:
        with Tetragraph.connect(bench.settings) as client:
            while not done.is_set():
                question, method = QUESTIONS[number % len(QUESTIONS)], METHODS[number % len(METHODS)]
                number += 1
                try:
                    key, hits = _ask(client, bench.corpus, question, method)
                except Exception as error:  # noqa: BLE001 - every error is one of a search
                    with lock:
                        seen.failed.append(repr(error))
                    continue
                with lock:
                    seen.searches += 1
                    if answers.get(key) != hits:
                        seen.mixed.append(f"{key}: {hits}")

    with ThreadPoolExecutor(CLIENTS) as pool:
        clients = [pool.submit(search, number) for number in range(CLIENTS)]
        try:
            yield
        finally:
            done.set()
        for one in clients:
            one.result()


def main() -> None:
    """Measure in stores of its own, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reembed_killed", description=__doc__)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--keep", action="store_true", help="store the figures with the results of this day")
    arguments = parser.parse_args()
    if not Settings().qdrant_url:
        parser.error("processes share vectors on a server only: set QDRANT_URL, and QDRANT_API_KEY if it has one")
    with own_stores("reembed") as plan:
        figures = measure_reembed_killed(plan, arguments.kills)
    if arguments.keep:
        keep(PART, figures)
    print("\n".join(readme.as_measured("figures")({"figures": figures})))


if __name__ == "__main__":
    main()
