"""Rules of a host for robots, from its robots.txt (RFC 9309)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from protego import Protego

AGENT = "tetragraph"
"""Name by which robots.txt can address the sync."""
MOST_BYTES = 512_000
"""Part of a robots.txt that is read; RFC 9309 asks for 500 KiB at least."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of one host.

    Attributes:
        parsed: Its robots.txt; None where it has none, which allows everything.
    """

    parsed: Protego | None = None

    @classmethod
    def of(cls, text: str) -> Rules:
        """The rules of a robots.txt."""
        from protego import Protego

        return cls(Protego.parse(text))

    def allow(self, address: str) -> bool:
        """Whether the address may be fetched."""
        return self.parsed is None or bool(self.parsed.can_fetch(address, AGENT))

    @property
    def delay_s(self) -> float:
        """Least time in seconds between two requests; 0 where it is not stated."""
        delay = None if self.parsed is None else self.parsed.crawl_delay(AGENT)
        return float(delay or 0.0)
