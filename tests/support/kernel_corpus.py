"""A program that builds a corpus with every graph, searches it with every method, and prints the exact results.

Its arguments are a file of passages, the name of the corpus, and questions.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tetragraph import Tetragraph
from tetragraph.stores.vectors import KINDS, VectorStore
from tetragraph.systems.registry import RETRIEVERS

SEARCHES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in RETRIEVERS if name not in ("anchor", "keyword")),
    ("dense", {"rerank": "mmr"}),
    ("gain", {"engine": "memory"}),
]
"""Methods with options; a search in several steps consists of these."""


def search(client: Tetragraph, corpus: str, questions: list[str]) -> dict[str, Any]:
    """Kernel of the manifest, and ids, scores and parts of all hits, for each question, method and option."""
    found: dict[str, Any] = {}
    for question in questions:
        for method, options in SEARCHES:
            evidence = client.corpus(corpus).search(question, method=method, k=20, **options)
            hits = [
                (hit.chunk.id, hit.score.hex(), {name: part.hex() for name, part in hit.parts.items()})
                for hit in evidence
            ]
            found[f"{question} {method} {options}"] = [evidence.manifest["numerics"]["kernel"], hits]
    return found


def stored_vectors(vectors: VectorStore, corpus: str) -> dict[str, str]:
    """Hash of each vector, and of the vectors of each chunk's sentences."""
    found: dict[str, Any] = {}
    for kind in KINDS:
        for names, batch in vectors.scroll(corpus, kind):
            found |= {f"{kind} {name}": _hash(vector) for name, vector in zip(names, batch, strict=True)}
    for names, rows in vectors.scroll_sentences(corpus, "chunks"):
        found |= {f"sentences {name}": _hash(row) for name, row in zip(names, rows, strict=True)}
    return found


def _hash(array: NDArray[np.float32]) -> str:
    return hashlib.sha256(array.tobytes()).hexdigest()


def main(file: str, corpus: str, *questions: str) -> None:
    """Build a corpus, search it, and print the results."""
    with Tetragraph.connect() as client:
        client.corpus(corpus).ingest(file, build=("bipartite", "gain", "tree"))
        found = search(client, corpus, list(questions))
        vectors = stored_vectors(client.connection.vectors, corpus)
    sys.stdout.write(json.dumps({"found": found, "vectors": vectors}))


if __name__ == "__main__":
    main(*sys.argv[1:])
