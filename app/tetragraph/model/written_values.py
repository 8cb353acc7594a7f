"""Values of filters, options and parameters, as they are written on the command line and on the page."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final

_TOKEN: Final = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[][(),]|[^][(),"'\s]+|.)\s*""", re.DOTALL)
"""A quoted text, a bracket or comma, a word, or any other character, such as a quotation mark that nothing closes."""
_NUMBER: Final = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_ESCAPES: Final = re.compile(r"""(?:\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt]))+|\\'""")
_BOOLEANS: Final = {"true": True, "false": False}


def read_value(text: str) -> Any:
    """Parse a finite decimal number, a boolean, a quoted text, or a list of these; anything else is a text.

    Quotation marks are single or double, with the escapes of JSON; a list has square brackets, or round ones as a
    tuple.

    >>> read_value("-0.5"), read_value("true"), read_value("'007'"), read_value("['en', 2]"), read_value("1_000")
    (-0.5, True, '007', ['en', 2], '1_000')
    """
    try:
        return _Reader(text).read_all()
    except (ValueError, RecursionError):  # no value, more digits than Python reads, or nested too deeply
        return text


class _Reader:
    """Reads the tokens of a text once, from left to right; an empty token is the end."""

    def __init__(self, text: str) -> None:
        self._tokens = (found[1] for found in _TOKEN.finditer(text))
        self._next = next(self._tokens, "")

    def read_all(self) -> Any:
        """The value that all of the text is.

        Raises:
            ValueError: it is none.
        """
        value = self._read()
        if self._next:
            raise ValueError("a value has another one behind it")
        return value

    def _read(self) -> Any:
        match self._take():
            case "[":
                return self._read_items("]")
            case "(":
                return tuple(self._read_items(")"))
            case scalar:
                return _read_scalar(scalar)

    def _read_items(self, end: str) -> list[Any]:
        items = []
        while self._next != end:
            items.append(self._read())
            if self._next != ",":
                break
            self._take()
        if self._take() != end:
            raise ValueError("a list does not end")
        return items

    def _take(self) -> str:
        token, self._next = self._next, next(self._tokens, "")
        return token


def _read_scalar(token: str) -> str | int | float | bool:
    if len(token) > 1 and token[0] in "\"'":
        return _ESCAPES.sub(_unescape, token[1:-1])
    if token.lower() in _BOOLEANS:
        return _BOOLEANS[token.lower()]
    if not _NUMBER.fullmatch(token):
        raise ValueError("neither a number nor a boolean")
    if token.removeprefix("-").isdecimal():
        return int(token)
    if math.isinf(number := float(token)):
        raise ValueError("above the largest number")
    return number


def _unescape(found: re.Match[str]) -> str:
    text: str = "'" if found[0] == r"\'" else json.loads(f'"{found[0]}"')
    return text
