"""Answers after several steps, with a graph and without, and after one: asked of a small language model.

Reading five passages takes such a model a minute on a processor, so few questions are asked, in two steps of two
passages; that tells whether the way works, and little of how good it is. Bamboogle has questions and answers but no
passages, as it was made to be asked of the open web; its questions are asked of another set's passages, which carry the
answers to few of them.
"""

from __future__ import annotations

from typing import Any

from benchmarks import data, index
from benchmarks.llm_local import LOOKED_AT, answer_row, answered, served
from benchmarks.plan import Plan
from tetragraph import Tetragraph
from tetragraph.llm import LanguageModel
from tetragraph.settings import Settings

SETS = {
    "musique_train": ("musique_train", "train", LOOKED_AT),
    "hotpotqa_train": ("hotpotqa_train", "train", 0),
    "2wikimultihopqa": ("2wikimultihopqa", "dev", 0),
    "bamboogle, passages of hotpotqa_train": ("hotpotqa_train", "dev", 0),
}
"""Name in the tables to the corpus, the split of the questions, and how many of them are passed over: prompts were
worded on these."""
MODEL = "smollm2-135m"
"""The smallest, unless the settings name one."""
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
    """EM and F1, per cent, of the same questions answered in each way."""
    with served(plan.settings, MODEL) as settings:
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
            way: answer_row([answered(corpus, question, method, K, generate=True, **options) for question in questions])
            for way, (method, options) in WAYS.items()
        }
