"""Files that are refused for the same reason: a folder may have thousands, of which a report names one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tetragraph.model import Document, Unreadable
from tetragraph.model.display import first_of

PICTURES: Final = frozenset({".bmp", ".gif", ".heic", ".jpeg", ".jpg", ".png", ".svg", ".tif", ".tiff", ".webp"})
"""Suffixes of pictures, in lower case."""


class AlikeFiles:
    """Files of one suffix that are refused for one reason, of which one stands for all."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, str], list[str]] = {}

    def add(self, suffix: str, refused: Unreadable) -> None:
        """Add a file with a suffix that is refused."""
        self._places.setdefault((suffix, refused.reason), []).append(refused.source)

    def take(self, suffix: str, found: Iterable[Document | Unreadable]) -> Iterator[Document | Unreadable]:
        """Yield what was found in a file, but add it where it is a picture that is refused: folders have many."""
        for item in found:
            if isinstance(item, Unreadable) and suffix in PICTURES:
                self.add(suffix, item)
            else:
                yield item

    def report(self) -> Iterator[Unreadable]:
        """One entry for each suffix and reason, with the first file and the number of the others."""
        for (_, reason), places in sorted(self._places.items()):
            yield Unreadable(first_of(places, 1), reason)
