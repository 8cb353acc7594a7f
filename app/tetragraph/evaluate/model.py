"""Data classes of an evaluation: questions with their gold, rankings and answers of runs, and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from tetragraph.drawing import bars
from tetragraph.errors import InvalidInput
from tetragraph.model.display import html_table
from tetragraph.model.usage import NOTHING, Usage
from tetragraph.validation import check_integer, check_list

OBJECTIVE = ("recall@5", "recall@10")
"""Metrics whose mean a tuning maximises."""
BUDGET = 60
"""Largest number of trials of a tuning."""
USUAL_K = 5
LONGEST_NAME = 63
"""Largest number of characters of a run's name."""


@dataclass(frozen=True, slots=True)
class Gold:
    """A piece of evidence for the answer: a whole document, or a span of one.

    Attributes:
        document: Id of the document.
        start: First character of the span; None for the whole document.
        end: End of the span, one past its last character; None for the whole document.
    """

    document: str
    start: int | None = None
    end: int | None = None

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: a value breaks its rule.
        """
        _check_filled("the document of gold", self.document)
        if self.start is None and self.end is None:
            return
        if not (_is_count(self.start) and _is_count(self.end) and 0 <= self.start < self.end):
            raise InvalidInput(
                f"a stretch must have integers 0 <= start < end, got {self.start!r} and {self.end!r} for "
                f"{self.document!r}; mend it"
            )


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question with its gold and accepted answers.

    Attributes:
        id: Id, unique in its file.
        text: Text of the question.
        gold: Evidence for the answer; empty if only answers are known.
        answers: Accepted answers, the main one first.
        hops: Number of gold chunks that the question needs; None if unknown.
        kind: Type of the question according to the benchmark; None without one.
    """

    id: str
    text: str
    gold: tuple[Gold, ...] = ()
    answers: tuple[str, ...] = ()
    hops: int | None = None
    kind: str | None = None

    def __post_init__(self) -> None:
        """Check every value, and keep lists as tuples.

        Raises:
            InvalidInput: a value breaks its rule.
        """
        _check_filled("the id of a question", self.id)
        _check_filled("the text of a question", self.text)
        check_list("gold", self.gold, Gold, "Gold, such as [Gold('teams.md')]")
        check_list("answers", self.answers, str, "texts, such as ['Oslo']")
        if self.hops is not None:
            check_integer("hops", self.hops, 1)
        if self.kind is not None:
            _check_filled("the kind of a question", self.kind)
        if len(set(self.gold)) < len(self.gold):
            twice = next(one for place, one in enumerate(self.gold) if one in self.gold[:place])
            raise InvalidInput(f"gold must name each passage once, got {twice.document!r} twice; remove one")
        object.__setattr__(self, "gold", tuple(self.gold))
        object.__setattr__(self, "answers", tuple(self.answers))


@dataclass(frozen=True, slots=True)
class Found:
    """One ranked chunk of a run; ranks count from 1 in the order of the ranking.

    Attributes:
        chunk: Id of the chunk; if the run was read from a file, the name of the chunk there.
        document: Id of the document.
        title: Title of the chunk; empty if the run was read from a file.
        start: First character of the chunk in its document; None for the whole document.
        end: End of the chunk, one past its last character; None for the whole document.
    """

    chunk: str
    document: str
    title: str
    start: int | None
    end: int | None
    score: float


@dataclass(frozen=True, slots=True)
class RunAnswer:
    """Answer of a system to one question.

    Attributes:
        citations: Ids of the documents that the answer cites.
    """

    text: str
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """Judgement of an answer by a language model.

    Attributes:
        correct: Whether the answer is right; None if the model gave no usable reply.
        ratings: Rating by dimension, 0 to 10; empty if the model gave no usable reply.
    """

    correct: bool | None
    ratings: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RunStep:
    """One step of a search in several steps, as a run records it.

    Attributes:
        query: Query of the step.
        found: Chunks that the step read, best first; steps store no scores, so these are 0.
        anchors: Number of anchors in the graph after the step.
        relations: Number of relations in the graph after the step.
    """

    query: str
    found: tuple[Found, ...]
    anchors: int
    relations: int


@dataclass(frozen=True, slots=True)
class StepSequence:
    """The steps of the search for one question.

    Attributes:
        stopped: Reason why the search ended.
        steps: Steps in order; at least one.
    """

    stopped: str
    steps: tuple[RunStep, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Rankings of one method over all questions.

    Attributes:
        name: Unique name among the compared runs: the method, or a label of the user.
        method: Search method, or name of the other system that produced the rankings.
        options: Search options of the method.
        rankings: Ranked chunks by question id, best first.
        seconds: Wall time of the search by question id, without the embedding of the question; empty if unknown.
        notes: Result notes of the searches, each once.
        answers: Answer by question id, for runs that answer; empty for runs that only search.
        trails: Steps by question id, for searches in several steps; empty for searches in one.
        usage: Language model usage of the search by question id; empty if none was called.
        judgements: Judgement of the answer by question id; empty if answers were not judged.
    """

    name: str
    method: str
    options: Mapping[str, Any]
    rankings: Mapping[str, tuple[Found, ...]]
    seconds: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    answers: Mapping[str, RunAnswer] = field(default_factory=dict)
    trails: Mapping[str, StepSequence] = field(default_factory=dict)
    usage: Mapping[str, Usage] = field(default_factory=dict)
    judgements: Mapping[str, Judgement] = field(default_factory=dict)

    @property
    def longest(self) -> int:
        """Largest number of steps of a question; 0 for searches in one step."""
        return max((len(trail.steps) for trail in self.trails.values()), default=0)


@dataclass(frozen=True, slots=True)
class Scores:
    """The metrics of one run.

    Attributes:
        metrics: Metric name (``recall@5``, ``all@5``, ``ndcg@5``, ``precision@5``, ``mrr``, ``r_s@5``; for steps
            ``found@2``; for answers ``em``, ``f1``, ``str_acc``, ``char_f1``, ``llm_acc``, ``g_e``, ``citations``) to
            its mean, 0 to 1: over the questions with gold, and for the metrics of answers except ``citations`` over
            those with accepted answers. A metric that no question has is left out.
        by_hops: Number of hops to the metrics over the questions with that number.
        by_kind: Kind of question to the metrics over the questions of that kind.
        each: Metric name to question id to its value.
    """

    metrics: Mapping[str, float]
    by_hops: Mapping[int, Mapping[str, float]]
    by_kind: Mapping[str, Mapping[str, float]]
    each: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Difference of two runs on the same questions, ``first - second``.

    Attributes:
        metric: Name of the compared metric.
        difference: Mean over the questions of the paired difference.
        low: Lower end of its 95 % bootstrap interval.
        high: Upper end of its 95 % bootstrap interval.
        p_value: Two-sided p-value of the paired permutation test.
        verdict: ``"better"`` or ``"worse"`` for the first run if the interval excludes 0 and the test agrees (p below
            .05, which fewer than 6 questions never reach), otherwise ``"undecided"``.
    """

    first: str
    second: str
    metric: str
    difference: float
    low: float
    high: float
    p_value: float
    verdict: str


@dataclass(frozen=True, slots=True)
class GoldRanks:
    """Ranks of one piece of gold in all runs.

    Attributes:
        question: Id of the question.
        title: Title of the gold document; empty if the corpus lacks it.
        ranks: Name of the run to the rank, from 1, at which it finds the gold; None if it does not.
    """

    question: str
    gold: Gold
    title: str
    ranks: Mapping[str, int | None]

    def divides(self, k: int) -> bool:
        """Whether some runs find the gold among their first ``k`` chunks and others do not."""
        return len({rank is not None and rank <= k for rank in self.ranks.values()}) > 1


@dataclass(frozen=True, slots=True)
class Latency:
    """Duration of one search of a run: seconds of wall time, without the embedding of the question."""

    p50: float
    p95: float
    p99: float
    mean: float


@dataclass(frozen=True, slots=True)
class StepStatistics:
    """Statistics of the searches of a run in several steps, over all its questions.

    Values up to a step keep their last value for questions that ended earlier.

    Attributes:
        steps: Mean number of steps of a question.
        ended: Number of questions by number of steps.
        stopped: Number of questions by reason why the search ended, the most frequent first.
        overlap: Share, 0 to 1, of the chunks read up to a step that an earlier step had read, by step.
        anchors: Mean number of anchors in the graph after a step, by step.
        relations: Mean number of relations in the graph after a step, by step.

    Source:
        GraphAnchor (2026), table 3 (``ended``), figure 4b (``overlap``) and figure 3a (``anchors``, ``relations``).
    """

    steps: float
    ended: Mapping[int, int]
    stopped: Mapping[str, int]
    overlap: Mapping[int, float]
    anchors: Mapping[int, float]
    relations: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """Result of an evaluation.

    Attributes:
        corpus: Name of the corpus.
        generation: The published generation that was searched.
        questions: Questions in the order of their file.
        ks: Cuts, ascending; the rankings are as long as the largest.
        baseline: Name of the run that the others are compared with.
        runs: Runs in the order of the request, foreign runs last.
        scores: Name of the run to its scores.
        comparisons: Every other run minus the baseline, on ``recall@k`` for each ``k``; for runs with answers also on
            ``f1``. Empty if no question has gold.
        placed: All gold of every question, with its rank in each run.
        latency: Name of the run to its latency; runs read from a file have none.
        titles: Title by id, for the gold documents that the corpus has.
        texts: Text by id, for every chunk that a search found.
        missing: Gold that the corpus lacks: ids of documents, and ``document@start-end`` for stretches that no chunk of
            their document overlaps; empty unless that was allowed.
        manifest: Arguments and versions that a repetition needs, and hashes of the rankings; without times.
        notes: Limitations of the figures: questions without gold, gold that the corpus lacks, questions that a foreign
            run lacks. Empty if there are none.
        stepping: Name of the run to the statistics of its searches in several steps; runs in one step are left out.
        usage: Name of the run to the language model usage of all its searches; runs without one are left out. Cached
            replies cost nothing, so a repetition has other figures.
        judging: Language model usage of the judgements of answers, all runs together.
    """

    corpus: str
    generation: int
    questions: tuple[GoldQuestion, ...]
    ks: tuple[int, ...]
    baseline: str
    runs: tuple[Run, ...]
    scores: Mapping[str, Scores]
    comparisons: tuple[Comparison, ...]
    placed: tuple[GoldRanks, ...]
    latency: Mapping[str, Latency]
    titles: Mapping[str, str]
    texts: Mapping[str, str]
    missing: tuple[str, ...]
    manifest: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    stepping: Mapping[str, StepStatistics] = field(default_factory=dict)
    usage: Mapping[str, Usage] = field(default_factory=dict)
    judging: Usage = NOTHING

    def _repr_html_(self) -> str:
        k = headline_k(self.ks)
        named = dict.fromkeys(name for scores in self.scores.values() for name in scores.metrics)
        shown = [name for name in named if name.startswith("recall@") or name in (f"all@{k}", f"ndcg@{k}", "mrr")]
        shown += [name for name in named if "@" not in name and name != "mrr"]
        rows = [[name, *(_share(scores.metrics.get(one)) for one in shown)] for name, scores in self.scores.items()]
        compared = [
            f"{one.metric}: {one.first} against {one.second} {one.difference:+.1%}, "
            f"95 % interval {one.low:+.1%} to {one.high:+.1%}: {one.verdict}"
            for one in self.comparisons
            if one.metric in (f"recall@{k}", "f1")
        ]
        caption = f"{len(self.questions):,} questions on {self.corpus}"
        table = html_table(caption, ("run", *shown), rows, [*compared, *(f"note: {note}" for note in self.notes)])
        headline = f"recall@{k}"
        found = [(name, one.metrics[headline]) for name, one in self.scores.items() if headline in one.metrics]
        return table + bars.draw(found, title=headline)


def headline_k(ks: Sequence[int]) -> int:
    """The cut to show if there is room for one only: 5 if it is among the cuts, otherwise the middle one."""
    return USUAL_K if USUAL_K in ks else ks[len(ks) // 2]


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _check_filled(name: str, value: object) -> None:
    """Raise if a value is not a text, or is blank."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{name} must be a text that is not blank, got {value!r}")


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
