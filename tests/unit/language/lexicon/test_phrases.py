"""Word sequences: numbered, and found in texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.language.lexicon import phrases as module
from tetragraph.language.lexicon.phrases import (
    LONGEST,
    Phrases,
    number_sequences,
    without_overlaps,
)

WORDS = st.integers(0, 3)
PHRASES = st.lists(st.lists(WORDS, min_size=1, max_size=4).map(tuple), unique=True, max_size=8)


def build(phrases: list[tuple[int, ...]]) -> Phrases:
    words = np.array([word for phrase in phrases for word in phrase], dtype=np.int32)
    return Phrases.build(words, np.cumsum([0, *map(len, phrases)]).astype(np.int64))


@given(PHRASES, st.lists(st.integers(-1, 3), max_size=12), st.sets(st.integers(0, 11)))
def test_longest_agrees_with_trying_every_phrase(
    phrases: list[tuple[int, ...]], text: list[int], fences: set[int]
) -> None:
    word = np.array(text, dtype=np.int32)
    fence = np.array([place in fences for place in range(len(text))], dtype=bool)
    found, length = build(phrases).longest(word, np.arange(len(text)), fence)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_STARTS", 2)
        in_blocks = build(phrases).longest(word, np.arange(len(text)), fence)
    assert [part.tolist() for part in in_blocks] == [found.tolist(), length.tolist()]
    for start in range(len(text)):
        stop = next((place for place in range(start + 1, len(text)) if fence[place]), len(text))
        fitting = [p for p in phrases if tuple(text[start : start + len(p)]) == p and start + len(p) <= stop]
        best = max(fitting, key=len, default=())
        assert length[start] == len(best)
        assert found[start] == (phrases.index(best) if best else -1)


def test_a_phrase_above_the_limit_is_never_found() -> None:
    long = tuple(range(LONGEST + 1))
    word = np.array(long, dtype=np.int32)
    found, _ = build([long, long[:2]]).longest(word, np.array([0]), np.zeros(len(word), dtype=bool))
    assert found.tolist() == [1]


def test_arrays_make_the_phrases_again() -> None:
    phrases = build([(0, 1), (2,)])
    again = Phrases.from_arrays(phrases.arrays())
    np.testing.assert_array_equal(again.keys, phrases.keys)
    np.testing.assert_array_equal(again.phrase, phrases.phrase)


@given(st.lists(WORDS, min_size=1, max_size=12), st.data())
def test_equal_sequences_have_equal_numbers_and_others_not(text: list[int], data: st.DataObject) -> None:
    starts = np.array(data.draw(st.lists(st.integers(0, len(text) - 1), max_size=6)), dtype=np.int64)
    lengths = np.array([data.draw(st.integers(1, len(text) - start)) for start in starts.tolist()], dtype=np.int64)
    number = number_sequences(np.array(text, dtype=np.int32), starts, lengths).tolist()
    sequences = [tuple(text[a : a + n]) for a, n in zip(starts.tolist(), lengths.tolist(), strict=True)]
    for i, first in enumerate(sequences):
        for j, second in enumerate(sequences):
            assert (number[i] == number[j]) == (first == second)


def test_matches_are_taken_from_the_left_and_consume_their_words() -> None:
    kept = without_overlaps(np.array([0, 1, 2, 3]), np.array([2, 2, 0, 1], dtype=np.int32))
    assert kept.tolist() == [True, False, False, True]
