"""Proposals from statements of the text: acronyms that it explains, and fuller names that it gives for a title."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.entity_resolution.guards import may_be_one
from tetragraph.language.entity_resolution.model import Stated
from tetragraph.language.entity_resolution.name_cores import LEGAL_FORMS
from tetragraph.language.entity_resolution.names import Name, Names
from tetragraph.language.entity_resolution.proposals import Proposal
from tetragraph.language.entity_resolution.spellings import is_near
from tetragraph.language.facts.model import Fact
from tetragraph.language.lexicon.names import without_qualifier
from tetragraph.language.lexicon.words import CONNECTORS, STOP_WORDS

_SMALL = (STOP_WORDS | CONNECTORS) - {"i"}
_LONG = 4
_MOSTLY = 0.8
_ENOUGH_DOCUMENTS = 3
_EVERYWHERE, _INSIDE = 0.97, 0.98
_CONTAINED, _PERSON = 0.97, 0.93
_SHORTER = 0.95


def find_acronyms(names: Names, passages: Sequence[Stated]) -> Iterator[Proposal]:
    """Propose merges of names with the abbreviations that texts give for them, if the letters fit.

    A short form is merged in the whole corpus if the corpus explains it in one way only, and if it is long, explained
    twice, or never used without explanation. Otherwise it is merged in the documents that explain it.
    """
    explained: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for passage in passages:
        for fact in passage.facts:
            if fact.type == "abbreviated" and (pair := _find_abbreviation(names, fact)):
                explained[pair[1]][pair[0]].add(passage.document)
    for short, fulls in explained.items():
        main = _main_meaning(short, fulls, names.documents[short])
        if main:
            yield Proposal(short, main, "acronym", _EVERYWHERE)
        for full in fulls.keys() - {main}:
            for document in fulls[full]:
                yield Proposal(short, full, "acronym", _INSIDE, document)


def _find_abbreviation(names: Names, fact: Fact) -> tuple[str, str] | None:
    """Full and short name of a fact that states an abbreviation, normalised; None if the letters do not fit."""
    full = next((part for part in fact.participants if part.role == "subject"), fact.participants[0])
    short = fact.participants[-1]
    key, other = names.key(full.name), names.key(short.name)
    if key == other or other in names.titles_of or not fits_letters(other, names.key(without_qualifier(full.name))):
        return None
    return key, other


def _main_meaning(short: str, fulls: Mapping[str, set[str]], used: frozenset[str]) -> str:
    """Full name that a short form has in the whole corpus; empty for none."""
    most = min(fulls, key=lambda full: (-len(fulls[full]), full))
    count, explaining = len(fulls[most]), set().union(*fulls.values())
    if len(fulls) > 1:
        return most if count >= max(_ENOUGH_DOCUMENTS, _MOSTLY * len(explaining)) else ""
    return most if count > 1 or used <= explaining or len(short.replace(" ", "")) >= _LONG else ""


def fits_letters(short: str, full: str) -> bool:
    """Whether an acronym consists of the beginnings of a name's words, in their order.

    Each word contributes one to three letters; small words may contribute none, and so may the words after "of" or
    "for", and one more word if the acronym has four letters.

    >>> fits_letters("u s", "united states of america"), fits_letters("nfb", "national film board of canada")
    (True, True)
    >>> fits_letters("alco", "american locomotive company"), fits_letters("tt", "trinidad and tobago dollar")
    (True, False)
    """
    letters, words = short.replace(" ", ""), full.split()
    if len(words) < 2 or len(letters) < 2 or letters[0] != words[0][0]:
        return False
    return _consumes(letters, words, int(len(letters) >= _LONG), is_loose=False)


def _consumes(letters: str, words: Sequence[str], spare: int, *, is_loose: bool) -> bool:
    if not words:
        return not letters
    word, left = words[0], words[1:]
    is_small = word in _SMALL
    loose = is_loose or word in ("of", "for", "in")
    for taken in range(min(3, len(word), len(letters)), 0, -1):
        if letters.startswith(word[:taken]) and _consumes(letters[taken:], left, spare, is_loose=is_loose):
            return True
    if is_small or is_loose:
        return _consumes(letters, left, spare, is_loose=loose)
    return spare > 0 and _consumes(letters, left, spare - 1, is_loose=is_loose)


def find_fuller_names(names: Names, passages: Sequence[Stated]) -> Iterator[Proposal]:
    """Propose fuller names of titles for the whole corpus, and shorter ones inside the document.

    A merge of a fuller name with several titles is valid only in their documents.
    """
    fuller_names: dict[str, dict[tuple[str, float], set[str]]] = defaultdict(lambda: defaultdict(set))
    for passage in passages:
        for own, other in _other_names(names, passage):
            bare = names.titles[own.key].bare
            if _is_shorter(bare, other):
                yield Proposal(other.key, own.key, "short form", _SHORTER, passage.document)
            elif score := _score_fuller_name(bare, own, other):
                fuller_names[other.key][own.key, score].add(passage.document)
    for fuller, titles in fuller_names.items():
        for (title, score), documents in titles.items():
            for document in [""] if len(titles) == 1 else documents:
                yield Proposal(fuller, title, "fuller name", score, document)


def _other_names(names: Names, passage: Stated) -> Iterator[tuple[Name, Name]]:
    """Pairs of a chunk's title and another name that the chunk gives it, except titles of other documents."""
    key = names.key(passage.title)
    for fact in passage.facts:
        if fact.type == "named" and len(fact.participants) == 2 and fact.participants[1].role == "object":
            first, second = (names.key(participant.name) for participant in fact.participants)
            if first == key and second not in names.titles_of and may_be_one(names.all[first], names.all[second]):
                yield names.all[first], names.all[second]


def _words(name: str) -> list[str]:
    return [word for word in name.split() if word not in _SMALL]


def _is_shorter(bare: str, other: Name) -> bool:
    words, own = _words(other.key), _words(bare)
    return {*words} < {*own} and words[0] == own[0] and len("".join(words)) > 1


def _score_fuller_name(bare: str, title: Name, other: Name) -> float:
    """Confidence that a name is a fuller form of a title; 0 if it is not."""
    own, words = _words(bare), _words(other.key)
    if not own or len(words) < 2 or ("and" in other.words and "and" not in title.words):
        return 0.0
    is_person = (title.is_person or other.is_person) and other.type in ("", TYPES["PERSON"])
    if {*own} <= {*words}:
        return _CONTAINED if is_person or _extends_title(own, words) or other.key.endswith(f"of {bare}") else 0.0
    if not is_person:
        return 0.0
    if len(words) > 2 or (own[-1] == words[-1] and _is_given_name(own[0], words[0])):
        return _PERSON
    return 0.0


def _extends_title(own: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the longer name of a non-person begins with the title; one word is not enough except for a legal form.

    "Kakamega Forest" is not Kakamega, nor "Antarctic ice sheet" an ice sheet.
    """
    return words[0] == own[0] and (len(own) > 1 or words[-1] in LEGAL_FORMS)


def _is_given_name(short: str, full: str) -> bool:
    """Whether one given name is an initial, a beginning or another spelling of the other."""
    return full.startswith(short[:3]) or is_near(short, full)
