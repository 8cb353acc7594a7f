"""Steps of a chain: sub-questions, and helpers for their text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from tetragraph.language.lexicon.names import WORD, normalise_word
from tetragraph.language.lexicon.words import STOP_WORDS

_EMPTY_WORDS = """
name names kind kinds type types sort part parts number amount percentage date year month day time title birth death
east west north south side end beginning rest case example instance member called named known
"""
EMPTY = frozenset(_EMPTY_WORDS.split())
"""Nouns without a meaning of their own: "the name of X" denotes X."""
_MEASURE_NOUNS = """
age amount average budget change cost costs data decrease difference expense expenses growth height income increase
information length level margin number percentage population price profit proportion rate ratio revenue revenues sales
share size speed sum total value weight width
"""
MEASURES = frozenset(_MEASURE_NOUNS.split())
"""Nouns whose answer is a number or a statement, by which no other passage can be found."""
_ASKED_OF = frozenset(["birth", "death"])
"""Nouns after which an empty noun does ask for something: "the date of birth of X"."""
NAMED_WITH_OF = frozenset(["city", "town", "village", "municipality", "township", "island", "province", "state"])
"""Nouns that are specified by a name after "of": "the city of Bergen"."""
PLACEHOLDER = re.compile(r"#(\d+)")
_SPACE_BEFORE_MARK = re.compile(r"\s+([,.?!;)]|['’]s\b)")


@dataclass(frozen=True, slots=True)
class Step:
    """One question of a chain.

    Attributes:
        text: Text of the sub-question; ``#1`` is the placeholder for the answer of step 1.
        head: Noun for the kind of answer ("director"); empty if the question has none.
        refers: Numbers, from 1, of the steps whose answers the text needs, ascending.
    """

    text: str
    head: str
    refers: tuple[int, ...]


def make_step(text: str, head: str = "") -> Step:
    """Create a step with this text, and read the placeholders in it."""
    tidy = _SPACE_BEFORE_MARK.sub(r"\1", " ".join(text.split())).strip(" ,;")
    return Step(tidy, head, tuple(sorted({int(number) for number in PLACEHOLDER.findall(tidy)})))


def fill_placeholders(text: str, refers: Collection[int], answer: Callable[[int], str]) -> str:
    """A sub-question with answers in place of its placeholders; a question may contain "#1" of its own.

    Args:
        text: Text of the sub-question.
        refers: Numbers of the steps whose answers the text needs.
        answer: Returns the answer of a step.
    """
    return PLACEHOLDER.sub(lambda match: answer(int(match[1])) if int(match[1]) in refers else match[0], text)


def stand_in(head: str) -> str:
    """Return the phrase for an unknown answer in a sub-question: ``the <head>``, or ``it`` without a head."""
    return f"the {head}" if head else "it"


def has_content(text: str) -> bool:
    """Whether a text has content words besides its placeholders."""
    words = [normalise_word(word) for word in WORD.findall(PLACEHOLDER.sub("", text))]
    return any(word not in STOP_WORDS and (word not in EMPTY or word in _ASKED_OF) for word in words)
