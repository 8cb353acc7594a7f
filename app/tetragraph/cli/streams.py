"""The standard streams of the process: as the shell left them, made fit for every command."""

from __future__ import annotations

import codecs
import os
import sys
from io import TextIOWrapper
from typing import TextIO

_UNENCODABLE = "tetragraph.unencodable"
_ESCAPED_BYTES = range(0xDC80, 0xDD00)
"""Surrogates that stand for bytes of a path that are no text."""


def prepare_streams() -> None:
    """Open what the caller closed, and let output have characters that its encoding lacks."""
    if sys.stdin is None:  # as in `tetragraph corpora <&-`; first, as it takes the lowest free descriptor
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY), encoding="utf-8")
    if sys.stdout is None:  # as in `tetragraph corpora >&-`
        sys.stdout = _pipe_without_reader()
    if isinstance(sys.stdout, TextIOWrapper):
        _escape_unencodable(sys.stdout)


def _escape_unencodable(stream: TextIOWrapper) -> None:
    r"""Let a stream write characters that its encoding lacks as ``\u2192``; a choice of the user stays.

    Standard error does so by itself.
    """
    if stream.errors == "strict":
        stream.reconfigure(errors="backslashreplace")
    elif stream.errors == "surrogateescape":  # of the interpreter in the locale C
        codecs.register_error(_UNENCODABLE, _bytes_or_escape)
        stream.reconfigure(errors=_UNENCODABLE)


def _bytes_or_escape(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replacement of one character: the byte of a path that it stands for, otherwise its escape sequence."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    code = ord(error.object[error.start])
    if code in _ESCAPED_BYTES:
        return bytes([code - 0xDC00]), error.start + 1
    one = UnicodeEncodeError(error.encoding, error.object, error.start, error.start + 1, error.reason)
    return codecs.backslashreplace_errors(one)


def _pipe_without_reader() -> TextIO:
    """A file for output on the lowest free descriptor, that of standard output; each write fails as in a closed pipe.

    No file that is opened later gets that descriptor, into which libraries may print.
    """
    reading, writing = os.pipe()
    os.dup2(writing, reading)
    os.close(writing)
    return os.fdopen(reading, "w", encoding="utf-8")
