"""An evaluation from questions to report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.comparison import compare
from tetragraph.evaluate.gold import FoundGold, find_gold
from tetragraph.evaluate.judging import JudgedRuns, check_judgeable, judge_runs, judgement_notes
from tetragraph.evaluate.manifest import make_manifest
from tetragraph.evaluate.metrics import find_rank, score_run
from tetragraph.evaluate.model import (
    Comparison,
    EvaluationReport,
    GoldQuestion,
    GoldRanks,
    Latency,
    Run,
    Scores,
)
from tetragraph.evaluate.multi_step import sum_up
from tetragraph.evaluate.questions import check_questions
from tetragraph.evaluate.run_methods import (
    EvaluatedCorpus,
    Methods,
    Searched,
    check_names,
    find_baseline,
    find_methods,
    run_methods,
)
from tetragraph.evaluate.similarity import find_gold_means, score_similarity
from tetragraph.model.usage import NOTHING
from tetragraph.progress import Progress


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """Parameters of an evaluation; see ``Corpus.evaluate``."""

    methods: Methods
    ks: Sequence[int]
    runs: Sequence[Run] = ()
    baseline: str | None = None
    allow_missing: bool = False
    judge_answers: bool = False

    def __post_init__(self) -> None:
        """Check the form of the runs.

        Raises:
            InvalidInput: one is no :class:`Run`.
        """
        if strange := [one for one in self.runs if not isinstance(one, Run)]:
            raise InvalidInput(
                f"runs must be rankings that `tetragraph.evaluate.trec.read_run` has read, got {strange[0]!r:.200}"
            )


def evaluate(
    subject: EvaluatedCorpus, given: Sequence[GoldQuestion], request: EvaluationRequest, progress: Progress
) -> EvaluationReport:
    """Search, score and compare; see ``Corpus.evaluate``."""
    questions = check_questions(given)
    ks = check_ks(request.ks)
    methods = find_methods(request.methods)
    foreign = [_restrict(run, questions) for run in request.runs]
    names = [*(one.name for one in methods), *(run.name for run in foreign)]
    check_names(names)
    baseline = _baseline(find_baseline(request.baseline, request.methods), names)
    judge = None
    if request.judge_answers:
        check_judgeable(questions, has_answers=any(one.kind for one in methods) or any(one.answers for one in foreign))
        judge = subject.begin_judging()  # raises before anything is searched if there is no model
    gold = find_gold(subject, questions, allow_missing=request.allow_missing)
    searched = run_methods(subject, methods, questions, max(ks), progress)
    judged = JudgedRuns((*(one.run for one in searched), *foreign))
    if judge is not None:
        judged = judge_runs(judge, judged.runs, questions, progress)
    runs, scores = judged.runs, _score(subject, judged.runs, searched, questions, ks)
    choices = {"ks": ks, "baseline": baseline, "allow_missing": request.allow_missing, "missing": gold.missing}
    manifest = make_manifest(subject, searched, foreign, questions, {**choices, **judged.manifest})
    return EvaluationReport(
        corpus=subject.name,
        generation=subject.generation,
        questions=questions,
        ks=ks,
        baseline=baseline,
        runs=runs,
        scores=scores,
        comparisons=tuple(_compare(scores, baseline, ks)),
        placed=tuple(_place(questions, runs, gold.titles)),
        latency={run.name: _latency(run) for run in runs if run.seconds},
        titles=gold.titles,
        texts={chunk: text for one in searched for chunk, text in one.texts.items()},
        missing=gold.missing,
        manifest=manifest,
        notes=(
            *_note(questions, runs, gold),
            *(note for one in searched for note in one.notes()),
            *judged.notes,
        ),
        stepping={run.name: sum_up(run) for run in runs if run.trails},
        usage={run.name: sum(run.usage.values(), NOTHING) for run in runs if run.usage},
        judging=judged.usage,
    )


def check_ks(ks: Sequence[int]) -> tuple[int, ...]:
    """The cuts in ascending order, each once.

    Raises:
        InvalidInput: there are none, or one is not a positive integer.
    """
    for k in ks:
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise InvalidInput(f"a cut must be an integer of at least 1, got {k!r}")
    if not ks:
        raise InvalidInput("an evaluation must have at least one cut, such as 5, got none")
    return tuple(sorted(set(ks)))


def _baseline(wanted: str | None, names: Sequence[str]) -> str:
    if not names:
        raise InvalidInput("an evaluation must have at least one method or run, got none")
    if wanted is not None and wanted not in names:
        raise InvalidInput(f"the baseline must be one of {', '.join(names)}, got {wanted!r}")
    return wanted or names[0]


def _restrict(run: Run, questions: Iterable[GoldQuestion]) -> Run:
    """A foreign run, limited to the given questions."""
    ids = {question.id for question in questions}
    rankings = {question: ranking for question, ranking in run.rankings.items() if question in ids}
    if not rankings:
        raise InvalidInput(f"a run must rank passages for some of the questions, {run.name!r} does for none: same ids?")
    answers = {question: answer for question, answer in run.answers.items() if question in ids}
    return replace(run, rankings=rankings, answers=answers)


def _score(
    subject: EvaluatedCorpus,
    runs: Sequence[Run],
    searched: Sequence[Searched],
    questions: Sequence[GoldQuestion],
    ks: Sequence[int],
) -> dict[str, Scores]:
    """Scores by name of the run; a foreign run has no chunks of the corpus, and so no similarity."""
    gold = find_gold_means(subject, questions)
    similar = {one.run.name: score_similarity(subject, one.run, gold, ks) for one in searched}
    return {run.name: score_run(run, questions, ks, similar.get(run.name, {})) for run in runs}


def _compare(scores: Mapping[str, Scores], baseline: str, ks: Sequence[int]) -> Iterator[Comparison]:
    for metric in (*(f"recall@{k}" for k in ks), "f1"):
        for name, one in scores.items():
            if name != baseline and metric in one.each and metric in scores[baseline].each:
                yield compare(metric, name, baseline, scores)


def _place(questions: Iterable[GoldQuestion], runs: Sequence[Run], titles: Mapping[str, str]) -> Iterator[GoldRanks]:
    for question in questions:
        for gold in question.gold:
            ranks = {run.name: find_rank(gold, run.rankings.get(question.id, ())) for run in runs}
            yield GoldRanks(question.id, gold, titles.get(gold.document, ""), ranks)


def _latency(run: Run) -> Latency:
    seconds = np.array(list(run.seconds.values()))
    p50, p95, p99 = np.percentile(seconds, [50, 95, 99]).tolist()
    return Latency(p50, p95, p99, float(seconds.mean()))


def _note(questions: Sequence[GoldQuestion], runs: Iterable[Run], gold: FoundGold) -> Iterator[str]:
    without = sum(not question.gold for question in questions)
    if without:
        yield (
            f"{without} of {len(questions)} questions have no gold: they take no part in the metrics of rankings; "
            "files of tetragraph's own format name it by the key 'supporting'"
        )
    yield from gold.notes()
    for run in runs:
        unranked = sum(question.id not in run.rankings for question in questions)
        if unranked:
            yield f"{run.name} ranks nothing for {unranked} of {len(questions)} questions: they count as not found"
        yield from judgement_notes(run)
