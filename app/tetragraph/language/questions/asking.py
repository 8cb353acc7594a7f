"""The interrogative word of a question; other question words in it open clauses."""

from __future__ import annotations

import re

_WORDS = r"who|whom|whose|which|what|where|when|how|why"
_WORD = re.compile(rf"\b(?:{_WORDS})\b", re.IGNORECASE)
_OPENING = re.compile(
    rf"(?:^\W*|[.?!][^\w.?!]*)(?:(?:in|at|on|for|from|of|to|by|with|since|until|under|during|besides|and)\s+)?({_WORDS})\b",
    re.IGNORECASE,
)
_ALWAYS = frozenset(["what", "how", "why"])
"""Words that hardly ever open a clause."""
_YES_OR_NO = re.compile(
    r"^\W*(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|may|might)\b", re.IGNORECASE
)
_PERSON_OPENS = re.compile(
    r"^\W*(?:Will|May)\s+[A-Z].*\b(?:who|whom|where|when|(?:what|which|whose)(?:\s+\w+)?)\W*$", re.DOTALL
)
"""A first name like a verb, where the interrogative word stands at the end: "May Reyer was married to whom?"."""


def asking_word(text: str) -> tuple[int, int] | None:
    """Find the interrogative word of a question: the opening one, otherwise "what", "how" or "why", otherwise the last.

    Args:
        text: Text of the question; question words inside names are taken for words of the question.

    Returns:
        Character offsets; None for a yes-or-no question, and for a text that is not a question.

    >>> text = "In which city was the man who wrote it born?"
    >>> text[slice(*asking_word(text))], asking_word("Was the man who wrote it born in Ghent?")
    ('which', None)
    """
    if is_yes_or_no(text):
        return None
    opening = _OPENING.search(text)
    if opening:
        return opening.span(1)
    found = list(_WORD.finditer(text))
    always = [word for word in found if word[0].lower() in _ALWAYS]
    return (always or found)[-1].span() if found else None


def is_yes_or_no(text: str) -> bool:
    """Whether a question is to be answered by yes or no.

    >>> is_yes_or_no("Was #1 born in Ghent?"), is_yes_or_no("Who was born?"), is_yes_or_no("Will Moe wed whom?")
    (True, False, False)
    """
    return bool(_YES_OR_NO.match(text)) and not _PERSON_OPENS.match(text)
