"""Answers of evaluated runs, in addition to their rankings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from tetragraph.errors import InvalidInput, UnusableReply
from tetragraph.evaluate.model import RunAnswer
from tetragraph.model.answers import Answer, AnswerKind
from tetragraph.model.usage import NOTHING, Usage

ANSWER: Final = "answer"
"""Option of a run that selects the kind of its answers."""
GENERATED: Final = "generated"
KINDS: Final = get_args(AnswerKind)


def read_kind(name: str, options: Mapping[str, Any]) -> str:
    """Kind of a run's answers; empty for a run that only searches.

    Raises:
        InvalidInput: the kind is neither ``generated`` (by a language model) nor ``extractive`` (word for word from a
            chunk).
    """
    kind = options.get(ANSWER, "")
    if kind and kind not in KINDS:
        raise InvalidInput(f"a run's {ANSWER} must be {' or '.join(KINDS)}, got {kind!r} for {name!r}")
    return str(kind)


def answering_runs(
    methods: Mapping[str, tuple[str, Mapping[str, Any]]], kinds: tuple[str, ...]
) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Each run once for each kind of answer, with the kind appended to its name; the same runs without kinds."""
    if not kinds:
        return dict(methods)
    return {
        f"{name}+{kind}": (method, {**options, ANSWER: kind})
        for name, (method, options) in methods.items()
        for kind in kinds
    }


@dataclass(slots=True)
class AnswerRecorder:
    """Records the answers of a run.

    Attributes:
        kind: Kind of the answers; empty for a run that only searches.
        answers: Answer by question id.
        manifest: Options of the answers, and model and prompts if a language model was used.
        failures: Error by id of each question on which a language model gave no usable reply.
    """

    kind: str
    answers: dict[str, RunAnswer] = field(default_factory=dict)
    manifest: dict[str, Any] = field(default_factory=dict)
    failures: dict[str, UnusableReply] = field(default_factory=dict)
    _usage: Usage = NOTHING
    _insufficient: int = 0
    _dropped: int = 0

    def add(self, question: str, answer: Answer) -> None:
        """Record an answer, with each document that it cites once."""
        documents = dict.fromkeys(citation.document for citation in answer.citations)
        self.answers[question] = RunAnswer(answer.text, tuple(documents))
        self._usage += answer.usage
        self._insufficient += answer.insufficient
        self._dropped += answer.dropped_citations
        self.manifest |= {key: answer.manifest[key] for key in (ANSWER, "llm") if key in answer.manifest}

    def add_failure(self, question: str, error: UnusableReply) -> None:
        """Record a question that stays without an answer."""
        self.answers[question] = RunAnswer("")
        self.failures[question] = error

    @property
    def options(self) -> dict[str, Any]:
        """Options that distinguish the run from one that only searches."""
        return {ANSWER: self.kind} if self.kind else {}

    def notes(self) -> Iterator[str]:
        """Result notes: insufficient answers, dropped quotes, and usage."""
        if self._insufficient:
            yield f"{self._insufficient} of {len(self.answers)} answers are insufficient"
        if self._dropped:
            yield f"{self._dropped} quotes of answers stand in no passage, and were dropped"
        if self._usage.calls or self._usage.cached:
            kept = f"{self._usage.cached} answered from kept replies"
            yield f"{self._usage.calls} calls of the language model, {kept}, {self._usage.tokens} tokens"
