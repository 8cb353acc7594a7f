"""Type of entity that a question asks for, read from its interrogative word or from the noun it asks for.

The type binds a variable without a language model: the answer is the entity of a fact that has the expected type.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.facts.phrases import CONCEPT, NUMBER
from tetragraph.language.lexicon.words import stem
from tetragraph.language.questions.asking import asking_word

_PERSON, _PLACE, _ORGANIZATION = TYPES["PERSON"], TYPES["GPE"], TYPES["ORG"]
_DATE, _WORK, _GROUP, _EVENT = TYPES["DATE"], TYPES["WORK_OF_ART"], TYPES["NORP"], TYPES["EVENT"]
_KIN = """
mother father parent husband wife spouse partner son daughter child children brother sister sibling uncle aunt cousin
nephew niece grandfather grandmother grandson granddaughter stepmother stepfather widow heir ancestor
"""
_MAKERS = """
director author writer novelist poet composer lyricist songwriter screenwriter playwright painter sculptor architect
inventor discoverer editor journalist photographer singer musician rapper guitarist drummer pianist conductor actor
actress star host presenter narrator dancer comedian
"""
_RULERS = """
president minister chancellor governor mayor senator king queen emperor empress ruler leader monarch prince princess
duke duchess earl baron pope bishop archbishop general admiral commander officer secretary chairman chairperson
director-general ceo judge ambassador prosecutor candidate politician lawyer
"""
_PEOPLE = """
person man woman guy boy girl individual people character namesake figure player footballer coach captain athlete
wrestler boxer driver scientist physicist chemist mathematician philosopher historian explorer astronaut businessman
entrepreneur teacher professor doctor saint member successor predecessor opponent citizen hero villain
"""
_PLACES = """
place location city town village capital country nation state county district region province territory area continent
island islands peninsula river lake sea ocean bay strait waterfall mountain peak range valley desert body birthplace
hometown residence headquarters venue stadium airport building bridge street road park castle palace tip municipality
borough parish suburb neighborhood neighbourhood site port
"""
_ORGANIZATIONS = """
company corporation firm business manufacturer developer distributor label network broadcaster airline
studio bank brand employer organization organisation association agency institution institute foundation university
college school alma team club league party army band orchestra choir duo trio newspaper franchise
"""
_WORKS = """
film movie song single album track soundtrack book novel novella poem play opera musical series show sitcom episode
painting sculpture manuscript work piece anthem sequel documentary
"""
_EVENTS = """
war battle siege conflict event tournament championship festival olympics games election revolution rebellion disaster
"""
_KINDS_OF_THINGS = "occupation profession job genre sport instrument position role term currency cause"
_TABLE: Final = (
    ((_PERSON,), f"{_KIN} {_MAKERS} {_RULERS} {_PEOPLE}"),
    ((_PERSON, _ORGANIZATION), "performer artist producer creator founder designer owner winner champion runner-up"),
    ((_ORGANIZATION, _PERSON), "group publisher sponsor"),
    ((_PLACE,), _PLACES),
    ((_PLACE, _ORGANIZATION), "station church hospital museum library prison hotel"),
    ((_ORGANIZATION,), _ORGANIZATIONS),
    ((_DATE,), "date year day month decade century era season time birthday"),
    ((_WORK,), _WORKS),
    ((_WORK, _ORGANIZATION), "magazine journal"),
    ((_GROUP, _PLACE), "nationality"),
    ((_GROUP,), "tribe ethnicity religion denomination"),
    ((_EVENT,), _EVENTS),
    ((TYPES["LANGUAGE"],), "language"),
    ((TYPES["LAW"],), "treaty law act constitution amendment"),
    ((TYPES["PRODUCT"],), "plane aircraft airplane car ship vehicle bomber weapon"),
    ((NUMBER,), "number population percentage amount height length age code temperature snowfall rank ranking"),
    ((CONCEPT,), _KINDS_OF_THINGS),
)
"""Types that a noun asks for, the likeliest first: bands perform and studios produce, stations are places and
broadcasters, a nationality is stated as a people or as a country. The table is small and has only nouns with one
meaning: "title" and "part" have several."""
_NOUNS: Final = {stem(noun): types for types, nouns in reversed(_TABLE) for noun in nouns.split()}
_PERSON_ENDING = re.compile(r"[a-z]{3,}(?:ist|ician|woman|sman)$")
"""Endings of nouns for persons ("trombonist"); "-er" is not among them, as in "tower"."""
_WHO = (_PERSON, _ORGANIZATION)
_ASKING: Final = {"who": _WHO, "whom": _WHO, "whose": _WHO, "where": (_PLACE,), "when": (_DATE,)}
_STUDIES = re.compile(
    r"\b(?:study|studied|educated|graduated?|doctorates?|degree|go to (?:school|college|university))\b"
)
"""Verbs with which "where" asks for a school."""
_MEASURED = re.compile(r"\s+(?:many|much|old|far|tall|high|long|large|big|deep|often)\b", re.IGNORECASE)
_WORD = re.compile(r"#\d+|[^\W_]+(?:-[^\W_]+)*|['’]s?(?=\s)|[,;.?!()\"]")
_END_WORDS = """
of in on at by from for to with as than that which who whom whose where when while before after during between into near
the a an and or is was are were be been do does did has have had can could will would should may might
"""
_ENDS = frozenset([*_END_WORDS.split(), *',;.?!()"'])
"""Words that end a noun phrase."""
_OPENERS = frozenset(["the", "a", "an", "is", "was", "are", "were", '"'])
_NAMING = frozenset(["name", "names", "title", "identity", "one"])
"""Nouns that only introduce another one: "the name of the airport"."""


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """Types that the answer may have.

    Attributes:
        types: Types of :class:`~tetragraph.language.facts.model.Participant`, the likeliest first; empty if the
            question does not indicate any.
        word: Word that indicates the type: the interrogative word, or a noun as the question writes it.
    """

    types: tuple[str, ...] = ()
    word: str = ""

    @property
    def type(self) -> str:
        """The likeliest type; ``""`` if the question does not indicate any."""
        return self.types[0] if self.types else ""

    def admits(self, entity_type: str) -> bool:
        """Whether an entity of a type may be the answer; true if one of the two types is unknown."""
        return not self.types or entity_type in ("", *self.types)


def expected_type(text: str, head: str = "") -> ExpectedAnswer:
    """Determine the type of entity that a question or a noun phrase asks for.

    Args:
        text: A question ("Where was #1 born?"), or a phrase that describes a person ("the director of Jaws").
        head: Head noun of the text if already parsed; otherwise it is read from the text.

    >>> [expected_type(text).type for text in ("Where was #1 born?", "the wife of #1", "Which river crosses Ghent?")]
    ['PLACE', 'PERSON', 'PLACE']
    """
    if head:
        return _by_noun([head.lower()])
    asking = asking_word(text)
    if asking is None:
        return _by_noun(_phrase(text))
    word, rest = text[slice(*asking)].lower(), text[asking[1] :]
    if word == "how":
        return ExpectedAnswer((NUMBER,), word) if _MEASURED.match(rest) else ExpectedAnswer()
    if word in ("what", "which"):
        return _by_noun(_before_verb(_phrase(rest)))
    if word == "where" and _STUDIES.search(rest):
        return ExpectedAnswer((_ORGANIZATION, _PLACE), word)
    described = _by_noun(_phrase(rest)) if word == "who" else ExpectedAnswer()
    if _PERSON in described.types[1:]:
        return described
    return ExpectedAnswer(_ASKING[word], word) if word in _ASKING else ExpectedAnswer()


def _by_noun(nouns: Sequence[str]) -> ExpectedAnswer:
    """Determine the type from the last noun in the table; earlier nouns modify it ("film director")."""
    for noun in reversed(nouns):
        types = _NOUNS.get(stem(noun))
        if types:
            return ExpectedAnswer(types, noun)
        if _PERSON_ENDING.search(noun):
            return ExpectedAnswer((_PERSON,), noun)
    return ExpectedAnswer()


def _before_verb(words: Sequence[str]) -> Sequence[str]:
    """The words before one that can only be a verb: "what event caused", "what network hosts"."""
    for place, (before, word) in enumerate(itertools.pairwise(words), 1):
        is_of_one = word[-1] == "s" and word[-2:] != "ss" and before[-1] != "s" and stem(before) in _NOUNS
        if word.endswith("ed") or is_of_one:
            return words[:place]
    return words


def _phrase(text: str) -> list[str]:
    """The words of the noun phrase at the start of a text, without articles, possessors and introducing nouns."""
    words: list[str] = []
    owner: list[str] = []
    for word in _words(text):
        if word in ("'s", "’s", "'", "’"):
            owner, words = words, []
        elif word not in _ENDS:
            words.append(word)
        elif word == "of" and words and words[-1] in _NAMING:
            words = []
        elif words or word not in _OPENERS:
            break
    return owner if words and words[-1] in _NAMING else words


def _words(text: str) -> Iterator[str]:
    return (match[0].lower() for match in _WORD.finditer(text))
