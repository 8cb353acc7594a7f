"""Where commands are killed: the files that they read, and the corpus as it is before each of them."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import neo4j

from benchmarks.hostile import first_documents
from tetragraph import Corpus, Document, FetchOptions, Tetragraph
from tetragraph.settings import Settings
from tetragraph.systems.registry import BUILD_TARGETS

GRAPHS = tuple(BUILD_TARGETS)
CORPUS, COPY = "<corpus>", "<copy>"
"""Names of the corpus and of its copy in arguments."""
FOLLOWED, ADDRESSES, KNOWN = "followed", "addresses.txt", "known.csv"
BACKUP, SAVED = "written.tetragraph", "saved.tetragraph"
QUESTION = "Which bronze medal did Khaled Al-Eid win?"
_QUICK = FetchOptions(delay_s=0)
_DAMAGE = (
    "MATCH (n:Entity {corpus: $corpus}) WITH n ORDER BY n.id LIMIT 5 DETACH DELETE n",
    "MATCH (:Chunk {corpus: $corpus})-[r:INFO_GAIN]->() WITH r LIMIT 5 DELETE r",
)
"""What something else deletes before a repair."""


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

    def names(self) -> tuple[str, str]:
        """Names of the corpus and of its copy."""
        return self.corpus, f"{self.corpus}-copy"


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and the corpus that it finds.

    Attributes:
        arguments: Arguments of ``tetragraph``, with ``CORPUS`` and ``COPY`` for the names of corpora.
        before: Graphs of the corpus before the command; None if there is no corpus.
        follows: What the corpus follows before the command, and what then changes: ``folder``, ``addresses``, or
            empty for nothing.
        is_damaged: Whether something else has deleted parts of the corpus.
        result: Name of the corpus that the command makes or changes.
    """

    arguments: tuple[str, ...]
    before: tuple[str, ...] | None = GRAPHS
    follows: str = ""
    is_damaged: bool = False
    result: str = CORPUS


def commands() -> dict[str, Command]:
    """The commands that change a corpus, by name."""
    every = tuple(word for graph in GRAPHS for word in ("--build", graph))
    gone = [document.id for document in first_documents()[2:4]]
    return {
        "ingest": Command(("ingest", "base.jsonl", "-c", CORPUS, *every), None),
        "replace": Command(("ingest", "changed.jsonl", "-c", CORPUS)),
        "gazetteer": Command(("ingest", "base.jsonl", "-c", CORPUS, "--gazetteer", KNOWN)),
        "delete": Command(("delete", CORPUS, "-d", gone[0], "-d", gone[1])),
        **{f"build {graph}": Command(("build", graph, "-c", CORPUS), ()) for graph in GRAPHS},
        "sync": Command(("sync", FOLLOWED, "-c", CORPUS), follows="folder"),
        "sync addresses": Command(("sync", ADDRESSES, "-c", CORPUS, "--delay", "0"), follows="addresses"),
        "backup": Command(("backup", BACKUP, "-c", CORPUS, "--force")),
        "restore": Command(("restore", SAVED, "--as", CORPUS), None),
        "copy": Command(("copy", CORPUS, "--to", "local", "--as", COPY), result=COPY),
        "reembed": Command(("reembed", CORPUS, "--embedder", "minilm", "--keep", "0")),
        "repair": Command(("doctor", "--repair", "--yes", "-c", CORPUS), is_damaged=True),
        "session": Command(("anchor", QUESTION, "-c", CORPUS, "--extractive")),
    }


def write_files(folder: Path) -> None:
    """Write the documents, four of them with another text, and known entities."""
    base = first_documents()
    changed = [Document(one.id, one.title, f"{one.text} Orla Brandt of Halvik read it.") for one in base[:4]]
    for name, documents in {"base.jsonl": base, "changed.jsonl": [*changed, *base[4:]]}.items():
        rows = [json.dumps({"id": one.id, "title": one.title, "text": one.text}) for one in documents]
        (folder / name).write_text("\n".join(rows) + "\n", encoding="utf-8")
    known = "".join(f"{one.title},WORK,\n" for one in base[:3] if "," not in one.title)
    (folder / KNOWN).write_text(f"name,type,aliases\n{known}", encoding="utf-8")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a web server with the files of a folder, on a free port of the loopback interface."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class' name
        """Print nothing."""


def prepare(bench: Bench, command: Command, address: str) -> None:
    """Make the corpus what it is before the command: the first time by an ingest, then from a backup of that."""
    with Tetragraph.connect(bench.settings) as client:
        drop(client, bench)
        corpus = client.corpus(bench.corpus)
        kind = command.follows or "-".join(("base", *(command.before or ())))
        state = bench.folder / f"before-{kind}.tetragraph"
        if command.before is not None and not state.exists():
            _make(corpus, bench.folder, command, address)
            corpus.backup(state)
        elif command.before is not None:
            client.restore(state, name=bench.corpus)
        elif SAVED in command.arguments and not (bench.folder / SAVED).exists():
            corpus.ingest(bench.folder / "base.jsonl", build=GRAPHS)
            corpus.backup(bench.folder / SAVED)
            corpus.drop()
    if command.follows:
        write_folder(bench.folder / FOLLOWED, is_changed=True)
        _write_addresses(bench.folder, address)
    for statement in _DAMAGE if command.is_damaged else ():
        bench.driver.execute_query(statement, corpus=bench.corpus)


def _make(corpus: Corpus, folder: Path, command: Command, address: str) -> None:
    if not command.follows:
        corpus.ingest(folder / "base.jsonl", build=command.before or ())
        return
    write_folder(folder / FOLLOWED, is_changed=False)
    _write_addresses(folder, address)
    source: Any = folder / (ADDRESSES if command.follows == "addresses" else FOLLOWED)
    corpus.sync(source, build=command.before or (), fetching=_QUICK)


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


def _write_addresses(folder: Path, address: str) -> None:
    """List the addresses of all files, those that are gone included."""
    names = [f"{one.id}.md" for one in [*first_documents(), Document("new", "", "")]]
    listed = [f"{address}/{FOLLOWED}/{place}{name}" for place in ("", "moved/") for name in names]
    (folder / ADDRESSES).write_text("\n".join(listed) + "\n", encoding="utf-8")


def drop(client: Tetragraph, bench: Bench) -> None:
    """Delete the corpus and its copy, as far as they are there, with what an interrupted restore left."""
    from tetragraph.indexing.restore_mark import find_restore

    present = {corpus.name for corpus in client.corpora()}
    for name in bench.names():
        if name in present or find_restore(client.connection.graph, name):
            client.corpus(name).drop()
