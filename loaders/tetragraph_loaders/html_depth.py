"""Limits how deep the elements of a page nest, and how many attributes they have.

The parser looks through all open elements at every tag, so a page that opens 50,000 of them takes minutes, and cannot
be interrupted. Elements beyond the limit become line breaks; their words stay. Browsers have the same limit. At every
attribute the parser looks through those before it: attributes beyond the limit are left out.
"""

from __future__ import annotations

import re
from collections import Counter

MAX_DEPTH = 512
"""Most open elements."""
MAX_FORMATS = 32
"""Most open elements of formatting, each of which the parser opens again in every paragraph."""
MAX_ATTRIBUTES = 256
"""Most attributes of an element."""
MAX_BODIES = 32
"""Most tags ``html`` and ``body`` whose attributes the parser adds to those of the first."""
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)|<!--")
_ATTRIBUTES = re.compile(
    r"""(?:[ \t\n\f\r/]*+[^ \t\n\f\r/>][^ \t\n\f\r/>=]*+"""
    r"""(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:"[^"]*+"|'[^']*+'|[^ \t\n\f\r>"'][^ \t\n\f\r>]*+)?+)?+)"""
    f"{{0,{MAX_ATTRIBUTES}}}+"
)
_RAW = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext"})
"""Elements whose content is no markup."""
_FORMATS = frozenset({"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"})
_EMPTY = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source"})
_NEVER_OPEN = _EMPTY | {"track", "wbr", "html", "head", "body", "p", "li", "dt", "dd", "option"}
"""Elements without content, and those that the next of their kind closes."""
_BODIES = frozenset({"html", "body"})
_CELLS = frozenset({"tr", "td", "th", "tbody", "thead", "tfoot", "caption"})
_SCOPES = frozenset({"table", "td", "th", "caption", "object", "marquee", "applet", "template", "svg", "math"})
"""Elements that a closing tag of another element does not reach out of."""


def limit_depth(text: str) -> str:
    """The page with tags beyond the limits renamed to ``br``, or ``wbr`` for formatting; most pages as they are.

    Attributes beyond the limit are left out.
    """
    stack = _OpenElements()
    pieces: list[str] = []
    done = at = bodies = 0
    while match := _TAG.search(text, at):
        kept = at = match.end()
        name = (match[2] or "").lower()
        if name not in _RAW and (instead := stack.close(name) if match[1] else stack.open(name)):
            pieces += (text[done : match.start(2)], instead)
            done = at
        if name and not match[1] and not text.startswith(">", at):
            bodies += name in _BODIES
            kept, at = _skip_attributes(text, at)
            if name in _BODIES and bodies > MAX_BODIES:
                kept = match.end()
            if kept < at:
                pieces.append(text[done:kept])
                done = at
        if not name or (name in _RAW and not match[1]):
            at = _skip(text, at, f"</{name}" if name else "-->")
    return "".join((*pieces, text[done:])) if pieces else text


def _skip_attributes(text: str, at: int) -> tuple[int, int]:
    """Where the attributes of a tag that it may keep end, and where all end."""
    kept = end = _end_of_attributes(text, at)
    while not text.startswith(">", end) and (following := _end_of_attributes(text, end)) > end:
        end = following
    return kept, end


def _end_of_attributes(text: str, at: int) -> int:
    match = _ATTRIBUTES.match(text, at)
    return match.end() if match else at


def _skip(text: str, at: int, end: str) -> int:
    """Where content that is no markup ends; the end of the text where nothing closes it."""
    match = re.compile(re.escape(end), re.IGNORECASE).search(text, at)
    return match.start() if match else len(text)


class _OpenElements:
    """The elements that are open at one place of a page, about as a parser has them."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._counts: Counter[str] = Counter()
        self._formats = 0

    def open(self, name: str) -> str:
        """Open an element. Returns the name that it has to have instead; empty if it may stay."""
        if name in _CELLS and self._counts["table"]:
            while self._names[-1] != "table":
                self._pop()
        if name in _FORMATS and self._formats >= MAX_FORMATS:
            return "wbr"
        if len(self._names) >= MAX_DEPTH:
            return "br"
        if name not in _NEVER_OPEN:
            self._names.append(name)
            self._counts[name] += 1
            self._formats += name in _FORMATS
        return ""

    def close(self, name: str) -> str:
        """Close an element, and those inside of it; a closing tag of none that is open is left as it is."""
        if not self._counts[name]:
            return ""
        found = len(self._names) - 1
        while self._names[found] != name:
            if self._names[found] in _SCOPES and name not in _SCOPES:
                return ""
            found -= 1
        while len(self._names) > found:
            self._pop()
        return ""

    def _pop(self) -> None:
        name = self._names.pop()
        self._counts[name] -= 1
        self._formats -= name in _FORMATS
