"""Duration in seconds of a check of one corpus, of its parts, and of a repair."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tetragraph import Tetragraph
from tetragraph.doctor.corpus_checks import CorpusCheck, wrong_hashes

LOST = 100
"""Number of vectors of communities to delete and repair; those of chunks would need the embedding model."""
REPEATED = 3


def examine(client: Tetragraph, corpus: str) -> dict[str, Any]:
    """Measure one corpus."""
    check = CorpusCheck.of(client.connection, corpus)
    contents = check.contents
    parts: dict[str, Callable[[], object]] = {
        "chunks_s": lambda: contents.chunks,
        "hashes_s": lambda: wrong_hashes(contents),
        "numbers_s": lambda: client.connection.graph.read("doctor/count_faults", corpus=corpus),
        "chunk_vectors_s": lambda: (contents.compare("chunks"), contents.with_wrong_sentences()),
        "community_vectors_s": lambda: contents.compare("communities"),
    }
    row = {name: round(_seconds(part), 2) for name, part in parts.items()}
    looks = [_seconds(lambda: _check_faultless(client, corpus)) for _ in range(REPEATED)]
    doomed = sorted(client.connection.vectors.hashes(corpus, "communities"))[:LOST]
    client.connection.vectors.delete(corpus, "communities", doomed)
    repair = _seconds(lambda: client.doctor(repair=True, corpus=corpus))
    return {"chunks": len(contents.chunks), "look_s": round(min(looks), 2), **row, "repair_s": round(repair, 2)}


def _check_faultless(client: Tetragraph, corpus: str) -> None:
    report = client.doctor(corpus=corpus)
    if not report.ok:
        raise SystemExit(f"{corpus} should be well: {report.faults}")


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
