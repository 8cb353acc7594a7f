"""Commands that are killed at random moments, and run again: the stores must then be those of an undisturbed run.

``python -m benchmarks.kill_commands --kills 20 --seed 2`` kills at fewer moments, or others.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import neo4j
import numpy as np

from benchmarks import report
from benchmarks.hostile import first_documents
from benchmarks.plan import Plan, own_stores
from tetragraph import Document, Tetragraph
from tetragraph.settings import Settings
from tetragraph.stores import local
from tetragraph.stores.vectors import Kind
from tetragraph.systems.registry import BUILD_TARGETS

KILLS = 100
SEED = 1
EARLIEST = 0.3
"""Earliest moment of a kill as a share of the undisturbed duration; before it Python is still importing."""
SHORTER = 0.95
"""Factor on the assumed duration of a command that ended before its kill."""
NOTHING_LEFT = ("deleted nothing", "which it has", "which there is")
"""Messages of repeated commands that had done all, as they were killed between their last write and their end."""
GRAPHS = tuple(BUILD_TARGETS)
CORPUS = "<corpus>"
FOLLOWED, BACKUP, SAVED = "followed", "written.tetragraph", "saved.tetragraph"
QUESTION = "Which bronze medal did Khaled Al-Eid win?"
NODES = (
    "MATCH (n {corpus: $corpus}) WHERE NOT n:Corpus AND NOT n:IngestState "
    "AND NOT n:Session AND NOT n:Step AND NOT n:Anchor AND NOT n:Job "
    "RETURN labels(n) AS labels, n {.*, generation: null} AS found"
)
LINKS = (
    "MATCH (a {corpus: $corpus})-[r]->(b {corpus: $corpus}) "
    "WHERE NOT a:Session AND NOT a:Step AND NOT a:Anchor "
    "RETURN a.id AS start, type(r) AS type, r {.*, generation: null} AS found, b.id AS end"
)
KINDS: tuple[Kind, ...] = ("chunks", "communities", "relations", "entities")
Content = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bench:
    """Where commands are killed.

    Attributes:
        settings: Settings of the stores.
        environment: All environment variables of the commands.
        driver: Driver of the database, which reads without the code under test.
        folder: Folder with the files to ingest.
        corpus: Name of the corpus.
    """

    settings: Settings
    environment: Mapping[str, str]
    driver: neo4j.Driver
    folder: Path
    corpus: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and the graphs that the corpus has before it.

    Attributes:
        arguments: Arguments of ``tetragraph``, with ``CORPUS`` for the name of the corpus.
        before: Graphs of the corpus before the command; None if there is no corpus.
        follows: Whether the corpus follows a folder before the command, which then changes.
    """

    arguments: tuple[str, ...]
    before: tuple[str, ...] | None = GRAPHS
    follows: bool = False


def commands() -> dict[str, Command]:
    """The commands that change a corpus, by name."""
    every = tuple(word for graph in GRAPHS for word in ("--build", graph))
    gone = [document.id for document in first_documents()[2:4]]
    return {
        "ingest": Command(("ingest", "base.jsonl", "-c", CORPUS, *every), None),
        "replace": Command(("ingest", "changed.jsonl", "-c", CORPUS)),
        "delete": Command(("delete", CORPUS, "-d", gone[0], "-d", gone[1])),
        **{f"build {graph}": Command(("build", graph, "-c", CORPUS), ()) for graph in GRAPHS},
        "sync": Command(("sync", FOLLOWED, "-c", CORPUS), follows=True),
        "backup": Command(("backup", BACKUP, "-c", CORPUS, "--force")),
        "restore": Command(("restore", SAVED, "--as", CORPUS), None),
        "reembed": Command(("reembed", CORPUS, "--embedder", "minilm", "--keep", "0")),
        "session": Command(("anchor", QUESTION, "-c", CORPUS, "--extractive")),
    }


def measure_kill_commands(plan: Plan) -> dict[str, Any]:
    """Kill each command at random moments, run it again, and compare graph, vectors and session."""
    return _measure(plan, KILLS, SEED, ())


def _measure(plan: Plan, kills: int, seed: int, only: Sequence[str]) -> dict[str, Any]:
    server = local.start(plan.settings)
    environment = {**os.environ, **plan.environment}
    auth = (server.user, server.password)
    with (
        tempfile.TemporaryDirectory() as folder,
        neo4j.GraphDatabase.driver(server.uri, auth=auth) as driver,
    ):
        bench = Bench(plan.settings, environment, driver, Path(folder), f"killed-{uuid.uuid4().hex[:8]}")
        chosen = {name: command for name, command in commands().items() if not only or name in only}
        figures = {}
        for place, (name, command) in enumerate(chosen.items()):
            count = kills // len(chosen) + (place < kills % len(chosen))
            figures[name] = measure_command(bench, command, count, np.random.default_rng([seed, place]))
            print(name, figures[name], flush=True)
    total = {key: sum(row[key] for row in figures.values()) for key in ("kills", "equal to undisturbed")}
    return {**figures, "total": total}


def measure_command(bench: Bench, command: Command, kills: int, rng: np.random.Generator) -> dict[str, int]:
    """Kill one command several times; where it has ended before its kill, again at another moment.

    Returns:
        The number of kills, and of those after which the same command ended with the content of an undisturbed run.
    """
    write_files(bench.folder)
    prepare(bench, command)
    began = time.monotonic()
    finish(bench, command)
    length = time.monotonic() - began
    expected = read_content(bench)
    done = equal = 0
    while done < kills:
        prepare(bench, command)
        if kill(bench, command, length * rng.uniform(EARLIEST, 1.0)):
            done += 1
            equal += _is_mended(bench, command, expected)
        else:
            length *= SHORTER
    drop(bench)
    return {"kills": kills, "equal to undisturbed": equal}


def _is_mended(bench: Bench, command: Command, expected: Content) -> bool:
    try:
        finish(bench, command)
    except subprocess.CalledProcessError as error:
        if not any(message in error.stderr for message in NOTHING_LEFT):
            print(f"{' '.join(command.arguments)}: exit {error.returncode}: {error.stderr}", flush=True)
            return False
    found = read_content(bench)
    for key in (key for key in expected if found[key] != expected[key]):
        print(f"{' '.join(command.arguments)}: other {key}", flush=True)
    return found == expected


def write_files(folder: Path) -> None:
    """Write the documents, and four of them with another text."""
    base = first_documents()
    changed = [Document(one.id, one.title, f"{one.text} Orla Brandt of Halvik read it.") for one in base[:4]]
    for name, documents in {"base.jsonl": base, "changed.jsonl": [*changed, *base[4:]]}.items():
        rows = [json.dumps({"id": one.id, "title": one.title, "text": one.text}) for one in documents]
        (folder / name).write_text("\n".join(rows) + "\n", encoding="utf-8")


def prepare(bench: Bench, command: Command) -> None:
    """Make the corpus what it is before the command."""
    drop(bench)
    with Tetragraph.connect(bench.settings) as client:
        corpus = client.corpus(bench.corpus)
        if command.follows:
            write_folder(bench.folder / FOLLOWED, is_changed=False)
            corpus.sync(bench.folder / FOLLOWED, build=command.before or ())
            write_folder(bench.folder / FOLLOWED, is_changed=True)
        elif command.before is not None:
            corpus.ingest(bench.folder / "base.jsonl", build=command.before)
        elif SAVED in command.arguments and not (bench.folder / SAVED).exists():
            corpus.ingest(bench.folder / "base.jsonl", build=GRAPHS)
            corpus.backup(bench.folder / SAVED)
            corpus.drop()


def write_folder(folder: Path, *, is_changed: bool) -> None:
    """Write a file for each document; with changes all are in another folder, one is gone, one new, one different."""
    shutil.rmtree(folder, ignore_errors=True)
    place = folder / "moved" if is_changed else folder
    place.mkdir(parents=True)
    documents = first_documents()[is_changed:]
    if is_changed:
        documents[0] = replace(documents[0], text=f"{documents[0].text} Orla Brandt of Halvik read it.")
        documents.append(Document("new", "Halvik", "Orla Brandt built the harbour of Halvik."))
    for document in documents:
        (place / f"{document.id}.md").write_text(f"# {document.title}\n\n{document.text}\n", encoding="utf-8")


def drop(bench: Bench) -> None:
    """Delete the corpus, if there is one."""
    with Tetragraph.connect(bench.settings) as client:
        if bench.corpus in {corpus.name for corpus in client.corpora()}:
            client.corpus(bench.corpus).drop()


def finish(bench: Bench, command: Command) -> None:
    """Run the command to its end; raises ``CalledProcessError`` if that is a failure."""
    subprocess.run(
        _words(bench, command),
        env=bench.environment,
        cwd=bench.folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )


def kill(bench: Bench, command: Command, seconds: float) -> bool:
    """Start the command, and kill it after some time; returns whether it was still running."""
    process = subprocess.Popen(
        _words(bench, command),
        env=bench.environment,
        cwd=bench.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def _words(bench: Bench, command: Command) -> list[str]:
    arguments = [bench.corpus if one == CORPUS else one for one in command.arguments]
    return [sys.executable, "-m", "tetragraph", *arguments, "--json"]


def read_content(bench: Bench) -> Content:
    """Nodes, relationships and vectors of the corpus, and the steps of its newest session; no times, no generations."""
    content: Content = {}
    for name, statement in {"nodes": NODES, "links": LINKS}.items():
        rows = bench.driver.execute_query(statement, corpus=bench.corpus).records
        content[name] = sorted(repr(_in_order(row.data())) for row in rows)
    with Tetragraph.connect(bench.settings) as client:
        vectors = client.connection.stores(bench.corpus).vectors
        for kind in KINDS:
            content[f"vectors of {kind}"] = sorted(
                (name, [round(float(number), 4) for number in vector])
                for names, batch in vectors.scroll(bench.corpus, kind)
                for name, vector in zip(names, batch, strict=True)
            )
        newest = client.corpus(bench.corpus).sessions.newest(1)
        steps = client.corpus(bench.corpus).session(newest[0].id).steps if newest else ()
        content["session"] = [(step.query, [hit.chunk.id for hit in step.hits], step.answer) for step in steps]
    file = bench.folder / BACKUP
    content["backup"] = Tetragraph.verify_backup(file).fingerprint if file.exists() else ""
    return content


def _in_order(row: dict[str, Any]) -> list[tuple[str, Any]]:
    """A row with the properties in order of name."""
    return [(key, sorted(value.items()) if isinstance(value, dict) else value) for key, value in row.items()]


def main() -> None:
    """Kill commands in stores of their own, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kill_commands", description=__doc__)
    parser.add_argument("--kills", type=int, default=KILLS, help="number of moments, shared by the commands")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", action="append", default=[], choices=list(commands()), help="may be repeated")
    arguments = parser.parse_args()
    with own_stores("killed") as plan:
        found = _measure(plan, arguments.kills, arguments.seed, arguments.only)
    rows = [[name, *map(report.shown, row.values())] for name, row in found.items()]
    print("\n".join(report.table(["", *found["total"]], rows)))


if __name__ == "__main__":
    main()
