"""Marks the words of a question, and the span of a citation, in a text."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Final

from markupsafe import Markup, escape

from tetragraph.language.lexicon.words import STOP_WORDS

_WORD = re.compile(r"\w+")
_LEAST: Final = 3
"""Letters of the shortest word that is marked, numbers excepted."""


def mark_words(text: str, question: str) -> Markup:
    """A text in which the words of a question are marked; all else is escaped.

    >>> mark_words("The <b>harbour</b> of Halvik", "Who built the harbour?")
    Markup('The &lt;b&gt;<mark>harbour</mark>&lt;/b&gt; of Halvik')
    """
    pattern = _pattern(question)
    return mark_spans(text, [match.span() for match in pattern.finditer(text)] if pattern else [])


def mark_spans(text: str, spans: Sequence[tuple[int, int]], *, name: str = "") -> Markup:
    """A text in which spans, in order and without overlaps, are marked; the first can be linked to by a name."""
    parts: list[str] = []
    end = 0
    for number, (start, stop) in enumerate(spans):
        tag = Markup('<mark id="{}">').format(name) if name and not number else Markup("<mark>")
        parts += [escape(text[end:start]), tag, escape(text[start:stop]), Markup("</mark>")]
        end = stop
    return Markup("").join([*parts, escape(text[end:])])


@functools.lru_cache(maxsize=256)
def _pattern(question: str) -> re.Pattern[str] | None:
    words = {word for word in _WORD.findall(question.casefold()) if _is_telling(word)}
    if not words:
        return None
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})(?:s|'s|’s)?\b", re.IGNORECASE)


def _is_telling(word: str) -> bool:
    return word.isdigit() or (len(word) >= _LEAST and word not in STOP_WORDS)
