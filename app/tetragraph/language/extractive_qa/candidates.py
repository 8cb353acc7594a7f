"""Candidate answers in a sentence: names, dates and numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.facts.phrases import COUNTED, NUMBER
from tetragraph.language.lexicon.analysis import analyse_text
from tetragraph.language.lexicon.words import MONTHS, STOP_WORDS
from tetragraph.language.spacy_model import TYPING, installed_model, use_model

_DATE: Final = TYPES["DATE"]
_DATES: Final = re.compile(rf"\b(?:\d{{1,2}} )?(?:(?:{MONTHS}) )?(?:\d{{1,2}}, )?(?:1\d|20)\d\d\b")
"""A year, with day and month if they precede it."""
_NUMBERS: Final = re.compile(r"\b\d(?:[\d,.]*\d)?\b")
_LISTED: Final = re.compile(r"^[ \t]*[(\[]?(\d+(?:\.\d+)*)[.)\]](?:[ \t]+|$)", re.MULTILINE)
"""The number of a list item or a section: it counts nothing."""
_ARTICLE: Final = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)
_POSSESSIVE: Final = re.compile(r"['’]s$")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Span of a text that may be an answer; ``type`` as in expected answers, empty if unknown."""

    start: int
    end: int
    type: str


def find_candidates(texts: Sequence[str]) -> list[list[Candidate]]:
    """Find the candidates of each text, in order of their places.

    Candidates are capitalised spans, dates and numbers but for those of list items, and with spaCy and its English
    model also the entities that it finds, with their types. Takes about 1 ms for each sentence.
    """
    return [_merge(text, seen) for text, seen in zip(texts, _recognise_entities(texts), strict=True)]


def _recognise_entities(texts: Sequence[str]) -> list[list[Candidate]]:
    """The entities that the model finds in each text; none without the model."""
    if not installed_model():
        return [[] for _ in texts]
    with use_model(TYPING, "answers") as model:
        return [
            [_trim(text, span.start_char, span.end_char, TYPES.get(span.label_, NUMBER)) for span in document.ents]
            for text, document in zip(texts, model.pipe(texts), strict=True)
        ]


def _merge(text: str, seen: Sequence[Candidate]) -> list[Candidate]:
    """Entities and capitalised spans; dates and numbers outside of them.

    A capitalised span around one entity is a further candidate, as the model often finds only a part of a name.
    """
    found = {(one.start, one.end): one for one in seen}
    for start, end in _find_capitalised(text):
        inside = [one for one in seen if one.start < end and start < one.end]
        whole = _trim(text, start, end, "")
        if not inside:
            found.setdefault((whole.start, whole.end), whole)
        elif len(inside) == 1 and inside[0].type not in COUNTED and start <= inside[0].start and inside[0].end <= end:
            found.setdefault((whole.start, whole.end), Candidate(whole.start, whole.end, inside[0].type))
    for match in _DATES.finditer(text):
        found.setdefault(match.span(), Candidate(*match.span(), _DATE))
    taken = list(found)
    for match in _NUMBERS.finditer(text):
        if not any(start < match.end() and match.start() < end for start, end in taken):
            found[match.span()] = Candidate(*match.span(), NUMBER)
    listed = {match.span(1) for match in _LISTED.finditer(text) if not _DATES.fullmatch(match[1])}
    return [found[place] for place in sorted(found) if not _is_listed(place, listed)]


def _is_listed(place: tuple[int, int], listed: Collection[tuple[int, int]]) -> bool:
    """Whether a candidate begins with the number of a list item and has no word behind it."""
    return any(start <= place[0] <= end and place[1] <= end + 1 for start, end in listed)


def _find_capitalised(text: str) -> Iterator[tuple[int, int]]:
    """Capitalised spans, without leading stop words and numbers, such as "In 1902 the" before a name."""
    analysis = analyse_text(text)
    for place in np.flatnonzero(analysis.span).tolist():
        first, last = place, place + int(analysis.span[place]) - 1
        while first <= last and _is_loose(analysis.words[int(analysis.word[first])]):
            first += 1
        if first <= last:
            yield int(analysis.start[first]), int(analysis.end[last])


def _is_loose(word: str) -> bool:
    return word in STOP_WORDS or word.isdigit()


def _trim(text: str, start: int, end: int, kind: str) -> Candidate:
    """Candidate without a leading article and a trailing possessive."""
    article = _ARTICLE.match(text, start, end)
    start = article.end() if article else start
    return Candidate(start, end - 2 * bool(_POSSESSIVE.search(text[start:end])), kind)
