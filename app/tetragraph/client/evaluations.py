"""Evaluation of a corpus: compare search methods on questions with gold, and tune the options of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tetragraph.client.questions import CorpusQuestions
from tetragraph.errors import InvalidInput
from tetragraph.evaluate import evaluated_corpus
from tetragraph.evaluate.evaluation import EvaluationRequest, evaluate
from tetragraph.evaluate.manifest import check_folder, write_record
from tetragraph.evaluate.model import BUDGET, OBJECTIVE, EvaluationReport, GoldQuestion, Run
from tetragraph.evaluate.questions import given_questions
from tetragraph.evaluate.run_methods import EvaluatedCorpus, Methods, find_names
from tetragraph.evaluate.tune import Tuning, check_arguments, check_disjoint, grids_of, measure_on, tune
from tetragraph.model import Evidence
from tetragraph.model.answers import Answer
from tetragraph.progress import NoProgress, Progress
from tetragraph.retrieval.request import Request, check_grids
from tetragraph.retrieval.search import find_evidence

if TYPE_CHECKING:
    from tetragraph.client.corpus import Corpus


class CorpusEvaluations(CorpusQuestions):
    """Methods of a corpus that measure its searches on questions with gold; thread-safe."""

    def evaluate(
        self,
        questions: str | Path | Sequence[GoldQuestion],
        methods: Methods = ("dense", "keyword", "fused", "evidence"),
        *,
        ks: Sequence[int] = (2, 5, 10),
        runs: Sequence[Run] = (),
        baseline: str | None = None,
        allow_missing: bool = False,
        judge_answers: bool = False,
        out: str | Path | None = None,
        overwrite: bool = False,
        progress: Progress | None = None,
    ) -> EvaluationReport:
        """Evaluate search methods on questions with gold evidence, and compare them.

        Args:
            questions: A file that :func:`tetragraph.evaluate.questions.read_questions` reads, or the questions.
            methods: Search methods by name, with options as on the command line: ``"gain:engine=memory"``; or a mapping
                of run names to such words, or to method and options: ``{"mine": ("gain", {"engine": "memory"})}``. The
                option ``answer`` of a run, ``generated`` or ``extractive``, also answers every question.
            ks: Ranks at which rankings are cut; searches return as many hits as the largest.
            runs: Rankings of other systems on the same documents, from :func:`tetragraph.evaluate.trec.read_run`.
            baseline: Name of the run that all others are compared with; default: the first.
            allow_missing: Accept gold that the corpus lacks, and count it as not found.
            judge_answers: Ask the language model of the settings whether each answer is right (metric ``llm_acc``),
                and for seven ratings of it (``g_e``).
            out: Folder for manifest, questions and rankings, from which the evaluation can be repeated;
                :func:`tetragraph.evaluate.report.write` writes the report to the same folder.
            overwrite: Replace the earlier evaluation in the folder ``out``; otherwise a folder with files is refused.
                Files that the manifest there does not account for are never replaced.
            progress: Receives every method; silent when left out.

        Raises:
            InvalidInput: a file or an argument breaks its rule, there is nothing to judge, or the folder has files that
                must not be replaced; nothing was searched.
            LlmNotConfigured: answers are to be judged, and no model is configured; nothing was searched.
            LlmError: the model failed; every reply is cached, and the same evaluation continues from there.
            UnknownDocument: gold is not in the corpus, or a stretch of it lies in no chunk of its document; the message
                lists it.
            UnknownMethod, UnknownCorpus, NotBuilt, StoreUnavailable: see :meth:`search`; raised before the evaluation
                starts.
            CorpusBusy: the corpus was changed during the evaluation.
            StoreError: the folder cannot be written.
        """
        request = EvaluationRequest(methods, ks, runs, baseline, allow_missing, judge_answers)
        if out is not None:
            check_folder(Path(out), find_names(methods, runs), overwrite=overwrite)
        report = evaluate(self._evaluated_corpus(), given_questions(questions), request, progress or NoProgress())
        if out is not None:
            write_record(report, Path(out), overwrite=overwrite)
        return report

    def tune(
        self,
        questions: str | Path | Sequence[GoldQuestion],
        report_on: Corpus,
        report_questions: str | Path | Sequence[GoldQuestion],
        *,
        method: str = "evidence",
        settings: Mapping[str, Sequence[Any]] | None = None,
        objective: Sequence[str] = OBJECTIVE,
        budget: int = BUDGET,
        progress: Progress | None = None,
    ) -> Tuning:
        """Choose options of a method on questions of this corpus, and measure their gain on other questions.

        Args:
            questions: Questions on which the options are chosen, or a file of them, as for :meth:`evaluate`.
            report_on: Corpus of the other questions; may be this one.
            report_questions: Questions on which the gain is measured, or a file of them; none, by id or by text, is
                among ``questions``.
            method: Search method whose options are chosen.
            settings: Option to the values to try, in this order; default: those of
                :data:`tetragraph.evaluate.tune.GRIDS`.
            objective: Metrics whose mean is maximised.
            budget: Largest number of combinations of values to try, including the defaults.
            progress: Receives every combination; silent when left out.

        Raises:
            InvalidInput: a question is in both sets, the method has no such option or value, or an argument breaks
                its rule; nothing was searched.
            UnknownDocument: gold is not in its corpus; the message lists it.
            UnknownMethod, UnknownCorpus, NotBuilt, StoreUnavailable: see :meth:`search`.
        """
        if not isinstance(report_on, CorpusEvaluations):
            raise InvalidInput(f"report_on must be a corpus, such as client.corpus('dev'), got {report_on!r}")
        given = {} if settings is None else settings
        check_arguments(method, given, objective, budget)
        train, report = given_questions(questions), given_questions(report_questions)
        check_disjoint(train, report)
        grids = grids_of(method, given)
        return tune(
            method,
            check_grids(method, grids),
            grids,
            train=measure_on(self._evaluated_corpus(), train, method, objective),
            report=measure_on(report_on._evaluated_corpus(), report, method, objective),
            objective=objective,
            budget=budget,
            progress=progress or NoProgress(),
        )

    def _evaluated_corpus(self) -> EvaluatedCorpus:
        return evaluated_corpus.evaluated_corpus(self._connection, self.name, self._timed_search, self._answer)

    def _answer(self, question: str, method: str, options: Mapping[str, Any], is_generated: bool) -> Answer:
        return self.ask(question, method=method, generate=is_generated, **{"min_confidence": 0.0, **options})

    def _timed_search(self, question: str, k: int, method: str, options: Mapping[str, Any]) -> tuple[Evidence, float]:
        """The evidence, and the seconds that the search took without embedding the question."""
        return find_evidence(self._connection, Request(self.name, question, k, method, None, options))
