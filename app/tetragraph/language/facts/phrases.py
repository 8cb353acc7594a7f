"""Finds the words around a noun that form its name, and cleans the name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.facts.tree import Tree
from tetragraph.language.lexicon.names import MAX_NAME, normalise_name, surface
from tetragraph.language.lexicon.words import STOP_WORDS

NOUN_TAGS: Final = frozenset(["NN", "NNS", "NNP", "NNPS", "CD", "FW"])
"""Tags of words that can be the head of a name."""
PROPER_TAGS: Final = frozenset(["NNP", "NNPS"])
"""Tags of proper nouns."""
NUMBER: Final = "OTHER"
CONCEPT: Final = "CONCEPT"
"""Types of numbers, and of a phrase that is not a name."""
COUNTED: Final = frozenset([NUMBER, TYPES["DATE"]])
"""Types that denote no entity."""
_JOINED = frozenset(["compound", "nmod", "amod", "nummod", "quantmod", "punct", "advmod", "npadvmod", "conj", "cc"])
_BREAKS = frozenset(["(", ")", "–", "—", ";", ":", "``", "''", '"', "“", "”"])
_EDGES = " \t\r\n,;:.!?`\"'’‘“”()[]{}–—-&/*"
_ABBREVIATION = re.compile(r"(?:\b\w\.|\b(?:Jr|Sr|Inc|Ltd|Co|Corp|St|Bros)\.)$")
_ARTICLE = re.compile(
    r"^(?:(?:the|a|an|this|that|these|those|his|her|its|their|our|my|your)\b[\s\"“‘`]+)+", re.IGNORECASE
)
_BEFORE_DATES = re.compile(
    r"^(?:(?:from|between|as|early|late|of|in|by|about|around|since|until|over|nearly|almost|only|just|more|less|than|at|"
    r"least|most|far|the|during|a|an|approximately|some|up|to)\s+)+(?=\S*\d)",
    re.IGNORECASE,
)
_COMPASS_LIST = """
northern southern eastern western central north south east west northeastern northwestern
"""
_COMPASS = frozenset(_COMPASS_LIST.split())
_LIGHT_LIST = """
part parts number numbers variety range kind kinds sort type types majority rest way ways fact order addition
example case time times thing things lot end same other others one ones some many most
"""
_LIGHT = frozenset(_LIGHT_LIST.split())
"""Nouns that only quantify or locate the next one ("part of the county")."""
_LONGEST = 10


@dataclass(frozen=True, slots=True)
class Phrase:
    """A name or noun phrase in a text: first and last word, name for display and type."""

    first: int
    last: int
    name: str
    type: str


def phrase_at(tree: Tree, head: int) -> Phrase | None:
    """The name or noun phrase with a word as its head; None if the word names nothing.

    It extends to the left over modifiers, but not over articles and possessors; to the right to the end of an entity of
    the parser, and over "of" between two proper nouns ("University of Oslo").
    """
    first, last, kind = head, head, ""
    number = tree.name_at[head]
    if number >= 0:
        entity = tree.names[number]
        first, last, kind = entity.first, entity.last, entity.type
    first = _left_edge(tree, head, first, kind if last > first or kind != TYPES["PERSON"] else CONCEPT)
    last = _over_of(tree, head, last)
    name = clean_name(tree.slice(first, last))
    if number >= 0 and tree.names[number].type in COUNTED:
        name = _BEFORE_DATES.sub("", name)
    if not names_something(name):
        return None
    return Phrase(first, last, name, type_of(tree, number, first, name))


def type_of(tree: Tree, number: int, first: int, name: str) -> str:
    """Type of an entity of the tree, or of a phrase that begins with the word ``first`` if ``number`` is -1."""
    if number >= 0:
        return tree.names[number].type
    if tree.tags[first] not in PROPER_TAGS and tree.name_at[first] < 0:
        name = name[0].lower() + name[1:]  # the capital may be that of the sentence
    return type_of_phrase(name)


def type_of_phrase(name: str) -> str:
    """``CONCEPT`` for a phrase without a capital and a digit; otherwise ``""``, as it may name anything."""
    return CONCEPT if name == name.lower() and not any(letter.isdigit() for letter in name) else ""


def clean_name(text: str) -> str:
    """Reduce a span of text to a name: no article, no possessive, no punctuation around it.

    >>> clean_name("the ``Gold Rush''"), clean_name("Nolan's"), clean_name("Washington, D.C."), clean_name("M*A*S*H,")
    ('Gold Rush', 'Nolan', 'Washington, D.C.', 'M*A*S*H')
    """
    bare = text.strip(_EDGES)
    dotted = bare + "."
    if dotted in text and _ABBREVIATION.search(dotted):
        bare = dotted
    return surface(_ARTICLE.sub("", bare)).lstrip(_EDGES).rstrip(" '’\"")


def names_something(name: str) -> bool:
    """Whether a name consists of more than stop words, quantifying nouns ("part") or a single letter."""
    if len(name) > MAX_NAME:
        return False
    words = normalise_name(name).split()
    if len(words) > 2 and sum(word[0].isupper() for word in name.split()) > 1:
        return True
    return len("".join(words)) > 1 and any(word not in STOP_WORDS and word not in _LIGHT for word in words)


def is_proper(tree: Tree, phrase: Phrase) -> bool:
    """Whether a phrase is a proper name: neither a concept, nor a number, nor a date."""
    if phrase.type == CONCEPT or phrase.type in COUNTED:
        return False
    return any(tag in PROPER_TAGS for tag in tree.tags[phrase.first : phrase.last + 1])


def words_before_name(tree: Tree, head: int, phrase: Phrase) -> tuple[int, int] | None:
    """First and last of the words before a name that belong to it: "film director" before "Jane Doe"."""
    first = _left_edge(tree, head, phrase.first, "")
    return (first, phrase.first - 1) if first < phrase.first else None


def _left_edge(tree: Tree, head: int, first: int, kind: str) -> int:
    place = first - 1
    while place >= 0 and first - place <= _LONGEST and _belongs(tree, place, head) and _fits(tree.words[place], kind):
        place -= 1
    place += 1
    while place < first and tree.relations[place] in ("punct", "cc", "advmod"):
        place += 1
    return place


def _fits(word: str, kind: str) -> bool:
    """Whether a word before an entity can belong to its name: "director" in "director Jane" cannot."""
    return not kind or kind in COUNTED or word in _COMPASS or (kind != TYPES["PERSON"] and not word[0].islower())


def _belongs(tree: Tree, place: int, head: int) -> bool:
    """Whether a word to the left is a modifier of the head, or of one of its modifiers."""
    while place != head:
        if tree.relations[place] not in _JOINED or tree.heads[place] == place or tree.words[place] in _BREAKS:
            return False
        place = tree.heads[place]
    return True


def _over_of(tree: Tree, head: int, last: int) -> int:
    if tree.tags[head] not in PROPER_TAGS or last + 1 >= len(tree.words) or tree.words[last + 1] != "of":
        return last
    if tree.heads[last + 1] != head:
        return last
    for name in tree.children[last + 1] if tree.words[last + 2 : last + 3] != ["the"] else ():
        if tree.tags[name] in PROPER_TAGS and tree.relations[name] == "pobj":
            number = tree.name_at[name]
            return max(name, tree.names[number].last if number >= 0 else name)
    return last
