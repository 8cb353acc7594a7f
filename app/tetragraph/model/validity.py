"""Validity of documents: the days on which one holds, and the documents that it supersedes."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from tetragraph.errors import InvalidInput

VALID_FROM = "valid_from"
VALID_TO = "valid_to"
SUPERSEDES = "supersedes"
VERSION_KEYS = (VALID_FROM, VALID_TO, SUPERSEDES)
"""Keys of metadata that state the validity of a document."""
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def read_day(name: str, value: object) -> str:
    """A day in the form ``2024-05-31``; days in this form are in order of time as texts.

    >>> read_day("as_of", dt.date(2024, 5, 31))
    '2024-05-31'

    Raises:
        InvalidInput: the value is no day of the calendar in this form.
    """
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return value.isoformat()
    if isinstance(value, str) and _DAY.fullmatch(value):
        try:
            return dt.date.fromisoformat(value).isoformat()
        except ValueError as error:
            raise InvalidInput(f"{name} must be a day of the calendar, got {value!r}: {error}") from error
    raise InvalidInput(f"{name} must be a day such as 2024-05-31, got {value!r:.100}")


@dataclass(frozen=True, slots=True)
class Validity:
    """When a document holds, and what it supersedes.

    Attributes:
        valid_from: First day, ``2024-05-31``; empty for no first day.
        valid_to: Last day; empty for no last day.
        supersedes: Ids of the documents that it takes the place of.
    """

    valid_from: str = ""
    valid_to: str = ""
    supersedes: tuple[str, ...] = ()

    @classmethod
    def of(cls, metadata: Mapping[str, object]) -> Self:
        """The validity that metadata state; empty texts count as absent.

        Raises:
            InvalidInput: a day does not parse, the last day is before the first one, or ``supersedes`` is neither an
                id nor a list of ids.
        """
        days = [
            read_day(name, value) if (value := metadata.get(name)) not in (None, "") else ""
            for name in (VALID_FROM, VALID_TO)
        ]
        first, last = days
        if first and last and last < first:
            raise InvalidInput(f"{VALID_TO} must not be before {VALID_FROM}, got {last} and {first}: correct one")
        return cls(first, last, _read_ids(metadata.get(SUPERSEDES)))

    def holds_on(self, day: str) -> bool:
        """Whether a day is neither before the first nor after the last one."""
        return (not self.valid_from or self.valid_from <= day) and (not self.valid_to or day <= self.valid_to)

    def has_begun(self, day: str) -> bool:
        """Whether a day is not before the first one."""
        return not self.valid_from or self.valid_from <= day


def _read_ids(value: object) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    ids = value if isinstance(value, list | tuple) else [value]
    if wrong := [one for one in ids if not isinstance(one, str) or not one]:
        raise InvalidInput(
            f"{SUPERSEDES} must be the id of a document or a list of ids, got {wrong[0]!r:.100}: write the id as text"
        )
    return tuple(sorted({*ids}))
