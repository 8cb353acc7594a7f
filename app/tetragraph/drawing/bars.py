"""Picture of shares: a bar for each name."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from tetragraph.drawing import svg
from tetragraph.drawing.looks import COLOURS

NAMES, BAR = 190.0, 420.0
"""Widths of the names, and of a bar of 1, in pixels."""
ROW = 24.0
"""Height of a row in pixels."""
_NAME = 26


def draw(shares: Sequence[tuple[str, float]], *, title: str) -> str:
    """Draw shares from 0 to 1 as SVG, in the given order; empty for none.

    Args:
        shares: Name and share of each bar.
        title: Title above the bars.
    """
    if not shares:
        return ""
    parts = [svg.text((NAMES, 16), title, anchor="start", size=11)]
    for number, (name, share) in enumerate(shares, 1):
        top = number * ROW
        hover = f"{name}: {share:.1%}"
        parts += [
            svg.text((NAMES - 8, top + 15), textwrap.shorten(name, _NAME, placeholder="…"), anchor="end"),
            svg.block((NAMES, top + 3), BAR, ROW - 6, svg.QUIET, opacity=0.15, hover=hover),
            svg.block((NAMES, top + 3), BAR * share, ROW - 6, COLOURS[0], opacity=0.85, hover=hover),
            svg.text((NAMES + BAR + 8, top + 15), f"{share:.1%}", anchor="start"),
        ]
    return svg.picture(NAMES + BAR + 70, (len(shares) + 1) * ROW, parts, title)
