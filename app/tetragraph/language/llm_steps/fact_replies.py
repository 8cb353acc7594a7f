"""Facts in replies of a language model, checked against the chunk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Final, Self, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WrapValidator, model_validator
from pydantic.json_schema import SkipJsonSchema

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.facts.model import Fact, Participant
from tetragraph.language.facts.phrases import CONCEPT, NUMBER
from tetragraph.language.facts.stated import stating_sentence
from tetragraph.language.lexicon.names import (
    WORD,
    normalise_name,
    normalise_word,
    surface,
)
from tetragraph.language.lexicon.quotations import find_quotation
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.words import STOP_WORDS, stem
from tetragraph.language.llm_steps.answer import one_line
from tetragraph.model import Chunk

MALFORMED: Final = "facts not of the form that was asked for"
FEW: Final = "facts of fewer than two names"
STRANGE: Final = "names that are not in the passage"
"""Reasons for which parts of a reply are dropped, as counted."""
_ASKED_TYPES: Final = (*dict.fromkeys(TYPES.values()), NUMBER)
_TYPE_NAMES: Final = {
    **TYPES,
    **{kind: kind for kind in (*_ASKED_TYPES, CONCEPT)},
    **dict.fromkeys(["LOCATION", "CITY", "COUNTRY", "REGION", "STATE", "RIVER"], TYPES["GPE"]),
    **dict.fromkeys(["COMPANY", "INSTITUTION", "BAND", "TEAM", "SCHOOL", "UNIVERSITY"], TYPES["ORG"]),
    **dict.fromkeys(["FILM", "MOVIE", "BOOK", "NOVEL", "SONG", "ALBUM", "SERIES"], TYPES["WORK_OF_ART"]),
    **dict.fromkeys(["YEAR", "MONTH", "DAY", "PERIOD"], TYPES["DATE"]),
    **dict.fromkeys(["NUMBER", "QUANTITY", "AMOUNT", "CARDINAL", "ORDINAL", "MONEY", "PERCENT"], NUMBER),
}
"""Names of types that models use, in capitals, to the types of the graph."""
_ARTICLES: Final = ("the ", "a ", "an ")
_ROLE: Final = 20
_TYPE: Final = 40
_NAME: Final = 100
_DESCRIPTION: Final = 500
"""Limits in characters."""
_AT_ONCE: Final = 60
"""Largest number of facts of one reply that are read."""
_OWN_WORDS: Final = 0.5
"""Smallest share of a description's words that the chunk or its title must contain."""


def _or_none(value: Any, read: Any) -> Any:
    """The parsed value, or None for one that cannot be parsed, so that a broken fact does not affect the others."""
    try:
        return read(value)
    except ValidationError:
        return None


def _as_participant(value: Any) -> Any:
    """A bare name as a participant without further properties."""
    return {"name": value, "type": "", "role": "", "confidence": 8} if isinstance(value, str) else value


Confidence: TypeAlias = Annotated[float, Field(allow_inf_nan=False)]


class ParticipantForm(BaseModel):
    """One participant."""

    model_config = ConfigDict(json_schema_extra={"description": "One that takes part."})

    name: str
    type: Annotated[str, Field(json_schema_extra={"enum": list(_ASKED_TYPES)})]
    role: str
    confidence: Confidence


class FactForm(BaseModel):
    """A fact."""

    description: str
    type: str
    participants: list[
        Annotated[ParticipantForm | SkipJsonSchema[None], BeforeValidator(_as_participant), WrapValidator(_or_none)]
    ]
    quote: str
    confidence: Confidence


class FactsReply(BaseModel):
    """A reply; None stands for a fact that cannot be read."""

    facts: list[Annotated[FactForm | SkipJsonSchema[None], WrapValidator(_or_none)]]

    @model_validator(mode="after")
    def _has_some(self) -> Self:
        if self.facts and not any(self.facts):
            raise ValueError("no fact has description, type, participants, quote and confidence")
        return self


@dataclass(slots=True)
class ParsedFacts:
    """Facts of a chunk as read from replies.

    Attributes:
        facts: Facts that the chunk supports.
        dropped: Number of dropped parts by reason.
    """

    facts: list[Fact] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


class ChunkFactReader:
    """Checks facts against one chunk."""

    def __init__(self, chunk: Chunk) -> None:
        self._chunk = chunk
        titles = " | ".join(chunk.own_titles)
        self._names = f" {normalise_name(chunk.text)} | {normalise_name(titles)} "
        self._stems = {stem(word) for word in self._names.split()}

    @cached_property
    def _sentences(self) -> list[tuple[int, int, str]]:
        text = self._chunk.text
        return [(*span, f" {normalise_name(text[slice(*span)])} ") for span in sentence_spans(text)]

    def read(self, forms: Sequence[FactForm | None], parsed: ParsedFacts) -> int:
        """Add the new facts of a reply; returns their number."""
        known = {mark for fact in parsed.facts for mark in _marks(fact)}
        before = len(parsed.facts)
        for form in forms[:_AT_ONCE]:
            if form is None:
                parsed.dropped[MALFORMED] += 1
                continue
            fact = self._fact(form, parsed.dropped)
            if fact and known.isdisjoint(_marks(fact)):
                parsed.facts.append(fact)
                known.update(_marks(fact))
        return len(parsed.facts) - before

    def _fact(self, form: FactForm, dropped: Counter[str]) -> Fact | None:
        kind = one_line(form.type).lower()[:_TYPE].strip()
        if not kind:
            dropped[MALFORMED] += 1
            return None
        participants = self._participants(form, dropped)
        if len(participants) < 2 or not self._sentences:
            dropped[FEW] += 1
            return None
        start, end = self._statement(form.quote, participants)
        confidence = min(_share(form.confidence), *(one.confidence for one in participants))
        description = surface(one_line(form.description))[:_DESCRIPTION]
        if not self._is_supported(description):
            description = surface(self._chunk.text[start:end])[:_DESCRIPTION]
        return Fact(description, kind, confidence, tuple(participants), start, end)

    def _participants(self, form: FactForm, dropped: Counter[str]) -> list[Participant]:
        """Participants that the chunk or its title names, each once, the subject first."""
        found: dict[str, Participant] = {}
        for one in form.participants:
            name = _without_article(surface(one_line(one.name))) if one else ""
            key = normalise_name(name)
            if one is None or not self._is_name(key):
                dropped[STRANGE] += 1
            else:
                participant = Participant(name, _type(name, one.type), _role(one.role), _share(one.confidence))
                found.setdefault(key, participant)
        return sorted(found.values(), key=lambda one: one.role != "subject")

    def _is_name(self, key: str) -> bool:
        """Whether the normalised text is a name, and occurs in the chunk or its title."""
        words = key.split()
        return not STOP_WORDS.issuperset(words) and len(key) <= _NAME and f" {key} " in self._names

    def _is_supported(self, description: str) -> bool:
        """Whether the words of a description occur mostly in the chunk."""
        words = [normalise_word(word) for word in WORD.findall(description)]
        content_stems = [stem(word) for word in words if word not in STOP_WORDS]
        return bool(content_stems) and sum(word in self._stems for word in content_stems) >= _OWN_WORDS * len(
            content_stems
        )

    def _statement(self, quote: str, participants: Sequence[Participant]) -> tuple[int, int]:
        """Span of the quote in the chunk; if it does not occur, the sentence that names most of the participants."""
        names = [normalise_name(one.name) for one in participants]
        text = self._chunk.text
        place = find_quotation(text, quote)
        if place and any(f" {name} " in f" {normalise_name(text[slice(*place)])} " for name in names):
            return place
        return stating_sentence(self._sentences, names)


def _marks(fact: Fact) -> tuple[Any, Any]:
    """Keys by which facts are duplicates: the same names, with the same type or with the same place."""
    names = frozenset(normalise_name(one.name) for one in fact.participants)
    return (names, fact.type), (names, fact.start, fact.end)


def _without_article(name: str) -> str:
    bare = name.strip(" \"'“”‘’.,;:()")
    return next((bare[len(one) :] for one in _ARTICLES if bare.lower().startswith(one)), bare)


def _type(name: str, value: str) -> str:
    """Type of the graph for a type of the reply; a phrase without a capital or a digit is a concept."""
    if not any(character.isdigit() or character.isupper() for character in name) and name.islower():
        return CONCEPT
    return _TYPE_NAMES.get("_".join(value.upper().split()), "")


def _role(value: str) -> str:
    words = value.lower().split()
    return words[0][:_ROLE] if len(words) == 1 and words[0].isalpha() else "modifier"


def _share(confidence: float) -> float:
    """Scale a confidence from 0 to 10 to 0 to 1; a value of at most 1 is taken as already scaled."""
    return round(min(max(confidence if confidence <= 1 else confidence / 10, 0.0), 1.0), 3)
