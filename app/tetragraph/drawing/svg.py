"""Parts of a picture as SVG; every text is escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

Point = tuple[float, float]
SIZE = 7.0
"""Radius of a shape in pixels."""
ARROW = 0.62
"""Position of an arrow along its line, from 0 to 1, so that arrows of opposite directions do not overlap."""
QUIET = "#7d8590"
"""Colour of lines, and of the words beside them."""
_CORNERS = {"diamond": (4, 0.0), "hexagon": (6, 0.0), "octagon": (8, 22.5), "triangle": (3, -90.0)}
"""Number of corners by shape, and the angle of the first one in degrees."""


def picture(width: float, height: float, parts: Iterable[str], title: str) -> str:
    """A picture of a size in pixels, with a title for readers who do not see it."""
    drawn = "".join(parts)
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" style="max-width:100%;height:auto"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}><title>{escape(title)}</title>{drawn}</svg>'


def text(place: Point, words: str, *, size: int = 12, anchor: str = "middle", colour: str = "currentColor") -> str:
    """Words at a place: the middle, the ``start`` or the ``end`` of their base line."""
    if not words:
        return ""
    at = f'x="{place[0]:.1f}" y="{place[1]:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}"'
    return f'<text font-family="system-ui, sans-serif" {at}>{escape(words)}</text>'


def line(start: Point, end: Point, *, hover: str) -> str:
    """A line with a tooltip, and an arrow towards its end."""
    ends = f'x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
    drawn = f'<line {ends} stroke="{QUIET}" stroke-width="1.3"/>{_arrow(start, end)}'
    return f"<g><title>{escape(hover)}</title>{drawn}</g>"


def shape(kind: str, place: Point, colour: str, *, hover: str = "") -> str:
    """A shape around a place: one of those in ``looks``; an unknown one, and a star, is a circle."""
    x, y = place
    fill = f'fill="{colour}"'
    if kind.endswith("rectangle"):
        box = f'x="{x - SIZE:.1f}" y="{y - SIZE + 1:.1f}" width="{2 * SIZE:.1f}" height="{2 * SIZE - 2:.1f}"'
        drawn = f'<rect {box} rx="{4 if kind.startswith("round") else 0}" {fill}/>'
    elif kind in _CORNERS:
        count, first = _CORNERS[kind]
        angles = [math.radians(first + 360 * number / count) for number in range(count)]
        corners = [(x + (SIZE + 1) * math.cos(angle), y + (SIZE + 1) * math.sin(angle)) for angle in angles]
        drawn = f'<polygon points="{_points(corners)}" {fill}/>'
    else:
        drawn = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{SIZE:.1f}" {fill}/>'
    return f"<g><title>{escape(hover)}</title>{drawn}</g>" if hover else drawn


def block(corner: Point, width: float, height: float, colour: str, *, opacity: float, hover: str) -> str:
    """A filled rectangle by its upper left corner, with a tooltip."""
    box = f'x="{corner[0]:.1f}" y="{corner[1]:.1f}" width="{max(width, 0.5):.1f}" height="{height:.1f}"'
    return f'<rect {box} fill="{colour}" fill-opacity="{opacity:.2f}"><title>{escape(hover)}</title></rect>'


def _arrow(start: Point, end: Point) -> str:
    length = math.dist(start, end)
    if not length:
        return ""
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    tip = (start[0] + ARROW * length * along[0], start[1] + ARROW * length * along[1])
    foot = (tip[0] - 8 * along[0], tip[1] - 8 * along[1])
    sides = [(foot[0] + side * along[1], foot[1] - side * along[0]) for side in (3.5, -3.5)]
    return f'<polygon points="{_points([tip, *sides])}" fill="{QUIET}"/>'


def _points(corners: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
