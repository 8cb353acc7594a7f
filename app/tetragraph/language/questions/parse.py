"""Parse of a question by spaCy.

A small parser fails on titles ("the author of Alexander and the Terrible Day attend?"), so each name is first replaced
by one well-known name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
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
        tokens = _tokens(model, question, names)
        blank = model.make_doc("")
        texts, spaces = [token.text for token in tokens], [token.space for token in tokens]
        document = model(type(blank)(model.vocab, words=texts, spaces=spaces))
        words = list(map(_word, tokens, document))
    return QuestionTree(Repair(words).repair())


@dataclass(slots=True)
class _Token:
    """A word for the parser.

    Attributes:
        text: The word.
        space: Whether a space follows.
        name: The name in whose place it stands; empty for none.
        is_added: Whether it is a pronoun that the question lacks.
    """

    text: str
    space: bool
    name: str = ""
    is_added: bool = False


def _tokens(model: Any, question: str, names: Sequence[tuple[int, int]]) -> list[_Token]:
    tokens: list[_Token] = []
    done = 0
    for start, end in [*names, (len(question), len(question))]:
        for token in model.tokenizer(question[done:start]):
            if not token.is_space:
                _append(tokens, token.text, space=bool(token.whitespace_))
        if end > start:
            if _lacks_relative(question, start, end):
                tokens.insert(len(tokens) - (tokens[-1].text == "the"), _Token("that", space=True, is_added=True))
            tokens.append(_Token(_STAND_IN, question[end : end + 1].isspace(), question[start:end]))
        done = end
    return tokens


def _append(tokens: list[_Token], text: str, *, space: bool) -> None:
    """Append a word, or the rest of a compound to the word before it: spaCy makes three words of "co-author"."""
    before = tokens[-1].text.lower() if tokens and not tokens[-1].space else ""
    if before in _PREFIXES if text == "-" else before.endswith("-") and before[:-1] in _PREFIXES:
        tokens[-1].text += text
        tokens[-1].space = space
    else:
        tokens.append(_Token(text, space))


def _word(token: _Token, parsed: Any) -> Word:
    return Word(
        text=token.name or token.text,
        space=parsed.whitespace_,
        tag="NNP" if token.name else "WDT" if token.is_added else parsed.tag_,
        relation=parsed.dep_,
        head=parsed.head.i,
        is_name=bool(token.name),
    )


def _lacks_relative(question: str, start: int, end: int) -> bool:
    """Whether a name begins a relative clause without a pronoun: "the country Anna is from"."""
    before = _NOUN_BEFORE.search(question, 0, start)
    if before is None or before[1].lower() in STOP_WORDS or before[1].lower() in _NAMED_NOUNS:
        return False
    return bool(_VERB_AHEAD.match(question, end))
