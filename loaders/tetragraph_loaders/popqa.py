"""PopQA as released: a TSV (or its rows as JSON) of templated questions with all accepted answers, without passages.

Source: Mallen et al. (2023), When Not to Trust Language Models.
"""

from __future__ import annotations

import json

from tetragraph.errors import UnreadableDocument
from tetragraph.evaluate.model import GoldQuestion
from tetragraph_loaders.benchmark import Benchmark
from tetragraph_loaders.records import Record


def _question(record: Record) -> GoldQuestion:
    return GoldQuestion(
        id=record.identity("id"),
        text=record.text("question"),
        answers=_answers(record),
        hops=1,
        kind=record.optional_text("prop"),
    )


def _answers(record: Record) -> tuple[str, ...]:
    """Accepted answers; the column of the TSV has a JSON list as text."""
    value = record.values.get("possible_answers")
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except json.JSONDecodeError as error:
            raise UnreadableDocument(f"'possible_answers' must be a JSON list, got {error.msg}; mend it") from error
    return Record(record.number, record.where, {"possible_answers": value}).texts("possible_answers")


POPQA = Benchmark(lambda row: "possible_answers" in row, _question)
