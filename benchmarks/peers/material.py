"""The passages and questions that every system gets, and the way back from its texts to our ids."""

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
    """A document of a set, as one string."""

    id: str
    title: str
    text: str

    @property
    def whole(self) -> str:
        """Title and text, joined as tetragraph joins them for its embedder."""
        return Chunk(self.id, self.id, self.title, self.title, self.text, 0, 0, len(self.text), 0).passage


@dataclass(frozen=True, slots=True)
class Material:
    """A set, ready for a system that knows passages as strings only."""

    name: str
    split: str
    passages: tuple[Passage, ...]
    questions: tuple[GoldQuestion, ...]

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
        passages=tuple(Passage(row["id"], row["title"], row["text"]) for row in data.rows(data.corpus(name))),
        questions=tuple(
            GoldQuestion(row["id"], row["question"], tuple(map(Gold, row["supporting"])))
            for row in data.rows(questions)
        ),
    )


def to_found(ranking: Sequence[tuple[str, float]], alike: Mapping[str, Sequence[Passage]]) -> tuple[Found, ...]:
    """A ranking of strings as one of documents; those that read the same follow each other with the same score.

    Raises:
        InvalidInput: a string is no passage that the system was given.
    """
    found: list[Found] = []
    for whole, score in ranking:
        if whole not in alike:
            raise InvalidInput(f"a system must return the passages it was given, got {whole[:80]!r}")
        found.extend(Found(one.id, one.id, one.title, None, None, score) for one in alike[whole])
    return tuple(found)
