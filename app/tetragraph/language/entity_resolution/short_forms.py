"""Proposals for short forms of persons' names in a document, such as "A. Smith" for "Alden James Smith"."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.entity_resolution.guards import DISTINGUISHING, RANKS
from tetragraph.language.entity_resolution.name_cores import ADDRESS, is_numeral
from tetragraph.language.entity_resolution.names import Names
from tetragraph.language.entity_resolution.proposals import Proposal
from tetragraph.language.facts.phrases import CONCEPT
from tetragraph.language.lexicon.names import normalise_name, without_qualifier
from tetragraph.language.lexicon.words import CONNECTORS, STOP_WORDS

_PERSON: Final = TYPES["PERSON"]
_NO_NAMES = DISTINGUISHING | RANKS | CONNECTORS | STOP_WORDS
_SCORE = 0.9
_LONGEST = 6
_SHORTEST = 3


def find_short_forms(names: Names) -> Iterator[Proposal]:
    """Propose merges of short forms that fit exactly one person of a document.

    A single word is taken for a given name or a surname by its use in the corpus: "William" is hardly "Warren William".
    If the title is a person's name, given names may be those of unnamed relatives.
    """
    ends = _Ends(names)
    for document, kinds in names.by_document.items():
        titles = {key for key in names.titled[document] if key in kinds}
        full_names = (key for key in kinds if key in titles or _is_person(names, key, kinds))
        persons = {key: words for key in full_names if (words := _words(names, key))}
        by_end: dict[str, set[str]] = defaultdict(set)
        for key, words in persons.items():
            by_end[words[0]].add(key)
            by_end[words[-1]].add(key)
        is_life = any(names.all[key].is_person or not RANKS.isdisjoint(key.split()) for key in titles)
        for short, kind in kinds.items():
            words = _bare(short.split())
            if kind not in ("", _PERSON) or (short in names.titles_of and (not kind or len(words) > 1)):
                continue
            fitting = {key for key in by_end[words[-1]] if key != short and is_short_form(words, persons[key])}
            full = _fullest(fitting, persons)
            if not full or not _is_person(names, full, kinds) or names.are_beside(short, full):
                continue
            if is_life and _may_be_kin(words, persons[full], full in titles):
                continue
            if len(words) > 1 or ends.allow(words[0], persons[full], kind):
                yield Proposal(short, full, "short form", _SCORE, document)


class _Ends:
    """Counts of the words that are first, and that are last, in names of a corpus' persons."""

    def __init__(self, names: Names) -> None:
        persons = [name.words for name in names.all.values() if name.is_person and len(name.words) > 1]
        self._first = Counter(words[0] for words in persons)
        self._last = Counter(words[-1] for words in persons)
        self._concepts = {key for key, name in names.all.items() if name.type == CONCEPT}

    def allow(self, word: str, full: tuple[str, ...], kind: str) -> bool:
        """Whether a word of a type can stand for a full name.

        A given name must have the type of a person, and no noun may end the full name ("Jutra Award").
        """
        if word == full[0]:
            return kind == _PERSON and full[-1] not in self._concepts and self._first[word] >= self._last[word]
        return self._last[word] >= self._first[word]


def _may_be_kin(short: tuple[str, ...], full: tuple[str, ...], is_title: bool) -> bool:
    """Whether a short form could be the name of a parent or child, who may share given names."""
    if len(short) == 1:
        return not is_title and short == full[:1]
    return all(len(word) > 1 for word in short)


def _is_person(names: Names, key: str, kinds: Mapping[str, str]) -> bool:
    return kinds[key] == _PERSON or (not kinds[key] and names.all[key].is_person)


def _words(names: Names, key: str) -> tuple[str, ...]:
    """Words of a name that can be a person's full name, with hyphenated words unsplit; empty if it cannot be one.

    For a title only the words before its comma: "Alfred Harley, 6th Earl of Oxford".
    """
    name = names.all[key]
    surface = without_qualifier(name.surface).split(",")[0] if name.is_title else name.surface
    words = _bare([normalise_name(word) for word in surface.replace("- ", "-").split()])
    return words if 1 < len(words) <= _LONGEST and "and" not in words and all(words) else ()


def _bare(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in ADDRESS) or tuple(words)


def _fullest(fitting: set[str], persons: Mapping[str, tuple[str, ...]]) -> str:
    """The fullest of the names of one person; empty if there are none, or if they belong to several persons."""
    if not fitting:
        return ""
    fullest = min(fitting, key=lambda key: (-len(persons[key]), key))
    if all(key == fullest or is_short_form(persons[key], persons[fullest]) for key in fitting):
        return fullest
    return ""


def is_short_form(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Whether the words of one name are a subsequence of another's, with initials for given names.

    A single word must be the first or the last one, not one after "of", and no rank, kinship or number.

    >>> [is_short_form(tuple(name.split()), ("alden", "james", "smith")) for name in ("smith", "a smith", "james")]
    [True, True, False]
    """
    if (
        short == full
        or len(short) > len(full)
        or (len(short[0]) > 1 and short[0] in _NO_NAMES)
        or full[0] in DISTINGUISHING - RANKS
    ):
        return False
    if len(short) > 1:
        return short[-1] == full[-1] and _numerals(short) == _numerals(full) and _follows(short[:-1], full[:-1])
    if len(short[0]) < _SHORTEST or any(is_numeral(word) for word in full):
        return False
    has_rank = full[0] in RANKS and len(full) == 2
    return short[0] == full[0] or (short[0] == full[-1] and "of" not in full and not has_rank)


def _numerals(words: tuple[str, ...]) -> list[str]:
    return [word for word in words[1:] if is_numeral(word)]


def _follows(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Whether the first given name equals the full one's or is its initial, and the rest follow in their order."""
    if not _is_word_or_initial(short[0], full[0]):
        return False
    left = iter(full[1:])
    return all(any(_is_word_or_initial(word, other) for other in left) for word in short[1:])


def _is_word_or_initial(word: str, full: str) -> bool:
    return word == full or (len(word) == 1 and word == full[0] and not is_numeral(full))
