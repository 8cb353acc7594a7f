"""A fact while it is put together: participants by name, and the stretch of text that states it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.facts.mentions import Mention
from tetragraph.language.facts.model import Fact, Participant
from tetragraph.language.facts.phrases import CONCEPT
from tetragraph.language.facts.topic import Topic
from tetragraph.language.facts.tree import Tree
from tetragraph.language.lexicon.names import normalise_name

_MOST = 20
"""Participants of a fact at the most: those that come first. Only tables and long lists have more."""
_ATTACHED = 0.5
_DEFINITE = frozenset(["the", "this", "these", "that", "those", "other"])
_NOBODY = frozenset([TYPES["GPE"], TYPES["NORP"]])


@dataclass(frozen=True, slots=True)
class Part:
    """An entity with its role in a statement."""

    role: str
    mention: Mention


@dataclass(frozen=True, slots=True)
class Statement:
    """Statement of a clause or a noun phrase.

    Attributes:
        type: See :class:`tetragraph.language.facts.model.Fact`.
        parts: Subject first.
        first: First word of the statement in the text.
        last: Its last word.
        lead: The subject, where the statement does not begin with it ("was born in Ulm" after "and").
    """

    type: str
    parts: list[Part]
    first: int
    last: int
    lead: str = ""


def finish(tree: Tree, topic: Topic, statement: Statement) -> Fact | None:
    """The statement as a fact; None where not even the title makes a second participant."""
    found: dict[str, Participant] = {}
    for part in statement.parts:
        mention = part.mention
        found.setdefault(
            normalise_name(mention.name), Participant(mention.name, mention.type, part.role, mention.confidence)
        )
    found.pop("", None)
    lead = statement.lead
    if needs_topic(tree, statement) and (own := normalise_name(topic.name)) and own not in found:
        found = {own: Participant(topic.name, topic.type, "topic", _ATTACHED), **found}
        lead = f"{topic.name}:"
    if len(found) < 2:
        return None
    participants = tuple(found.values())[:_MOST]
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

    It does where nobody is named (places and peoples are not anybody), and where the subject is missing or is a common
    noun that the reader is taken to know ("the screenplay", "other cities").
    """
    subjects = [part.mention for part in statement.parts if part.role == "subject"]
    if not subjects or any(_is_known(tree, subject) for subject in subjects):
        return True
    return not any(part.mention.is_proper and part.mention.type not in _NOBODY for part in statement.parts)


def _is_known(tree: Tree, mention: Mention) -> bool:
    if mention.is_proper or mention.type != CONCEPT:
        return False
    before = tree.words[mention.first - 1].lower() if mention.first else ""
    return before in _DEFINITE or tree.words[mention.first].lower() in _DEFINITE


def _confidence(participants: Iterable[Participant]) -> float:
    return min(participant.confidence for participant in participants)


def _readable(tree: Tree, statement: Statement) -> str:
    """The text of a statement, with the names that its pronouns mean in their places, each name once."""
    text, done, said = [], tree.starts[statement.first], {statement.lead.removesuffix(":")}
    for part in sorted(statement.parts, key=lambda part: part.mention.first):
        mention = part.mention
        inside = statement.first <= mention.first and mention.last <= statement.last
        if inside and not mention.is_resolved:
            said.add(mention.name)
        if not inside or mention.name in said or tree.starts[mention.first] < done:
            continue
        said.add(mention.name)
        possessive = "'s" if tree.tags[mention.last] in ("PRP$", "WP$") else ""
        text += [tree.text[done : tree.starts[mention.first]], mention.name, possessive]
        done = tree.end(mention.last)
    text.append(tree.text[done : tree.end(statement.last)])
    return " ".join("".join(text).split())
