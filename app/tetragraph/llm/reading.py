"""Finds the JSON in what a model wrote: among prose, in fences, slightly broken, cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_LONGEST = 1_000_000
_LONGEST_BROKEN = 100_000
_DEEPEST = 64
_REGIONS = 20
_CUTS = 8
_OPENING = re.compile(r"[{\[]")
_MARK = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[{}\[\],]', re.S)
_CLOSING = {"{": "}", "[": "]"}


class NoJsonFound(ValueError):
    """A text that is not even looked at: too long, or too deep."""


@dataclass(slots=True)
class _Region:
    """What an opening bracket holds.

    Attributes:
        text: From that bracket to the one that closes it, or to the end.
        is_closed: Whether there is one.
        cuts: Where a complete part ends, with the brackets that are open there; closed, it is JSON again.
    """

    text: str
    is_closed: bool
    cuts: list[tuple[int, str]] = field(default_factory=list)


def candidates(text: str, *, is_cut: bool = False) -> Iterator[object]:
    """Objects and lists of a text, objects first, each in the order of the text.

    What is not quite JSON is mended: single quotes, Python's literals, commas and brackets that are too many or
    missing. Of a reply that was cut off only complete parts are taken: elements of an outermost list, and members of
    objects that lie in no list; the most first.

    Raises:
        Unreadable: the text is too long or nested too deep to be a reply.
    """
    if len(text) > _LONGEST:
        raise NoJsonFound(f"it must be shorter than {_LONGEST:,} characters, and has {len(text):,}")
    said = text.rpartition("</think>")[2]  # how models that think aloud end that
    regions = list(_regions(said))[:_REGIONS]
    for region in sorted(regions, key=lambda region: region.text[0] == "["):
        if is_cut and not region.is_closed:
            closed = (region.text[:end] + brackets for end, brackets in region.cuts[: -_CUTS - 1 : -1])
            yield from (found for part in closed if (found := _parsed(part)))
        elif (found := _parsed(region.text)) is not None:
            yield found


def _parsed(text: str) -> object:
    """What a text in brackets holds; None where nothing can be made of it."""
    import json_repair  # here and not above: it is needed by those alone who ask a model

    try:
        return json.loads(text)
    except ValueError:
        if len(text) > _LONGEST_BROKEN:
            return None
    return json_repair.loads(text, skip_json_loads=True) or None


def _regions(text: str) -> Iterator[_Region]:
    """The outermost brackets; between them quotes mean nothing, as prose has apostrophes and inches."""
    start = 0
    while opening := _OPENING.search(text, start):
        region = _region(text, opening.start())
        yield region
        start = opening.start() + len(region.text)


def _region(text: str, start: int) -> _Region:
    still_open: list[str] = []
    cuts: list[tuple[int, str]] = []
    for mark in _MARK.finditer(text, start):
        sign, end = mark[0], mark.end()
        if sign in _CLOSING:
            still_open.append(_CLOSING[sign])
            if len(still_open) > _DEEPEST:
                raise NoJsonFound(f"it must be nested at most {_DEEPEST} deep, and is deeper")
            continue
        if sign in ("}", "]"):
            still_open.pop()
            if not still_open:
                return _Region(text[start:end], is_closed=True)
        if sign in ("}", "]", ",") and _ends_part(still_open):
            place = mark.start() if sign == "," else end
            cuts.append((place - start, "".join(reversed(still_open))))
    return _Region(text[start:], is_closed=False, cuts=cuts)


def _ends_part(still_open: list[str]) -> bool:
    """Whether what ended last is complete in itself: a part of an element would pass for the whole of it."""
    lists = still_open.count("]")
    return lists == 0 or (lists == 1 and still_open[-1] == "]")
