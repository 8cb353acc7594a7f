"""Judgements of answers by a language model.

Source:
    ``llm_acc``: SeRAG (2026), section 4.1 and figure 4. ``g_e``: BiG-RAG, section 6.1.3. Deviations: the judge of
    ``llm_acc`` also sees the question and all accepted answers; one request asks for all seven ratings; temperature 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any, Final

from tetragraph.errors import InvalidInput, LlmError, UnusableReply
from tetragraph.evaluate.model import GoldQuestion, Judgement, Run
from tetragraph.language.llm_steps.answer_judge import DIMENSIONS, HIGHEST, judge_answer, rate_answer
from tetragraph.llm import Operation
from tetragraph.model.usage import NOTHING, Usage
from tetragraph.progress import Progress

NO_ANSWER: Final = Judgement(correct=False, ratings=dict.fromkeys(DIMENSIONS, 0.0))
"""Judgement of an empty or missing answer, which is not shown to a model."""
JUDGE: Final = "judge"
"""Key of the manifest entry."""
_STAGE: Final = "judging answers"


@dataclass(frozen=True, slots=True)
class JudgedRuns:
    """Runs with the judgements of their answers.

    Attributes:
        manifest: Manifest entry with the model and the prompts; empty if nothing was judged.
        usage: Usage of the language model.
        notes: Result notes of the endpoint.
    """

    runs: tuple[Run, ...]
    manifest: Mapping[str, Any] = field(default_factory=dict)
    usage: Usage = NOTHING
    notes: tuple[str, ...] = ()


def check_judgeable(questions: Sequence[GoldQuestion], *, has_answers: bool) -> None:
    """Check that there are answers to judge, and accepted answers to judge them by.

    Raises:
        InvalidInput: there are none.
    """
    if not has_answers:
        raise InvalidInput(
            "only answers can be judged, and no run has any: let the methods answer (`--answer generated` or "
            "`extractive`; in Python the option `answer` of a run), or do not judge"
        )
    if not any(question.answers for question in questions):
        raise InvalidInput(
            "a judge compares answers with accepted ones, and no question has any: add `answers` to the questions, or "
            "do not judge"
        )


def judge_runs(
    operation: Operation, runs: Sequence[Run], questions: Sequence[GoldQuestion], progress: Progress
) -> JudgedRuns:
    """Judge the answers of all runs that have some to questions with accepted answers.

    Raises:
        LlmError: the operation failed for a reason other than an unusable reply; all replies are cached.
    """
    asked = [question for question in questions if question.answers]
    pairs = [(run, question) for run in runs if run.answers for question in asked]
    judged: dict[str, dict[str, Judgement]] = {}
    progress.start(_STAGE, len(pairs), "answers")
    done = 0
    try:
        found = operation.map(lambda pair: _judge(operation, *pair), pairs)
        for (run, question), judgement in zip(pairs, found, strict=True):
            judged.setdefault(run.name, {})[question.id] = judgement
            progress.advance(_STAGE)
            done += 1
    except (LlmError, KeyboardInterrupt) as error:
        error.add_note(
            f"{done:,} of {len(pairs):,} answers judged, all kept. Run the same evaluation again, and it goes on from "
            "there."
        )
        raise
    progress.finish(_STAGE)
    with_judgements = tuple(replace(run, judgements=judged.get(run.name, {})) for run in runs)
    return JudgedRuns(with_judgements, {JUDGE: operation.record}, operation.usage, operation.notes)


def mean_ratings(run: Run) -> dict[str, float]:
    """Mean of each rating, 0 to ``HIGHEST``, over the judgements that have ratings; empty without any."""
    rated = [one.ratings for one in run.judgements.values() if one.ratings]
    return {name: fmean(ratings[name] for ratings in rated) for name in DIMENSIONS} if rated else {}


def score_judgement(judgement: Judgement) -> dict[str, float]:
    """``llm_acc`` and ``g_e`` of a judgement, 0 to 1; a metric without a usable reply is left out."""
    scores = {}
    if judgement.correct is not None:
        scores["llm_acc"] = float(judgement.correct)
    if judgement.ratings:
        scores["g_e"] = fmean(judgement.ratings.values()) / HIGHEST
    return scores


def judgement_notes(run: Run) -> Iterator[str]:
    """Result notes: judgements without a usable reply."""
    for metric in ("llm_acc", "g_e"):
        failed = sum(metric not in score_judgement(one) for one in run.judgements.values())
        if failed:
            yield (
                f"{run.name}: the judge gave no usable reply on {failed} of {len(run.judgements)} answers: {metric} "
                "leaves them out"
            )


def _judge(operation: Operation, run: Run, question: GoldQuestion) -> Judgement:
    answer = run.answers[question.id].text if question.id in run.answers else ""
    if not answer.strip():
        return NO_ANSWER
    correct: bool | None = None
    ratings: dict[str, float] = {}
    with suppress(UnusableReply):
        correct = judge_answer(operation, question.text, question.answers, answer)
    with suppress(UnusableReply):
        ratings = rate_answer(operation, question.text, question.answers, answer)
    return Judgement(correct, ratings)
