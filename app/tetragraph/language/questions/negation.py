"""Questions that deny: "Who did not vote?" asks for somebody else than "Who voted?"."""

from __future__ import annotations

import re

from tetragraph.language.questions.asking import asking_word
from tetragraph.language.questions.names import find_names

_NOT = re.compile(
    r"(?<!\bor )\b(?:not(?!\s+(?:only|just|merely)\b)(?!(?:\s+\w+){0,4}\s+until\b)|never|cannot)\b"
    r"|n['’]t\b(?!\s+(?:it|he|she|they|there|you)\W*$)"
)
"""A word that denies, in small letters as in no title.

"not only", "whether or not", "not … until" and "…, isn't it?" deny nothing.
"""
_CLAUSE = re.compile(
    r"\b(?:who|whom|whose|which|that|where|when|while|because|although|though|if|unless|after|before)\b[^,;?]*",
    re.IGNORECASE,
)
"""A subordinate clause."""
_DENIAL = re.compile(
    r"\b(?:not|never|cannot|no|none|nobody|nothing|neither|nor|without|except\w*|lack(?:s|ed)?|refus\w+|fail(?:s|ed)?)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3,}")


def is_denying(question: str) -> bool:
    """Whether the main clause of a question denies.

    >>> is_denying("When was it not open?"), is_denying("Who was the man that did not vote?")
    (True, False)
    """
    for start, end in find_names(question, ()):
        question = question[:start] + "_" * (end - start) + question[end:]
    start, end = asking_word(question) or (0, 0)
    return any(_NOT.search(_CLAUSE.sub(" ", part)) for part in (question[:start], question[end:]))


def has_denial(text: str, question: str) -> bool:
    """Whether a text denies, by a word of its own or by "un-" before a word of the question: "It is unpaid."."""
    if _DENIAL.search(text):
        return True
    opposites = {f"un{word.lower()}" for word in _WORD.findall(question)}
    return not opposites.isdisjoint(word.lower() for word in _WORD.findall(text))
