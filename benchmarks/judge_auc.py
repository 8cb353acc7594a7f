"""AUC of the token-free judge for gold against neighbours: ``python -m benchmarks.judge_auc [set]``.

Positive pairs are two gold passages of one question of MuSiQue, the later of which needs the answer of the earlier;
negative pairs are a gold passage and one of its five nearest passages that is not gold of the question. The figure is
the probability that a positive pair has a higher gain than a negative one, with a 95 % interval by resampling pairs.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from benchmarks import data
from tetragraph.algorithms.information_gain import Statements, information_gain
from tetragraph.algorithms.nearest_neighbours import nearest_neighbours, similarities
from tetragraph.language.embedders.minilm import minilm
from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.language.lexicon.dictionary import build_dictionary
from tetragraph.model import Chunk
from tetragraph.systems import entity_links
from tetragraph.systems.gain_graph.judge import term_matrix

NEIGHBOURS = 5
RESAMPLES = 2_000
Pairs = NDArray[np.int64]


def main(name: str, split: str) -> None:
    """Measure one set and print the figures."""
    chunks = passages(name)
    known = statements(chunks)
    questions = data.rows(data.folder() / name / f"{split}.jsonl.gz")
    positive, negative = pairs(questions, {chunk.id: row for row, chunk in enumerate(chunks)}, known)
    judged = [information_gain(known, *some.T) for some in (positive, negative)]
    nearness = [similarities(known.vectors, *some.T) for some in (positive, negative)]
    print(f"{name}: {len(positive)} pairs of gold passages, {len(negative)} of a gold passage and a neighbour")
    for label, scores in (("token-free judge", judged), ("cosine similarity", nearness)):
        low, high = interval(*scores)
        print(f"{label}: AUC {auc(*scores):.3f} [{low:.3f}, {high:.3f}]")


def passages(name: str) -> list[Chunk]:
    """The passages of a set, each as one chunk."""
    return [
        Chunk(row["id"], row["id"], row["title"], row["title"], row["text"], 0, 0, len(row["text"]), 0)
        for row in data.rows(data.corpus(name))
    ]


def statements(chunks: list[Chunk]) -> Statements:
    """The data on passages that the token-free judge uses."""
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


def pairs(questions: list[dict[str, Any]], rows: dict[str, int], statements: Statements) -> tuple[Pairs, Pairs]:
    """Positive and negative pairs, each ``(m, 2)`` rows of passages, in order.

    Args:
        questions: Rows of the set's file of questions.
        rows: Id of a passage to its row.
        statements: Data of the judge on the passages.
    """
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


def auc(positive: NDArray[np.float64], negative: NDArray[np.float64]) -> float:
    """The probability that a positive score is above a negative one; equal scores count half."""
    ranks = rankdata(np.concatenate([positive, negative]))[: len(positive)]
    return float((ranks.mean() - (len(positive) + 1) / 2) / len(negative))


def interval(positive: NDArray[np.float64], negative: NDArray[np.float64]) -> tuple[float, float]:
    """The 95 % interval of that probability, by resampling."""
    rng = np.random.default_rng(0)
    draws = [auc(rng.choice(positive, len(positive)), rng.choice(negative, len(negative))) for _ in range(RESAMPLES)]
    low, high = np.percentile(draws, [2.5, 97.5])
    return float(low), float(high)


if __name__ == "__main__":
    main(*(sys.argv[1:3] if len(sys.argv) > 2 else ("musique_train", "train")))
