"""The answer to a question that compares two entities, and its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tetragraph.language.extractive_qa.pairs import Pair
from tetragraph.language.extractive_qa.quantities import Measure
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.model import Chunk

Rule = Literal["dates", "numbers", "countries", "same", "both", "common", "which", "choice"]
FIRST: Final = ((0, 1), (0, 1))
"""A place in the first sentence of each chunk."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Answer to a question that compares two entities.

    Attributes:
        text: ``yes``, ``no``, the name of an entity as in the question, or words of a chunk.
        rule: Rule by which it was found.
        reason: Values that were compared, in words.
        evidence: A chunk for each entity, and the sentence in it with the value.
        chosen: Number of the entity that is the answer; None for another answer.
    """

    text: str
    rule: Rule
    reason: str
    evidence: tuple[tuple[Chunk, tuple[int, int]], ...]
    chosen: int | None = None


def choose_one(
    pair: Pair, chosen: int, rule: Rule, reason: str, spans: Sequence[tuple[int, int]] = FIRST
) -> Comparison:
    """The answer that names one of the two entities.

    Args:
        pair: The entities.
        chosen: Number of the entity, 0 or 1.
        rule: Rule by which it was found.
        reason: Values that were compared, in words.
        spans: Offsets of the value in each chunk; its first sentence when left out.
    """
    name = (pair.one, pair.other)[chosen].name.strip("\"“”' ")
    return Comparison(name, rule, reason, _evidence(pair, spans), chosen)


def choose_by_measure(
    pair: Pair, measure: Measure, rule: Rule, *, is_larger: bool, unit: str = ""
) -> Comparison | None:
    """The answer that names the entity whose chunk states the larger number, or the smaller.

    Args:
        pair: The entities.
        measure: Returns the number that a text states.
        rule: Rule by which it is found.
        is_larger: Whether the larger number is asked for.
        unit: What is written behind the numbers in the reason.

    Returns:
        None if a chunk states no number, or both state the same.
    """
    one, other = (measure(each.chunk.text) for each in (pair.one, pair.other))
    if one is None or other is None or one.value == other.value:
        return None
    chosen = int((other.value > one.value) == is_larger)
    reason = show(pair, [f"{each.value:g}{unit}" for each in (one, other)])
    return choose_one(pair, chosen, rule, reason, (one.place, other.place))


def show(pair: Pair, values: Iterable[str]) -> str:
    """A value for each entity, with the title of its chunk, in words."""
    return "; ".join(f"{one.chunk.title}: {value}" for one, value in zip((pair.one, pair.other), values, strict=True))


def tell(pair: Pair, text: str, rule: Rule, reason: str, spans: Sequence[tuple[int, int]] = FIRST) -> Comparison:
    """An answer that names neither entity; see :func:`choose_one`."""
    return Comparison(text, rule, reason, _evidence(pair, spans))


def _evidence(pair: Pair, spans: Sequence[tuple[int, int]]) -> tuple[tuple[Chunk, tuple[int, int]], ...]:
    entities = (pair.one, pair.other)
    return tuple((one.chunk, sentence_at(one.chunk, *span)) for one, span in zip(entities, spans, strict=True))


def sentence_at(chunk: Chunk, start: int, end: int) -> tuple[int, int]:
    """The sentences of a chunk from a start to an end."""
    spans = [span for span in sentence_spans(chunk.text) if span[1] > start and span[0] < end]
    return (spans[0][0], spans[-1][1]) if spans else (start, end)
