"""Whether the token-free judge tells gold evidence from neighbours: ``python -m benchmarks.judge_auc [set]``.

Positive pairs are two gold passages of one question of MuSiQue, the later of which needs the answer of the earlier;
negative pairs are a gold passage and one of its five nearest passages that is no gold of the question. The figure is
the chance that a positive pair is judged to gain more than a negative one, with a 95 % interval by resampling pairs.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from benchmarks import data
from tetragraph.algorithms.information_gain import Statements, information_gain
from tetragraph.algorithms.nearest_neighbours import nearest_neighbours, similarities
from tetragraph.language.analysis import analyse_chunks
from tetragraph.language.dictionary import build_dictionary
from tetragraph.language.embedders.minilm import minilm
from tetragraph.model import Chunk
from tetragraph.systems import entity_links
from tetragraph.systems.gain_graph.judge import term_matrix

NEIGHBOURS = 5
RESAMPLES = 2_000
Pairs = NDArray[np.int64]


def main(name: str, split: str) -> None:
    """Measure one set and print the figures."""
    chunks = [
        Chunk(row["id"], row["id"], row["title"], row["title"], row["text"], 0, 0, len(row["text"]), 0)
        for row in _rows(data.corpus(name))
    ]
    statements = _statements(chunks)
    questions = _rows(data.folder() / name / f"{split}.jsonl.gz")
    positive, negative = _pairs(questions, {chunk.id: row for row, chunk in enumerate(chunks)}, statements)
    judged = [information_gain(statements, *pairs.T) for pairs in (positive, negative)]
    nearness = [similarities(statements.vectors, *pairs.T) for pairs in (positive, negative)]
    print(f"{name}: {len(positive)} pairs of gold passages, {len(negative)} of a gold passage and a neighbour")
    for label, scores in (("token-free judge", judged), ("cosine similarity", nearness)):
        low, high = _interval(*scores)
        print(f"{label}: AUC {_auc(*scores):.3f} [{low:.3f}, {high:.3f}]")


def _rows(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _statements(chunks: list[Chunk]) -> Statements:
    analysis = analyse_chunks(chunks)
    found = build_dictionary(chunks, analysis)
    mentions = zip(found.mention_row.tolist(), found.mention_entity.tolist(), strict=True)
    titles = zip(found.title_row.tolist(), found.title_entity.tolist(), strict=True)
    linked = entity_links.from_pairs(
        len(chunks),
        [(row, found.names[entity], 1) for row, entity in mentions],
        [(row, found.names[entity]) for row, entity in titles],
    )
    vectors = minilm().embed([chunk.passage for chunk in chunks])
    return Statements(vectors, linked.mentions, linked.describes, term_matrix(analysis))


def _pairs(questions: list[dict[str, Any]], rows: dict[str, int], statements: Statements) -> tuple[Pairs, Pairs]:
    positive, negative = set(), set()
    for question in questions:
        steps = question["decomposition"]
        gold = [rows[step["supporting"]] for step in steps]
        for later, step in enumerate(steps):
            positive |= {(gold[i], gold[later]) for i in range(later) if f"#{i + 1}" in step["question"]}
        bases, others = nearest_neighbours(statements.vectors, NEIGHBOURS, np.unique(gold))
        negative |= {pair for pair in zip(bases.tolist(), others.tolist(), strict=True) if pair[1] not in gold}
    positive = {pair for pair in positive if pair[0] != pair[1]}
    return np.array(sorted(positive)), np.array(sorted(negative - positive))


def _auc(positive: NDArray[np.float64], negative: NDArray[np.float64]) -> float:
    ranks = rankdata(np.concatenate([positive, negative]))[: len(positive)]
    return float((ranks.mean() - (len(positive) + 1) / 2) / len(negative))


def _interval(positive: NDArray[np.float64], negative: NDArray[np.float64]) -> tuple[float, float]:
    rng = np.random.default_rng(0)
    draws = [_auc(rng.choice(positive, len(positive)), rng.choice(negative, len(negative))) for _ in range(RESAMPLES)]
    low, high = np.percentile(draws, [2.5, 97.5])
    return float(low), float(high)


if __name__ == "__main__":
    main(*(sys.argv[1:3] if len(sys.argv) > 2 else ("musique_train", "train")))
