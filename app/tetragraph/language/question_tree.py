"""A question as a tree of words: names as one word each, clauses on the noun they speak of.

A small parser stumbles over titles ("the author of Alexander and the Terrible Day attend?") and hangs relative clauses
on the wrong noun. So each name goes into it as one well-known name, and clauses are hung on the noun before them.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from tetragraph.language.analysis import FIRST, analyse_text
from tetragraph.language.spacy_model import PARSING, load_model
from tetragraph.language.words import STOP_WORDS

NOUNS: Final = frozenset(["NN", "NNS"])
"""Tags of common nouns."""
CLAUSES: Final = frozenset(["relcl", "acl"])
"""Relations of clauses that say more about a noun."""
_STAND_IN = "London"
_RELATIVES = frozenset(["WDT", "WP", "WP$", "WRB"])
_MISPLACED = CLAUSES | {"advcl", "ccomp", "csubj"}
_QUOTED = re.compile(r"\"[^\"]+\"|“[^”]+”")
_CAPITAL_OR_DIGIT = re.compile(r"[^\W_a-z]")
_NUMBER = re.compile(r"[\W\d]+")
_POSSESSIVE = re.compile(r"['’]s$")
_VERB_AHEAD = re.compile(r"\s+(?:is|was|are|were|has|had|did|does|\w+ed)\b")
_NOUN_BEFORE = re.compile(r"\bthe\s+(?:[a-z]+\s+)?([a-z]+)\s+$", re.IGNORECASE)
_NAMED = "film movie song album single book novel poem play series show game band actor singer"
_NAMED_NOUNS = frozenset(_NAMED.split())
"""Nouns whose bearer is mostly named right after them ("the film Jaws")."""
_DO = frozenset(["did", "does", "do"])
_BE = frozenset(["is", "was", "are", "were"])
_SUBJECTS = frozenset(["nsubj", "nsubjpass", "dobj", "attr"])
_INSIDE_NOUN = frozenset(["det", "compound", "amod", "poss", "nmod"])
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question, or a name as a whole.

    Attributes:
        text: As the question writes it.
        space: What stands between it and the next word: a space or nothing.
        tag: Penn Treebank part of speech; ``NNP`` for a name.
        relation: To its head (spaCy's English labels).
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
    """The words of a question, and which hang on which."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.roots = [place for place, word in enumerate(words) if word.head == place]
        self.children: list[list[int]] = [[] for _ in words]
        for place, word in enumerate(words):
            if word.head != place:
                self.children[word.head].append(place)

    def below(self, place: int) -> Iterator[int]:
        """A word and everything that hangs on it, in no particular order."""
        waiting = [place]
        while waiting:
            word = waiting.pop()
            yield word
            waiting.extend(self.children[word])


def find_names(question: str, entity_spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Where a question's names stand: linked entities, capitalised stretches and quotations, without overlaps.

    Args:
        question: Any text.
        entity_spans: Character offsets of the entities that the corpus knows; those without a capital or a digit are
            words that happen to title something ("the country").

    Returns:
        Character offsets, ascending, without a possessive at the end.
    """
    linked = [span for span in entity_spans if _is_name(question[slice(*span)])]
    quoted = [match.span() for match in _QUOTED.finditer(question)]
    merged: list[tuple[int, int]] = []
    for start, end in sorted([*linked, *quoted, *_capitalised(question)]):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return [(start, end - 2 * bool(_POSSESSIVE.search(question[start:end]))) for start, end in merged]


def parse_question(question: str, names: Sequence[tuple[int, int]]) -> QuestionTree:
    """The tree of a question. About 2 ms.

    Args:
        question: Any text.
        names: From :func:`find_names`.

    Raises:
        MissingDependency: spaCy or its English model is not installed.
    """
    model = load_model(PARSING, "sub-questions")
    with _lock, model.memory_zone():
        words = _words(model, question, names)
    return QuestionTree(_Repair(words).repaired())


def _capitalised(question: str) -> Iterator[tuple[int, int]]:
    """Capitalised stretches; a question word or "The" that begins a sentence is none, nor part of one."""
    analysis = analyse_text(question)
    for place in np.flatnonzero(analysis.span).tolist():
        last = place + int(analysis.span[place]) - 1
        first = place
        if analysis.flags[place] & FIRST:
            while first <= last and analysis.words[int(analysis.word[first])] in STOP_WORDS:
                first += 1
        if first <= last:
            yield int(analysis.start[first]), int(analysis.end[last])


def _is_name(text: str) -> bool:
    return bool(_CAPITAL_OR_DIGIT.search(text)) and not _NUMBER.fullmatch(text)


def _words(model: Any, question: str, names: Sequence[tuple[int, int]]) -> list[Word]:
    texts: list[str] = []
    spaces: list[bool] = []
    known: dict[int, str] = {}
    done = 0
    for start, end in [*names, (len(question), len(question))]:
        for token in model.tokenizer(question[done:start]):
            if not token.is_space:
                texts.append(token.text)
                spaces.append(bool(token.whitespace_))
        if end > start:
            if _lacks_relative(question, start, end):
                texts.append("that")
                spaces.append(True)
            known[len(texts)] = question[start:end]
            texts.append(_STAND_IN)
            spaces.append(question[end : end + 1].isspace())
        done = end
    document = model(_document(model, texts, spaces))
    return [
        Word(
            text=known.get(token.i, token.text),
            space=token.whitespace_,
            tag="NNP" if token.i in known else token.tag_,
            relation=token.dep_,
            head=token.head.i,
            is_name=token.i in known,
        )
        for token in document
    ]


def _document(model: Any, texts: Sequence[str], spaces: Sequence[bool]) -> Any:
    return type(model.make_doc(""))(model.vocab, words=texts, spaces=spaces)


def _lacks_relative(question: str, start: int, end: int) -> bool:
    """Whether a name begins a relative clause without a pronoun: "the country Anna is from"."""
    before = _NOUN_BEFORE.search(question, 0, start)
    if before is None or before[1].lower() in STOP_WORDS or before[1].lower() in _NAMED_NOUNS:
        return False
    return bool(_VERB_AHEAD.match(question, end))


class _Repair:
    """Mends what the parser gets wrong in questions."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = list(words)

    def repaired(self) -> list[Word]:
        """The words, hung where they belong."""
        self._verb_read_as_noun()
        self._swallowed_verb()
        self._misplaced_clauses()
        return self.words

    def _hang(self, place: int, head: int, relation: str, tag: str = "") -> None:
        word = self.words[place]
        self.words[place] = replace(word, head=head, relation=relation, tag=tag or word.tag)

    def _verb_read_as_noun(self) -> None:
        """Make the last word of "did the band form" a verb, where the parser sees a "band form"."""
        tree = QuestionTree(self.words)
        for root in tree.roots:
            children = tree.children[root]
            compounds = [c for c in children if self.words[c].relation == "compound" and self.words[c].tag in NOUNS]
            if self.words[root].tag not in NOUNS or not compounds or not self._has_do(children):
                continue
            subject = compounds[-1]
            self._hang(root, root, "ROOT", "VB")
            self._hang(subject, root, "nsubj")
            for child in children:
                if child < subject and self.words[child].relation in _INSIDE_NOUN:
                    self._hang(child, subject, self.words[child].relation)
                elif child > root and self.words[child].relation in CLAUSES:
                    self._hang(child, subject, "relcl")

    def _has_do(self, places: Sequence[int]) -> bool:
        return any(self.words[place].text.lower() in _DO for place in places)

    def _swallowed_verb(self) -> None:
        """Give the sentence back its verb where the clause before it took it: "did the city where Anna died fall"."""
        tree = QuestionTree(self.words)
        for root in tree.roots:
            text = self.words[root].text.lower()
            if text not in _DO and text not in _BE:
                continue
            verb = self._verb_inside(tree, root, is_participle=text in _BE)
            if verb is None:
                continue
            for place in [place for place in tree.below(root) if place > verb]:
                if self.words[place].head < verb and self.words[place].relation != "punct":
                    self._hang(place, verb, self.words[place].relation)
            self._hang(verb, root, "xcomp", "VBN" if text in _BE else "VB")

    def _verb_inside(self, tree: QuestionTree, root: int, *, is_participle: bool) -> int | None:
        """The first word below the subject that can only be the sentence's verb."""
        subjects = [c for c in tree.children[root] if c > root and self.words[c].relation in _SUBJECTS]
        if any(self.words[c].tag.startswith("VB") and self.words[c].relation != "aux" for c in tree.children[root]):
            return None
        for subject in subjects:
            for place in sorted(tree.below(subject)):
                if place > subject and self._is_verb_of_sentence(tree, place, is_participle):
                    return place
        return None

    def _is_verb_of_sentence(self, tree: QuestionTree, place: int, is_participle: bool) -> bool:
        word, before = self.words[place], self.words[place - 1]
        is_last = place + 2 >= len(self.words)
        if is_participle:
            is_bare = not any(self.words[c].relation in ("aux", "auxpass") for c in tree.children[place])
            return word.tag == "VBN" and is_bare and (is_last or before.tag not in NOUNS) and before.tag[:2] != "VB"
        if word.tag in ("NN", "VB", "VBP") and not word.is_name:
            return before.is_name or before.tag in ("VBN", "VBD", "VBZ", "IN", "RP", ",")
        return False

    def _misplaced_clauses(self) -> None:
        """Hang clauses on the common noun directly before them, not further left and not on a verb."""
        tree = QuestionTree(self.words)
        for place, word in enumerate(tree.words):
            if word.relation not in _MISPLACED:
                continue
            first = min(tree.below(place))
            noun = first - 1
            while noun >= 0 and self.words[noun].text == ",":
                noun -= 1
            if noun < 0 or self.words[noun].tag not in NOUNS or noun in (word.head, place):
                continue
            opens = {self.words[first].tag, self.words[min(first + 1, len(self.words) - 1)].tag}
            is_relative = bool(opens & _RELATIVES) and self.words[first].text != "when"
            if (word.relation in CLAUSES and word.head < noun) or is_relative:
                self._hang(place, noun, "relcl")
