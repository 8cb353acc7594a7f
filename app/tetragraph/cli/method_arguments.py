"""Parses methods, their settings and lists of numbers on the command line of an evaluation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.written_methods import read_method, read_options

_COMMA = re.compile(r",(?![^(\[]*[)\]])")
"""A comma that is not inside brackets."""


def read_methods(items: Sequence[str]) -> dict[str, tuple[str, dict[str, Any]]]:
    """Parse runs such as ``evidence,evidence:chain=off``; each item is the name of a run, its method and settings.

    Raises:
        InvalidInput: a run is given twice, or a setting is not NAME=VALUE.
    """
    runs: dict[str, tuple[str, dict[str, Any]]] = {}
    for name in _parts(items):
        if name in runs:
            raise InvalidInput(f"a method with the same settings must be named once, got {name!r} twice")
        runs[name] = read_method(name)
    return runs


def read_grids(items: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    """Parse settings and the values to try, such as ``keyword=0.03,0.09``.

    Raises:
        InvalidInput: an item is not NAME=VALUE,VALUE…
    """
    grids = {}
    for item in items:
        name, found, values = item.partition("=")
        if not (name and found):
            raise InvalidInput(f"a setting to tune must read NAME=VALUE,VALUE, got {item!r}")
        grids[name] = tuple(read_options([f"{name}={value}"])[name] for value in _parts([values]))
    return grids


def read_ks(items: Sequence[str]) -> tuple[int, ...]:
    """Parse cuts such as ``2,5,10``, and sort them in ascending order.

    Raises:
        InvalidInput: a cut is not a positive integer.
    """
    parts = list(_parts(items))
    wrong = [part for part in parts if not part.isdecimal() or int(part) < 1]
    if wrong:
        raise InvalidInput(f"k must be integers of at least 1, separated by commas, got {wrong[0]!r}")
    return tuple(sorted({int(part) for part in parts}))


def _parts(items: Sequence[str]) -> Iterator[str]:
    for item in items:
        yield from filter(None, (part.strip() for part in _COMMA.split(item)))
