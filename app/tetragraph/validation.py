"""Checks of argument values and option names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

from tetragraph.errors import InvalidInput


def check_known_options(owner: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Raise if a name is not an option of its owner; the message names the first by alphabet."""
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise InvalidInput(f"{owner} has no option {unknown[0]!r}; its options are: {', '.join(known) or 'none'}")


def merge_options(options: Mapping[str, Any], /, **arguments: Any) -> dict[str, Any]:
    """The arguments of a call with the options beside them.

    Raises:
        InvalidInput: an option has the name of an argument; the message names the first by alphabet.
    """
    taken = sorted(arguments.keys() & options.keys())
    if taken:
        raise InvalidInput(f"{taken[0]!r} is an argument of its own and no option: give it beside the options")
    return {**arguments, **options}


def check_one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    """Raise if a value is not one of the known texts."""
    if not isinstance(value, str) or value not in known:
        raise InvalidInput(f"{name} must be one of {', '.join(known)}, got {value!r}")


def check_list(name: str, value: object, kind: type | tuple[type, ...], form: str) -> None:
    """Raise if a value is not a list or tuple of items of a type; a text is one text, not a list of letters.

    Args:
        name: Name of the argument.
        value: Its value.
        kind: Type of the items.
        form: What the list must hold, with an example.
    """
    if not isinstance(value, list | tuple) or not all(isinstance(item, kind) for item in value):
        raise InvalidInput(f"{name} must be a list of {form}, got {value!r}")


def check_text(name: str, value: object, form: str) -> None:
    """Raise if a value is not a text; ``form`` describes what it must be."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be {form}, got {value!r}")


def check_integer(name: str, value: object, least: int, most: int | None = None) -> None:
    """Raise if a value is not an integer of at least ``least``, and at most ``most`` unless that is None."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidInput(f"{name} must be an integer of at least {least}, got {value!r}")
    if most is not None and value > most:
        raise InvalidInput(f"{name} must be at most {most}, got {value!r}")


def check_positive(name: str, value: object) -> None:
    """Raise if a value is not a finite number above 0."""
    if not is_number(value) or value <= 0:
        raise InvalidInput(f"{name} must be a number above 0, got {value!r}")


def check_not_negative(name: str, value: object) -> None:
    """Raise if a value is not a finite number of at least 0."""
    if not is_number(value) or value < 0:
        raise InvalidInput(f"{name} must be a number from 0, got {value!r}")


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a finite number, and not ``True`` or ``False``."""
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and (isinstance(value, int) or math.isfinite(value))
    )


def check_boolean(name: str, value: object) -> None:
    """Raise if a value is neither ``True`` nor ``False``."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} must be true or false, got {value!r:.200}")
