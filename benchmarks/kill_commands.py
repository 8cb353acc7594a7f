"""Commands that are killed at random moments, and run again: the stores must then be those of an undisturbed run.

``python -m benchmarks.kill_commands --kills 20 --only sync`` kills one of them, or at fewer moments; several processes
with other ``--only`` can run beside one another, as each has stores of its own.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import neo4j
import numpy as np

from benchmarks import measure, report
from benchmarks.killed_process import Launcher
from benchmarks.killed_world import (
    BACKUP,
    COPY,
    CORPUS,
    Bench,
    Command,
    commands,
    drop,
    prepare,
    served,
    write_files,
)
from benchmarks.plan import Plan, own_stores
from tetragraph import Tetragraph
from tetragraph.stores import local
from tetragraph.stores.vectors import Kind

PART = "kill_commands"
KILLS = 100
"""Kills of each command."""
SEED = 1
EARLIEST = 0.02
"""Earliest moment of a kill as a share of the undisturbed duration."""
SHORTER = 0.95
"""Factor on the assumed duration of a command that ended before its kill."""
NOTHING_LEFT = ("deleted nothing", "which it has", "which there is", "which the other stores have")
"""Messages of repeated commands that had done all, as they were killed between their last write and their end."""
NODES = (
    "MATCH (n {corpus: $corpus}) WHERE NOT n:Corpus AND NOT n:IngestState "
    "AND NOT n:Session AND NOT n:Step AND NOT n:Anchor AND NOT n:Job "
    "RETURN labels(n) AS labels, n {.*, generation: null, corpus: null} AS found"
)
LINKS = (
    "MATCH (a {corpus: $corpus})-[r]->(b {corpus: $corpus}) "
    "WHERE NOT a:Session AND NOT a:Step AND NOT a:Anchor "
    "RETURN a.id AS start, type(r) AS type, r {.*, generation: null} AS found, b.id AS end"
)
KINDS: tuple[Kind, ...] = ("chunks", "communities", "relations", "entities")
Content = dict[str, Any]


def measure_kill_commands(plan: Plan) -> dict[str, Any]:
    """Kill each command at random moments, run it again, and compare graph, vectors and session."""
    with own_bench(plan) as bench:
        return dict(_measure(bench, KILLS, SEED, ()))


@contextmanager
def own_bench(plan: Plan) -> Iterator[Bench]:
    """Where commands are killed in the stores of a plan; its folder is removed at the end."""
    server = local.start(plan.settings)
    environment = {**os.environ, **plan.environment}
    auth = (server.user, server.password)
    with (
        tempfile.TemporaryDirectory() as folder,
        neo4j.GraphDatabase.driver(server.uri, auth=auth) as driver,
    ):
        yield Bench(plan.settings, environment, driver, Path(folder), f"killed-{uuid.uuid4().hex[:8]}")


def _measure(bench: Bench, kills: int, seed: int, only: Sequence[str]) -> Iterator[tuple[str, dict[str, int]]]:
    for place, (name, command) in enumerate(commands().items()):
        if not only or name in only:
            began = time.monotonic()
            figures = measure_command(bench, command, kills, np.random.default_rng([seed, place]))
            print(f"{name}: {figures} in {time.monotonic() - began:.0f} s", flush=True)
            yield name, figures


def measure_command(bench: Bench, command: Command, kills: int, rng: np.random.Generator) -> dict[str, int]:
    """Kill one command several times; where it has ended before its kill, again at another moment.

    Returns:
        The number of kills, and of those after which the same command ended with the content of an undisturbed run.
    """
    write_files(bench.folder)
    launcher = Launcher(bench.environment, bench.folder)
    words = [{CORPUS: bench.corpus, COPY: bench.names()[1]}.get(one, one) for one in command.arguments] + ["--json"]
    result = bench.names()[command.result == COPY]
    with served(bench.folder) as address:
        prepare(bench, command, address)
        began = time.monotonic()
        finish(launcher, words)
        length = time.monotonic() - began
        expected = read_content(bench, result)
        done = equal = 0
        while done < kills:
            prepare(bench, command, address)
            if launcher.run(words, kill_after_s=length * rng.uniform(EARLIEST, 1.0)) is None:
                done += 1
                equal += _is_mended(bench, launcher, words, result, expected)
            else:
                length *= SHORTER
    with Tetragraph.connect(bench.settings) as client:
        drop(client, bench)
    return {"kills": kills, "equal to undisturbed": equal}


def finish(launcher: Launcher, words: Sequence[str]) -> None:
    """Run a command to its end.

    Raises:
        RuntimeError: it failed.
    """
    ended = launcher.run(words)
    if ended is None or ended.code:
        raise RuntimeError(f"{' '.join(words)} failed without a kill: {ended}")


def _is_mended(bench: Bench, launcher: Launcher, words: Sequence[str], result: str, expected: Content) -> bool:
    ended = launcher.run(words)
    if ended is None or (ended.code and not any(message in ended.output for message in NOTHING_LEFT)):
        print(f"{' '.join(words)}: {ended}", flush=True)
        return False
    found = read_content(bench, result)
    for key in (key for key in expected if found[key] != expected[key]):
        print(f"{' '.join(words)}: other {key}", flush=True)
    return found == expected


def read_content(bench: Bench, name: str | None = None) -> Content:
    """Nodes, relationships and vectors of a corpus, and the steps of its newest session; no times, no generations.

    Args:
        bench: Stores and folder.
        name: Name of the corpus; that of the bench by default.
    """
    corpus = name or bench.corpus
    content: Content = {}
    for what, statement in {"nodes": NODES, "links": LINKS}.items():
        rows = bench.driver.execute_query(statement, corpus=corpus).records
        content[what] = sorted(repr(_in_order(row.data())).replace(corpus, CORPUS) for row in rows)
    with Tetragraph.connect(bench.settings) as client:
        vectors = client.connection.stores(corpus).vectors
        for kind in KINDS:
            content[f"vectors of {kind}"] = sorted(
                (node, [round(float(number), 4) for number in vector])
                for nodes, batch in vectors.scroll(corpus, kind)
                for node, vector in zip(nodes, batch, strict=True)
            )
        newest = client.corpus(corpus).sessions.newest(1)
        steps = client.corpus(corpus).session(newest[0].id).steps if newest else ()
        content["session"] = [(step.query, [hit.chunk.id for hit in step.hits], step.answer) for step in steps]
    file = bench.folder / BACKUP
    content["backup"] = Tetragraph.verify_backup(file).fingerprint if file.exists() else ""
    return content


def _in_order(row: dict[str, Any]) -> list[tuple[str, Any]]:
    """A row with the properties in order of name."""
    return [(key, sorted(value.items()) if isinstance(value, dict) else value) for key, value in row.items()]


def keep(part: str, figures: dict[str, Any]) -> None:
    """Store figures beside those of this part that were measured on this day."""
    date = dt.date.today().isoformat()
    file = report.FOLDER / f"{date}.json"
    before = json.loads(file.read_text(encoding="utf-8")).get(part, {}) if file.is_file() else {}
    facts = {"date": date, "machine": measure.machine(), "embedder": "bge-small"}
    report.write({**facts, part: {**before, **figures}}, report.FOLDER)


def main() -> None:
    """Kill commands in stores of their own, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kill_commands", description=__doc__)
    parser.add_argument("--kills", type=int, default=KILLS, help="number of kills of each command")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", action="append", default=[], choices=list(commands()), help="may be repeated")
    parser.add_argument("--keep", action="store_true", help="store the figures with the results of this day")
    arguments = parser.parse_args()
    found = {}
    with own_stores("killed") as plan, own_bench(plan) as bench:
        for name, figures in _measure(bench, arguments.kills, arguments.seed, arguments.only):
            found[name] = figures
            if arguments.keep:
                keep(PART, {name: figures})
    rows = [[name, *map(report.shown, row.values())] for name, row in found.items()]
    print("\n".join(report.table(["", "kills", "equal to undisturbed"], rows)))


if __name__ == "__main__":
    main()
