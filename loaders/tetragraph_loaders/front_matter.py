"""Front matter of Markdown files: ``key: value`` between two ``---`` (YAML), or TOML between two ``+++``.

Of YAML the forms that front matter has are read: plain and quoted texts, texts of several lines after ``|`` and ``>``,
lists in brackets and of lines that begin with ``-``, comments. Other nested values are left out. Lines that are none of
these are left out with a note, if the first line is a pair and most lines are understood; otherwise the file has no
front matter, and begins with a line.
"""

from __future__ import annotations

import datetime as dt
import math
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TypeAlias

from tetragraph.model import Scalar
from tetragraph_loaders.rows import scalar_of

Values: TypeAlias = dict[str, Scalar | list[str]]
NOT_UNDERSTOOD = "lines of the front matter that are no pair of key and value are left out"
"""Note on lines that were left out."""
_YAML = re.compile(r"(?:[ \t]*\n)*---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML = re.compile(r"(?:[ \t]*\n)*\+\+\+[ \t]*\n(.*?\n)?\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
_PASSED_OVER = re.compile(r"\s*|\s*#.*|\s+.*|-(\s.*)?")
"""A line that is no pair, and part of YAML: blank, a comment, part of a nested value."""
_PAIR = re.compile(r"""("[^"]+"|'[^']+'|[\w.-]+(?:[ \t]+[\w.-]+){0,2})[ \t]*:(?:[ \t]+(\S.*?))?[ \t]*""")
"""A key has at most three words, so that few sentences with a colon are pairs."""
_ITEM = re.compile(r"[ \t]*-[ \t]+(\S.*?)[ \t]*")
_NESTED_ITEM = re.compile(r"[\w.-]+:(?:[ \t].*)?")
_BLOCK = re.compile(r"([|>])[+-]?\d?[+-]?(?:[ \t]+#.*)?")
_LIST = re.compile(r"\[([^\[\]{}]*)\]")
_LISTED = re.compile(r"""[ \t]*("[^"]*"|'[^']*'|[^,]*?)[ \t]*(?:,|\Z)""")
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?:[ \t]+#.*)?""")
_COMMENT = re.compile(r"[ \t]+#(?:[ \t].*)?\Z")
"""A comment has a blank on both sides of its mark, so that `Issue #5` has none."""
_ESCAPE = re.compile(r"""\\(?:(["\\/])|x([\da-fA-F]{2})|u((?![dD][89a-fA-F])[\da-fA-F]{4}))""")
_NOT_SCALAR = ("[", "{", "|", ">", "&", "*", "!")
_NULLS = frozenset({"~", "null", "Null", "NULL"})
_INTEGERS = range(-(2**63), 2**63)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Front matter of a text.

    Attributes:
        values: Scalars and lists of texts by key; empty without front matter.
        text: The text after it.
        note: What was left out, in words; empty if nothing.
    """

    values: Values
    text: str
    note: str = ""


def split_front_matter(text: str) -> FrontMatter:
    r"""Split the front matter off a text.

    >>> split_front_matter("---\nyear: 2024\ntags: [sea, 'a, b']\n---\nText")
    FrontMatter(values={'year': 2024, 'tags': ['sea', 'a, b']}, text='Text', note='')
    """
    if match := _YAML.match(text):
        lines = _Lines((match[1] or "").splitlines())
        values = dict(lines.read())
        if lines.is_front_matter:
            return FrontMatter(values, text[match.end() :], NOT_UNDERSTOOD if lines.not_understood else "")
    elif match := _TOML.match(text):
        try:
            return FrontMatter(dict(_read_toml(match[1] or "")), text[match.end() :])
        except (tomllib.TOMLDecodeError, RecursionError):
            pass  # it begins with a line of signs
    return FrontMatter({}, text)


@dataclass(slots=True)
class _Lines:
    """Reads the pairs of some lines of YAML.

    Attributes:
        lines: The lines.
        not_understood: Number of lines that are no part of YAML.
    """

    lines: Sequence[str]
    not_understood: int = 0
    _place: int = field(default=0, init=False)

    @property
    def is_front_matter(self) -> bool:
        """Whether the lines that were read are front matter: all are understood, or most, and the first is a pair."""
        first = next((line for line in self.lines if line.strip() and not line.lstrip().startswith("#")), "")
        return not self.not_understood or bool(_PAIR.fullmatch(first) and 2 * self.not_understood < len(self.lines))

    def read(self) -> Iterator[tuple[str, Scalar | list[str]]]:
        """Yield the pairs; values that are neither scalars nor lists of texts are left out."""
        while self._place < len(self.lines):
            line = self.lines[self._place]
            self._place += 1
            if _PASSED_OVER.fullmatch(line):
                continue
            if pair := _PAIR.fullmatch(line):
                value = self._read_value(pair[2] or "")
                if value is not None:
                    yield _unquote(pair[1]), value
            else:
                self.not_understood += 1

    def _read_value(self, value: str) -> Scalar | list[str] | None:
        if not value or _COMMENT.match(f" {value}"):
            return self._read_items() or None
        if block := _BLOCK.fullmatch(value):
            return self._read_block(is_folded=block[1] == ">") or None
        if value.startswith("["):
            return _read_list(value) if "]" in value else self._read_long_list(value)
        value = _without_comment(value)
        return None if value.startswith(_NOT_SCALAR) or value in _NULLS else _scalar(value)

    def _read_items(self) -> list[str]:
        """The texts of a list in the lines that follow; empty if one of them is no text."""
        found = takewhile(bool, map(_ITEM.fullmatch, self.lines[self._place :]))
        items = [item[1] for item in found if item]
        is_nested = any(item.startswith(_NOT_SCALAR) or _NESTED_ITEM.fullmatch(item) for item in items)
        return [] if is_nested else [_unquote(_without_comment(item)) for item in items]

    def _read_block(self, *, is_folded: bool) -> str:
        """The text of the indented lines that follow."""
        rest = self.lines[self._place :]
        lines = [*takewhile(lambda line: not line.strip() or line[0] in " \t", rest)]
        self._place += len(lines)
        indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        words = "\n".join(line[indent:].rstrip() for line in lines).strip()
        return re.sub(r"(?<!\n)\n(?!\n)", " ", words) if is_folded else words

    def _read_long_list(self, value: str) -> list[str] | None:
        """A list in brackets over several lines, up to that with the closing one."""
        rest = self.lines[self._place :]
        last = next((number for number, line in enumerate(rest) if "]" in line), None)
        if last is None:
            return None
        self._place += last + 1
        lines = [_without_comment(line.strip()) for line in (value, *rest[: last + 1])]
        return _read_list(" ".join(lines))


def _read_list(value: str) -> list[str] | None:
    """The texts of a list in brackets; None for a list of others."""
    listed = _LIST.fullmatch(_COMMENT.sub("", value))
    return [_unquote(item) for item in _LISTED.findall(listed[1]) if item] if listed else None


def _without_comment(value: str) -> str:
    quoted = _QUOTED.fullmatch(value)
    if quoted or value.startswith(("'", '"')):
        return quoted[1] if quoted else value
    return _COMMENT.sub("", value)


def _unquote(value: str) -> str:
    if not _is_quoted(value):
        return value
    inner = value[1:-1]
    return inner.replace("''", "'") if value[0] == "'" else _ESCAPE.sub(_unescape, inner)


def _unescape(escape: re.Match[str]) -> str:
    return escape[1] or chr(int(escape[2] or escape[3], 16))


def _is_quoted(value: str) -> bool:
    return len(value) > 1 and value[0] == value[-1] and value[0] in "'\""


def _scalar(value: str) -> Scalar:
    return _unquote(value) if _is_quoted(value) else scalar_of(value)


def _read_toml(text: str) -> Iterator[tuple[str, Scalar | list[str]]]:
    """The scalars and lists of scalars of a TOML text; a date is a text in the form of ISO 8601."""
    for key, value in tomllib.loads(text).items():
        if isinstance(value, list):
            items = [_toml_scalar(item) for item in value]
            if all(item is not None for item in items):
                yield key, [str(item) for item in items]
        elif (scalar := _toml_scalar(value)) is not None:
            yield key, scalar


def _toml_scalar(value: object) -> Scalar | None:
    """A value as a document may have it; None for a nested one."""
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return value if value in _INTEGERS else str(value)
    return value if isinstance(value, str) else None
