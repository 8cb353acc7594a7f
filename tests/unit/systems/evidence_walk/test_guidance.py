"""How far names guide a search, and what weighs when they do not."""

from dataclasses import replace

import numpy as np
import pytest

from tetragraph.algorithms.bm25 import Postings
from tetragraph.language.questions.decompose import Step
from tetragraph.language.questions.steps import make_step
from tetragraph.systems.evidence_walk.guidance import Weights, find_guidance
from tetragraph.systems.evidence_walk.options import EvidenceOptions
from tetragraph.systems.evidence_walk.question_terms import QuestionTerms

NAMELESS = QuestionTerms(terms=(0, 1, 2), entities=(), spans=(), rest=(), words=4)
NAMED = replace(NAMELESS, name_terms=(1,))
TITLED = replace(NAMED, is_titled=True)
ONE, TWO = (make_step("who"),), (make_step("a"), make_step("who #1"))


@pytest.fixture
def postings() -> Postings:
    """Three terms in one, two and three of three texts."""
    rows = np.array([0, 0, 1, 0, 1, 2], dtype=np.int32)
    return Postings.build(rows, np.array([0, 1, 1, 2, 2, 2], dtype=np.int32), 3, 3)


@pytest.mark.parametrize(
    ("reading", "steps", "guidance"),
    [(NAMELESS, ONE, 0.0), (NAMELESS, TWO, 0.0), (NAMED, ONE, 0.3), (NAMED, TWO, 1.0), (TITLED, ONE, 1.0)],
)
def test_names_guide_by_titles_and_steps(reading: QuestionTerms, steps: tuple[Step, ...], guidance: float) -> None:
    assert find_guidance(reading, steps) == guidance


def test_with_guidance_the_walk_counts_in_full_and_every_term_for_the_coverage(postings: Postings) -> None:
    options = EvidenceOptions()
    weights = Weights.choose(postings, TITLED, ONE, options)
    assert (weights.walk, weights.keyword, weights.support) == (options.walk, 1.0, 0.0)
    assert weights.document == options.document / 2
    assert weights.terms == pytest.approx(postings.idf / postings.idf.sum())


def test_without_names_similar_chunks_and_keywords_count_and_no_term_for_the_coverage(postings: Postings) -> None:
    options = EvidenceOptions()
    weights = Weights.choose(postings, NAMELESS, ONE, options)
    assert weights.walk == pytest.approx(options.walk / 10)
    assert (weights.keyword, weights.support) == (3.3, options.support)
    assert not weights.terms.any()


@pytest.mark.parametrize(("words", "factor"), [(0, 4.0), (1, 4.0), (2, 2.0), (3, 4 / 3), (4, 1.0), (9, 1.0)])
def test_the_fewer_words_a_question_without_names_has_the_more_they_count(
    postings: Postings, words: int, factor: float
) -> None:
    weights = Weights.choose(postings, replace(NAMELESS, words=words), ONE, EvidenceOptions())
    assert weights.keyword == pytest.approx(3.3 * factor)
    assert Weights.choose(postings, replace(TITLED, words=words), ONE, EvidenceOptions()).keyword == 1.0


def test_between_them_terms_outside_names_count_in_part(postings: Postings) -> None:
    share = postings.idf / postings.idf.sum()
    weights = Weights.choose(postings, NAMED, ONE, EvidenceOptions())
    assert weights.terms == pytest.approx(share * [0.3, 1.0, 0.3])


def test_words_that_the_corpus_lacks_take_weight_from_those_that_it_has(postings: Postings) -> None:
    options = EvidenceOptions()
    weights = Weights.choose(postings, replace(TITLED, trust=0.5), ONE, options)
    assert weights.terms == pytest.approx(0.5 * postings.idf / postings.idf.sum())
    assert Weights.choose(postings, replace(NAMELESS, trust=0.5), ONE, options).support == options.support / 2


def test_a_question_without_terms_has_no_information(postings: Postings) -> None:
    nothing = QuestionTerms(terms=(), entities=(), spans=(), rest=())
    assert Weights.choose(postings, nothing, (), EvidenceOptions()).terms.shape == (0,)
