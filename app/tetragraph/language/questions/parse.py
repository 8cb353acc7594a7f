"""Parse of a question by spaCy.

A small parser fails on titles ("the author of Alexander and the Terrible Day attend?"), so each name is first replaced
by one well-known name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tetragraph.language.lexicon.words import STOP_WORDS
from tetragraph.language.questions.repair import Repair
from tetragraph.language.questions.tree import QuestionTree, Word
from tetragraph.language.spacy_model import PARSING, use_model

_STAND_IN = "London"
_VERB_AHEAD = re.compile(r"\s+(?:is|was|are|were|has|had|did|does|\w+ed)\b")
_NOUN_BEFORE = re.compile(r"\bthe\s+(?:[a-z]+\s+)?([a-z]+)\s+(?:the\s+)?$", re.IGNORECASE)
_NAMED = "film movie documentary song album single book novel poem play series show game band actor singer director"
_NAMED_NOUNS = frozenset(_NAMED.split())
"""Nouns that are mostly followed by the name of what they denote ("the film Jaws")."""
_PREFIXES = frozenset(["co", "ex", "half", "step", "vice"])
"""First parts of compounds that denote people ("co-author", "half-brother")."""


def parse_question(question: str, names: Sequence[tuple[int, int]]) -> QuestionTree:
    """Parse a question. Takes about 2 ms.

    Args:
        question: Text of the question.
        names: Result of :func:`find_names`.

    Raises:
        MissingDependency: spaCy or its English model is not installed.
    """
    with use_model(PARSING, "sub-questions") as model:
        words = _words(model, question, names)
    return QuestionTree(Repair(words).repair())


def _words(model: Any, question: str, names: Sequence[tuple[int, int]]) -> list[Word]:
    texts: list[str] = []
    spaces: list[bool] = []
    known: dict[int, str] = {}
    added: set[int] = set()
    done = 0
    for start, end in [*names, (len(question), len(question))]:
        for token in model.tokenizer(question[done:start]):
            if token.is_space:
                continue
            if _continues_compound(texts, spaces, token.text):
                texts[-1] += token.text
                spaces[-1] = bool(token.whitespace_)
            else:
                texts.append(token.text)
                spaces.append(bool(token.whitespace_))
        if end > start:
            if _lacks_relative(question, start, end):
                place = len(texts) - (texts[-1] == "the")
                added.add(place)
                texts.insert(place, "that")
                spaces.insert(place, True)
            known[len(texts)] = question[start:end]
            texts.append(_STAND_IN)
            spaces.append(question[end : end + 1].isspace())
        done = end
    document = model(_document(model, texts, spaces))
    return [
        Word(
            text=known.get(token.i, token.text),
            space=token.whitespace_,
            tag="NNP" if token.i in known else "WDT" if token.i in added else token.tag_,
            relation=token.dep_,
            head=token.head.i,
            is_name=token.i in known,
        )
        for token in document
    ]


def _continues_compound(texts: Sequence[str], spaces: Sequence[bool], added: str) -> bool:
    """Whether a token belongs to the word before it: "-" and "author" in "co-author", of which spaCy makes three."""
    if not texts or spaces[-1]:
        return False
    before = texts[-1].lower()
    return before in _PREFIXES if added == "-" else before.endswith("-") and before[:-1] in _PREFIXES


def _document(model: Any, texts: Sequence[str], spaces: Sequence[bool]) -> Any:
    return type(model.make_doc(""))(model.vocab, words=texts, spaces=spaces)


def _lacks_relative(question: str, start: int, end: int) -> bool:
    """Whether a name begins a relative clause without a pronoun: "the country Anna is from"."""
    before = _NOUN_BEFORE.search(question, 0, start)
    if before is None or before[1].lower() in STOP_WORDS or before[1].lower() in _NAMED_NOUNS:
        return False
    return bool(_VERB_AHEAD.match(question, end))
