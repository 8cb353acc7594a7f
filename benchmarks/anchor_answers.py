"""Generated answers after several steps, with a graph and without, and after one step.

The model is the one of ``TETRAGRAPH_LLM``. A small one reads five passages in a minute on a processor, so few questions
are asked, in two steps of two passages: the figures show that the loop works, and little of its quality. Bamboogle has
questions and answers but no passages, as it was made for the open web; its questions are asked of another set's
passages, which carry the answers to few of them.
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
"""First questions of MuSiQue, which are not asked: the prompt of answers was worded on them."""
SETS = {
    "musique_train": ("musique_train", "train", PASSED_OVER),
    "hotpotqa_train": ("hotpotqa_train", "train", 0),
    "2wikimultihopqa": ("2wikimultihopqa", "dev", 0),
    "bamboogle, passages of hotpotqa_train": ("hotpotqa_train", "dev", 0),
}
"""Name in the tables to the corpus, the split of the questions, and the number of first questions not asked."""
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
    """EM and F1, per cent, of the same questions answered in each way by the model of ``TETRAGRAPH_LLM``."""
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
    """Scores of one generated answer; a reply that cannot be used scores 0 and counts as failed."""
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
    """Means over the questions, per cent."""
    return {
        "questions": len(scores),
        **{name: round(100 * float(np.mean([one[name] for one in scores])), 1) for name in scores[0]},
    }
