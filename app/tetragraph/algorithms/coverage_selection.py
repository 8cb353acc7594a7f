"""Greedy selection of chunks by score and by their gain over the chunks selected before.

Source:
    docs/evidence-walk.md, section 5; for hops, section 6 ("Select").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tetragraph.algorithms.dot_products import weighted_sum
from tetragraph.arrays import Flags, Floats, Longs, Rows


@dataclass(frozen=True, slots=True)
class SelectionOptions:
    """Constants of the selection.

    Attributes:
        coverage: Weight of the question's terms that a chunk contains and no earlier pick does.
        link: Added when an earlier pick mentions the chunk's title.
        picks: Number of first picks that affect the gains of later ones.
        hop: Weight of a sub-question that a chunk answers and no earlier pick does.
        repeat: Taken off for each earlier pick from the same document, times what a repeat counts there.
    """

    coverage: float = 1.5
    link: float = 0.2
    picks: int = 3
    hop: float = 1.0
    repeat: float = 0.0


@dataclass(frozen=True, slots=True)
class SelectionPool:
    """Scores and features of the candidate chunks, one column for each chunk.

    Attributes:
        scores: ``(chunks,)``, finite.
        holds: ``(terms, chunks)`` whether a chunk contains a term of the question.
        information: ``(terms,)`` weights of the terms, above 0; 1 is the weight of the whole question.
        answers: ``(hops, chunks)`` probability, 0 to 1, that a chunk answers a sub-question.
        linked: Function from the place of a pick to ``(chunks,)`` flags: whether it mentions the title of a chunk.
        documents: ``(chunks,)`` number of the document of each chunk.
        repeats: ``(chunks,)`` how much a repeat counts for the document of each chunk, 0 to 1.
    """

    scores: Floats
    holds: Flags
    information: Floats
    answers: Floats
    linked: Callable[[int], Flags]
    documents: Longs
    repeats: Floats


@dataclass(frozen=True, slots=True)
class Selection:
    """Chunks in order of selection, with the gains of each; all arrays are ``(chunks,)`` in that order.

    Attributes:
        order: Places in the pool.
        coverage: Coverage gain times its weight.
        link: Weight of a link where an earlier pick mentions the chunk's title, otherwise 0.
        hop: Expected number of newly answered sub-questions times the weight of a hop.
        repeat: Weight of a repeat times what the earlier picks from the same document count, as a negative number.
    """

    order: Rows
    coverage: Floats
    link: Floats
    hop: Floats
    repeat: Floats


def select(pool: SelectionPool, count: int, options: SelectionOptions) -> Selection:
    """Order chunks by ``score + coverage gain + link + hop gain - repeats``, greedily.

    ``gain(p)`` is the information of the question's terms that ``p`` contains and no pick does; ``link(p)`` is 1 if a
    pick mentions the title of ``p``; the hop gain is ``sum over hops answers(h, p) prod over picks q (1 -
    answers(h, q))``; repeats are the earlier picks from the same document, by what each counts. The first pick gains
    no coverage.

    Args:
        pool: Candidate chunks.
        count: Number of chunks selected greedily; the others follow by score plus gain after the last pick.
        options: Weights of the gains.
    """
    state = _State(pool, options)
    changes = len(pool.answers) or (options.repeat and len(np.unique(pool.documents)) < len(pool.documents))
    turns = count if changes else options.picks
    for _ in range(min(turns, len(pool.scores))):
        state.pick()
    return state.finish()


class _State:
    """Picks so far, with the terms and sub-questions that they leave uncovered."""

    def __init__(self, pool: SelectionPool, options: SelectionOptions) -> None:
        self._pool = pool
        self._options = options
        size = len(pool.scores)
        self._missing = np.ones(len(pool.information), dtype=bool)
        self._is_linked = np.zeros(size, dtype=bool)
        self._unanswered = np.ones(len(pool.answers))
        self._gains = np.zeros((4, size))
        self._gains[2] = options.hop * pool.answers.sum(axis=0)
        self._picked: list[int] = []
        self._kept: list[Floats] = []

    def pick(self) -> None:
        """Select the best chunk and update the gains of the others."""
        values = self._pool.scores + self._gains.sum(axis=0)
        values[self._picked] = -np.inf
        best = int(np.argmax(values))
        self._picked.append(best)
        self._kept.append(self._gains[:, best].copy())
        if len(self._picked) <= self._options.picks:
            self._missing &= ~self._pool.holds[:, best]
            self._is_linked |= self._pool.linked(best)
            self._gains[0] = self._options.coverage * weighted_sum(
                self._pool.information * self._missing, self._pool.holds
            )
            self._gains[1] = self._options.link * self._is_linked
        is_repeat = self._pool.documents == self._pool.documents[best]
        self._gains[3] -= self._options.repeat * self._pool.repeats * is_repeat
        self._unanswered *= 1 - self._pool.answers[:, best]
        self._gains[2] = self._options.hop * weighted_sum(self._unanswered, self._pool.answers)

    def finish(self) -> Selection:
        """Return the picks, followed by the other chunks in descending order of score plus current gain."""
        rest = np.delete(np.arange(len(self._pool.scores)), self._picked)
        values = (self._pool.scores + self._gains.sum(axis=0))[rest]
        rest = rest[np.argsort(-values, kind="stable")]
        first = np.array(self._kept).reshape(-1, 4).T
        order = np.concatenate([np.array(self._picked, dtype=np.int64), rest])
        return Selection(order, *np.concatenate([first, self._gains[:, rest]], axis=1))
