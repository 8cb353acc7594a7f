"""What makes two spellings one word, and two names one entity."""

from __future__ import annotations

import re
import unicodedata

_WORD_CHARACTER = r"[\w\u0300-\u036f\u0900-\u0963\u0966-\u0dff]"
WORD = re.compile(rf"{_WORD_CHARACTER}+(?:['’]{_WORD_CHARACTER}+)*")
"""A word: letters, digits and the marks that belong to them (accents written apart, Indic vowel signs), with the
apostrophes inside it. Commas, hyphens and dots stand between words."""
_ACCENTS = re.compile(r"[\u0300-\u036f]")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")


def normalise_word(word: str) -> str:
    """One spelling for all of a word's: no accents, no case, no possessive, no apostrophe.

    >>> [normalise_word(word) for word in ("Mugain's", "O’Brien", "Pérez", "ÆON")]
    ['mugain', 'obrien', 'perez', 'æon']
    """
    if word.isascii() and word.isalnum():
        return word.lower()
    bare = _POSSESSIVE.sub("", word).replace("'", "").replace("’", "")
    unaccented = _ACCENTS.sub("", unicodedata.normalize("NFKD", bare))
    return unicodedata.normalize("NFC", unaccented.casefold())


def normalise_name(name: str) -> str:
    """The one form under which the corpus knows a name: its words in one spelling, a space between them.

    An entity's id is the hash of this form, so all spellings of a name are one entity. Empty when the name has no
    letter and no digit.

    >>> normalise_name("Washington, D.C."), normalise_name("Jean-Luc  GODARD’s")
    ('washington d c', 'jean luc godard')
    """
    words = (normalise_word(word) for word in WORD.findall(name))
    return " ".join(word for word in words if word)


def without_qualifier(title: str) -> str:
    """A title as running text would name it: without the bracket that tells namesakes apart.

    >>> without_qualifier("Mercury (planet)"), without_qualifier("(500) Days of Summer"), without_qualifier("(sic)")
    ('Mercury', '(500) Days of Summer', '(sic)')
    """
    return _QUALIFIER.sub("", title) or title


def surface(text: str) -> str:
    r"""A stretch of text as a name for people: single spaces, no possessive at the end.

    >>> surface("Richard\n  Wagner's")
    'Richard Wagner'
    """
    return _POSSESSIVE.sub("", " ".join(text.split()))
