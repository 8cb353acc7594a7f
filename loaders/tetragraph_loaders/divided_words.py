"""Words of a PDF that are divided at the end of a line, and become one word again.

PDFium marks each hyphen at the end of a line, whether it divides a word, as in ``com-pany``, or belongs to one, as in
``long-term``. The other words of the document decide which of the two it is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tetragraph.model import Heading, Page

MARK = "\x02"
"""Character that PDFium writes for a hyphen at the end of a line."""
JOINT = "\ue005"
"""Character in place of a hyphen that divides a word; it is for private use, so that no text has it."""
_LETTER = r"[^\W\d_]"
_WORD = re.compile(f"{_LETTER}+")
_AT_LINE_END = re.compile(f"(?<!{_LETTER})({_LETTER}++){MARK}(?=({_LETTER}+))")
_IN_LINE = re.compile(f"(?<!{_LETTER})({_LETTER}++)-(?=({_LETTER}+))")
_DIVIDED = re.compile(f"(?<!{_LETTER})(?:{_LETTER}++{MARK})+{_LETTER}+")
_HYPHEN = re.compile(f"(?<={_LETTER})[-{MARK}](?={_LETTER})")
"""Hyphen between two letters, in a line or at its end."""


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """Words of a document that no line end divides.

    Attributes:
        words: Frequencies of words in small letters, also of those that a hyphen joins.
        compounds: Frequencies of pairs of words with a hyphen between them.
    """

    words: Counter[str]
    compounds: Counter[tuple[str, str]]

    def has_as_one_word(self, head: str, tail: str) -> bool | None:
        """Whether the document mostly has two parts as one word, without a hyphen; None if it has neither."""
        head, tail = head.lower(), tail.lower()
        whole, compound = self.words[head + tail], self.compounds[head, tail]
        return whole > compound if whole or compound else None

    def count_known(self, *parts: str) -> int:
        """How many of the parts are words of the document."""
        return sum(part.lower() in self.words for part in parts)


def mark_joints(texts: Sequence[tuple[int, str]], written: Mapping[int, str]) -> list[tuple[int, str]]:
    """Put a ``JOINT`` in place of each hyphen that divides a word; a text keeps its length.

    Args:
        texts: Number and text of each page, in which all hyphens look the same.
        written: Text of the same pages by number, as PDFium writes it.
    """
    joined = _find_divided("\n".join(written.values()))
    return [(number, _mark_page(text, written.get(number, ""), joined)) for number, text in texts]


def _find_divided(text: str) -> set[tuple[str, str]]:
    """The parts of words that line ends divide, as they are written.

    A word that the document has elsewhere is written as it is there. Of the others those are divided of which neither
    part is a word of the document, and, if most of the former are divided, those of which only one part is.
    """
    pairs = [(match[1], match[2]) for match in _AT_LINE_END.finditer(text)]
    undivided = _DIVIDED.sub(" ", text).lower()
    vocabulary = _Vocabulary(
        Counter(_WORD.findall(undivided)),
        Counter((match[1], match[2]) for match in _IN_LINE.finditer(undivided)),
    )
    known = {(head, tail): vocabulary.has_as_one_word(head, tail) for head, tail in pairs}
    votes = [known[pair] for pair in pairs if known[pair] is not None]
    most = 1 if 2 * sum(map(bool, votes)) >= len(votes) else 0
    return {
        (head, tail)
        for (head, tail), answer in known.items()
        if answer or (answer is None and vocabulary.count_known(head, tail) <= most and _is_of_one_case(head, tail))
    }


def _is_of_one_case(head: str, tail: str) -> bool:
    """Whether two parts may be one word, which has no capital in its middle unless it begins with several."""
    return not tail[0].isupper() or head.isupper()


def _mark_page(text: str, written: str, joined: set[tuple[str, str]]) -> str:
    """A page with its joints, found by the order of its hyphens; as it is if their number is another than written."""
    places = [match.start() for match in _HYPHEN.finditer(text)]
    hyphens = [match.start() for match in _HYPHEN.finditer(written)]
    if len(places) != len(hyphens):
        return text
    divided = {match.end() - 1 for match in _AT_LINE_END.finditer(written) if (match[1], match[2]) in joined}
    characters = list(text)
    for place, hyphen in zip(places, hyphens, strict=True):
        if hyphen in divided:
            characters[place] = JOINT
    return "".join(characters)


def close_joints(
    text: str, pages: Sequence[Page], headings: Sequence[Heading]
) -> tuple[str, tuple[Page, ...], tuple[Heading, ...]]:
    r"""Remove the joints of a text, and move its pages and headings along.

    >>> close_joints("A com\ue005pany\nSea", (), (Heading(11, 1, "Sea"),))
    ('A company\nSea', (), (Heading(start=10, level=1, title='Sea'),))
    """
    joints = [place for place, character in enumerate(text) if character == JOINT]
    return (
        text.replace(JOINT, ""),
        tuple(replace(page, start=page.start - bisect_left(joints, page.start)) for page in pages),
        tuple(
            Heading(
                one.start - bisect_left(joints, one.start),
                one.level,
                text[one.start : one.start + len(one.title)].replace(JOINT, ""),
            )
            for one in headings
        ),
    )
