"""BM25 against the formula, term by term."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.algorithms.bm25 import Postings

TEXTS = st.lists(st.lists(st.integers(0, 4), max_size=8), min_size=1, max_size=6)


def build(texts: list[list[int]], terms: int = 5) -> Postings:
    row = np.array([row for row, text in enumerate(texts) for _ in text], dtype=np.int32)
    term = np.array([term for text in texts for term in text], dtype=np.int32)
    return Postings.build(row, term, len(texts), terms)


def score(texts: list[list[int]], question: set[int], row: int) -> float:
    mean = sum(map(len, texts)) / len(texts)
    total = 0.0
    for term in question:
        df = sum(term in text for text in texts)
        tf = texts[row].count(term)
        if tf:
            idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
            total += idf * tf * 2.5 / (tf + 1.5 * (1 - 0.9 + 0.9 * len(texts[row]) / mean))
    return total


@given(TEXTS, st.sets(st.integers(0, 4)))
def test_scores_are_those_of_the_formula(texts: list[list[int]], question: set[int]) -> None:
    scores = build(texts).score(sorted(question))
    assert scores == pytest.approx([score(texts, question, row) for row in range(len(texts))], rel=1e-6)


@given(TEXTS, st.sets(st.integers(0, 3), min_size=1), st.data())
def test_counts_and_frequencies_give_the_weights_of_the_whole(
    texts: list[list[int]], terms: set[int], data: st.DataObject
) -> None:
    whole, chosen = build(texts), sorted(terms)
    rows = data.draw(st.lists(st.integers(0, len(texts) - 1), min_size=1, unique=True))
    part = Postings.of_counts(
        np.array([[texts[row].count(term) for row in rows] for term in chosen]),
        np.array([sum(term in text for text in texts) for term in chosen]),
        np.array([len(texts[row]) for row in rows]),
        sum(map(len, texts)) / len(texts),
        len(texts),
    )
    expected = whole.part(chosen, np.array(rows))
    assert part.score(range(len(chosen))).tolist() == expected.score(range(len(chosen))).tolist()
    assert part.idf.tolist() == expected.idf.tolist()


@given(TEXTS, st.integers(0, 4))
def test_holders_are_the_texts_with_the_term(texts: list[list[int]], term: int) -> None:
    assert build(texts).holders(term).tolist() == [row for row, text in enumerate(texts) if term in text]


def test_is_held_answers_for_each_row_asked() -> None:
    postings = build([[0, 1], [1], [2]])
    assert postings.is_held(1, np.array([2, 0, 1])).tolist() == [False, True, True]


@given(TEXTS, st.sets(st.integers(0, 4)))
def test_weights_of_the_terms_add_up_to_the_score(texts: list[list[int]], question: set[int]) -> None:
    postings, rows = build(texts), np.arange(len(texts))[::-1]
    weights = [postings.weights(term, rows) for term in sorted(question)]
    assert sum(weights, np.zeros(len(rows))) == pytest.approx(postings.score(sorted(question))[rows])


@given(TEXTS, st.sets(st.integers(0, 4)), st.integers(1, 6))
def test_with_all_postings_read_the_best_have_the_highest_scores(
    texts: list[list[int]], question: set[int], count: int
) -> None:
    scores = build(texts).score(sorted(question))
    best = build(texts).best(question, count, most=100)
    assert (scores[best] > 0).all()
    assert scores[best] == pytest.approx(np.sort(scores[scores > 0])[::-1][:count])


@given(TEXTS, st.sets(st.integers(0, 4)), st.sets(st.integers(0, 5)))
def test_a_part_scores_its_texts_as_the_whole_does(texts: list[list[int]], terms: set[int], rows: set[int]) -> None:
    postings, kept = build(texts), np.array(sorted(row for row in rows if row < len(texts)), dtype=np.int64)
    part = postings.part(sorted(terms), kept)
    assert part.score(range(len(terms))) == pytest.approx(postings.score(sorted(terms))[kept])
    assert part.idf.tolist() == postings.idf[sorted(terms)].tolist()
    assert (part.rows, part.corpus) == (len(kept), len(texts))


def test_common_terms_are_not_read_when_the_rare_ones_fill_the_bound() -> None:
    postings = build([[0, 1], [1], [1], [2, 1]])
    assert sorted(postings.best([0, 1, 2], 4, most=4)) == [0, 3]
    assert postings.best([1], 4, most=3).tolist() == []


def test_no_text_has_no_score() -> None:
    assert build([], terms=0).score([]).tolist() == []


def test_arrays_make_the_postings_again() -> None:
    postings = build([[0, 1], [1, 1]])
    again = Postings.from_arrays(postings.arrays())
    assert again.rows == 2
    np.testing.assert_array_equal(again.score([0, 1]), postings.score([0, 1]))
