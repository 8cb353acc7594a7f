"""One step of the growth measurement in a process of its own, so that its memory can be measured.

``python -m benchmarks.growth_worker STEP HOME CORPUS FILE QUESTIONS`` with the steps ``ingest``, ``search``
and ``doctor``; prints its figures as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import data, examination, measure
from benchmarks.carried_vectors import NAME, CarriedSentences, CarriedVectors, Original
from benchmarks.plan import Plan
from benchmarks.synthetic import Passage
from benchmarks.variants import embedded, searches, variants
from tetragraph import Tetragraph
from tetragraph.connection import Connection
from tetragraph.language.embedders import Embedder
from tetragraph.progress import NoProgress
from tetragraph.stores import chunk_table
from tetragraph.stores.chunk_table import ChunkTable

ORIGINAL = "2wikimultihopqa"
GRAPHS = ("gain", "tree")
"""Graphs that need no embedding; facts would be parsed and embedded, which the part ``bipartite`` measures."""


class CarriedConnection(Connection):
    """A connection with an additional embedder."""

    carried: Embedder

    def embedder(self, name: str) -> Embedder:
        return self.carried if name == NAME else super().embedder(name)


def connect(plan: Plan, file: Path) -> Tetragraph:
    """Return a client that can embed the synthetic passages of a file."""
    connection = CarriedConnection.open(plan.settings, NoProgress())
    stores = connection.stores(ORIGINAL)
    table = chunk_table.load(stores)
    rows = {chunk.document_id: row for row, chunk in enumerate(table.chunks()) if chunk.position == 0}
    vectors = [_vectors(table, rows[passage.id]) for passage in originals()]
    carried = CarriedSentences if table.has_sentences else CarriedVectors
    connection.carried = carried(connection.embedder_of(stores.record), vectors, read(file))
    return Tetragraph(connection)


def _vectors(table: ChunkTable, row: int) -> Original:
    begin, end = table.sentence_bounds[row : row + 2]
    return Original(table.vectors[row], table.sentences[begin:end])


def originals() -> list[Passage]:
    """The passages of the original corpus."""
    rows = data.rows(data.corpus(ORIGINAL))
    return [Passage(line["id"], line["title"], line["text"], row) for row, line in enumerate(rows)]


def write(file: Path, passages: list[Passage]) -> None:
    """Write a synthetic corpus as JSON lines, which ``tetragraph ingest`` can also read."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in passages), encoding="utf-8")


def read(file: Path) -> Iterator[Passage]:
    """Yield the passages in the file of :func:`write`, of which an ingest is not to hold a second copy."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield Passage(**json.loads(line))


def ingest(client: Tetragraph, corpus: str, file: Path, _: list[str]) -> dict[str, Any]:
    """Ingest the file, and return the report. Vectors of sentences are looked up like those of passages."""
    has_sentences = isinstance(client.connection.embedder(NAME), CarriedSentences)
    sentences = "pooled" if has_sentences else "none"
    return asdict(client.corpus(corpus).ingest(file, build=GRAPHS, embedder=NAME, sentences=sentences))


def search(client: Tetragraph, corpus: str, _: Path, texts: list[str]) -> dict[str, Any]:
    """Measure the first search of each variant, which loads its index, and then the latency of all questions."""
    questions = embedded(client, corpus, texts)
    figures = {}
    for variant in (one for one in variants() if one.method != "bipartite"):
        work = searches(client, corpus, variant, questions)
        figures[variant.name] = {"first_s": measure.seconds(work[0]), **measure.load(work)}
    return figures


def examine(client: Tetragraph, corpus: str, _: Path, __: list[str]) -> dict[str, Any]:
    """Measure a check and a repair by the doctor."""
    return examination.examine(client, corpus)


STEPS: dict[str, Callable[[Tetragraph, str, Path, list[str]], dict[str, Any]]] = {
    "ingest": ingest,
    "search": search,
    "doctor": examine,
}


def main(step: str, home: str, corpus: str, file: str, questions: str) -> None:
    """Run one step and print its figures."""
    plan = Plan(Path(home), int(questions), ())
    texts = [question.text for question in data.questions(ORIGINAL, "dev")[: plan.questions]]
    with connect(plan, Path(file)) as client:
        print(json.dumps(STEPS[step](client, corpus, Path(file), texts)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
