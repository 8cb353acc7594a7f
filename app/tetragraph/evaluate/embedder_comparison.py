"""Compares two embedders of a corpus on questions with gold, before the corpus changes over to the second."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput
from tetragraph.evaluate.comparison import compare
from tetragraph.evaluate.evaluated_corpus import evaluated_corpus
from tetragraph.evaluate.gold import find_gold
from tetragraph.evaluate.metrics import score_run
from tetragraph.evaluate.model import GoldQuestion, Scores
from tetragraph.evaluate.questions import check_questions, given_questions
from tetragraph.evaluate.run_methods import EvaluatedCorpus, EvaluatedMethod, run_methods
from tetragraph.indexing.reembed import Trial
from tetragraph.model import Evidence
from tetragraph.model.answers import Answer
from tetragraph.model.embedder_scores import EmbedderScore
from tetragraph.progress import Progress
from tetragraph.retrieval.request import Request
from tetragraph.retrieval.search import find_evidence
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.fused.system import Fused
from tetragraph.systems.registry import RETRIEVERS, find_retriever

OnlyIf: TypeAlias = Literal["not-worse", "better"]
METHODS = ("dense", "evidence")
KS = (5, 10)
METRICS = tuple(f"{name}@{k}" for k in KS for name in ("recall", "ndcg"))
BEFORE, AFTER = "before", "after"


@dataclass(frozen=True, slots=True)
class EmbedderQuestions:
    """Questions on which two embedders are compared, and the methods that answer them.

    Attributes:
        questions: The questions.
        methods: Names of search methods that need no graph, as graphs are built on the vectors in use.

    Raises:
        InvalidInput: no question has gold, or a method needs a graph, asks other methods, or compares no vectors.
    """

    questions: tuple[GoldQuestion, ...]
    methods: tuple[str, ...] = METHODS

    def __post_init__(self) -> None:
        if not self.methods:
            raise InvalidInput("embedders are compared with one method at least, got none")
        if not any(one.gold for one in check_questions(self.questions)):
            raise InvalidInput("embedders are compared on questions with gold, got none: name the documents of answers")
        usable = [
            name
            for name, one in RETRIEVERS.items()
            if one.needs_vector and not (one.requires or one.is_multi_step or isinstance(one, Fused))
        ]
        if wrong := [name for name in self.methods if find_retriever(name).name not in usable]:
            raise InvalidInput(
                f"embedders are compared with methods that need no graph ({', '.join(usable)}), got {wrong[0]!r}"
            )


def compare_embedders(
    connection: Connection, corpus: str, asked: EmbedderQuestions, progress: Progress
) -> Callable[[CorpusStores], tuple[EmbedderScore, ...]]:
    """A function that compares the present vectors of a corpus with those of the stores that it gets.

    Args:
        connection: Connection to the stores.
        corpus: Name of the corpus.
        asked: Questions and methods.
        progress: Receives every search.

    Raises:
        UnknownDocument: the corpus lacks gold of the questions.
    """
    find_gold(_subject(connection, corpus, None), asked.questions, allow_missing=False)

    def measure(other: CorpusStores) -> tuple[EmbedderScore, ...]:
        scores = {
            BEFORE: _score(_subject(connection, corpus, None), asked, progress),
            AFTER: _score(_subject(connection, corpus, other), asked, progress),
        }
        return tuple(_compare(asked, scores))

    return measure


def _subject(connection: Connection, corpus: str, stores: CorpusStores | None) -> EvaluatedCorpus:
    """The corpus for an evaluation, in its present state or with other stores."""

    def search(question: str, k: int, method: str, options: Mapping[str, Any]) -> tuple[Evidence, float]:
        return find_evidence(connection, Request(corpus, question, k, method, None, options), stores=stores)

    def answer(*_: object) -> Answer:
        raise InvalidInput("embedders are compared by what is found, not by answers")

    return evaluated_corpus(connection, corpus, search, answer)


def _score(subject: EvaluatedCorpus, asked: EmbedderQuestions, progress: Progress) -> dict[str, Scores]:
    methods = [EvaluatedMethod(name, name, {}) for name in asked.methods]
    searched = run_methods(subject, methods, asked.questions, max(KS), progress)
    return {one.run.name: score_run(one.run, asked.questions, KS) for one in searched}


def _compare(asked: EmbedderQuestions, scores: Mapping[str, Mapping[str, Scores]]) -> Iterator[EmbedderScore]:
    for method in asked.methods:
        pair = {name: found[method] for name, found in scores.items()}
        for metric in METRICS:
            one = compare(metric, AFTER, BEFORE, pair)
            before, after = (pair[name].metrics[metric] for name in (BEFORE, AFTER))
            yield EmbedderScore(
                method, metric, before, after, one.difference, one.low, one.high, one.p_value, one.verdict
            )


def make_trial(
    connection: Connection,
    corpus: str,
    questions: str | Path | Sequence[GoldQuestion] | None,
    methods: Sequence[str],
    only_if: OnlyIf | None,
    progress: Progress,
) -> Trial | None:
    """The comparison that decides on a change of the embedder; None without questions. See ``Corpus.reembed``.

    Raises:
        InvalidInput: a condition without questions, another condition than these, or see :class:`EmbedderQuestions`.
        UnknownDocument: the corpus lacks gold of the questions.
    """
    if only_if is not None and only_if not in get_args(OnlyIf):
        raise InvalidInput(f"only_if must be {' or '.join(get_args(OnlyIf))}, got {only_if!r}")
    if questions is None:
        if only_if is not None:
            raise InvalidInput(f"only_if needs questions on which both embedders are compared, got {only_if!r} alone")
        return None
    gold = given_questions(questions)
    asked = EmbedderQuestions(tuple(gold), (methods,) if isinstance(methods, str) else tuple(methods))
    return Trial(compare_embedders(connection, corpus, asked, progress), partial(_accepts, only_if))


def _accepts(only_if: OnlyIf | None, scores: Sequence[EmbedderScore]) -> bool:
    verdicts = {one.verdict for one in scores}
    return only_if is None or ("worse" not in verdicts and (only_if == "not-worse" or "better" in verdicts))
