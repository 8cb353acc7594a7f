"""Stemmers of a corpus: for each script that of the language in which most of its documents are written.

English has its own (:func:`tetragraph.language.lexicon.words.stem`); other languages have the algorithms of Snowball.
Words are stemmed by their script alone, so that neither a word of a text nor one of a question needs a language.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from threading import Lock
from typing import Final, TypeAlias

from tetragraph.language.lexicon.word_tables import read_table
from tetragraph.language.lexicon.words import stem

Stem: TypeAlias = Callable[[str], str]
"""Returns the stem of a normalised word."""

_TABLE: Final = """
latin: af an az br bs ca=catalan cs=czech cy da=danish de=german en es=spanish et=estonian eu=basque fi=finnish
    fr=french ga=irish gl hr ht hu=hungarian id=indonesian is it=italian ku la lb lt=lithuanian lv mg ms mt nb=norwegian
    nl=dutch nn=norwegian no=norwegian oc pl=polish pt=portuguese ro=romanian se sk sl so sq sv=swedish sw tl tr=turkish
    uz vi vo wa xh yo zu
greek: el=greek
cyrillic: be bg kk ky mk mn ru=russian sr tg tt uk
armenian: hy=armenian
arabic: ar=arabic fa=persian ps ug ur
devanagari: hi=hindi mr ne=nepali sa
tamil: ta=tamil
"""
"""Languages of each script, those with an algorithm of Snowball with its name."""
_BLOCKS: Final = (
    (0x0000, "latin"),
    (0x0250, ""),
    (0x0370, "greek"),
    (0x0400, "cyrillic"),
    (0x0530, "armenian"),
    (0x0590, ""),
    (0x0600, "arabic"),
    (0x0700, ""),
    (0x0900, "devanagari"),
    (0x0980, ""),
    (0x0B80, "tamil"),
    (0x0C00, ""),
    (0x1E00, "latin"),
    (0x1F00, "greek"),
    (0x2000, ""),
)
"""First character of each range, and its script; empty for scripts without a stemmer."""
_STARTS: Final = [start for start, _ in _BLOCKS]
_WITHOUT_BREVE: Final = ("ыи", "ии", "ои", "еи")
"""Endings of adjectives in ``й``, which normalisation turns into ``и``."""


def _read_table() -> Iterator[tuple[str, str, str]]:
    """Yield language, script and algorithm."""
    for script, languages in read_table(_TABLE):
        for one in languages:
            code, _, algorithm = one.partition("=")
            yield code, script, algorithm


_LANGUAGES: Final = {code: (script, algorithm) for code, script, algorithm in _read_table()}


def choose_languages(documents: Mapping[str, int]) -> tuple[str, ...]:
    """Languages whose words are stemmed: of each script the most frequent one, if it has an algorithm of Snowball.

    Args:
        documents: Number of documents by language (ISO 639-1).

    Returns:
        Codes, ascending; none where English is the most frequent language in Latin letters and all others lack
        an algorithm. Of languages with equally many documents English is taken, then the first by code.

    >>> choose_languages({"en": 3, "de": 5, "ru": 1, "uk": 2, "zh": 9, "el": 1})
    ('de', 'el')
    """
    first: dict[str, str] = {}
    for code in sorted(documents, key=lambda code: (-documents[code], code != "en", code)):
        if code in _LANGUAGES:
            first.setdefault(_LANGUAGES[code][0], code)
    return tuple(sorted(code for code in first.values() if _LANGUAGES[code][1]))


@cache
def load_stemmer(languages: Sequence[str]) -> Stem:
    """The stemmer of a corpus.

    Args:
        languages: Languages of :func:`choose_languages`, as a tuple; words in other scripts are returned unchanged,
            those in Latin letters are English if none of the languages has these.

    >>> german = load_stemmer(("de",))
    >>> [german(word) for word in ("hafen", "hafens", "поезда")]
    ['haf', 'haf', 'поезда']
    """
    return _Stemmer(languages) if languages else stem


def is_cut_at_the_end(stemmer: Stem) -> bool:
    """Whether each word of more than two letters begins like its stem, but for the last letter of that."""
    return stemmer is stem


class _Stemmer:
    """Stems words by their script; for any number of threads."""

    def __init__(self, languages: Sequence[str]) -> None:
        import Stemmer  # compiled; most corpora are in English

        found = (_LANGUAGES[code] for code in languages)
        self._by_script = {script: Stemmer.Stemmer(algorithm) for script, algorithm in found}
        self._lock = Lock()  # of an algorithm, which has one buffer

    def __call__(self, word: str) -> str:
        script = _BLOCKS[bisect_right(_STARTS, ord(word[0])) - 1][1] if word else ""
        algorithm = self._by_script.get(script)
        if algorithm is None:
            return stem(word)
        if word.endswith(_WITHOUT_BREVE):
            word = f"{word[:-1]}й"
        with self._lock:
            return str(algorithm.stemWord(word))
