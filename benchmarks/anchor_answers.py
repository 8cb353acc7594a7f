"""Generated answers after one step, and after several steps with and without a graph.

The model is that of ``TETRAGRAPH_LLM``. A small one reads five passages in a minute on a processor, so few questions
are asked, in two steps of two passages: the figures show that the loop works, but little about its quality. Bamboogle
has questions and answers but no passages, as it is intended for the open web; its questions are asked on the passages
of another set, which contain the answers to few of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks import data, index
from benchmarks.plan import Plan
from tetragraph import Tetragraph
from tetragraph.errors import UnusableReply
from tetragraph.evaluate.answer_metrics import citation_score, exact_match, token_f1
from tetragraph.evaluate.model import RunAnswer
from tetragraph.llm import LanguageModel
from tetragraph.settings import Settings

PASSED_OVER = 10
"""Number of first questions of MuSiQue that are not asked, as the prompt for answers was developed on them."""
SETS = {
    "musique_train": ("musique_train", "train", PASSED_OVER),
    "hotpotqa_train": ("hotpotqa_train", "train", 0),
    "2wikimultihopqa": ("2wikimultihopqa", "dev", 0),
    "bamboogle, passages of hotpotqa_train": ("hotpotqa_train", "dev", 0),
}
"""Corpus, split of the questions and number of first questions that are not asked, by name in the tables."""
QUESTIONS = 5
K = 2
_LOOP = {"reasoner": "llm", "retriever": "evidence", "steps": 2, "documents": 2}
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "one step": ("evidence", {}),
    "several steps with a graph": ("anchor", _LOOP),
    "several steps without a graph": ("anchor", {**_LOOP, "graph": False}),
}
Figures = dict[str, Any]


def measure_anchor_answers(plan: Plan) -> Figures:
    """EM and F1 in per cent for the same questions, answered by each method with the model of ``TETRAGRAPH_LLM``."""
    settings = plan.settings
    figures: Figures = {"model": {"name": LanguageModel.open(settings).name}}
    for name, (corpus, split, passed_over) in SETS.items():
        index.ingest(plan, corpus)
        rows = data.rows(data.folder() / name.partition(",")[0] / f"{split}.jsonl.gz")
        count = min(QUESTIONS, plan.questions)
        figures[name] = _rows(settings, corpus, rows[passed_over : passed_over + count])
    return figures


def _rows(settings: Settings, name: str, questions: list[dict[str, Any]]) -> Figures:
    with Tetragraph.connect(settings) as client:
        corpus = client.corpus(name)
        return {
            way: mean_scores([score_answer(corpus, question, method, K, **options) for question in questions])
            for way, (method, options) in WAYS.items()
        }


def score_answer(corpus: Any, question: Mapping[str, Any], method: str, k: int, **options: Any) -> Figures:
    """Scores of one generated answer; an unusable reply scores 0 and counts as failed."""
    try:
        answer = corpus.ask(question["question"], method=method, k=k, generate=True, **options)
    except UnusableReply:
        return {"EM": 0.0, "F1": 0.0, "citations": 0.0, "insufficient": 0.0, "failed": 1.0}
    cited = tuple(dict.fromkeys(citation.document for citation in answer.citations))
    return {
        "EM": exact_match(answer.text, question["answers"]),
        "F1": token_f1(answer.text, question["answers"]),
        "citations": citation_score(RunAnswer(answer.text, cited), frozenset(question["supporting"])),
        "insufficient": float(answer.insufficient),
        "failed": 0.0,
    }


def mean_scores(scores: list[Figures]) -> Figures:
    """Means over the questions, in per cent."""
    return {
        "questions": len(scores),
        **{name: round(100 * float(np.mean([one[name] for one in scores])), 1) for name in scores[0]},
    }
