"""Methods, their options and the rules of a question."""

from __future__ import annotations

import dataclasses

import pytest

from tetragraph import errors
from tetragraph.retrieval import request
from tetragraph.systems.registry import RETRIEVERS, find_retriever


def test_every_method_has_a_summary_and_options_with_defaults() -> None:
    for name, retriever in RETRIEVERS.items():
        assert retriever.name == name
        assert retriever.summary
        assert dataclasses.is_dataclass(retriever.search_options())


def test_an_unknown_method_is_told_with_those_there_are() -> None:
    known = ", ".join(RETRIEVERS)
    with pytest.raises(errors.UnknownMethod, match=f"one of {known}, got 'magic'"):
        find_retriever("magic")


def test_an_unknown_option_is_told_with_those_there_are() -> None:
    with pytest.raises(
        errors.InvalidInput,
        match="no option 'deep'; its options are: rerank, rerank_pool, rerank_weight, per_document, as_of, "
        "superseded, of, weights, "
        "fusion, depth",
    ):
        request.make_options(find_retriever("fused"), {"deep": 1})


@pytest.mark.parametrize("value", ["much", None, (0.1,)])
def test_an_option_that_is_a_number_takes_nothing_else(value: object) -> None:
    with pytest.raises(errors.InvalidInput, match="depth must be a number, got"):
        request.make_options(find_retriever("fused"), {"depth": value})


def test_grids_are_checked_value_by_value_and_give_the_defaults() -> None:
    assert request.check_grids("evidence", {"steps": (1, 2), "restart": (0.1,)}) == {"steps": 2, "restart": 0.2}
    with pytest.raises(errors.InvalidInput, match="restart must be above 0 and at most 1, got 2"):
        request.check_grids("evidence", {"steps": (1, 2), "restart": (0.1, 2)})


def test_blanks_around_a_question_do_not_count() -> None:
    assert request.check_question("  Who?\n", 1) == "Who?"


@pytest.mark.parametrize("k", [0, -1, True, 2.0, "3", None])
def test_k_must_be_a_positive_integer(k: object) -> None:
    with pytest.raises(errors.InvalidInput, match="k must be an integer from 1 to 1,000,000"):
        request.check_question("Who?", k)  # type: ignore[arg-type]  # what is not an int is the point


@pytest.mark.parametrize("question", ["", " \n\t", None, 3])
def test_a_question_must_have_words(question: object) -> None:
    with pytest.raises(errors.InvalidInput, match="must have words"):
        request.check_question(question, 1)  # type: ignore[arg-type]  # likewise
