"""Rules that options of several systems keep."""

from __future__ import annotations

from tetragraph.errors import InvalidInput


def check_one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    """Refuse a value that is none of the known ones."""
    if value not in known:
        raise InvalidInput(f"{name} must be one of {', '.join(known)}, got {value!r}")


def check_whole(name: str, value: object, least: int) -> None:
    """Refuse what is no whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidInput(f"{name} must be an integer of at least {least}, got {value!r}")
