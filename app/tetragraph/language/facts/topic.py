"""The topic of a chunk: its title, and the words by which the text refers to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.facts.tree import Name, Tree
from tetragraph.language.lexicon.names import normalise_name, without_qualifier
from tetragraph.language.lexicon.words import CONNECTORS, STOP_WORDS

PERSON: Final = TYPES["PERSON"]
MALE: Final = frozenset(["he", "him", "his", "himself"])
FEMALE: Final = frozenset(["she", "her", "hers", "herself"])
"""Pronouns of one person, by gender."""
THING: Final = frozenset(["it", "its", "itself"])
MANY: Final = frozenset(["they", "them", "their", "theirs", "themselves"])
_MALE_NOUNS_LIST = "king actor son brother father husband prince emperor duke monk priest businessman"
_MALE_NOUNS = frozenset(_MALE_NOUNS_LIST.split())
_FEMALE_NOUNS_LIST = "queen actress daughter sister mother wife princess empress duchess nun"
_FEMALE_NOUNS = frozenset(_FEMALE_NOUNS_LIST.split())
_THINGS_LIST = """
film movie album song single novel book poem play series show game band group company city town village river island
county district school university college church building station ship magazine newspaper award
"""
_THINGS = frozenset(_THINGS_LIST.split())
_WORKS_LIST = "film movie album song single novel book poem play series show game"
WORKS: Final = frozenset(_WORKS_LIST.split())
"""Nouns that, with "the" alone, refer to the work of the title."""
_LONGEST_PERSON = 5
_SMALL = CONNECTORS | {"a", "an"}


@dataclass(frozen=True, slots=True)
class Topic:
    """The entity that a chunk's title names.

    Attributes:
        name: The title; empty if the chunk has none.
        words: Normalised words of the title without its qualifier.
        short: Normalised words before a comma ("Koman, Albania"); empty without one.
        type: Type that the parser gives to the title in the text; ``""`` for none.
        gender: ``m`` or ``f`` for a person, by the words or pronouns of the text; empty if unknown.
        nouns: Nouns that the text uses to define it: "the song" refers to the title if the text defines it as a song.
    """

    name: str
    words: tuple[str, ...]
    short: tuple[str, ...]
    type: str
    gender: str
    nouns: frozenset[str]

    @property
    def is_person(self) -> bool:
        """Whether the title names a person."""
        return self.type == PERSON

    def is_named_by(self, name: str) -> bool:
        """Whether a name in the text refers to the title.

        It does if it has the same words in any order; for a person also if it has the first or the last names alone.
        """
        words, own = _core(normalise_name(name).split()), _core(self.words)
        if not words or not own:
            return False
        if sorted(words) == sorted(own) or (self.short and words == _core(self.short)):
            return True
        return self.is_person and len(words) < len(own) and words in (own[: len(words)], own[-len(words) :])

    def is_extended_by(self, name: str) -> bool:
        """Whether a name that the first sentence defines can be the full name of the title.

        It has all words of the title and more; for a person one word of the title is enough ("Rodney George Laver").
        """
        own, words = {*_core(self.words)}, {*_core(normalise_name(name).split())}
        return bool(own) and own != words and (own < words or (self.is_person and bool(own & words)))


def _core(words: Iterable[str]) -> list[str]:
    """Words of a name without small words; all words if there are only small ones."""
    given = list(words)
    return [word for word in given if word not in _SMALL] or given


def hard_title(title: str) -> str:
    """A title that a parser takes for a part of the sentence ("Live in Japan"), without qualifier; otherwise empty."""
    bare = without_qualifier(title)
    words = normalise_name(bare).split()
    return bare if len(words) > 1 and any(word in STOP_WORDS and word not in _SMALL for word in words) else ""


def mark_title(tree: Tree, title: str) -> Tree:
    """The tree with each occurrence of the title as one name, as the parser knows few titles of films and books."""
    words = normalise_name(without_qualifier(title)).split()
    if not words:
        return tree
    own = [normalise_name(word) for word in tree.words]
    found: list[Name] = []
    for first in range(len(own)):
        last = _match(own, first, words)
        if last < 0 or (found and first <= found[-1].last) or not _is_written_as_name(tree, first, last):
            continue
        kind = next((name.type for name in tree.names if name.first <= first and last <= name.last), "")
        found.append(Name(first, last, kind))
    taken = {place for name in found for place in range(name.first, name.last + 1)}
    others = [name for name in tree.names if taken.isdisjoint(range(name.first, name.last + 1))]
    return replace(tree, names=sorted([*found, *others], key=lambda name: name.first)) if found else tree


def _match(own: list[str], first: int, words: list[str]) -> int:
    """Last of the words that begin at ``first`` and form the title; -1 if they do not."""
    needed, place, last = list(words), first, -1
    while needed and place < len(own) and own[first]:
        parts = own[place].split()
        if parts != needed[: len(parts)]:
            return -1
        needed, last, place = needed[len(parts) :], place, place + 1
    return last if not needed else -1


def _is_written_as_name(tree: Tree, first: int, last: int) -> bool:
    """Whether a title of one word is capitalised, and not part of a longer name."""
    if first == last and not tree.words[first][:1].isupper():
        return False
    number = tree.name_at[first]
    return number < 0 or (tree.names[number].first >= first - 1 and tree.names[number].last <= last)


def find_topic(tree: Tree, title: str) -> Topic:
    """The topic of a chunk, from its title and its text."""
    words = tuple(normalise_name(without_qualifier(title)).split())
    before, comma, _ = without_qualifier(title).partition(",")
    short = tuple(normalise_name(before).split()) if comma else ()
    nouns = _class_nouns(tree, title)
    kind = _type(tree, short or words, nouns)
    if not kind and _looks_like_person(title) and not nouns & _THINGS and _acts_like_person(tree, words):
        kind = PERSON
    return Topic(title, words, short, kind, _gender(tree, nouns) if kind == PERSON else "", nouns)


def _class_nouns(tree: Tree, title: str) -> frozenset[str]:
    """Nouns after the first "is a", the last word of the title, and the words of its qualifier."""
    found = set(normalise_name(title[len(without_qualifier(title)) :]).split()) - STOP_WORDS
    words = normalise_name(without_qualifier(title)).split()
    found.update(words[-1:] if len(words) > 1 else ())
    for place, relation in enumerate(tree.relations):
        if tree.sentences[place] > 0:
            break
        if relation == "attr":
            found.update(_with_conjuncts(tree, place))
            break
    return frozenset(found)


def _with_conjuncts(tree: Tree, place: int) -> set[str]:
    nouns = {tree.words[place].lower()}
    for child in tree.children[place]:
        if tree.relations[child] == "conj":
            nouns |= _with_conjuncts(tree, child)
    return nouns


def _type(tree: Tree, words: tuple[str, ...], nouns: frozenset[str]) -> str:
    """Most frequent type of names with the title's words, by the parser; not a person if nouns exclude it."""
    votes: Counter[str] = Counter()
    for name in tree.names:
        if words and {*normalise_name(tree.slice(name.first, name.last)).split()} >= {*words}:
            votes[name.type] += 1
    found = max(votes, key=lambda label: votes[label]) if votes else ""
    if nouns & _THINGS:
        return found if found != PERSON else ""
    return found


def _acts_like_person(tree: Tree, words: tuple[str, ...]) -> bool:
    """Whether "he" or "she" precedes the first "it", or the first or last name occurs alone as a person's."""
    pronouns = [word.lower() for word in tree.words if word.lower() in MALE | FEMALE | THING]
    if not {*pronouns} & (MALE | FEMALE):
        return False
    parts = [normalise_name(tree.slice(name.first, name.last)) for name in tree.names if name.type == PERSON]
    return pronouns[0] not in THING or words[0] in parts or words[-1] in parts


def _looks_like_person(title: str) -> bool:
    words = without_qualifier(title).split()
    return 1 <= len(words) <= _LONGEST_PERSON and all(word[0].isupper() or word in CONNECTORS for word in words)


def _gender(tree: Tree, nouns: frozenset[str]) -> str:
    """Gender by the nouns for a person, otherwise by the majority of the pronouns, otherwise by the first."""
    if nouns & _FEMALE_NOUNS or nouns & _MALE_NOUNS:
        return "f" if nouns & _FEMALE_NOUNS else "m"
    pronouns = [word.lower() for word in tree.words if word.lower() in MALE | FEMALE]
    male = sum(word in MALE for word in pronouns)
    if male * 2 == len(pronouns):
        return "" if not pronouns else "m" if pronouns[0] in MALE else "f"
    return "m" if male * 2 > len(pronouns) else "f"
