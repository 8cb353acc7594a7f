"""Statements, the intermediate form of facts: participants by name, and the span of text that states them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.facts.mentions import Mention
from tetragraph.language.facts.model import Fact, Participant
from tetragraph.language.facts.phrases import CONCEPT
from tetragraph.language.facts.topic import Topic
from tetragraph.language.facts.tree import Tree
from tetragraph.language.lexicon.names import normalise_name

MOST_PARTICIPANTS: Final = 20
"""Largest number of participants of a fact; further ones, as in tables and long lists, are dropped."""
ATTACHED: Final = 0.5
"""Confidence that the title takes part in a statement that does not name it."""
_DEFINITE = frozenset(["the", "this", "these", "that", "those", "other"])
_PLACES_AND_PEOPLES = frozenset([TYPES["GPE"], TYPES["NORP"]])


@dataclass(frozen=True, slots=True)
class Part:
    """An entity with its role in a statement."""

    role: str
    mention: Mention


@dataclass(frozen=True, slots=True)
class Statement:
    """The content of a clause or a noun phrase.

    Attributes:
        type: Type of the fact; see :class:`tetragraph.language.facts.model.Fact`.
        parts: Participants, subject first.
        first: First word of the statement in the text.
        last: Last word of the statement in the text.
        lead: The subject, if the statement does not begin with it ("was born in Ulm" after "and").
    """

    type: str
    parts: list[Part]
    first: int
    last: int
    lead: str = ""


def finish(tree: Tree, topic: Topic, statement: Statement) -> Fact | None:
    """Convert the statement to a fact; None if it lacks a second participant even with the title."""
    found: dict[str, Participant] = {}
    for part in statement.parts:
        mention = part.mention
        found.setdefault(
            normalise_name(mention.name), Participant(mention.name, mention.type, part.role, mention.confidence)
        )
    found.pop("", None)
    lead = statement.lead
    if needs_topic(tree, statement) and (own := normalise_name(topic.name)) and own not in found:
        found = {own: Participant(topic.name, topic.type, "topic", ATTACHED), **found}
        lead = f"{topic.name}:"
    if len(found) < 2:
        return None
    participants = tuple(found.values())[:MOST_PARTICIPANTS]
    return Fact(
        description=" ".join(filter(None, (lead, _readable(tree, statement)))),
        type=statement.type,
        confidence=_confidence(participants),
        participants=participants,
        start=tree.starts[statement.first],
        end=tree.end(statement.last),
    )


def needs_topic(tree: Tree, statement: Statement) -> bool:
    """Whether the title belongs to a statement.

    It does if the statement names no entity other than places and peoples, and its subject is missing or is a common
    noun that presupposes the title ("the screenplay", "other cities").
    """
    subjects = [part.mention for part in statement.parts if part.role == "subject"]
    if not subjects or any(_is_presupposed(tree, subject) for subject in subjects):
        return True
    return not any(part.mention.is_proper and part.mention.type not in _PLACES_AND_PEOPLES for part in statement.parts)


def _is_presupposed(tree: Tree, mention: Mention) -> bool:
    if mention.is_proper or mention.type != CONCEPT:
        return False
    before = tree.words[mention.first - 1].lower() if mention.first else ""
    return before in _DEFINITE or tree.words[mention.first].lower() in _DEFINITE


def _confidence(participants: Iterable[Participant]) -> float:
    return min(participant.confidence for participant in participants)


def _readable(tree: Tree, statement: Statement) -> str:
    """Text of a statement, with the names in place of its pronouns, each name once."""
    text, done, named = [], tree.starts[statement.first], {statement.lead.removesuffix(":")}
    for part in sorted(statement.parts, key=lambda part: part.mention.first):
        mention = part.mention
        inside = statement.first <= mention.first and mention.last <= statement.last
        if inside and not mention.is_resolved:
            named.add(mention.name)
        if not inside or mention.name in named or tree.starts[mention.first] < done:
            continue
        named.add(mention.name)
        possessive = "'s" if tree.tags[mention.last] in ("PRP$", "WP$") else ""
        text += [tree.text[done : tree.starts[mention.first]], mention.name, possessive]
        done = tree.end(mention.last)
    text.append(tree.text[done : tree.end(statement.last)])
    return " ".join("".join(text).split())
