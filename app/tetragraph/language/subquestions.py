"""A question that asks in several steps, taken apart into an ordered chain of questions that ask in one.

"Where was the director of Jaws born?" becomes "the director of Jaws" and "Where was #1 born?". A noun phrase that
describes something without naming it, in terms of a name or of another such phrase, is a step; the answer of step n
stands as ``#n`` in the steps after it. With spaCy the phrases come from a parse, else from a pattern (one split).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tetragraph.language.names import WORD, normalise_word
from tetragraph.language.question_tree import CLAUSES, NOUNS, QuestionTree, find_names, parse_question
from tetragraph.language.spacy_model import installed_model
from tetragraph.language.surface_split import split_once
from tetragraph.language.words import STOP_WORDS

_EMPTY_WORDS = """
name names kind kinds type types sort part parts number amount percentage date year month day time title
east west north south side end beginning rest case example instance member called named known
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())
"""Nouns that stand for nothing by themselves: "the name of X" is X."""
_SHORTEST_CLAUSE = 5
"""Words of a relative clause that describes something without a name in it."""
_DETERMINERS = frozenset(["the", "that", "this", "these", "those", "its", "his", "her", "their"])
_DIRECT = frozenset(["compound", "appos", "nmod", "amod"])
_APART = frozenset(["conj", "cc", "predet", "preconj"])
"""Relations of words that hang on a phrase without being part of it."""
_PLACEHOLDER = re.compile(r"#(\d+)")


@dataclass(frozen=True, slots=True)
class Step:
    """One question of a chain.

    Attributes:
        text: The sub-question; ``#1`` stands for the answer of step 1.
        head: The noun that says what its answer is ("director"); empty where the question does not say.
        refers: Numbers, from 1, of the steps whose answers it needs, ascending.
    """

    text: str
    head: str
    refers: tuple[int, ...]


def has_parser() -> bool:
    """Whether questions are parsed; without spaCy and its English model they are split by a pattern, once."""
    return installed_model() is not None


def take_apart(question: str, entity_spans: Sequence[tuple[int, int]]) -> tuple[Step, ...]:
    """The chain of a question; of one step, the question itself, where it asks for nothing in between.

    Args:
        question: Any text.
        entity_spans: Character offsets of the entities in it that the corpus knows.

    Returns:
        At least one step; steps refer to earlier ones only.
    """
    names = find_names(question, entity_spans)
    steps = _Chain(parse_question(question, names)).steps(question) if has_parser() else []
    if len(steps) < 2:
        steps = _split_by_surface(question, names)
    return tuple(steps) if len(steps) > 1 else (Step(question, "", ()),)


def _split_by_surface(question: str, names: Sequence[tuple[int, int]]) -> list[Step]:
    found = split_once(question, names)
    if found is None:
        return []
    start, end, head = found
    rest = f"{question[:start]}#1{question[end:]}"
    return [_step(question[start:end], head), _step(rest, "")] if _has_content(rest) else []


@dataclass(slots=True)
class _Chain:
    """Collects the steps of a tree."""

    tree: QuestionTree
    found: list[Step] = field(default_factory=list)
    number: dict[int, int] = field(default_factory=dict)

    def steps(self, question: str) -> list[Step]:
        for root in self.tree.roots:
            self._visit(root)
        text = self._text(range(len(self.tree.words))) if self.found else question
        if not self.found or _has_content(text):
            self.found.append(_step(text, ""))
        return self.found

    def _visit(self, place: int) -> None:
        for child in self.tree.children[place]:
            self._visit(child)
        if self._is_variable(place):
            self.found.append(_step(self._text(sorted(self._own(place))), self.tree.words[place].text))
            self.number[place] = len(self.found)

    def _is_variable(self, place: int) -> bool:
        word = self.tree.words[place]
        if word.tag not in NOUNS or word.text.lower() in _EMPTY:
            return False
        children = self.tree.children[place]
        clauses = [child for child in children if self.tree.words[child].relation in CLAUSES]
        if any(self.tree.words[child].tag in ("WDT", "WP", "WP$", "WRB") for child in children):
            return False
        if not clauses and not any(self._defines(child) for child in children):
            return False
        if any(len(list(self.tree.below(clause))) >= _SHORTEST_CLAUSE for clause in clauses):
            return True
        return any(self._is_anchored(child) for child in children)

    def _defines(self, child: int) -> bool:
        word = self.tree.words[child]
        return word.text.lower() in _DETERMINERS or word.relation == "poss"

    def _is_anchored(self, child: int) -> bool:
        """Whether a name or another variable is below, other than as a mere apposition."""
        if self.tree.words[child].relation in _APART:
            return False
        if self.tree.words[child].relation in _DIRECT and self.tree.words[child].is_name:
            return False
        return any(self.tree.words[place].is_name or place in self.number for place in self.tree.below(child))

    def _own(self, place: int) -> set[int]:
        """The words of a phrase, without the possessive mark that joins it to what follows."""
        words = self.tree.words
        apart = [
            child for child in self.tree.children[place] if words[child].tag == "POS" or words[child].relation in _APART
        ]
        return set(self.tree.below(place)).difference(*map(self.tree.below, apart))

    def _text(self, places: Sequence[int]) -> str:
        """The words at ``places`` with the variables among them as ``#n``, the outermost of them alone."""
        inside = set(places)
        shown: dict[int, int] = {}
        for variable, number in sorted(self.number.items(), key=lambda item: item[1]):
            if variable in inside:
                for word in self._own(variable):
                    shown[word] = number
        parts: list[str] = []
        done: set[int] = set()
        for place in places:
            number = shown.get(place, 0)
            if not number:
                parts.append(self.tree.words[place].text + self.tree.words[place].space)
            elif number not in done:
                parts.append(f" #{number} ")
                done.add(number)
        return _tidy("".join(parts))


def _step(text: str, head: str) -> Step:
    refers = sorted({int(number) for number in _PLACEHOLDER.findall(text)})
    return Step(text, head, tuple(refers))


def _tidy(text: str) -> str:
    return re.sub(r"\s+([,.?!;'’])", r"\1", " ".join(text.split())).strip(" ,;")


def _has_content(text: str) -> bool:
    words = [normalise_word(word) for word in WORD.findall(_PLACEHOLDER.sub("", text))]
    return any(word not in STOP_WORDS and word not in _EMPTY for word in words)
