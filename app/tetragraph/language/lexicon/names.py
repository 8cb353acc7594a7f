"""Normalisation of words and names, by which different spellings denote the same word or entity."""

from __future__ import annotations

import re
import unicodedata

from tetragraph.model.documents import MAX_TITLE

MAX_NAME = MAX_TITLE
"""Longest name of an entity in characters."""
_OPTIONAL_MARKS = r"\u0300-\u036f\u05b0-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670"
"""Accents as separate characters, and the vowel points of Hebrew and Arabic."""
_VOWEL_SIGNS = r"\u0900-\u0963\u0966-\u0dff\u0e31-\u0e3a\u0e45-\u0e4e\u0f71-\u0f84\u0f8d-\u0fbc\u3099\u309a"
"""Signs that distinguish words in Indic, Thai, Tibetan and Japanese scripts."""
_IDEOGRAPHS = r"\u3005-\u3007\u3041-\u3096\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Chinese characters and Japanese hiragana."""
_THAI_VOWELS, _THAI_CONSONANTS = r"\u0e40-\u0e44\u0ec0-\u0ec4", r"\u0e01-\u0e2e\u0e81-\u0eae"
"""Vowels of Thai and Lao that are written before their consonant, and consonants."""
_THAI_SIGNS = r"\u0e30-\u0e3a\u0e45\u0e47-\u0e4e\u0eb0-\u0ebd\u0ec8-\u0ece"
_WITHOUT_SPACES = rf"{_IDEOGRAPHS}{_THAI_VOWELS}{_THAI_CONSONANTS}"
SYLLABLE = re.compile(
    rf"[{_IDEOGRAPHS}][{_OPTIONAL_MARKS}\u3099\u309a]*|[{_THAI_VOWELS}]?[{_THAI_CONSONANTS}][{_THAI_SIGNS}]*"
)
"""A word of a script that has no spaces between words: a Chinese character, a hiragana, or a consonant of Thai or Lao
with its vowels. Words of the language are sequences of these, so no dictionary is needed."""
WORD_CHARACTER = rf"(?:[^\W{_WITHOUT_SPACES}]|[{_OPTIONAL_MARKS}{_VOWEL_SIGNS}])"
_LETTERS = rf"(?:[^\W{_WITHOUT_SPACES}]++|[{_OPTIONAL_MARKS}{_VOWEL_SIGNS}]++)++"
WORD = re.compile(rf"{_LETTERS}(?:['’]{_LETTERS})*+|{SYLLABLE.pattern}")
"""A word: letters, digits and the marks that belong to them, with the apostrophes inside it, or a syllable. Commas,
hyphens and dots separate words."""
INSIDE_WORD = re.compile(
    rf"(?<=[\w{_OPTIONAL_MARKS}{_VOWEL_SIGNS}])(?=[{_OPTIONAL_MARKS}{_VOWEL_SIGNS}{_THAI_SIGNS}])"
    rf"|(?<=[{_THAI_VOWELS}])(?=[{_THAI_CONSONANTS}])"
    rf"|(?<={WORD_CHARACTER})(?<![_{_THAI_SIGNS}])(?={WORD_CHARACTER})(?!_)"
)
"""A place inside a word or a syllable: before a sign that belongs to the letter before it, or between two letters. An
underscore is no letter here, as it emphasises the words between two of them."""
ACCENTS = re.compile(rf"[{_OPTIONAL_MARKS}]")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")


def normalise_word(word: str) -> str:
    """Reduce the spellings of a word to one: no accents, no case, no possessive, no apostrophe.

    Compatibility characters (``ﬁ``, full-width letters) are decomposed, unless that yields several words.

    >>> [normalise_word(word) for word in ("Mugain's", "O’Brien", "Pérez", "ÆON")]
    ['mugain', 'obrien', 'perez', 'æon']
    """
    if word.isascii() and word.isalnum():
        return word.lower()
    bare = _POSSESSIVE.sub("", word).replace("'", "").replace("’", "")
    wide = unicodedata.normalize("NFKD", bare).casefold()
    plain = wide if WORD.fullmatch(wide) else unicodedata.normalize("NFD", bare).casefold()
    return unicodedata.normalize("NFC", ACCENTS.sub("", plain))


def normalise_name(name: str) -> str:
    """Reduce a name to the form by which the corpus identifies it: its normalised words, separated by spaces.

    An entity's id is the hash of this form, so all spellings of a name are one entity. The form is empty if the name
    has neither a letter nor a digit.

    >>> normalise_name("Washington, D.C."), normalise_name("Jean-Luc  GODARD’s")
    ('washington d c', 'jean luc godard')
    """
    words = (normalise_word(word) for word in WORD.findall(name))
    return " ".join(word for word in words if word)


def without_qualifier(title: str) -> str:
    """A title as in running text: without the qualifier in brackets that distinguishes namesakes.

    >>> without_qualifier("Mercury (planet)"), without_qualifier("(500) Days of Summer"), without_qualifier("(sic)")
    ('Mercury', '(500) Days of Summer', '(sic)')
    """
    return _QUALIFIER.sub("", title) or title


def surface(text: str) -> str:
    r"""A span of text as a name for display: single spaces, no possessive at the end.

    >>> surface("Richard\n  Wagner's")
    'Richard Wagner'
    """
    return _POSSESSIVE.sub("", " ".join(text.split()))
