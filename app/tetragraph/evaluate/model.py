"""The values of an evaluation: questions with their gold evidence, what a method found for them, and its scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Gold:
    """A passage that carries a part of the answer: a whole document, or a stretch of one.

    Attributes:
        document: Id of the document.
        start: First character of the stretch, or None for the whole document.
        end: One past its last character, or None likewise.
    """

    document: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question with what is known of its answer.

    Attributes:
        id: Unique in its file.
        text: The question.
        gold: The passages that carry the answer; empty where only answers are known.
        answers: Accepted answers, the main one first.
        hops: Number of reasoning steps, where known.
        kind: The benchmark's own type of question, where it has one.
    """

    id: str
    text: str
    gold: tuple[Gold, ...] = ()
    answers: tuple[str, ...] = ()
    hops: int | None = None
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """One ranked passage of a run; places count from 1 in the order of the ranking."""

    chunk: str
    document: str
    title: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Run:
    """What one method found.

    Attributes:
        name: Unique among the runs that are compared: the method, or a label the user gave.
        method: The search method, or the name of the foreign system that the rankings come from.
        options: What the method was set to.
        rankings: Question id to what was found, best first.
        seconds: Question id to the wall time of its search, without the question's embedding; empty where unknown.
        notes: What the searches said about themselves, each once.
    """

    name: str
    method: str
    options: Mapping[str, Any]
    rankings: Mapping[str, tuple[Found, ...]]
    seconds: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scores:
    """The metrics of one run.

    Attributes:
        metrics: Metric name (``recall@5``, ``all@5``, ``ndcg@10``, ``mrr``, ``precision@5``) to its mean over the
            questions with gold, 0 to 1.
        by_hops: Hops to the metrics over the questions of so many.
        by_kind: Kind of question to the metrics over the questions of that kind.
        each: Metric name to question id to its value.
    """

    metrics: Mapping[str, float]
    by_hops: Mapping[int, Mapping[str, float]]
    by_kind: Mapping[str, Mapping[str, float]]
    each: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs on the same questions, ``first - second``.

    Attributes:
        metric: What is compared.
        difference: Mean over the questions of the paired difference.
        low: Lower end of its 95 % bootstrap interval.
        high: Upper end.
        p_value: Of the paired permutation test, two-sided.
        verdict: ``"better"`` or ``"worse"`` when the interval leaves out 0, else ``"undecided"``.
    """

    first: str
    second: str
    metric: str
    difference: float
    low: float
    high: float
    p_value: float
    verdict: str
