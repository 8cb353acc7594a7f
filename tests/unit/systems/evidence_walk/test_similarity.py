"""Cosines of chunks, sentences and mentions with a text, compared with loops."""

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from tetragraph.systems.evidence_walk.similarity import Passages

SCALE = 0.5


def unit(count: int, seed: int) -> NDArray[np.float32]:
    made = np.random.default_rng(seed).normal(size=(count, 6)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


VECTORS, SENTENCES, QUESTION = unit(4, 1), unit(7, 2), unit(1, 3)[0]
BOUNDS = np.array([0, 3, 3, 5, 7])
"""The second passage has no sentence."""
MENTIONED_IN = [[0, 2], [1], [3, 4], [6]]
"""Sentences of each mention."""


@pytest.fixture
def passages() -> Passages:
    bounds = np.cumsum([0, *map(len, MENTIONED_IN)])
    return Passages(
        VECTORS,
        SENTENCES,
        BOUNDS,
        bounds,
        np.array(list(itertools.chain.from_iterable(MENTIONED_IN)), dtype=np.int32),
        SCALE,
    )


def test_section_2_1_similarity_is_the_mean_of_passage_and_closest_sentence(passages: Passages) -> None:
    whole, sentences = SCALE * VECTORS @ QUESTION, SCALE * SENTENCES @ QUESTION
    best = [max(sentences[a:b], default=whole[row]) for row, (a, b) in enumerate(itertools.pairwise(BOUNDS))]
    found = passages.compare(QUESTION, most=4)
    assert found.best == pytest.approx(best, abs=1e-6)
    assert found.similarity == pytest.approx((whole + best) / 2, abs=1e-6)


def test_only_the_closest_passages_are_compared_sentence_by_sentence(passages: Passages) -> None:
    everything, some = passages.compare(QUESTION, most=4), passages.compare(QUESTION, most=2)
    closest = np.argsort(-some.whole)
    assert some.best[closest[:2]] == pytest.approx(everything.best[closest[:2]])
    assert some.best[closest[2:]] == pytest.approx(some.whole[closest[2:]])


def test_a_mention_is_as_close_as_its_closest_sentence(passages: Passages) -> None:
    found = passages.compare(QUESTION, most=4)
    expected = [max(found.sentences[sentences]) for sentences in MENTIONED_IN]
    assert passages.best_of_all_mentions(found) == pytest.approx(expected)
    assert passages.best_of_mentions(found, np.array([3, 0]), np.array([3, 0])) == pytest.approx(
        [expected[3], expected[0]]
    )


def test_without_sentences_passages_alone_are_compared(passages: Passages) -> None:
    plain = passages.without_sentences()
    found = plain.compare(QUESTION, most=4)
    assert found.similarity == pytest.approx(SCALE * VECTORS @ QUESTION, abs=1e-6)
    assert plain.best_of_mentions(found, np.array([0, 1]), np.array([2, 3])) == pytest.approx(found.whole[2:])
