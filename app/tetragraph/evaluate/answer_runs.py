"""Answers of evaluated runs, beside their rankings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import RunAnswer
from tetragraph.model.answers import Answer, AnswerKind
from tetragraph.model.usage import NOTHING, Usage

ANSWER: Final = "answer"
"""The option of a run that says how it answers."""
GENERATED: Final = "generated"
KINDS: Final = get_args(AnswerKind)


def read_kind(name: str, options: Mapping[str, Any]) -> str:
    """How a run answers; empty where it only searches.

    Raises:
        InvalidInput: neither by a language model nor word for word from a passage.
    """
    kind = options.get(ANSWER, "")
    if kind and kind not in KINDS:
        raise InvalidInput(f"a run's {ANSWER} must be {' or '.join(KINDS)}, got {kind!r} for {name!r}")
    return str(kind)


def answering_runs(
    methods: Mapping[str, tuple[str, Mapping[str, Any]]], kinds: tuple[str, ...]
) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Each run once for each kind of answer, its name with the kind behind it; as they are without kinds."""
    if not kinds:
        return dict(methods)
    return {
        f"{name}+{kind}": (method, {**options, ANSWER: kind})
        for name, (method, options) in methods.items()
        for kind in kinds
    }


@dataclass(slots=True)
class Answered:
    """Takes down one answer after the other.

    Attributes:
        kind: How they are made; empty where there are none.
        given: Id of a question to its answer.
        manifest: Which model was asked with which prompts, where one was.
    """

    kind: str
    given: dict[str, RunAnswer] = field(default_factory=dict)
    manifest: dict[str, Any] = field(default_factory=dict)
    _usage: Usage = NOTHING
    _insufficient: int = 0
    _dropped: int = 0

    def add(self, question: str, answer: Answer) -> None:
        """The next one; it cites the documents of its citations, each once."""
        documents = dict.fromkeys(citation.document for citation in answer.citations)
        self.given[question] = RunAnswer(answer.text, tuple(documents))
        self._usage += answer.usage
        self._insufficient += answer.insufficient
        self._dropped += answer.dropped_citations
        self.manifest |= {key: answer.manifest[key] for key in (ANSWER, "llm") if key in answer.manifest}

    @property
    def options(self) -> dict[str, Any]:
        """Options that distinguish the run from one that only searches."""
        return {ANSWER: self.kind} if self.kind else {}

    def notes(self) -> Iterator[str]:
        """Limits of the answers, and their usage, in words."""
        if self._insufficient:
            yield f"{self._insufficient} of {len(self.given)} answers are insufficient"
        if self._dropped:
            yield f"{self._dropped} quotes of answers stand in no passage, and were dropped"
        if self._usage.calls or self._usage.cached:
            kept = f"{self._usage.cached} answered from kept replies"
            yield f"{self._usage.calls} calls of the language model, {kept}, {self._usage.tokens} tokens"
