"""MuSiQue as released: JSON lines with twenty paragraphs for each question.

``MuSiQue-Full`` has each id twice, once not answerable, but ids of questions must be unique: use ``MuSiQue-Ans``.

Source: Trivedi et al. (2022), MuSiQue: Multihop Questions via Single-hop Question Composition; release 1.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tetragraph.errors import UnreadableDocument
from tetragraph.evaluate.model import GoldQuestion
from tetragraph_loaders.benchmark import Benchmark, Passage, gold_of
from tetragraph_loaders.records import Record
from tetragraph_loaders.rows import string_of

_SHAPE = re.compile(r"([0-9]+)hop[0-9]*(?=__)")
"""The beginning of an id: number of hops, and the shape of their graph."""


def _question(record: Record) -> GoldQuestion:
    identity = record.text("id")
    shape = _SHAPE.match(identity)
    if not shape:
        raise UnreadableDocument(f"an id must begin like '2hop__' or '3hop1__', got {identity!r}; is this MuSiQue?")
    main = record.optional_text("answer")
    return GoldQuestion(
        id=identity,
        text=record.text("question"),
        gold=gold_of(_passage(one) for one in record.records("paragraphs") if one.values.get("is_supporting")),
        answers=tuple(dict.fromkeys((*([main] if main else []), *record.texts("answer_aliases")))),
        hops=int(shape[1]),
        kind=shape[0],
    )


def _passages(record: Record) -> Iterator[Passage]:
    return map(_passage, record.records("paragraphs"))


def _passage(paragraph: Record) -> Passage:
    return string_of(paragraph.values, "title"), string_of(paragraph.values, "paragraph_text")


MUSIQUE = Benchmark(lambda row: "paragraphs" in row and "question" in row, _question, _passages)
