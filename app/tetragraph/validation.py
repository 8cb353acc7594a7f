"""Checks of argument values and option names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tetragraph.errors import InvalidInput


def check_known_options(owner: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Raise if a name is not an option of its owner; the message names the first by alphabet."""
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise InvalidInput(f"{owner} has no option {unknown[0]!r}; its options are: {', '.join(known) or 'none'}")


def check_one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    """Raise if a value is not one of the known ones."""
    if value not in known:
        raise InvalidInput(f"{name} must be one of {', '.join(known)}, got {value!r}")


def check_integer(name: str, value: object, least: int) -> None:
    """Raise if a value is not an integer of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidInput(f"{name} must be an integer of at least {least}, got {value!r}")
