"""Lines of a page in Markdown, with their words and links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
"""A link or picture of Markdown; its group is the text."""
_TARGET = re.compile(r"\]\(\s*<?([^()\s>]*)")
_HOST = re.compile(r"(?:https?:)?//([^/:]+)")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class PageLine:
    """A line that is not blank.

    Attributes:
        start: Offset of its first character in the page.
        raw: The line as it is.
        text: The line with the texts of its links and pictures in their places.
        words: Number of words outside of links.
        link_words: Number of words of links and pictures.
        targets: Targets of its links and pictures.
    """

    start: int
    raw: str
    text: str
    words: int
    link_words: int
    targets: Sequence[str]

    @property
    def end(self) -> int:
        """Offset behind its last character."""
        return self.start + len(self.raw)

    @property
    def is_link(self) -> bool:
        """Whether it has links and no word outside of them."""
        return bool(self.targets) and not self.words

    @cached_property
    def hosts(self) -> Sequence[str]:
        """Hosts of its targets; empty texts for relative ones."""
        return [found[1] if (found := _HOST.match(target)) else "" for target in self.targets]


def read_lines(page: str) -> list[PageLine]:
    """The lines of a page that are not blank, in order."""
    found: list[PageLine] = []
    start = 0
    for raw in page.split("\n"):
        if raw.strip():
            found.append(_read_line(start, raw))
        start += len(raw) + 1
    return found


def _read_line(start: int, raw: str) -> PageLine:
    if "](" not in raw:
        return PageLine(start, raw, raw.strip(), len(_WORD.findall(raw)), 0, ())
    text = LINK.sub(r"\1", raw).strip()
    words = len(_WORD.findall(LINK.sub(" ", raw)))
    return PageLine(start, raw, text, words, max(len(_WORD.findall(text)) - words, 0), _TARGET.findall(raw))
