"""Lays out a treemap: rectangles with areas in proportion to sizes, and sides as equal as possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle; the origin is the upper left corner of the treemap."""

    x: float
    y: float
    width: float
    height: float


def lay_out(sizes: Sequence[float], width: float, height: float) -> list[Rectangle]:
    """Compute a rectangle for each size.

    Args:
        sizes: Sizes above 0, the largest first.
        width: Width of the treemap.
        height: Height of the treemap.

    Source:
        Bruls, Huizing and van Wijk, "Squarified treemaps" (2000): rows are filled along the shorter side while this
        improves the worst ratio of sides in the row.
    """
    total = sum(sizes)
    areas = [size / total * width * height for size in sizes] if total else []
    free = Rectangle(0.0, 0.0, width, height)
    placed: list[Rectangle] = []
    while areas:
        side = min(free.width, free.height)
        count = _length_of_row(areas, side)
        row, free = _place(areas[:count], free)
        placed += row
        areas = areas[count:]
    return placed


def _length_of_row(areas: Sequence[float], side: float) -> int:
    """Number of areas in the next row."""
    count = 1
    while count < len(areas) and _worst(areas[: count + 1], side) <= _worst(areas[:count], side):
        count += 1
    return count


def _worst(areas: Sequence[float], side: float) -> float:
    """Largest ratio of the sides of the rectangles of a row along a side."""
    total = sum(areas)
    return max(max(side**2 * area / total**2, total**2 / (side**2 * area)) for area in areas)


def _place(areas: Sequence[float], free: Rectangle) -> tuple[list[Rectangle], Rectangle]:
    """The rectangles of a row along the shorter side of the free rectangle, and what stays free."""
    depth = sum(areas) / min(free.width, free.height)
    row: list[Rectangle] = []
    along = 0.0
    for area in areas:
        length = area / depth
        if free.width >= free.height:
            row.append(Rectangle(free.x, free.y + along, depth, length))
        else:
            row.append(Rectangle(free.x + along, free.y, length, depth))
        along += length
    if free.width >= free.height:
        return row, Rectangle(free.x + depth, free.y, max(0.0, free.width - depth), free.height)
    return row, Rectangle(free.x, free.y + depth, free.width, max(0.0, free.height - depth))
