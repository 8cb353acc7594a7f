"""Cached analysis of a question: its names, its tree, and the chain of its steps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tetragraph.language.questions.chain import Chain
from tetragraph.language.questions.compared import compare
from tetragraph.language.questions.kinship import write_out
from tetragraph.language.questions.names import find_names
from tetragraph.language.questions.parse import parse_question
from tetragraph.language.questions.steps import PLACEHOLDER, Step, has_content, make_step
from tetragraph.language.questions.surface import split_once
from tetragraph.language.questions.tree import QuestionTree
from tetragraph.language.spacy_model import installed_model

_CACHED_READINGS = 256
"""Number of cached readings; several methods read the question of one search, and its sub-questions."""
_LONG_WORD = re.compile(r"\S{100}")
"""Text that is not parsed: spaCy's tokenizer takes quadratic time in the length of a word."""


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """Names, parse and chain of steps of a question.

    Attributes:
        text: The question, with kinships of two steps written out.
        names: Character offsets of its names in ``text``, ascending.
        tree: Parse of the question; None without spaCy and its English model.
        steps: Chain of sub-questions; the question alone if it needs no intermediate answer.
    """

    text: str
    names: tuple[tuple[int, int], ...]
    tree: QuestionTree | None
    steps: tuple[Step, ...]


def has_parser() -> bool:
    """Whether questions are parsed; without spaCy and its English model they are split by a pattern, once."""
    return installed_model() is not None


def read_question(question: str, entity_spans: Sequence[tuple[int, int]]) -> QuestionReading:
    """Analyse a question; the same question with the same names is parsed once.

    Args:
        question: Text of the question.
        entity_spans: Character offsets of the known entities in the question.
    """
    return _read(question, tuple(entity_spans), has_parser())


@lru_cache(_CACHED_READINGS)
def _read(question: str, entity_spans: tuple[tuple[int, int], ...], is_parsed: bool) -> QuestionReading:
    text, names = write_out(question, find_names(question, entity_spans))
    tree = parse_question(text, names) if is_parsed and not _LONG_WORD.search(text) else None
    steps = [] if PLACEHOLDER.search(question) else _steps(text, names, tree)
    return QuestionReading(text, tuple(names), tree, tuple(steps) or (Step(question, "", ()),))


def _steps(text: str, names: Sequence[tuple[int, int]], tree: QuestionTree | None) -> list[Step]:
    """The chain; empty or of one step if the question has no intermediate answer."""
    steps = compare(text, names) or (Chain(tree).steps() if tree else [])
    return steps if len(steps) > 1 else _split_by_surface(text, names, tree)


def _split_by_surface(text: str, names: Sequence[tuple[int, int]], tree: QuestionTree | None) -> list[Step]:
    found = split_once(text, names)
    if found is None:
        return []
    start, end, head = found
    if tree and not tree.has_head(head):
        return []
    rest = f"{text[:start]}#1{text[end:]}"
    return [make_step(text[start:end], head), make_step(rest)] if has_content(rest) else []
