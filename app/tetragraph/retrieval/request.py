"""A search request: its values, and the checks of question, options and tuning grids."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from tetragraph.errors import InvalidInput
from tetragraph.model import Filters
from tetragraph.model.usage import UNLIMITED, Budget, check_budget
from tetragraph.systems.base import Retriever
from tetragraph.systems.registry import find_retriever
from tetragraph.validation import check_known_options

MOST_HITS = 1_000_000
"""Largest number of hits that can be asked for."""
MAX_QUESTION = 10_000
"""Longest question in characters; a longer text is a document."""


@dataclass(frozen=True, slots=True)
class Request:
    """A search of a corpus; the parameters of ``Corpus.search``.

    Raises:
        InvalidInput: ``budget`` is no budget.
    """

    corpus: str
    question: str
    k: int
    method: str
    filters: Filters | None
    options: Mapping[str, Any]
    budget: Budget = UNLIMITED

    def __post_init__(self) -> None:
        check_budget(self.budget)


def make_options(retriever: Retriever[Any], given: Mapping[str, Any]) -> Any:
    """Create the search options of a retriever from keyword arguments.

    Raises:
        InvalidInput: the retriever has no such option, or the value breaks its rule.
    """
    known = fields(retriever.search_options)
    check_known_options(f"method {retriever.name!r}", given, [field.name for field in known])
    for field in known:
        value = given.get(field.name, field.default)
        if isinstance(field.default, float | int) and not isinstance(value, float | int):
            raise InvalidInput(f"{field.name} must be a number, got {value!r}")
    return retriever.search_options(**given)


def check_grids(method: str, grids: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Check all values of tuning grids; returns the default of each option.

    Raises:
        UnknownMethod: there is no such method.
        InvalidInput: the method has no such option, or a value breaks its rule.
    """
    retriever = find_retriever(method)
    for name, values in grids.items():
        for value in values:
            make_options(retriever, {name: value})
    defaults = asdict(retriever.search_options())
    return {name: defaults[name] for name in grids}


def check_question(question: str, k: int) -> str:
    """Check a question; returns it without surrounding blanks.

    Raises:
        InvalidInput: the question is empty, too long or not Unicode text, or ``k`` is not a positive integer.
    """
    if not isinstance(question, str) or not question.strip():
        raise InvalidInput(f"a question must have words, got {question!r}")
    if any("\ud800" <= character <= "\udfff" for character in question):
        raise InvalidInput(f"a question must be whole characters of Unicode, got half of one in {question!r:.200}")
    if len(question) > MAX_QUESTION:
        raise InvalidInput(f"a question has at most {MAX_QUESTION} characters, got {len(question)}: ingest it instead")
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= MOST_HITS:
        raise InvalidInput(f"k must be an integer from 1 to {MOST_HITS:,}, got {reprlib.repr(k)}")
    return question.strip()
