"""Facts from a file that was recorded with a large language model."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tetragraph.errors import InvalidInput
from tetragraph.language.facts.model import Fact, Participant
from tetragraph.language.facts.stated import stating_sentence
from tetragraph.language.lexicon.names import normalise_name, surface
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.words import STOP_WORDS
from tetragraph.model import Chunk, content_id

_CONFIDENCE = 0.8
"""Confidence of a recorded triple, as its model gave none."""
_HELP = "each line must be an object with passage_id and triples of three texts each"


class RecordedExtractor:
    """Facts from a file of triples with a line for each chunk.

    A line is ``{"passage_id", "triples": [[subject, predicate, object], …]}``. ``passage_id`` is the id of the chunk,
    ``content_id(title, text)``, or that of its document; with the latter only triples whose object shares a word with
    the chunk are used, as a document may have many chunks. If a line has ``entities`` and ``entity_types`` of equal
    length, participants get their types from there, in capitals.

    Attributes:
        missing: Number of chunks of the last :meth:`extract` that the file lacks; they have no facts.
    """

    def __init__(self, path: Path) -> None:
        """Read the file.

        Args:
            path: JSON lines, gzipped if the name ends in ``.gz``.

        Raises:
            InvalidInput: the file is absent or not gzipped as its name implies, or a line has another form; the message
                has its number.
        """
        self.name = "recorded"
        self.missing = 0
        self._rows = dict(_read(path))

    def extract(self, chunks: Sequence[Chunk]) -> list[list[Fact]]:
        """Facts of each chunk: one for each triple whose subject and object are two names."""
        self.missing = 0
        return [list(self._facts(chunk)) for chunk in chunks]

    def _facts(self, chunk: Chunk) -> Iterator[Fact]:
        exact = (chunk.id, content_id(chunk.document_title, chunk.text), content_id(chunk.title, chunk.text))
        row = next((self._rows[key] for key in exact if key in self._rows), None)
        if row is not None:
            yield from _facts(chunk.text, row)
        elif chunk.document_id in self._rows:
            words = {*normalise_name(chunk.text).split()} - STOP_WORDS
            for fact in _facts(chunk.text, self._rows[chunk.document_id]):
                if not words.isdisjoint(normalise_name(fact.participants[1].name).split()):
                    yield fact
        else:
            self.missing += 1


def _read(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                row = json.loads(line)
                _check(row, f"{path}:{number}")
                yield row["passage_id"], row
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{path}:{number}: {_HELP}, got no JSON: {error}") from error
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"recorded facts must be a readable file of JSON lines, and {path} is not: {error}"
        ) from error


def _check(row: Any, place: str) -> None:
    if (
        not isinstance(row, dict)
        or not isinstance(row.get("passage_id"), str)
        or not isinstance(row.get("triples"), list)
    ):
        raise InvalidInput(f"{place}: {_HELP}, got {str(row)[:80]}")
    for triple in row["triples"]:
        if not isinstance(triple, list) or len(triple) != 3 or not all(isinstance(part, str) for part in triple):
            raise InvalidInput(f"{place}: {_HELP}, got the triple {str(triple)[:80]}")


def _facts(text: str, row: dict[str, Any]) -> Iterator[Fact]:
    entities, types = row.get("entities", []), row.get("entity_types", [])
    known = zip(entities, types, strict=True) if len(entities) == len(types) else ()
    kinds = {normalise_name(name): kind.upper() for name, kind in known}
    spans = [(*span, f" {normalise_name(text[slice(*span)])} ") for span in sentence_spans(text)]
    for subject, predicate, target in row["triples"]:
        first, second = normalise_name(subject), normalise_name(target)
        if not first or not second or first == second or not spans:
            continue
        start, end = stating_sentence(spans, (first, second))
        yield Fact(
            description=surface(f"{subject} {predicate} {target}"),
            type=" ".join(predicate.lower().split()),
            confidence=_CONFIDENCE,
            participants=(
                Participant(surface(subject), kinds.get(first, ""), "subject", _CONFIDENCE),
                Participant(surface(target), kinds.get(second, ""), "object", _CONFIDENCE),
            ),
            start=start,
            end=end,
        )
