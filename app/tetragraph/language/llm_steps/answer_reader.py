"""Extracts the answer from a reply while the reply is streamed."""

from __future__ import annotations

import re
from typing import Final

from tetragraph.language.llm_steps.answer import LONGEST_ANSWER, without_control

_COMPLETE: Final = re.compile(r"(?:[^\\]|\\[^u]|\\u[0-9a-fA-F]{4})*")
_HIGH_SURROGATE: Final = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}$")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_YES: Final = frozenset(["true", "yes"])


class AnswerReader:
    """Reads the JSON of an ``AnswerReply`` piece by piece, and returns the text of ``answer`` as soon as it is known.

    The pieces together equal ``one_line`` of the whole answer. Nothing is returned for an answer that the reply has
    already marked as insufficient, nor for text that is not such JSON.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._string: list[str] | None = None
        self._is_escaped = False
        self._last = ""
        self._key = ""
        self._literal = ""
        self._is_sufficient = False
        self._raw = ""
        self._length = 0
        self._blank = ""
        self._is_begun = False

    def feed(self, piece: str) -> str:
        """Process the next piece of the reply and return the next piece of the answer, possibly empty."""
        for character in piece:
            if self._string is None:
                self._outside(character)
            else:
                self._inside(character, self._string)
        return self._tidy(self._decode())

    def _outside(self, character: str) -> None:
        if character == '"':
            self._string = []
        elif character in "{[":
            self._depth += 1
        elif character in "}]":
            self._depth -= 1
        elif self._depth != 1:
            return
        elif character == ":":
            self._key, self._literal = self._last, ""
        elif character == ",":
            self._decide()
            self._key = ""
        else:
            self._literal += character

    def _inside(self, character: str, string: list[str]) -> None:
        if character == '"' and not self._is_escaped:
            self._string, self._last = None, "".join(string)
            self._literal += self._last if self._depth == 1 and self._key else ""
            return
        self._is_escaped = character == "\\" and not self._is_escaped
        if self._depth == 1 and self._key == "answer":
            self._raw += character if self._is_sufficient else ""
        elif self._depth == 1:
            string.append(character)

    def _decide(self) -> None:
        """Process a complete value."""
        if self._key == "sufficient":
            self._is_sufficient = self._literal.strip().casefold() in _YES

    def _decode(self) -> str:
        """Remove and return the decoded text, without an incomplete escape; two escapes may form one character."""
        match = _COMPLETE.match(self._raw)
        end = match.end() if match else 0
        surrogate = _HIGH_SURROGATE.search(self._raw, 0, end)
        end = surrogate.start() if surrogate and self._string is not None else end
        raw, self._raw = self._raw[:end], self._raw[end:]
        plain = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _ESCAPED.get(found[2], found[2]), raw)
        return plain.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")

    def _tidy(self, text: str) -> str:
        """The text as one line, truncated at the limit of an answer; blanks are withheld until a word follows."""
        piece = text[: LONGEST_ANSWER - self._length]
        self._length += len(piece)
        line = re.sub(r"\s+", " ", self._blank + without_control(piece))
        shown = line.rstrip() if self._is_begun else line.strip()
        self._is_begun = self._is_begun or bool(shown)
        self._blank = " " if line.endswith(" ") and self._is_begun else ""
        return shown
