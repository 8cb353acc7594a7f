"""Bamboogle as released: a CSV (or its rows as JSON) with the columns ``Question`` and ``Answer``, without passages.

Questions have no ids; a question's id is its place in the list, from ``bamboogle-000``.

Source: Press et al. (2023), Measuring and Narrowing the Compositionality Gap in Language Models.
"""

from __future__ import annotations

from tetragraph.evaluate.model import GoldQuestion
from tetragraph_loaders.benchmark import Benchmark
from tetragraph_loaders.records import Record


def _question(record: Record) -> GoldQuestion:
    return GoldQuestion(
        id=f"bamboogle-{record.number - 1:03d}",
        text=record.text("Question"),
        answers=(record.text("Answer"),),
        hops=2,
    )


BAMBOOGLE = Benchmark(lambda row: "Question" in row and "Answer" in row, _question)
