"""Finds the language of a text, by py3langid (extra ``multilingual``).

Text with many of the small words of English is English, without the model: it takes a second to load, and most corpora
never need it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from tetragraph.language.lexicon.words import STOP_WORDS

LEAST_CHARACTERS: Final = 100
"""Least length of a text whose language is looked for; in shorter ones names decide."""
LEAST_STOP_WORDS: Final = 0.2
"""Least share of stop words among the words of an English text; paragraphs of XQuAD in other languages reach 0.15."""
_SAMPLE = 700
"""Characters that are read at the beginning, in the middle and at the end of a text."""
_WORD = re.compile(r"[^\W\d_]+")


def find_language(text: str) -> str:
    """The ISO 639-1 code of the language of a text; empty for a short one, and where the package is not installed.

    >>> find_language("The harbour of Halvik was built in the year in which the tram of Sund was opened. " * 2)
    'en'
    """
    sample = _take_sample(text)
    words = _WORD.findall(sample.lower())
    if len(sample) < LEAST_CHARACTERS or not words:
        return ""
    if sum(word in STOP_WORDS for word in words) >= LEAST_STOP_WORDS * len(words):
        return "en"
    identifier = _load_identifier()
    return str(identifier.classify(sample)[0]) if identifier else ""


def describe_others(documents: Mapping[str, int]) -> str:
    """Languages other than English with their numbers of documents, for a note; empty if there are none.

    Args:
        documents: Number of documents by code of their language; those under an empty code count for none.

    >>> describe_others({"en": 4, "tr": 1, "de": 1200, "": 3})
    'de 1,200, tr 1'
    """
    return ", ".join(f"{code} {count:,}" for code, count in sorted(documents.items()) if code not in {"", "en"})


def _take_sample(text: str) -> str:
    text = text.strip()
    if len(text) <= 3 * _SAMPLE:
        return text
    middle = (len(text) - _SAMPLE) // 2
    return "\n".join((text[:_SAMPLE], text[middle : middle + _SAMPLE], text[-_SAMPLE:]))


@cache
def _load_identifier() -> Any:
    """The identifier of languages with a code of two letters; None if the package is not installed."""
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    except ImportError:
        return None
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages([code for code in identifier.labels if len(code) == 2])
    return identifier
