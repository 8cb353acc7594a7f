"""Natural Questions as question answering uses it: NQ-open, and files in the form of DPR.

NQ-open is JSON lines ``{"question", "answer": [...]}`` without ids and passages: a question's id is its place in the
file, from ``nq-0000``. DPR's files, which exist for TriviaQA and others too, are rows ``{"question", "answers",
"positive_ctxs": [{"title", "text"}], …}``: the first positive passage is the gold, as further ones are other places of
the same answer; a row may have none, then only answers are scored. Their ids begin with ``dpr-``.

Source: Lee et al. (2019), Latent Retrieval for Weakly Supervised Open Domain Question Answering; Karpukhin et al.
(2020), Dense Passage Retrieval for Open-Domain Question Answering.
"""

from __future__ import annotations

from collections.abc import Mapping

from tetragraph.evaluate.model import GoldQuestion
from tetragraph_loaders.benchmark import Benchmark, Passage, gold_of
from tetragraph_loaders.records import Record

_POSITIVE = "positive_ctxs"
_CONTEXTS = (_POSITIVE, "hard_negative_ctxs", "negative_ctxs")


def _open_question(record: Record) -> GoldQuestion:
    return GoldQuestion(
        id=f"nq-{record.number - 1:04d}", text=record.text("question"), answers=record.texts("answer"), hops=1
    )


def _is_open(row: Mapping[str, object]) -> bool:
    return row.keys() == {"question", "answer"} and isinstance(row["answer"], list)


def _dpr_question(record: Record) -> GoldQuestion:
    return GoldQuestion(
        id=f"dpr-{record.number - 1:04d}",
        text=record.text("question"),
        gold=gold_of(_passages(record, _POSITIVE)[:1]),
        answers=record.texts("answers"),
        hops=1,
    )


def _dpr_passages(record: Record) -> list[Passage]:
    return [passage for key in _CONTEXTS for passage in _passages(record, key)]


def _passages(record: Record, key: str) -> list[Passage]:
    return [(one.optional_text("title") or "", one.text("text")) for one in record.records(key)]


NQ_OPEN = Benchmark(_is_open, _open_question)
DPR = Benchmark(lambda row: {"question", "answers", _POSITIVE} <= row.keys(), _dpr_question, _dpr_passages)
