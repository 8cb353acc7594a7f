"""Fields of the form of a search: question, method, filters and options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import Request

from tetragraph.client.conditions import COMPARISON, Condition, collect_conditions
from tetragraph.client.corpus import Corpus
from tetragraph.errors import InvalidInput
from tetragraph.model import Evidence
from tetragraph.model.written_values import read_value
from tetragraph.validation import merge_options

MOST_SHOWN_HITS: Final = 50
K: Final = 8
METHOD: Final = "evidence"
"""Method of a form that names none."""
_NUMBER = re.compile(r"[0-9]{1,9}")
_LINE = re.compile(rf"\s*(@?[^\s=!<>]+)\s*({COMPARISON})\s*(.*?)\s*")
_PART = re.compile(r"""\s*(?:"[^"]*"|'[^']*')\s*(?=,|$)|[^,]+""")


@dataclass(frozen=True, slots=True)
class Asked:
    """Fields of the form of a search.

    Attributes:
        question: The question; empty for a form that was not filled in.
        method: Search method.
        k: Number of hits.
        filters: Conditions on metadata, a line each: ``year >= 1990``.
        options: Options of the method, a line each: ``steps = 3``.
    """

    question: str = ""
    method: str = METHOD
    k: int = K
    filters: str = ""
    options: str = ""

    @classmethod
    def of(cls, values: Mapping[str, Any], *, method: str = "method") -> Asked:
        """The fields of a query or form; those that are missing have their defaults.

        Raises:
            InvalidInput: the number of hits is no number from 1 to ``MOST_SHOWN_HITS``.
        """
        given = {name: str(values.get(name, "")).strip() for name in ("q", method, "k", "filters", "options")}
        k = given["k"] or str(K)
        if not _NUMBER.fullmatch(k) or not 1 <= int(k) <= MOST_SHOWN_HITS:
            raise InvalidInput(f"the number of results must be 1 to {MOST_SHOWN_HITS}, got {k!r:.50}")
        return cls(given["q"], given[method] or METHOD, int(k), given["filters"], given["options"])

    def search(self, corpus: Corpus) -> Evidence:
        """Search a corpus."""
        return corpus.search(**self.arguments)

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of a search or of a question.

        Raises:
            InvalidInput: a condition or an option cannot be read, or an option has the name of an argument.
        """
        return merge_options(
            self.method_options, question=self.question, k=self.k, method=self.method, filters=self.conditions
        )

    @property
    def conditions(self) -> dict[str, Any] | None:
        """The filters as a search takes them."""
        return read_filters(self.filters) or None

    @property
    def method_options(self) -> dict[str, Any]:
        """The options as a search takes them.

        Raises:
            InvalidInput: a line has another form.
        """
        found: dict[str, Any] = {}
        for key, sign, value in _lines("an option", self.options, "per_document = 2"):
            if sign != "=":
                raise InvalidInput(f"an option must have the form 'per_document = 2', got {key} {sign} {value}")
            found[key] = _value(value)
        return found

    def query(self, **more: object) -> str:
        """The fields as a query, without those that have their defaults, and further ones."""
        own = {
            "q": self.question,
            "method": self.method if self.method != METHOD else "",
            "k": self.k if self.k != K else "",
            "filters": self.filters,
            "options": self.options,
        }
        return urlencode({name: value for name, value in (own | more).items() if value != ""})


def asked_of(request: Request) -> Asked:
    """The fields in the query of a request; the question is noted for the audit log."""
    found = Asked.of(request.query_params)
    request.state.text = found.question
    return found


def read_filters(text: str) -> dict[str, Any]:
    r"""Filters of lines like ``year >= 1990``, ``kind = a, b`` and ``kind != c``.

    >>> read_filters("year >= 1990\nyear < 2000\nkind = page, note")
    {'year': {'gte': 1990, 'lt': 2000}, 'kind': ['page', 'note']}

    Several lines on a key are collected as on the command line.

    Raises:
        InvalidInput: a line has another form, or contradicts another one on the same key.
    """
    lines = _lines("a filter", text, "year >= 1990")
    return collect_conditions(Condition(key, sign, _value(value)) for key, sign, value in lines)


def _lines(what: str, text: str, example: str) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    for line in filter(str.strip, text.splitlines()):
        match = _LINE.fullmatch(line)
        if not match or not match[3]:
            raise InvalidInput(f"{what} must have the form {example!r}, a line each, got {line!r:.100}")
        found.append((match[1], match[2], match[3]))
    return found


def _value(text: str) -> Any:
    """A value, or, where a text has commas outside quotation marks, a list of values."""
    value = read_value(text)
    if not isinstance(value, str) or value != text or "," not in text:
        return value
    parts = [part.strip() for part in _PART.findall(text) if part.strip()]
    return text if parts == [text] else [read_value(part) for part in parts]
