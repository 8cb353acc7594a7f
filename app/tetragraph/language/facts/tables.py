"""Facts of tables in Markdown: a row states one fact, whose participants are its cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.facts.model import Fact, Participant
from tetragraph.language.facts.phrases import clean_name, names_something, type_of_phrase
from tetragraph.language.facts.statements import ATTACHED, MOST_PARTICIPANTS
from tetragraph.language.facts.topic import Topic
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.lexicon.words import MONTHS

LISTED: Final = "listed"
"""Type of the fact of a row."""
_LONGEST_CELL = 80
"""Largest number of characters of a value; a longer cell is prose, and is parsed as such."""
_LONGEST_ROLE = 60
_NAMED = 0.9
_TABLE = re.compile(r"^(?:[ \t]*\|.*\|[ \t]*(?:\n|\Z))+", re.MULTILINE)
_CELL = re.compile(r"\|((?:\\.|[^|\\\n])*)(?=\|)")
_DELIMITER = re.compile(r"\s*\|[ \t:|-]*-[ \t:|-]*\|\s*")
_AMOUNT = re.compile(r"[^\w]*\d[\d.,]*(?:\s*[^\s\d]+)?")
_MONTH = f"(?:{MONTHS})"
_DATE = re.compile(
    rf"(?:1\d|20)\d\d(?:[-/.]\d\d?[-/.]\d\d?)?|\d\d?[-/.]\d\d?[-/.]\d{{2,4}}"
    rf"|(?:\d\d? )?{_MONTH} (?:\d\d?, )?\d{{4}}"
)
_NO_VALUE = frozenset(["yes", "no", "true", "false", "none", "n a", "unknown"])


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that is not blank: its text, its place in the text of the chunk in characters, and its column's header."""

    text: str
    start: int
    end: int
    header: str

    @property
    def is_prose(self) -> bool:
        """Whether the cell is too long for a value."""
        return len(self.text) > _LONGEST_CELL


@dataclass(frozen=True, slots=True)
class Table:
    """Consecutive lines that begin and end with ``|``.

    Attributes:
        start: Start of the first line, in characters of the text.
        end: End of the last line.
        rows: The cells of each line below the header; of all lines if there is none.
        has_header: Whether the second line divides a header from the rows.
    """

    start: int
    end: int
    rows: Sequence[Sequence[Cell]]
    has_header: bool


def find_tables(text: str) -> list[Table]:
    """The tables of a text, in order."""
    return [_read(match) for match in _TABLE.finditer(text)] if "|" in text else []


def without_tables(text: str, tables: Sequence[Table]) -> str:
    """A text of the same length, with line ends in place of tables; only their cells of prose are left."""
    parts, done = [], 0
    for table in tables:
        parts.append(text[done : table.start])
        done = table.start
        for cell in (cell for row in table.rows for cell in row if cell.is_prose):
            parts += ["\n" * (cell.start - done), text[cell.start : cell.end]]
            done = cell.end
        parts.append("\n" * (table.end - done))
        done = table.end
    return "".join([*parts, text[done:]])


def facts_of_rows(tables: Sequence[Table], topic: Topic) -> Iterator[Fact]:
    """One fact for each row below a header whose cells name two entities, or one beside the title.

    The subject is the first cell that names something; the role of another is its header. The title takes part where
    a row has no second name, and in tables of two columns, whose rows mostly describe the title. Amounts are in the
    description only, as they denote no entity.
    """
    for table in tables:
        for row in table.rows if table.has_header else ():
            if fact := _fact([cell for cell in row if not cell.is_prose], topic):
                yield fact


def _fact(cells: Sequence[Cell], topic: Topic) -> Fact | None:
    found: dict[str, Participant] = {}
    for cell in cells:
        name = clean_name(cell.text)
        if (kind := _type(name)) is not None:
            role = " ".join(cell.header.lower().split())[:_LONGEST_ROLE] or "attribute"
            found.setdefault(normalise_name(name), Participant(name, kind, role if found else "subject", _NAMED))
    if not found:
        return None
    lead, own = "", normalise_name(topic.name)
    if own and own not in found and (len(found) < 2 or len(cells) < 3):
        found = {own: Participant(topic.name, topic.type, "topic", ATTACHED), **found}
        lead = f"{topic.name}: "
    participants = tuple(found.values())[:MOST_PARTICIPANTS]
    if len(participants) < 2:
        return None
    first, *others = cells
    values = ", ".join(f"{cell.header} {cell.text}".strip() for cell in others)
    return Fact(
        description=f"{lead}{first.text}: {values}" if values else f"{lead}{first.header} {first.text}",
        type=LISTED,
        confidence=min(participant.confidence for participant in participants),
        participants=participants,
        start=first.start,
        end=cells[-1].end,
    )


def _type(name: str) -> str | None:
    """Type of the entity that a cell names, ``""`` if unknown; None if it names none."""
    if _DATE.fullmatch(name):
        return TYPES["DATE"]
    if _AMOUNT.fullmatch(name) or normalise_name(name) in _NO_VALUE or not names_something(name):
        return None
    return type_of_phrase(name)


def _read(match: re.Match[str]) -> Table:
    first, *others = re.finditer(r".+", match[0])
    has_header = bool(others) and _DELIMITER.fullmatch(others[0][0]) is not None
    header = [_plain(cell[1]) for cell in _CELL.finditer(first[0])] if has_header else []
    lines = others[1:] if has_header else [first, *others]
    rows = [list(_cells(line[0], match.start() + line.start(), header)) for line in lines]
    return Table(match.start(), match.end(), rows, has_header)


def _cells(line: str, start: int, header: Sequence[str]) -> Iterator[Cell]:
    for column, found in enumerate(_CELL.finditer(line)):
        if text := found[1].strip():
            begin = start + found.start(1) + found[1].index(text)
            yield Cell(_plain(text), begin, begin + len(text), header[column] if column < len(header) else "")


def _plain(text: str) -> str:
    return text.replace("\\|", "|").strip()
