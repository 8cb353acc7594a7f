"""Passages and questions for every system, and the conversion of its texts to document ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks import data
from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import Found, Gold, GoldQuestion
from tetragraph.model import Chunk

SPLITS = ("dev", "train")


@dataclass(frozen=True, slots=True)
class Passage:
    """A document of a set."""

    id: str
    title: str
    text: str

    @property
    def whole(self) -> str:
        """Title and text, joined as tetragraph does for its embedder."""
        return Chunk(self.id, self.id, self.title, self.title, self.text, 0, 0, len(self.text), 0).passage


@dataclass(frozen=True, slots=True)
class Material:
    """A set in the form for systems that identify passages by their text."""

    name: str
    split: str
    passages: tuple[Passage, ...]
    questions: tuple[GoldQuestion, ...]

    @property
    def distinct(self) -> dict[str, tuple[Passage, ...]]:
        """Distinct texts in the order of the set, with their passages."""
        alike: dict[str, list[Passage]] = {}
        for passage in self.passages:
            alike.setdefault(passage.whole, []).append(passage)
        return {whole: tuple(passages) for whole, passages in alike.items()}


def load(name: str) -> Material:
    """Read a set of the data folder with its ``dev`` questions, or its ``train`` questions if it has no others.

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
        passages=tuple(Passage(row["id"], row["title"], row["text"]) for row in data.rows(data.corpus(name))),
        questions=tuple(
            GoldQuestion(row["id"], row["question"], tuple(map(Gold, row["supporting"])))
            for row in data.rows(questions)
        ),
    )


def to_found(ranking: Sequence[tuple[str, float]], alike: Mapping[str, Sequence[Passage]]) -> tuple[Found, ...]:
    """Convert a ranking of texts to one of documents; documents with the same text have the same score.

    Raises:
        InvalidInput: a text is not a passage of the set.
    """
    found: list[Found] = []
    for whole, score in ranking:
        if whole not in alike:
            raise InvalidInput(f"a system must return the passages it was given, got {whole[:80]!r}")
        found.extend(Found(one.id, one.id, one.title, None, None, score) for one in alike[whole])
    return tuple(found)
