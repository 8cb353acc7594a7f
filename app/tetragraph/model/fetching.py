"""Options of fetching pages: how a sync treats the servers that it asks."""

from __future__ import annotations

from dataclasses import dataclass

from tetragraph.errors import InvalidInput

MOST_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """Options of fetching web pages.

    Attributes:
        delay_s: Least time in seconds between the beginnings of two requests to a host; a longer one that its
            robots.txt asks for is kept.
        at_once: Largest number of requests that a host answers at the same time, 1 to 8.
        timeout_s: Seconds of silence after which a request has failed.
        most_mb: Largest size of a page in MB.
        private: Whether the name of a host may resolve to an address of a private network. Addresses given as numbers,
            and ``localhost``, are always fetched.

    Raises:
        InvalidInput: a number is out of its range.
    """

    delay_s: float = 0.5
    at_once: int = 2
    timeout_s: float = 30.0
    most_mb: int = 20
    private: bool = False

    def __post_init__(self) -> None:
        for name, least in (("delay_s", 0.0), ("timeout_s", 0.1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value < float("inf"):
                raise InvalidInput(f"{name} must be a number of seconds of at least {least:g}, got {value!r}")
        for name, most in (("at_once", MOST_AT_ONCE), ("most_mb", 1_000)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                raise InvalidInput(f"{name} must be an integer from 1 to {most:,}, got {value!r}")
        if not isinstance(self.private, bool):
            raise InvalidInput(f"private must be true or false, got {self.private!r}")


DEFAULT_FETCHING = FetchOptions()
"""Options where none are given."""
