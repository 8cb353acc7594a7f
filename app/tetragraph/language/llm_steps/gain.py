"""Asks a language model how much information chunks add to another one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from tetragraph.errors import UnusableReply
from tetragraph.language.prompts import Fenced, Prompt, fence, fences, load
from tetragraph.llm import Operation, Request
from tetragraph.llm.structured import with_logprobs, with_schema

Way = Literal["levels", "score", "binary", "same"]
"""Kind of judgement: one of four levels, a number, 0 or 1, or the probability of one word."""
WAYS: tuple[Way, ...] = get_args(Way)
Level = Literal["redundant", "minor", "significant", "novel"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""Levels in ascending order of gain; a level is identified by its place here."""
_PROMPTS: Mapping[Way, str] = {
    "levels": "gain_levels",
    "score": "gain_score",
    "binary": "gain_binary",
    "same": "gain_same",
}
YES, NO = "Yes", "No"
_FRAME, _ENTRY = 8, 14
"""Approximate tokens of a reply: around the entries, and for each entry."""
_ROOM = 4
"""Ratio of the longest to the expected reply, as replies may be indented and tokenizers differ."""
_DESCRIPTION = "What is said of one passage."
"""Description of an entry in the schema of a reply; it is part of the request, and so of cache keys."""


def _word(value: Any) -> Any:
    return value.strip().casefold() if isinstance(value, str) else value


class LevelEntry(BaseModel):
    """Level of one chunk."""

    model_config = ConfigDict(json_schema_extra={"description": _DESCRIPTION})

    passage: int
    level: Annotated[Level, BeforeValidator(_word)]


class ScoreEntry(BaseModel):
    """Gain of one chunk from 0 to 1."""

    model_config = ConfigDict(json_schema_extra={"description": _DESCRIPTION})

    passage: int
    gain: Annotated[float, Field(allow_inf_nan=False)]


class BinaryEntry(BaseModel):
    """Gain of one chunk, 0 or 1."""

    model_config = ConfigDict(json_schema_extra={"description": _DESCRIPTION})

    passage: int
    gain: Literal[0, 1]


class LevelJudgements(BaseModel):
    """A reply of levels."""

    judgements: list[LevelEntry]

    def values(self) -> list[tuple[int, float]]:
        """Numbers of chunks, each with its judgement."""
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
    """Judgements of some chunks.

    Attributes:
        values: Judgement of each chunk, in order: the place of a level in ``LEVELS``, a number from 0 to 1, 0 or 1, or
            the probability that the chunk adds something; NaN for a chunk without a usable reply.
        dropped: Number of entries that refer to no chunk, or to one that an earlier entry judged.
        error: Error of the last chunk without a usable reply.
    """

    values: tuple[float, ...]
    dropped: int = 0
    error: UnusableReply | None = None


def prompt_of(way: Way) -> Prompt:
    """The prompt of a kind of judgement."""
    return load(_PROMPTS[way])


def request(way: Way, base: str, others: Sequence[str]) -> Request:
    """The request for judgements of some chunks.

    Instructions come first, then the base, then the others, so that endpoints that cache prompt prefixes read each base
    once.

    Args:
        way: Kind of judgement.
        base: Chunk that the reader knows.
        others: Chunks to judge; exactly one for ``same``.
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
    """Judge how much each chunk adds for a reader of the base.

    A chunk that is missing in the reply is requested once more, alone; if the reply on several chunks cannot be read,
    each of them is requested alone. If that reply is not usable either, the chunk has no judgement.

    Args:
        operation: Calls the model.
        way: Kind of judgement.
        base: Chunk that the reader knows.
        others: Chunks to judge; exactly one for ``same``.

    Raises:
        UnusableReply: the reply on a single chunk is unusable, or the endpoint returns no probabilities.
        LlmError: the operation failed otherwise.
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
    """Judgements by the number in the reply, and the number of entries that refer to no chunk.

    The reply on a single chunk must contain its judgement; one on several may contain none.
    """
    asked = request(way, base, others)
    try:
        reply = operation.structured(asked, _FORMS[way])
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
        with operation.describing(asked):
            raise UnusableReply("the reply must judge passage 1, the only one, and does not", reply.model_dump_json())
    return found, len(values) - len(found)
