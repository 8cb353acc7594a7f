"""Answers questions that compare two entities: which came first or has more, whether both are alike, what they share.

The answer follows from dates, numbers and countries in the chunks about the entities, and from the words of the
question.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from tetragraph.language.extractive_qa.alike import are_alike, describe_missing, find_missing, find_shared_country
from tetragraph.language.extractive_qa.comparison import Comparison, choose_by_measure, choose_one, show, tell
from tetragraph.language.extractive_qa.in_common import asks_for_kind, find_common
from tetragraph.language.extractive_qa.pairs import THAN, Pair
from tetragraph.language.extractive_qa.quantities import Measure, find_measures, find_ranks
from tetragraph.language.extractive_qa.times import are_simultaneous, asks_for_same_time, asks_for_time, compare_times
from tetragraph.language.questions.asking import is_yes_or_no

_LAST: Final = re.compile(r"(?<=[.?!])\s+(?=[A-Z])")
"""Space between two sentences of a question, of which the last one asks."""
_OF_THEM: Final = r"^\W*(?:which\s+)?(?:of|(?:in\s+)?between)\s+(?:\w+\s+){0,4}?_"
_BETWEEN: Final = re.compile(rf"{_OF_THEM}|\b(?:(?:first|last|out)\s+of|between)\s+(?:\w+\s+){{0,4}}?_", re.IGNORECASE)
_CHOICE: Final = re.compile(
    rf"_\W*$|{_OF_THEM}|^\W*(?:is|was|are|were|do|does|did)\b|^\W*(?:which|who)\b[^_]*,\s*(?:the\s+)?_",
    re.IGNORECASE,
)
"""Words around the names of a question that offers the choice between them."""
_COMPARATIVES: Final = """
more most less least first last bigger biggest closer closest earlier earliest elder eldest fewer fewest further greater
greatest heavier heaviest higher highest larger largest later latest longer longest lower lowest newer newest older
oldest shorter shortest smaller smallest taller tallest wider widest younger youngest
"""
_SET_OFF: Final = re.compile(
    rf"[,:;?–—]\s*(?:\w+\s+){{0,3}}?_|\b(?:{'|'.join(_COMPARATIVES.split())})\b", re.IGNORECASE
)
"""A mark before the names, or a comparison: "Who directed _ or _?" has neither and asks for somebody else."""
_NOT: Final = re.compile(r"\b(?:not|never|cannot|neither|nor|none|without)\b|n['’]t\b", re.IGNORECASE)
"""Words that deny: what chunks state then answers another question."""
_BOTH: Final = re.compile(r"\bboth\b", re.IGNORECASE)


def compare(question: str, pair: Pair | None) -> Comparison | None:
    """Answer a question that compares two entities of which chunks are at hand.

    Args:
        question: Text of the question.
        pair: The entities, of :func:`tetragraph.language.extractive_qa.pairs.find_pair`.

    Returns:
        None if the question is not of that kind, or denies, or the values do not decide.
    """
    if pair is None or _NOT.search(pair.rest):
        return None
    is_closed = is_yes_or_no(question) or is_yes_or_no(_LAST.split(question.strip())[-1])
    if is_closed and (pair.joint == "and" or _BOTH.search(pair.rest)):
        return are_simultaneous(pair) if asks_for_same_time(pair.rest) else are_alike(pair)
    if pair.joint in THAN:
        return _confirm(pair) if is_closed else None
    if _offers_choice(pair):
        return _by_value(pair) if _is_measured(pair.rest) else _by_words(pair)
    return None if is_closed else _in_common(pair)


def find_choice(question: str, pair: Pair | None) -> Pair | None:
    """The two entities between which a question offers the choice; None for another question.

    Args:
        question: Text of the question.
        pair: The entities that it compares, if it compares two.
    """
    if pair is None or not _offers_choice(pair) or not _CHOICE.search(pair.rest):
        return None
    is_set_off = _SET_OFF.search(pair.rest) or _BETWEEN.search(pair.rest)
    return pair if is_set_off or is_yes_or_no(question) else None


def choose(pair: Pair, likely: Callable[[str], float]) -> Comparison | None:
    """Choose between two entities by how likely the name of each is the answer; None if both are equally likely.

    Args:
        pair: The entities.
        likely: Returns the probability of a name.
    """
    one, other = likely(pair.one.name), likely(pair.other.name)
    return None if one == other else choose_one(pair, int(other > one), "choice", "the likelier of the two")


def _offers_choice(pair: Pair) -> bool:
    return pair.joint == "or" or bool(_BETWEEN.search(pair.rest))


def _is_measured(rest: str) -> bool:
    return asks_for_time(rest) or bool(find_measures(rest)[0])


def _by_value(pair: Pair) -> Comparison | None:
    """Choose one of two by a date or a number."""
    return compare_times(pair) if asks_for_time(pair.rest) else _by_numbers(pair, *find_measures(pair.rest))


def _confirm(pair: Pair) -> Comparison | None:
    """Answer whether the first of two is earlier, older or larger than the other."""
    found = _by_value(pair) if _is_measured(pair.rest) else None
    return replace(found, text="no" if found.chosen else "yes", chosen=None) if found else None


def _by_numbers(pair: Pair, measures: Sequence[Measure], is_larger: bool) -> Comparison | None:
    """Compare by a number or rank that both chunks state, or by a one, the least number, that one of them states."""
    found = (choose_by_measure(pair, measure, "numbers", is_larger=is_larger) for measure in measures)
    ranked = (choose_by_measure(pair, rank, "numbers", is_larger=not is_larger) for rank in find_ranks(pair.rest))
    least = (_by_least(pair, measure, is_larger=is_larger) for measure in measures)
    return next(filter(None, itertools.chain(found, ranked, least)), None)


def _by_least(pair: Pair, measure: Measure, *, is_larger: bool) -> Comparison | None:
    """Whoever is stated to have one has less than the other, of which nothing is stated."""
    stated = [measure(each.chunk.text) for each in (pair.one, pair.other)]
    known = [number for number, value in enumerate(stated) if value and value.value == 1]
    if len(known) != 1 or None not in stated:
        return None
    chosen = 1 - known[0] if is_larger else known[0]
    return choose_one(pair, chosen, "numbers", show(pair, ["1" if value else "not stated" for value in stated]))


def _in_common(pair: Pair) -> Comparison | None:
    """Words that describe both entities, where the question asks for their profession, genre or kind, or country."""
    if asks_for_kind(pair.rest):
        words = find_common(pair.rest, pair.one.chunk.text, pair.other.chunk.text)
        return tell(pair, words, "common", f"both are described as {words}") if words else None
    country = find_shared_country(pair) if _BOTH.search(pair.rest) else ""
    return tell(pair, country, "common", f"both are of the country: {country}") if country else None


def _by_words(pair: Pair) -> Comparison | None:
    """Choose the entity whose chunk has more of the words of a question that offers the choice."""
    if not _CHOICE.search(pair.rest):
        return None
    missing = [find_missing(one, pair.rest) for one in (pair.one, pair.other)]
    if len(missing[0]) == len(missing[1]):
        return None
    chosen = int(len(missing[1]) < len(missing[0]))
    shares = [describe_missing(words) if words else "all words" for words in missing]
    return choose_one(pair, chosen, "which", show(pair, shares))
