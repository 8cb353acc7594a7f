"""What a language model that was not trained for the RL mode makes of it: the paper's "w/o RL".

The model is that of ``TETRAGRAPH_LLM``. A small one takes a minute and a half for an episode on a processor, so few
questions are asked, once each, at temperature 0. Beside it: the extractive answers of the default method, which need no
model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks import data, index
from benchmarks.plan import Plan
from tetragraph import Corpus, Tetragraph
from tetragraph.evaluate.answer_metrics import exact_match, token_f1
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.evaluate.questions import read_questions
from tetragraph.llm import LanguageModel
from tetragraph.rl.rollouts import Rollout

SET = "hotpotqa_train"
QUESTIONS = 20
EXTRACTIVE = "extractive answers of `evidence`, no model"
Figures = dict[str, Any]


def measure_untrained_policy(plan: Plan) -> Figures:
    """Scores in per cent, and means over the episodes, for the model and for extractive answers."""
    index.ingest(plan, SET, ("bipartite",))
    questions = read_questions(data.folder() / SET / "train.jsonl.gz")[: min(QUESTIONS, plan.questions)]
    name = LanguageModel.open(plan.settings).name
    with Tetragraph.connect(plan.settings) as client:
        corpus = client.corpus(SET)
        rollouts = list(corpus.rollouts(questions, group=1, temperature=0))
        return {f"`{name}`, not trained": policy_scores(rollouts), EXTRACTIVE: _extractive(corpus, questions)}


def policy_scores(rollouts: Sequence[Rollout]) -> Figures:
    """Scores of the episodes of a policy."""
    rewards = [one.episode.reward for one in rollouts if one.episode.reward]
    answers = [(one.episode.answer, one.question.answers) for one in rollouts]
    return {
        **answer_scores(answers),
        "well-formed turns": _percent([turn.is_well_formed for one in rollouts for turn in one.episode.turns]),
        "answered": _percent([bool(answer) for answer, _ in answers]),
        "turns": round(float(np.mean([len(one.episode.turns) for one in rollouts])), 1),
        "reward": round(float(np.mean([reward.total for reward in rewards])), 2),
    }


def answer_scores(answers: Sequence[tuple[str, Sequence[str]]]) -> Figures:
    """EM and F1 in per cent of answers and what is accepted."""
    return {
        "questions": len(answers),
        "EM": _percent([exact_match(answer, accepted) for answer, accepted in answers]),
        "F1": _percent([token_f1(answer, accepted) if answer else 0.0 for answer, accepted in answers]),
    }


def _extractive(corpus: Corpus, questions: Sequence[GoldQuestion]) -> Figures:
    return answer_scores([(corpus.ask(question.text, generate=False).text, question.answers) for question in questions])


def _percent(values: Sequence[float]) -> float:
    return round(100 * float(np.mean(values)), 1)
