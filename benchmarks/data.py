"""The benchmark corpora and questions, read from the folder that ``TETRAGRAPH_DATA`` names."""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

DEFAULT = Path(__file__).parents[2] / "shared" / "data"


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the ids of its gold passages."""

    text: str
    supporting: frozenset[str]


def folder() -> Path:
    """The data folder; ends the program with a message if it is absent."""
    found = Path(os.environ.get("TETRAGRAPH_DATA", DEFAULT))
    if not (found / "README.md").is_file():
        sys.exit(f"benchmark data must be in TETRAGRAPH_DATA, and there is none in {found}: nothing was measured")
    return found


def corpus(name: str) -> Path:
    """File with the passages of a set, as JSON lines."""
    return folder() / name / "corpus.jsonl.gz"


def questions(name: str, split: str) -> list[Question]:
    """The questions of a set, in their order."""
    return [
        Question(row["question"], frozenset(row["supporting"])) for row in rows(folder() / name / f"{split}.jsonl.gz")
    ]


def recall(found: Sequence[Sequence[str]], asked: Sequence[Question], cut: int) -> float:
    """Mean share of the gold passages of a question among the first ``cut`` that were found for it, 0 to 1."""
    return mean(
        len(question.supporting & {*some[:cut]}) / len(question.supporting)
        for some, question in zip(found, asked, strict=True)
    )


def rows(file: Path) -> list[dict[str, Any]]:
    """The rows of a gzipped file of JSON lines."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
