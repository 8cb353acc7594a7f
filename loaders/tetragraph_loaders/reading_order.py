"""Order of the lines that were recognised on a page: from top to bottom, one column after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

_MIN_LINES = 3
"""Smallest number of lines of a column."""
_MIN_LENGTH = 30
"""Characters that half of the lines of a column have at least; cells of tables have fewer."""
_MAX_CROSSING = 0.3
"""Largest share of lines that are as wide as several columns, such as headings."""
_PARAGRAPH = 0.5
"""Distance between two lines from which on a paragraph ends, as a multiple of their height."""
_DIVIDED = re.compile(r"(?<=[^\W\d_])-\n(?=[a-zß-ÿ])")
"""A hyphen at the end of a line before a small letter."""


@dataclass(frozen=True, slots=True)
class Box:
    """Words that stand together in a line, with the upright rectangle around them.

    Attributes:
        text: The words.
        left: Left edge in pixels.
        top: Upper edge in pixels.
        right: Right edge in pixels.
        bottom: Lower edge in pixels.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


def compose(boxes: Sequence[Box]) -> str:
    """The text of a page: a line for each line, a blank line between paragraphs, divided words as one.

    Args:
        boxes: What was recognised, at least one box.
    """
    parts = [_join(region) for region in _regions(sorted(boxes, key=lambda box: (box.top, box.left, box.text)))]
    return _DIVIDED.sub("", "\n\n".join(parts))


def _regions(boxes: Sequence[Box]) -> Iterator[Sequence[Box]]:
    """Parts of a page that are read one after the other: what is above columns, each column, what is below them."""
    gutter = _find_gutter(boxes)
    if gutter is None:
        yield boxes
        return
    for is_wide, group in groupby(boxes, lambda box: box.left < gutter < box.right):
        part = list(group)
        yield from [part] if is_wide else _columns(part, gutter)


def _columns(boxes: Sequence[Box], gutter: float) -> Iterator[Sequence[Box]]:
    for column in ([box for box in boxes if box.right <= gutter], [box for box in boxes if box.left >= gutter]):
        if column:
            yield from _regions(column)


def _find_gutter(boxes: Sequence[Box]) -> float | None:
    """The place between two columns of running text that the fewest lines cross; None where there is one column.

    Cells of tables are no columns: what stands in one row is read together.
    """
    edges = sorted({box.right for box in boxes} | {box.left for box in boxes})
    best: tuple[int, float] | None = None
    for left, right in pairwise(edges):
        place = (left + right) / 2
        crossing = sum(box.left < place < box.right for box in boxes)
        is_fewer = best is None or crossing < best[0]
        if crossing <= _MAX_CROSSING * len(boxes) and is_fewer and _has_columns(boxes, place):
            best = crossing, place
    return best[1] if best else None


def _has_columns(boxes: Sequence[Box], place: float) -> bool:
    sides = [box for box in boxes if box.right <= place], [box for box in boxes if box.left >= place]
    return all(len(side) >= _MIN_LINES and median(len(box.text) for box in side) >= _MIN_LENGTH for side in sides)


def _join(boxes: Sequence[Box]) -> str:
    """The lines of a region, each from left to right."""
    lines: list[list[Box]] = []
    for box in sorted(boxes, key=lambda box: (box.middle, box.left)):
        if lines and box.middle - lines[-1][0].middle < min(box.height, lines[-1][0].height) / 2:
            lines[-1].append(box)
        else:
            lines.append([box])
    text = ""
    below = 0.0
    usual = median(box.height for box in boxes)
    for line in lines:
        if text:
            text += "\n\n" if min(box.top for box in line) - below > _PARAGRAPH * usual else "\n"
        text += " ".join(box.text for box in sorted(line, key=lambda box: (box.left, box.text)))
        below = max(box.bottom for box in line)
    return text
