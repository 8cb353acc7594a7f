"""Life of a corpus: files that are renamed, and backup and restore of a large corpus.

``python -m benchmarks.life_cycle renames --count 100`` measures one of them with another number of files or chunks, in
stores of its own.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import measure, readme, word_vectors
from benchmarks.hostile import first_documents
from benchmarks.plan import Plan, own_stores
from benchmarks.synthetic import Passage, generate
from tetragraph import Corpus, Document, Tetragraph
from tetragraph.host import processes
from tetragraph.progress import NoProgress
from tetragraph.stores import local

FILES = 1_000
"""Number of files that are renamed."""
MOST_SECONDS, MOST_MB = 300, 1_000
"""Bars of backup and restore: time, and peak memory of the Python process."""
GRAPHS = ("bipartite", "gain", "tree")
ARCHIVED_GRAPHS = ("gain", "tree")
KEPT = ("Entity", "Community", "Relation", "Alias")
"""Labels of nodes that must have the same ids after a rename."""
_ORIGINALS = 1_890
Figures = dict[str, dict[str, Any]]


class _Counting(NoProgress):
    """Progress that counts embedded chunks."""

    def __init__(self) -> None:
        self.embedded = 0

    def advance(self, stage: str, amount: int = 1) -> None:
        self.embedded += amount if stage == "embedding" else 0


def measure_renames(plan: Plan, files: int = FILES) -> Figures:
    """Rename every file of a folder that a corpus with all graphs follows, and sync it.

    Returns:
        Seconds and embedded chunks of the first sync and of the one after the renames; for that also the number of
        nodes with other ids, by label.
    """
    name = f"renamed-{files}"
    with TemporaryDirectory() as folder, Tetragraph.connect(plan.settings) as client:
        followed = Path(folder) / "followed"
        _write_files(followed, files)
        corpus = client.corpus(name)
        if name in {one.name for one in client.corpora()}:
            corpus.drop()
        first = _sync(corpus, followed)
        before = _find_ids(client, name)
        _rename_all(followed)
        second = _sync(corpus, followed)
        after = _find_ids(client, name)
        changed = {f"{label}, other ids": len(before[label] ^ after[label]) for label in KEPT}
        figures = {
            "first sync": first,
            "sync after all were renamed": {**second, **changed, "faults": len(client.doctor(corpus=name).faults)},
        }
        corpus.drop()
    return figures


def _sync(corpus: Corpus, folder: Path) -> dict[str, Any]:
    progress = _Counting()
    seconds = measure.seconds(lambda: corpus.sync(folder, build=GRAPHS, progress=progress))
    return {"documents": corpus.counts()["documents"], "s": seconds, "chunks embedded": progress.embedded}


def _write_files(folder: Path, count: int) -> None:
    folder.mkdir()
    for number, one in enumerate(first_documents(count)):
        (folder / f"{number:05}.md").write_text(f"# {one.title}\n\n{one.text}\n", encoding="utf-8")


def _rename_all(folder: Path) -> None:
    """Give every file another name, in another folder."""
    (folder / "moved").mkdir()
    for file in sorted(folder.glob("*.md")):
        file.rename(folder / "moved" / f"page-{file.name}")


def _find_ids(client: Tetragraph, corpus: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {label: set() for label in KEPT}
    for row in client.connection.graph.read("export/find_nodes", corpus=corpus):
        if row["label"] in found:
            found[row["label"]].add(row["id"])
    return found


def measure_archive(plan: Plan) -> Figures:
    """Back up, verify and restore a corpus of the largest size of the plan, each by a command of its own.

    Returns:
        Seconds, peak memory of the Python process and of Neo4j, and size of the file for each command; for the restore
        also whether the fingerprint is that of the original, read from the stores.
    """
    size = max(plan.sizes)
    name, again = archived_name(size), f"{archived_name(size)}-again"
    expected = _create(plan, size)
    with TemporaryDirectory(dir=plan.home) as folder:
        file = Path(folder) / "corpus.tetragraph"
        figures = {
            "backup": _run(plan, ["backup", str(file), "-c", name]),
            "verify": _run(plan, ["verify", str(file)]),
            "restore": _run(plan, ["restore", str(file), "--as", again]),
        }
        figures["backup"]["file_mb"] = round(file.stat().st_size / 1e6, 1)
    with word_vectors.connect(plan.settings) as client:
        restored = client.corpus(again)
        figures["restore"]["equal"] = restored.fingerprint() == expected
        counts = restored.counts()
        restored.drop()
    figures["backup"] |= {"chunks": counts["chunks"], "entities": counts["entities"], "edges": counts["gain_edges"]}
    return figures


def _create(plan: Plan, size: int) -> str:
    """Ingest a synthetic corpus in a process of its own, unless it is there; returns its fingerprint.

    Linux counts the memory of the process that starts another one as part of the peak of that, so this one stays small.
    """
    plan.home.mkdir(parents=True, exist_ok=True)
    arguments = ["-m", "benchmarks.life_cycle", "create", "--count", str(size), "--home", str(plan.home)]
    return measure.run(arguments, plan.environment).output.strip()


def create(plan: Plan, size: int) -> str:
    """Ingest a synthetic corpus, unless it is there; returns its fingerprint."""
    name = archived_name(size)
    with word_vectors.connect(plan.settings) as client:
        corpus = client.corpus(name)
        if name not in {one.name for one in client.corpora()}:
            corpus.ingest(_documents(size), build=ARCHIVED_GRAPHS, embedder=word_vectors.NAME, sentences="separate")
        return corpus.fingerprint()


def archived_name(size: int) -> str:
    """Name of the corpus of a size."""
    return f"archived-{size}"


def _documents(size: int) -> Iterator[Document]:
    originals = [Passage(one.id, one.title, one.text, row) for row, one in enumerate(first_documents(_ORIGINALS))]
    first = {one.id for one in originals}
    return (Document(one.id, one.title, one.text) for one in islice(generate(originals, first, size), size))


def _run(plan: Plan, arguments: list[str]) -> dict[str, Any]:
    server = local.start(plan.settings)
    done = measure.run(
        ["-m", "tetragraph", *arguments, "--json"],
        plan.environment,
        memory={"neo4j": lambda: processes.resident_mb(server.pid)},
    )
    return {
        "s": round(done.wall_s, 1),
        "python_mb": round(done.peak_mb),
        "neo4j_mb": round(done.memory.highest("neo4j", 0.0, done.printed)),
        "fingerprint": json.loads(done.output)["fingerprint"][:12],
    }


def main() -> None:
    """Measure one of the two in stores of its own, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.life_cycle", description=__doc__)
    parser.add_argument("what", choices=["renames", "archive", "create"], help="create: the corpus of the archive only")
    parser.add_argument("--count", type=int, help="number of files, or of chunks")
    parser.add_argument("--home", type=Path, help="keep the stores of the archive here and use what is there")
    arguments = parser.parse_args()
    if arguments.what == "create":
        print(create(Plan(arguments.home, 0, ()), arguments.count))
        return
    with own_stores("life") as plan:
        if arguments.what == "renames":
            figures = measure_renames(plan, arguments.count or FILES)
        else:
            figures = measure_archive(
                Plan(arguments.home.absolute() if arguments.home else plan.home, 0, (arguments.count or 100_000,))
            )
    print("\n".join(readme.as_measured("figures")({"figures": figures})))


if __name__ == "__main__":
    main()
