"""Checks of argument values and option names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tetragraph.errors import InvalidInput


def check_known_options(owner: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Refuse names of options that their owner lacks; the first of them by name is told."""
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise InvalidInput(f"{owner} has no option {unknown[0]!r}; its options are: {', '.join(known) or 'none'}")


def check_one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    """Refuse a value that is none of the known ones."""
    if value not in known:
        raise InvalidInput(f"{name} must be one of {', '.join(known)}, got {value!r}")


def check_integer(name: str, value: object, least: int) -> None:
    """Refuse what is no whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidInput(f"{name} must be an integer of at least {least}, got {value!r}")
