"""Questions in tetragraph's own format: JSON lines ``{"id", "question", "answers", "supporting", "hops", "type"}``.

``supporting`` lists the gold: ids of documents, or ``{"document", "start", "end"}`` for a span of a document, in
characters of its text. Only ``id`` and ``question`` are required; other keys are ignored.
"""

from __future__ import annotations

from typing import Any, cast

from tetragraph.errors import UnreadableDocument
from tetragraph.evaluate.model import Gold, GoldQuestion
from tetragraph_loaders.benchmark import Benchmark
from tetragraph_loaders.records import Record
from tetragraph_loaders.rows import kind_of

_OTHERS = frozenset({"paragraphs", "context", "possible_answers"})
"""Keys that only other formats have."""


def _question(record: Record) -> GoldQuestion:
    gold = tuple(_gold(value) for value in record.items("supporting"))
    twice = next((one for place, one in enumerate(gold) if one in gold[:place]), None)
    if twice:
        raise UnreadableDocument(f"'supporting' must name each passage once, got {twice.document!r} twice; remove one")
    return GoldQuestion(
        id=record.identity("id"),
        text=record.text("question"),
        gold=gold,
        answers=record.texts("answers"),
        hops=cast("Any", record.values.get("hops")),
        kind=record.optional_text("type"),
    )


def _gold(value: object) -> Gold:
    if isinstance(value, str) and value:
        return Gold(value)
    if not isinstance(value, dict):
        rule = "'supporting' must hold ids of documents, or objects with document, start and end"
        raise UnreadableDocument(f"{rule}, got {kind_of(value)}; mend the row")
    document, start, end = (cast("Any", value.get(key)) for key in ("document", "start", "end"))
    if not isinstance(document, str) or not document:
        raise UnreadableDocument(f"an object in 'supporting' must name its 'document', got {value!r}; add the id")
    return Gold(document, start, end)


GOLD_QUESTIONS = Benchmark(lambda row: {"id", "question"} <= row.keys() and _OTHERS.isdisjoint(row), _question)
