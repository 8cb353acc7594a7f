"""Evidence from the other texts of a document, computed by hand."""

import numpy as np
import pytest

from tetragraph.algorithms.document_relevance import CANDIDATES, document_evidence, expected_texts
from tetragraph.arrays import Floats, Rows

RELEVANCE = np.array([0.5, 0.4, 0.3, 0.2])
DOCUMENTS = np.array([0, 1, 0, 2])
SHARES = np.ones(4) / CANDIDATES
"""One text of each document is expected."""
WEIGHTS = np.array([[0.4, 0.0, 0.1, 0.0], [0.0, 0.3, 0.5, 0.0]])
"""Two terms in four texts."""


def weigh(rows: Rows) -> Floats:
    return WEIGHTS[:, rows]


def test_a_document_gains_by_its_other_relevant_texts() -> None:
    excess = np.log(1 + np.exp(-2.0)) / 10
    assert document_evidence(RELEVANCE, DOCUMENTS, SHARES, weigh, 0.0) == pytest.approx([excess, 0.0, excess, 0.0])


def test_words_that_only_another_text_contains_count_for_all_texts_of_a_document() -> None:
    plain = document_evidence(RELEVANCE, DOCUMENTS, SHARES, weigh, 0.0)
    with_words = document_evidence(RELEVANCE, DOCUMENTS, SHARES, weigh, 0.5)
    assert with_words - plain == pytest.approx([0.5 * (0.4 + 0.5 - 0.6), 0.0, 0.5 * (0.4 + 0.5 - 0.6), 0.0])


def test_what_is_expected_of_a_large_document_is_no_evidence() -> None:
    shares = np.array([1.05, 1.0, 1.05, 1.0]) / CANDIDATES
    soft = np.log((1 + np.exp(-2.0)) / 1.05) / 10
    assert document_evidence(RELEVANCE, DOCUMENTS, shares, weigh, 0.0) == pytest.approx([soft, 0.0, soft, 0.0])
    words = 0.5 * (0.4 + 0.5 - 0.6) / 2
    shares = np.array([4.0, 1.0, 4.0, 1.0]) / CANDIDATES
    found = document_evidence(RELEVANCE, DOCUMENTS, shares, weigh, 0.5)
    assert found == pytest.approx([words, 0.0, words, 0.0])


def test_at_least_one_text_of_a_document_is_expected() -> None:
    shares = np.array([0.0, 0.001, 0.02, 1.0])
    assert expected_texts(shares) == pytest.approx([1.0, 1.0, 0.02 * CANDIDATES, CANDIDATES])


def test_texts_that_are_left_out_add_nothing() -> None:
    relevance = np.array([0.5, 0.4, -np.inf, -np.inf])
    assert not document_evidence(relevance, DOCUMENTS, SHARES, weigh, 1.0).any()
    assert not document_evidence(np.full(4, -np.inf), DOCUMENTS, SHARES, weigh, 1.0).any()


def test_only_the_most_relevant_texts_count() -> None:
    size = CANDIDATES + 2
    relevance = np.linspace(1.0, 0.9, size)
    documents = np.minimum(np.arange(size), size - 2)
    found = document_evidence(relevance, documents, np.zeros(size), lambda rows: np.ones((1, len(rows))), 1.0)
    assert not found.any()
