"""Asks a language model how much passages add to a reader of another one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import BaseModel, BeforeValidator, Field

from tetragraph.errors import UnusableReply
from tetragraph.language.prompts import Fenced, Prompt, fence, fences, load
from tetragraph.llm import Operation, Request
from tetragraph.llm.structured import with_logprobs, with_schema

Way = Literal["levels", "score", "binary", "same"]
"""How it is asked: for one of four levels, a number, 0 or 1, or for one word whose probability counts."""
WAYS: tuple[Way, ...] = get_args(Way)
Level = Literal["redundant", "minor", "significant", "novel"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""From nothing gained to much; a level is meant by its place here."""
_PROMPTS: Mapping[Way, str] = {
    "levels": "gain_levels",
    "score": "gain_score",
    "binary": "gain_binary",
    "same": "gain_same",
}
YES, NO = "Yes", "No"
_FRAME, _ENTRY = 8, 14
"""Tokens of a reply, about: those around the entries, and those of an entry."""
_ROOM = 4
"""How many times longer a reply may be: it may be indented, and models differ in their tokens."""


def _word(value: Any) -> Any:
    return value.strip().casefold() if isinstance(value, str) else value


class LevelEntry(BaseModel):
    """What is said of one passage."""

    passage: int
    level: Annotated[Level, BeforeValidator(_word)]


class ScoreEntry(BaseModel):
    """What is said of one passage."""

    passage: int
    gain: Annotated[float, Field(allow_inf_nan=False)]


class BinaryEntry(BaseModel):
    """What is said of one passage."""

    passage: int
    gain: Literal[0, 1]


class LevelJudgements(BaseModel):
    """A reply of levels."""

    judgements: list[LevelEntry]

    def values(self) -> list[tuple[int, float]]:
        """Numbers of passages, each with its judgement."""
        return [(one.passage, LEVELS.index(one.level)) for one in self.judgements]


class ScoreJudgements(BaseModel):
    """A reply of numbers."""

    judgements: list[ScoreEntry]

    def values(self) -> list[tuple[int, float]]:
        """Numbers of passages, each with its judgement."""
        return [(one.passage, min(max(one.gain, 0.0), 1.0)) for one in self.judgements]


class BinaryJudgements(BaseModel):
    """A reply of zeros and ones."""

    judgements: list[BinaryEntry]

    def values(self) -> list[tuple[int, float]]:
        """Numbers of passages, each with its judgement."""
        return [(one.passage, one.gain) for one in self.judgements]


_Form: TypeAlias = type[LevelJudgements] | type[ScoreJudgements] | type[BinaryJudgements]
_FORMS: Mapping[str, _Form] = {"levels": LevelJudgements, "score": ScoreJudgements, "binary": BinaryJudgements}


@dataclass(frozen=True, slots=True)
class Judgements:
    """Judgements of a model about chunks.

    Attributes:
        values: One for each passage, in order: the place of a level in ``LEVELS``, a number from 0 to 1, 0 or 1, or
            the probability that the passage says something new; NaN for a passage without a usable reply.
        dropped: Entries of the replies that belong to no passage, or to one that an entry before judged.
        error: Why the last passage without a usable reply has none.
    """

    values: tuple[float, ...]
    dropped: int = 0
    error: UnusableReply | None = None


def prompt_of(way: Way) -> Prompt:
    """The prompt of a way to ask."""
    return load(_PROMPTS[way])


def request(way: Way, base: str, others: Sequence[str]) -> Request:
    """Request for judgements about chunks.

    Instructions come first, then the base, then the others: endpoints that keep the beginnings of prompts read each
    base once.

    Args:
        way: How it is asked.
        base: What the reader knows.
        others: What may add to it; exactly one for ``same``.
    """
    prompt = prompt_of(way)
    if way == "same":
        (other,) = others
        pair = {"base": fence("passage", base, 1), "other": fence("passage", other, 2)}
        return with_logprobs(prompt.request(1, pair, expected=1))
    expected = _FRAME + _ENTRY * len(others)
    values: dict[str, Fenced | int] = {"base": fence("base", base), "others": fences("passage", others)}
    values["count"] = len(others)
    return with_schema(prompt.request(_ROOM * expected, values, expected=expected), _FORMS[way])


def judge(operation: Operation, way: Way, base: str, others: Sequence[str]) -> Judgements:
    """How much each passage adds to a reader of the base.

    A passage that the reply leaves out is asked about once more, by itself; so is each of several whose reply cannot
    be read at all. One of several that has no usable reply then either is left without a judgement.

    Args:
        operation: Asks the model.
        way: How it is asked.
        base: What the reader knows.
        others: What may add to it; exactly one for ``same``.

    Raises:
        UnusableReply: the reply on a single passage cannot be used, or the endpoint tells no probabilities.
        LlmError: what else the operation raises.
    """
    if way == "same":
        return Judgements((1.0 - operation.probability(request(way, base, others), YES, NO),))
    found, dropped = _ask(operation, way, base, others)
    failure: UnusableReply | None = None
    for number, other in enumerate(others, 1):
        if number not in found:
            try:
                alone = judge(operation, way, base, [other])
            except UnusableReply as error:
                alone, failure = Judgements((math.nan,)), error
            found[number], dropped = alone.values[0], dropped + alone.dropped
    return Judgements(tuple(found[number] for number in range(1, len(others) + 1)), dropped, failure)


def _ask(operation: Operation, way: Way, base: str, others: Sequence[str]) -> tuple[dict[int, float], int]:
    """The judgement of each number that the reply has, and how many entries belong to none.

    A reply on a single passage has its judgement; one on several may have none at all.
    """
    try:
        reply = operation.structured(request(way, base, others), _FORMS[way])
    except UnusableReply:
        if len(others) > 1:
            return {}, 0
        raise
    values = reply.values()
    found: dict[int, float] = {}
    for number, value in values:
        if 1 <= number <= len(others):
            found.setdefault(number, value)
    if len(others) == 1 and not found:
        raise UnusableReply("the reply must judge passage 1, the only one, and does not", reply.model_dump_json())
    return found, len(values) - len(found)
