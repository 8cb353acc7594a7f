"""Finds statements without a verb: appositions, offices and kinships before a name, and brackets after one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.facts.collector import Collector
from tetragraph.language.facts.mentions import Mention, Mentions
from tetragraph.language.facts.phrases import (
    CONCEPT,
    COUNTED,
    NOUN_TAGS,
    clean_name,
    is_proper,
    names_something,
    type_of,
    words_before_name,
)
from tetragraph.language.facts.statements import Part, Statement
from tetragraph.language.facts.topic import PERSON
from tetragraph.language.lexicon.names import normalise_name

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DATE = re.compile(
    rf"\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH},?\s+\d{{3,4}}|{_MONTH}\s+\d{{1,2}},?\s+\d{{3,4}}|\b\d{{3,4}}\b"
)
_DASH = re.compile(r"\s*[–—]\s*|\s+-\s+")
_BORN = re.compile(r"\b(?:born|b\.)\s", re.IGNORECASE)
_DIED = re.compile(r"\b(?:died|dead|d\.)\s", re.IGNORECASE)
_ACRONYM = re.compile(r"[A-Z][A-Za-z]?[A-Z.&-]{0,6}[A-Z.]")
_HONOURS = frozenset(["Sir", "Lady", "Lord", "Dame", "Mr", "Mrs", "Ms", "Miss", "Dr", "Saint", "St"])
_LONGEST_BRACKET = 60
_CERTAIN = 0.9


def find_nominals(mentions: Mentions) -> Iterator[Statement]:
    """Appositions, offices, kinships and brackets of a chunk, in order of their words."""
    tree = mentions.tree
    for place, tag in enumerate(tree.tags):
        if tag in NOUN_TAGS:
            if tree.relations[place] == "appos" and (found := _apposition(mentions, place)):
                yield found
            if found := _office(mentions, place) or _full_name(mentions, place):
                yield found
        elif "(" in tree.words[place]:
            yield from _bracket(mentions, place)


def _apposition(mentions: Mentions, place: int) -> Statement | None:
    """Apposition: "X, a Y of Z"; also "X's wife Y", which the parser reads as the apposition Y to the noun "wife"."""
    tree = mentions.tree
    head = tree.heads[place]
    if tree.depths[place] != tree.depths[head]:
        return None
    phrase, above = mentions.phrase(place), mentions.phrase(head)
    if phrase is None or above is None or phrase.type in COUNTED:
        return None
    if phrase.type == CONCEPT or not is_proper(tree, phrase):
        subject, described, kind = mentions.identity(head), place, "is"
    elif above.type == CONCEPT and _is_next(mentions, above.last + 1, phrase.first):
        subject, described, kind = mentions.at(place), head, above.name
    else:
        return None
    if subject is None:
        return None
    collector = Collector(mentions, place)
    collector.add_noun(described, "attribute")
    collector.words += [subject.first, subject.last]
    return Statement(kind, [Part("subject", subject), *collector.parts], *collector.bounds())


def _is_next(mentions: Mentions, first: int, last: int) -> bool:
    """Whether there are only articles, commas and brackets between two words."""
    tree = mentions.tree
    return all(tree.relations[place] in ("det", "punct") or tree.depths[place] for place in range(first, last))


def _office(mentions: Mentions, place: int) -> Statement | None:
    """Nouns right before a name: "film director X", "Nolan's wife X", "Prime Minister X"."""
    tree, phrase = mentions.tree, mentions.phrase(place)
    if phrase is None or not is_proper(tree, phrase) or tree.name_at[place] < 0:
        return None
    before, subject = words_before_name(tree, place, phrase), mentions.at(place)
    if before is None or subject is None or not tree.tags[before[1]].startswith("NN"):
        return None
    name = clean_name(tree.slice(*before))
    if not names_something(name) or name in _HONOURS or normalise_name(name) in normalise_name(subject.name):
        return None
    office = Mention(before[1], *before, name, type_of(tree, -1, before[0], name), _CERTAIN, is_proper=False)
    collector = Collector(mentions, place)
    collector.words += [before[0], subject.first, subject.last]
    owners = [child for child in tree.children[place] if tree.relations[child] == "poss"]
    for owner in owners:
        collector.add_noun(owner, "of")
    parts = [Part("subject", subject), Part("attribute", office), *collector.parts]
    return Statement(name.lower() if owners else "is", parts, *collector.bounds())


def _full_name(mentions: Mentions, place: int) -> Statement | None:
    """The longer name that the first sentence gives for the title."""
    phrase, topic = mentions.phrase(place), mentions.at(place)
    if phrase is None or topic is None or not mentions.is_opening_subject(place):
        return None
    if topic.name != mentions.topic.name or not mentions.topic.is_extended_by(phrase.name):
        return None
    return _name_statement(
        mentions, Mention(place, phrase.first, phrase.last, phrase.name, topic.type, _CERTAIN, is_proper=True)
    )


def _name_statement(mentions: Mentions, name: Mention) -> Statement:
    """Statement that the title has another name."""
    parts = [Part("subject", mentions.as_topic(name)), Part("object", name)]
    return Statement("named", parts, name.first, name.last, lead=f"{mentions.topic.name}:")


def _bracket(mentions: Mentions, opening: int) -> Iterator[Statement]:
    """Bracket after a name: "X (1 May 1874, Ulm – 8 May 1950, Bonn)", "X (born 1874 in Ulm)", "X (XYZ)"."""
    tree = mentions.tree
    end = min(len(tree.words), opening + _LONGEST_BRACKET)
    closing = next((place for place in range(opening + 1, end) if ")" in tree.words[place]), -1)
    subject = _find_name_before(mentions, opening)
    if subject is None or closing < opening + 2:
        return
    begin, stop = tree.starts[opening + 1], tree.starts[closing]
    inside = tree.text[begin:stop]
    if _ACRONYM.fullmatch(inside.strip()) and " " in subject.name and inside.strip()[0] == subject.name[0]:
        short = Mention(opening + 1, opening + 1, closing - 1, inside.strip(), subject.type, _CERTAIN, is_proper=True)
        yield Statement("abbreviated", [Part("subject", subject), Part("object", short)], subject.first, closing)
        return
    if (name := _find_bracketed_name(mentions, opening + 1, closing - 1)) is not None:
        yield Statement("beside", [Part("subject", subject), Part("object", name)], subject.first, closing)
    lives = list(_life(inside))
    if lives and mentions.topic.name and _is_topic(mentions, subject):
        if not mentions.topic.is_named_by(subject.name) and subject.name != mentions.topic.name:
            yield _name_statement(mentions, subject)
        subject = mentions.as_topic(subject)
    for kind, first, last in lives:
        parts = list(_when_and_where(mentions, begin + first, begin + last))
        if parts:
            yield Statement(kind, [Part("subject", subject), *parts], subject.first, closing)


def _is_topic(mentions: Mentions, subject: Mention) -> bool:
    """Whether a name with dates of life in brackets is the title: it opens the text, or the title is a person's."""
    if mentions.tree.sentences[subject.first] > 0:
        return False
    return subject.first <= 1 or (mentions.topic.is_person and subject.type != PERSON)


def _find_bracketed_name(mentions: Mentions, first: int, last: int) -> Mention | None:
    """A name that fills a bracket, such as that of an actor after the character."""
    number = mentions.tree.name_at[first]
    if number < 0 or mentions.tree.names[number].last != last:
        return None
    found = mentions.of_name(number)
    return found if found and found.is_proper else None


def _life(inside: str) -> Iterator[tuple[str, int, int]]:
    """Parts of a bracket about birth and death, with their offsets."""
    died = _DIED.search(inside)
    if born := _BORN.search(inside):
        yield "born", born.end(), died.start() if died else len(inside)
    if died:
        yield "died", died.end(), len(inside)
    if born or died:
        return
    for dash in _DASH.finditer(inside):
        if _DATE.search(inside, 0, dash.start()) and _DATE.search(inside, dash.end()):
            yield "born", 0, dash.start()
            yield "died", dash.end(), len(inside)
            return


def _find_name_before(mentions: Mentions, opening: int) -> Mention | None:
    """The entity whose name ends where a bracket opens."""
    tree = mentions.tree
    place = opening - 1
    while place > 0 and tree.tags[place] in ("''", '"', "``", "POS", ","):
        place -= 1
    for _ in range(3):
        phrase = mentions.phrase(place) if place >= 0 and tree.tags[place] in NOUN_TAGS else None
        if phrase is not None and opening - 2 <= phrase.last < opening:
            found = mentions.at(place)
            return found if found and found.is_proper else None
        place = tree.heads[place] if place >= 0 else place
    return None


def _when_and_where(mentions: Mentions, start: int, end: int) -> Iterator[Part]:
    tree = mentions.tree
    for match in _DATE.finditer(tree.text, start, end):
        first, last = (bisect_right(tree.starts, offset) - 1 for offset in (match.start(), match.end() - 1))
        yield Part("time", Mention(first, first, last, match[0], TYPES["DATE"], _CERTAIN, is_proper=False))
        break  # the first date; further ones belong to other calendars
    for number, name in enumerate(tree.names):
        inside = start <= tree.starts[name.first] and tree.end(name.last) <= end
        if inside and name.type == TYPES["GPE"] and (mention := mentions.of_name(number)):
            yield Part("place", mention)
