"""A question as a tree of words, with each name as one word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

NOUNS: Final = frozenset(["NN", "NNS"])
"""Tags of common nouns."""
BE: Final = frozenset(["is", "was", "are", "were"])
"""Forms of "be" that join a subject and what it is."""
CLAUSES: Final = frozenset(["relcl", "acl"])
"""Dependency relations of clauses that modify a noun."""
QUESTION_TAGS: Final = frozenset(["WDT", "WP", "WP$", "WRB"])
"""Tags of the words that open questions and relative clauses."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question, or a name as a whole.

    Attributes:
        text: Text as written in the question.
        space: Separator before the next word: a space or nothing.
        tag: Penn Treebank part of speech; ``NNP`` for a name.
        relation: Dependency relation to its head (spaCy's English labels).
        head: Place of its head; its own place for the root of a sentence.
        is_name: Whether it is a name.
    """

    text: str
    space: str
    tag: str
    relation: str
    head: int
    is_name: bool


class QuestionTree:
    """The words of a question, and their dependencies."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.roots = [place for place, word in enumerate(words) if word.head == place]
        self.children: list[list[int]] = [[] for _ in words]
        for place, word in enumerate(words):
            if word.head != place:
                self.children[word.head].append(place)

    def below(self, place: int) -> Iterator[int]:
        """A word and all its dependents, heads before dependents, from right to left."""
        waiting = [place]
        while waiting:
            word = waiting.pop()
            yield word
            waiting.extend(self.children[word])

    def has_head(self, text: str) -> bool:
        """Whether a word is the noun of a phrase, and no modifier before one ("literary" in "literary cabaret")."""
        return any(word.text == text and self._is_head(place) for place, word in enumerate(self.words))

    def _is_head(self, place: int) -> bool:
        word, behind = self.words[place], [word.tag for word in self.words[place + 1 : place + 3]]
        is_before_noun = bool(NOUNS.intersection(behind[:1]))
        if word.tag in NOUNS:  # the noun behind it is a verb at the end of a question: "did her father study?"
            return word.relation != "compound" or not is_before_noun or behind[1:] in ([], ["."])
        return word.tag == "JJ" and not is_before_noun
