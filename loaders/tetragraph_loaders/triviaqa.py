"""TriviaQA as released: one JSON object whose ``Data`` lists the questions, with all accepted answers, no passages.

A row has ``QuestionId``, ``Question`` and ``Answer``: ``{"Value", "Aliases", "NormalizedAliases"}``. The accepted
answers are the value, then its aliases, then the aliases in their normalised form.

Source: Joshi et al. (2017), TriviaQA: A Large Scale Distantly Supervised Challenge Dataset for Reading Comprehension.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from tetragraph.errors import InvalidInput, UnreadableDocument
from tetragraph.evaluate.model import GoldQuestion
from tetragraph_loaders.reading import cannot_open, open_bytes
from tetragraph_loaders.records import Record
from tetragraph_loaders.rows import kind_of, refuse_constant

_BEGIN = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"Data"\s*:\s*\[')
_HEAD = 1024
_MAX_BYTES = 500_000_000
"""Largest size of a file, unpacked: it is read into memory."""


class _TriviaQa:
    """The format; the whole file is in memory while it is read, as it is one object."""

    def recognises(self, path: Path) -> bool:
        """Whether the file begins as an object with ``Data``."""
        try:
            with open_bytes(path) as file:
                return _BEGIN.match(file.read(_HEAD)) is not None
        except (OSError, EOFError, zlib.error):
            return False

    def read(self, path: Path) -> Iterator[tuple[str, GoldQuestion]]:
        """Yield every question with its file and place in ``Data``, from 1.

        Raises:
            InvalidInput: the file is no such object, or a row breaks a rule.
        """
        for number, row in enumerate(_rows(path), start=1):
            where = f"{path} (row {number})"
            try:
                yield where, _question(number, where, row)
            except UnreadableDocument as error:
                raise InvalidInput(f"{where}: {error}") from error


def _rows(path: Path) -> list[object]:
    try:
        with open_bytes(path) as file:
            content = file.read(_MAX_BYTES + 1)
        if len(content) > _MAX_BYTES:
            raise InvalidInput(f"{path}: a file of TriviaQA must have at most {_MAX_BYTES:,} bytes; split its 'Data'")
        found = json.loads(content.decode("utf-8-sig"), parse_constant=refuse_constant)
    except OSError as error:
        raise InvalidInput(f"{path}: {cannot_open(error)}") from error
    except (ValueError, RecursionError, EOFError, zlib.error) as error:
        raise InvalidInput(f"{path}: a file of TriviaQA must be one JSON object in UTF-8: {error}; mend it") from error
    data = found.get("Data") if isinstance(found, dict) else None
    if not isinstance(data, list):
        raise InvalidInput(f"{path}: a file of TriviaQA must be an object whose 'Data' is a list; name its format")
    return data


def _question(number: int, where: str, row: object) -> GoldQuestion:
    if not isinstance(row, dict):
        raise UnreadableDocument(f"a row of 'Data' must be an object, got {kind_of(row)}; mend it")
    record, answer = Record(number, where, row), row.get("Answer")
    if not isinstance(answer, dict):
        raise UnreadableDocument(f"'Answer' must be an object with 'Value', got {kind_of(answer)}; mend the row")
    accepted = Record(number, where, answer)
    known = (accepted.text("Value"), *accepted.texts("Aliases"), *accepted.texts("NormalizedAliases"))
    return GoldQuestion(
        id=record.identity("QuestionId"),
        text=record.text("Question"),
        answers=tuple(dict.fromkeys(known)),
        hops=1,
    )


TRIVIAQA = _TriviaQa()
