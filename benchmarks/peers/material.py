"""The passages and questions that every system gets, and the way back from its texts to our ids."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import data
from tetragraph.errors import InvalidInput
from tetragraph.model import Chunk

SPLITS = ("dev", "train")


@dataclass(frozen=True, slots=True)
class Passage:
    """A document of a set, as one string."""

    id: str
    title: str
    text: str

    @property
    def whole(self) -> str:
        """Title and text, joined as tetragraph joins them for its embedder."""
        return Chunk(self.id, self.id, self.title, self.title, self.text, 0, 0, len(self.text), 0).passage


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a set with the ids of its gold passages."""

    id: str
    text: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Material:
    """A set, ready for a system that knows passages as strings only."""

    name: str
    split: str
    passages: tuple[Passage, ...]
    questions: tuple[Question, ...]

    @property
    def distinct(self) -> dict[str, tuple[Passage, ...]]:
        """Each different string once, in the order of the set, with the passages that read so."""
        alike: dict[str, list[Passage]] = {}
        for passage in self.passages:
            alike.setdefault(passage.whole, []).append(passage)
        return {whole: tuple(passages) for whole, passages in alike.items()}


def load(name: str) -> Material:
    """A set of the data folder with its ``dev`` questions, or its ``train`` questions where it has no others.

    Raises:
        InvalidInput: the data folder has no such set, or the set no questions.
    """
    folder = data.folder() / name
    files = [folder / f"{split}.jsonl.gz" for split in SPLITS]
    questions = next((file for file in files if file.is_file()), None)
    if questions is None or not data.corpus(name).is_file():
        known = sorted({file.parent.name for file in data.folder().glob("*/corpus.jsonl.gz")})
        raise InvalidInput(f"the set must be one of {', '.join(known)}, got {name!r}")
    return Material(
        name=name,
        split=questions.name.partition(".")[0],
        passages=tuple(Passage(row["id"], row["title"], row["text"]) for row in rows(data.corpus(name))),
        questions=tuple(Question(row["id"], row["question"], frozenset(row["supporting"])) for row in rows(questions)),
    )


def rows(file: Path) -> Iterator[dict[str, Any]]:
    """The objects of a compressed file of JSON lines."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


Ranking = list[tuple[str, float]]
"""Ids of passages with their scores, best first."""


def to_ids(ranking: Sequence[tuple[str, float]], alike: dict[str, tuple[Passage, ...]]) -> Ranking:
    """A ranking of strings as one of ids; passages that read the same follow each other with the same score.

    Raises:
        InvalidInput: a string is no passage that the system was given.
    """
    found: Ranking = []
    for whole, score in ranking:
        if whole not in alike:
            raise InvalidInput(f"a system must return the passages it was given, got {whole[:80]!r}")
        found.extend((passage.id, score) for passage in alike[whole])
    return found
