"""Create the sample corpus of the package from the MuSiQue training sample.

Reads ``musique_train/corpus.jsonl.gz`` and ``train.jsonl.gz`` below ``TETRAGRAPH_DATA`` (default ``../shared/data``).
Passages are copied unchanged. The questions are the first four of 2, 3 and 4 hops each, in the order of their ids. The
same input gives the same bytes.
"""

from __future__ import annotations

import gzip
import json
import os
from itertools import groupby
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "app" / "tetragraph" / "samples"
PASSAGE_KEYS = ("id", "title", "text")
QUESTION_KEYS = ("id", "question", "answers", "supporting", "hops")
QUESTIONS_PER_HOPS = 4


def read(file: Path) -> list[dict[str, Any]]:
    """The rows of a gzipped file of JSON lines."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def to_lines(rows: list[dict[str, Any]], keys: tuple[str, ...]) -> bytes:
    """Convert rows to JSON lines with these keys only."""
    lines = (json.dumps({key: row[key] for key in keys}, ensure_ascii=False) + "\n" for row in rows)
    return "".join(lines).encode()


def choose(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first four questions of each number of hops, in the order of their ids."""
    ordered = sorted(questions, key=lambda question: (question["hops"], question["id"]))
    groups = groupby(ordered, key=lambda question: question["hops"])
    return [question for _, of_hops in groups for question in list(of_hops)[:QUESTIONS_PER_HOPS]]


def main() -> None:
    """Write both files."""
    data = Path(os.environ.get("TETRAGRAPH_DATA", ROOT.parent / "shared" / "data")) / "musique_train"
    passages = read(data / "corpus.jsonl.gz")
    questions = choose(read(data / "train.jsonl.gz"))
    compressed = gzip.compress(to_lines(passages, PASSAGE_KEYS), mtime=0)
    (TARGET / "passages.jsonl.gz").write_bytes(compressed)
    (TARGET / "questions.jsonl").write_bytes(to_lines(questions, QUESTION_KEYS))
    print(f"{len(passages):,} passages ({len(compressed):,} bytes), {len(questions)} questions")


if __name__ == "__main__":
    main()
