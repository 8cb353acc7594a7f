"""The benchmark corpora and questions, read from the folder that ``TETRAGRAPH_DATA`` names."""

from __future__ import annotations

import gzip
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

DEFAULT = Path(__file__).parents[2] / "shared" / "data"


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the ids of the passages that carry its answer."""

    text: str
    supporting: frozenset[str]


def folder() -> Path:
    """The data folder; ends the program with a plain sentence where it is absent."""
    found = Path(os.environ.get("TETRAGRAPH_DATA", DEFAULT))
    if not (found / "README.md").is_file():
        sys.exit(f"benchmark data must be in TETRAGRAPH_DATA, and there is none in {found}: nothing was measured")
    return found


def corpus(name: str) -> Path:
    """The passages of a set, as JSON lines."""
    return folder() / name / "corpus.jsonl.gz"


def questions(name: str, split: str) -> list[Question]:
    """The questions of a set, in their order."""
    with gzip.open(folder() / name / f"{split}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Question(row["question"], frozenset(row["supporting"])) for row in rows]
