"""Names of a corpus: frequency, documents and types of each, and the titles that it can denote."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.entity_resolution.model import Stated
from tetragraph.language.entity_resolution.name_cores import Core, core_of
from tetragraph.language.facts.phrases import CONCEPT, COUNTED
from tetragraph.language.lexicon.names import normalise_name, without_qualifier

_RARE_SHARE = 0.2
_RARE = 5
"""Largest number of documents that name a subject which indicates that two documents are on one subject."""
_COMMON = frozenset([CONCEPT, *COUNTED, TYPES["NORP"], TYPES["LANGUAGE"], TYPES["GPE"]])
_NAMING_TYPES = frozenset(["named", "abbreviated", "known", "called"])
"""Types of facts that state another name of an entity."""


@dataclass(frozen=True)
class Name:
    """A name in the whole corpus.

    Attributes:
        key: Normalised form.
        surface: Most frequent spelling.
        type: Most frequent type other than unknown; empty for none.
        types: Types of at least a fifth of its typed mentions.
        count: Number of its participations in facts.
        is_title: Whether the name is the title of a document.
    """

    key: str
    surface: str
    type: str
    types: frozenset[str]
    count: int
    is_title: bool

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words of the normalised form."""
        return tuple(self.key.split())

    @cached_property
    def core(self) -> Core:
        """Distinctive words of the name."""
        return core_of(self.words)

    @property
    def is_person(self) -> bool:
        """Whether the most frequent type is a person."""
        return self.type == TYPES["PERSON"]

    @property
    def is_concept(self) -> bool:
        """Whether the name is a phrase without a capital."""
        return self.type == CONCEPT

    @property
    def is_counted(self) -> bool:
        """Whether the name is a date or a number, which denotes no entity."""
        return self.type in COUNTED


@dataclass(frozen=True)
class Title:
    """A title, with or without a qualifier in brackets.

    Attributes:
        key: Normalised title, with the qualifier.
        bare: Normalised title without the qualifier, as in running text.
        qualifier: Normalised words of the qualifier; empty without one.
        before_comma: Normalised part before the comma; the bare form without a comma.
        after_comma: Normalised part after the comma, without the qualifier; empty without a comma.
    """

    key: str
    bare: str
    qualifier: tuple[str, ...]
    before_comma: str
    after_comma: str


class Names:
    """Names that the facts of a corpus state, and its titles; independent of the order of the chunks."""

    def __init__(self, passages: Sequence[Stated]) -> None:
        self._keys: dict[str, str] = {}
        self._surfaces: dict[str, dict[str, int]] = defaultdict(dict)
        self._mentions: dict[str, dict[tuple[str, str], int]] = defaultdict(dict)
        self._in_facts: dict[str, list[int]] = defaultdict(list)
        self._facts = 0
        self.titles: Mapping[str, Title] = _titles({passage.title for passage in passages})
        documents = defaultdict(set)
        for passage in passages:
            documents[normalise_name(passage.title)].add(passage.document)
            for fact in passage.facts:
                self._facts += 1
                for participant in fact.participants:
                    key = self._add_mention(passage.document, participant.name, participant.type)
                    if fact.type not in _NAMING_TYPES:
                        self._in_facts[key].append(self._facts)
        self.documents_titled: Mapping[str, frozenset[str]] = {key: frozenset(documents[key]) for key in self.titles}
        self.all: Mapping[str, Name] = {key: self._name(key) for key in sorted(self._mentions)}

    def _add_mention(self, document: str, name: str, kind: str) -> str:
        key = self.key(name)
        surfaces, mentions = self._surfaces[key], self._mentions[key]
        surfaces[name] = surfaces.get(name, 0) + 1
        mentions[document, kind] = mentions.get((document, kind), 0) + 1
        return key

    def key(self, name: str) -> str:
        """Normalised form of a stated name."""
        if name not in self._keys:
            self._keys[name] = normalise_name(name)
        return self._keys[name]

    def are_beside(self, first: str, second: str) -> bool:
        """Whether both names take part in one fact, and so denote two entities; facts that state names do not count."""
        return not {*self._in_facts[first]}.isdisjoint(self._in_facts[second])

    def share(self, first: str, second: str, document: str = "") -> bool:
        """Whether documents on one subject state the two names.

        This may be one document, or two documents that name a further subject which few documents name; places,
        numbers, peoples and phrases without a capital do not count as subjects.

        Args:
            first: A stated name.
            second: Another stated name.
            document: Document to consider for the first name; empty for all that state it.
        """
        some, others = {document} if document else self.documents[first], self.documents[second]
        if not others.isdisjoint(some):
            return True
        return not (self._rare_in(some) & self._rare_in(others)) <= {first, second}

    def _rare_in(self, documents: Iterable[str]) -> set[str]:
        return {
            key
            for document in documents
            for key in self.by_document.get(document, ())
            if len(self.documents[key]) <= _RARE and self.all[key].type not in _COMMON
        }

    def types_in(self, key: str, document: str) -> Counter[str]:
        """Number of mentions of a name in a document by type; ``""`` for an unknown type."""
        mentions = self._mentions[key].items()
        return Counter({kind: times for (place, kind), times in mentions if place == document})

    @cached_property
    def unqualified(self) -> Mapping[str, Name]:
        """All names except dates, numbers and titles with a qualifier, which distinguishes them from namesakes."""
        return {
            key: name
            for key, name in self.all.items()
            if not name.is_counted and not (name.is_title and self.titles[key].qualifier)
        }

    @cached_property
    def by_document(self) -> Mapping[str, Mapping[str, str]]:
        """Names that each document states, with their most frequent type there."""
        votes: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
        for key, mentions in self._mentions.items():
            for (document, kind), times in mentions.items():
                votes[document][key][kind] = times
        return {
            document: {key: most_frequent_type(found) for key, found in names.items()}
            for document, names in votes.items()
        }

    @cached_property
    def documents(self) -> Mapping[str, frozenset[str]]:
        """Documents that state each name."""
        return {key: frozenset(document for document, _ in found) for key, found in self._mentions.items()}

    @cached_property
    def titled(self) -> Mapping[str, frozenset[str]]:
        """Normalised titles of each document; several if its chunks differ."""
        found: dict[str, set[str]] = defaultdict(set)
        for key, documents in self.documents_titled.items():
            for document in documents:
                found[document].add(key)
        return defaultdict(frozenset, {document: frozenset(keys) for document, keys in found.items()})

    @cached_property
    def titles_of(self) -> Mapping[str, frozenset[str]]:
        """Titles that each title and each bare form of a title can denote."""
        found: dict[str, set[str]] = defaultdict(set)
        for title in self.titles.values():
            found[title.bare].add(title.key)
            found[title.key].add(title.key)
        return {key: frozenset(titles) for key, titles in found.items()}

    def _name(self, key: str) -> Name:
        surfaces, kinds = self._surfaces[key], dict[str, int]()
        for (_, kind), times in self._mentions[key].items():
            kinds[kind] = kinds.get(kind, 0) + times
        surface = min(surfaces, key=lambda name: (-surfaces[name], name)) if len(surfaces) > 1 else next(iter(surfaces))
        return Name(
            key, surface, most_frequent_type(kinds), _frequent_types(kinds), sum(kinds.values()), key in self.titles
        )


def most_frequent_type(kinds: Mapping[str, int]) -> str:
    """The most frequent type other than unknown; ties go to the first by name; empty if there is none."""
    if len(kinds) == 1:
        return next(iter(kinds))
    return min((kind for kind in kinds if kind), key=lambda kind: (-kinds[kind], kind), default="")


def _frequent_types(kinds: Mapping[str, int]) -> frozenset[str]:
    least = (sum(kinds.values()) - kinds.get("", 0)) * _RARE_SHARE
    return frozenset(kind for kind, times in kinds.items() if kind and times >= least)


def _titles(written: Iterable[str]) -> dict[str, Title]:
    found = {}
    for title in sorted(written):
        key, bare = normalise_name(title), without_qualifier(title)
        if key:
            qualifier = tuple(normalise_name(title[len(bare) :]).split())
            before, _, after = (normalise_name(part) for part in bare.partition(","))
            found[key] = Title(key, normalise_name(bare) or key, qualifier, before, after)
    return found
