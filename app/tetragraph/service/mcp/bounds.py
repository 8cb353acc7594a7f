"""Bounds of the size of results: long texts are cut first, then the last items are left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from tetragraph.errors import InvalidInput
from tetragraph.language.prompts import fence
from tetragraph.service.mcp.results import Result

TOKENS: Final = 4_000
"""Default of the largest size of a result, in estimated tokens."""
LEAST_TOKENS: Final = 500
MOST_TOKENS: Final = 50_000
_BYTES = 4
"""Bytes of UTF-8 for a token: a round estimate for English, and on the safe side for scripts of several bytes."""
_LENGTHS = (100_000, 4_000, 2_800, 2_000, 1_400, 1_000, 700, 500, 350, 250, 160)
"""Lengths to which texts are cut, in characters, in order."""
_MARK = " …"
ResultT = TypeVar("ResultT", bound=Result)


@dataclass(frozen=True, slots=True)
class Cut:
    """Size of a result: how many items it has, and how long their texts are at most, in characters."""

    items: int
    characters: int

    def has_cut(self, text: str) -> bool:
        """Whether a text is longer than the cut."""
        return len(text) > self.characters

    def shorten(self, text: str) -> str:
        """A text that is cut behind a word; a mark stands for the rest."""
        if not self.has_cut(text):
            return text
        head = text[: self.characters - len(_MARK)]
        return (head.rsplit(None, 1)[0] if " " in head else head) + _MARK

    def quote(self, kind: str, text: str, number: int | None = None) -> str:
        """A text of a document, cut and fenced, so that a model reads it as data."""
        return fence(kind, self.shorten(text), number).text


def count_tokens(result: Result) -> int:
    """Estimated tokens of a result as JSON, rounded up."""
    return math.ceil(len(result.model_dump_json(indent=2).encode()) / _BYTES)


def fit(make: Callable[[Cut], ResultT], items: int, max_tokens: int) -> ResultT:
    """Make the largest result that fits.

    Args:
        make: Makes a result of a certain size.
        items: Number of items there are.
        max_tokens: Largest size in estimated tokens.

    Returns:
        The result; larger than ``max_tokens`` only if a result with one item and short texts is.

    Raises:
        InvalidInput: ``max_tokens`` is out of range.
    """
    if not LEAST_TOKENS <= max_tokens <= MOST_TOKENS:
        raise InvalidInput(f"max_tokens must be {LEAST_TOKENS} to {MOST_TOKENS:,}, got {max_tokens!r}")
    result = make(Cut(items, _LENGTHS[0]))
    for cut in _cuts(items):
        if count_tokens(result) <= max_tokens:
            break
        result = make(cut)
    return result


def _cuts(items: int) -> Iterator[Cut]:
    """Sizes in descending order: shorter texts, then three quarters of the items at a time."""
    for length in _LENGTHS[1:]:
        yield Cut(items, length)
    while items > 1:
        items = items * 3 // 4
        yield Cut(max(items, 1), _LENGTHS[-1])
