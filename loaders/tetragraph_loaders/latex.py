r"""LaTeX in a form that kreuzberg reads in full: without comments, accents as letters, commands of the author expanded.

kreuzberg keeps comments as text, drops letters such as ``\ss`` and the commands that a file defines, and leaves an
accent in front of its letter. Commands with arguments, and those that another file defines, stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

from tetragraph.errors import UnreadableDocument
from tetragraph_loaders.encodings import decode

_MOST_BYTES = 50_000_000
"""Largest size of a file that is prepared; a larger one is read as it is."""
_MOST_BODY = 1_000
"""Largest number of characters for which a command stands here."""
_VERBATIM = (
    r"\\begin\{(?P<name>verbatim\*?|lstlisting|minted)\}.*?(?:\\end\{(?P=name)\}|\Z)"
    r"|\\verb\*?(?P<bar>[^\sA-Za-z*])[^\n]*?(?:(?P=bar)|$)|\\(?:url|href|path)\s*\{[^{}\n]*\}"
)
"""Text in which the signs of LaTeX have no meaning."""
_COMMENT = r"^[ \t]*%[^\n]*(?:\n|\Z)|%[^\n]*"
"""A line of comment, or the comment behind other text; its line end stays, as kreuzberg reads line by line."""
_BODY = r"(?:\\.|[^{}\\]|\{(?:\\.|[^{}\\]|\{[^{}]{0,200}\}){0,300}+\}){0,600}+"
_DEFINITION = (
    r"\\(?:(?:new|renew|provide)command\*?\s*+(?:\{\s*+)?|def\s*+)"
    rf"\\(?P<command>[A-Za-z]+)\s*+(?:\}}\s*+)?\{{(?P<body>{_BODY})\}}"
)
_COMMAND = r"\\(?P<command>[A-Za-z]+)(?:\{\})?"
_MARKS = "\u0308\u0301\u0300\u0302\u0303\u0304\u0307\u0327\u030c\u0306\u030b\u0328\u030a\u0323"
_ACCENTS = dict(zip("\"'`^~=.cvuHkrd", _MARKS, strict=True))
"""Combining character of each command that sets an accent on the letter behind it."""
_NAMES = ("ss", "ae", "AE", "oe", "OE", "aa", "AA", "dh", "DH", "th", "TH", "dj", "DJ", "ng", "NG", *"oOlLi")
_LETTERS: dict[str, str] = dict(zip(_NAMES, "ßæÆœŒåÅðÐþÞđĐŋŊøØłŁı", strict=True))
"""Letter of each command that stands for one."""
_BASE = r"(?:\\[ij](?![A-Za-z])[ \t]?|[A-Za-z])"
_CHARACTER = (
    rf"\\(?:[\"'`^~=.](?:\{{{_BASE}\}}|{_BASE})|[cvuHkrd]\{{{_BASE}\}}|[cv][ \t]+{_BASE}"
    rf"|(?:{'|'.join(_LETTERS)})(?![A-Za-z])(?:\{{\}}|[ \t]+)?)"
)
"""A letter with an accent, or one with a name."""
_CHARACTERS = rf"\{{(?P<braced>{_CHARACTER})\}}|(?P<plain>{_CHARACTER})|(?P<kept>\\[A-Za-z]+\*?\{{?)|(?P<tie>~)"
"""A character, a command with the brace of its argument, which belongs to no character, or a blank between words."""


def prepare_latex(path: Path) -> bytes | None:
    """The content of a file in the form that kreuzberg reads in full; None if it is binary or too large."""
    if path.stat().st_size > _MOST_BYTES:
        return None
    try:
        return write_plainly(decode(path.read_bytes()).text).encode()
    except UnreadableDocument:
        return None


def write_plainly(text: str) -> str:
    r"""A text in LaTeX without comments, its accents as letters, and its commands without arguments expanded.

    >>> write_plainly(r'\newcommand{\dam}{Reyer dam}The \dam{} of M\"uller, 5\% up. % built 1932')
    'The Reyer dam of Müller, 5\\% up. '
    """
    bodies: dict[str, str] = {}
    text = _replace(_COMMENT, lambda _: "", text.replace("\r\n", "\n"))
    text = _replace(_DEFINITION, lambda found: _define(found, bodies), text)
    text = _expand(text, bodies)
    return _replace(_CHARACTERS, _write_character, text)


def _replace(pattern: str, write: Callable[[re.Match[str]], str], text: str) -> str:
    r"""Replace a pattern outside of verbatim text and of commands that are one sign, such as ``\%``."""
    every = re.compile(rf"{_VERBATIM}|(?P<hit>{pattern})|\\.", re.DOTALL | re.MULTILINE)
    return every.sub(lambda found: found[0] if found["hit"] is None else write(found), text)


def _define(found: re.Match[str], bodies: dict[str, str]) -> str:
    body = _expand(found["body"], bodies).replace("\\xspace", "")
    if len(body) > _MOST_BODY or "#" in body:
        return found[0]
    bodies[found["command"]] = body
    return ""


def _expand(text: str, bodies: dict[str, str]) -> str:
    return _replace(_COMMAND, lambda found: bodies.get(found["command"], found[0]), text) if bodies else text


def _write_character(found: re.Match[str]) -> str:
    if found["tie"]:
        return " "
    if found["kept"]:
        return found[0]
    words = (found["braced"] or found["plain"])[1:].rstrip().removesuffix("{}")
    if words in _LETTERS:
        return _LETTERS[words]
    letter = words[1:].strip("{}\\ \t")
    return unicodedata.normalize("NFC", letter + _ACCENTS[words[0]])
