"""Picture of a hierarchy: each part is a block as wide as its share, below the one that contains it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from tetragraph.drawing import svg
from tetragraph.drawing.looks import COLOURS

WIDTH = 960
"""Width of a picture in pixels."""
HEIGHT = 34.0
"""Height of a level in pixels."""
GAP = 1.5
_LETTER = 6.6
"""Mean width of a letter in pixels."""
_ROOT = "#7a7a7a"


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a hierarchy.

    Attributes:
        name: Name inside the block, shortened; left out where there is no room.
        size: Size, above 0; the sizes of its parts sum to it at most.
        hover: Tooltip.
        parts: Parts, from left to right.
    """

    name: str
    size: float
    hover: str
    parts: tuple[Block, ...] = ()

    @property
    def height(self) -> int:
        """Number of levels, 1 without parts."""
        return 1 + max((part.height for part in self.parts), default=0)


def draw(root: Block, *, title: str) -> str:
    """Draw a hierarchy as SVG; each part of the root has a colour of its own, and what is below it the same.

    Args:
        root: The whole.
        title: Title for readers who do not see the picture.
    """
    parts = [_block(root, 0, WIDTH, 0, _ROOT)]
    left = 0.0
    for number, part in enumerate(root.parts):
        width = WIDTH * part.size / root.size
        parts += _blocks(part, left, width, 1, COLOURS[number % len(COLOURS)])
        left += width
    return svg.picture(WIDTH, root.height * HEIGHT, parts, title)


def _blocks(block: Block, left: float, width: float, level: int, colour: str) -> Iterator[str]:
    """The block, and all below it."""
    yield _block(block, left, width, level, colour)
    for part in block.parts:
        share = width * part.size / block.size
        yield from _blocks(part, left, share, level + 1, colour)
        left += share


def _block(block: Block, left: float, width: float, level: int, colour: str) -> str:
    top = level * HEIGHT
    room = int((width - 8) / _LETTER)
    name = textwrap.shorten(block.name, room, placeholder="…") if room > 3 else ""
    drawn = svg.block(
        (left, top), width - GAP, HEIGHT - GAP, colour, opacity=max(0.45 - 0.09 * level, 0.15), hover=block.hover
    )
    return drawn + svg.text((left + width / 2, top + HEIGHT / 2 + 4), name)
