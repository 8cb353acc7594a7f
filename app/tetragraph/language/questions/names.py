"""The names in a question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from tetragraph.language.lexicon.analysis import FIRST, analyse_text
from tetragraph.language.lexicon.words import STOP_WORDS

_QUOTED = re.compile(r"\"[^\"]+\"|“[^”]+”")
_CAPITAL_OR_DIGIT = re.compile(r"[^\W_a-z]")
_NUMBER = re.compile(r"[\W\d]+")
_POSSESSIVE = re.compile(r"['’]s$")
_QUALIFIER = re.compile(r"\s\([^()]*\)")
_HYPHENATED = re.compile(r"(?:[-‐–]\w+)+")
_BRACKET_END = re.compile(r"[^()]*\)")


def find_names(question: str, entity_spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Find the names in a question: linked entities, capitalised spans and quotations, without overlaps.

    Args:
        question: Text of the question.
        entity_spans: Character offsets of known entities; those without a capital or a digit are ignored, as they are
            common words that also occur as a title ("the country").

    Returns:
        Character offsets, ascending, without a possessive at the end.
    """
    linked = [span for span in entity_spans if _is_name(question[slice(*span)])]
    quoted = [match.span() for match in _QUOTED.finditer(question)]
    found = [(start, _end(question, start, end)) for start, end in (*linked, *quoted, *_capitalised(question))]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return [(start, end - 2 * bool(_POSSESSIVE.search(question[start:end]))) for start, end in merged]


def _capitalised(question: str) -> Iterator[tuple[int, int]]:
    """Capitalised spans; a question word or "The" at the start of a sentence is excluded."""
    analysis = analyse_text(question)
    for place in np.flatnonzero(analysis.span).tolist():
        last = place + int(analysis.span[place]) - 1
        first = place
        if analysis.flags[place] & FIRST:
            while first <= last and analysis.words[int(analysis.word[first])] in STOP_WORDS:
                first += 1
        if first <= last:
            yield int(analysis.start[first]), int(analysis.end[last])


def _end(question: str, start: int, end: int) -> int:
    """End of a name, including a last part in small letters and a qualifier in brackets.

    "Chiang Kai-shek", "Mercury (planet)".
    """
    hyphenated = _HYPHENATED.match(question, end)
    end = hyphenated.end() if hyphenated else end
    rest = _BRACKET_END if question.count("(", start, end) > question.count(")", start, end) else _QUALIFIER
    found = rest.match(question, end)
    return found.end() if found else end


def _is_name(text: str) -> bool:
    return bool(_CAPITAL_OR_DIGIT.search(text)) and not _NUMBER.fullmatch(text)
