"""A sample corpus of 1,890 Wikipedia passages and twelve questions about it; README.md beside it has the licences."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Question:
    """A question whose answer is spread over several passages.

    Attributes:
        answers: Accepted answers, the main one first.
        supporting: Ids of the passages that the answer needs.
        hops: Number of steps of reasoning, 2 to 4.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    supporting: tuple[str, ...]
    hops: int


def passages() -> Path:
    """The file of passages, JSON lines with ``id``, ``title`` and ``text``, ready to be ingested."""
    return _FOLDER / "passages.jsonl.gz"


def passage_ids() -> frozenset[str]:
    """Ids of the passages, which are those of their documents in a corpus."""
    with gzip.open(passages(), "rt", encoding="utf-8") as lines:
        return frozenset(json.loads(line)["id"] for line in lines)


def questions() -> list[Question]:
    """Four questions each of 2, 3 and 4 hops."""
    rows = map(json.loads, (_FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines())
    return [
        Question(row["id"], row["question"], tuple(row["answers"]), tuple(row["supporting"]), row["hops"])
        for row in rows
    ]
