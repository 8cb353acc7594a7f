"""The part of a bipartite graph around one question, which grows by what the search asks of the stores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tetragraph.algorithms.evidence_walk import top
from tetragraph.arrays import Floats, Vectors
from tetragraph.errors import StoreError
from tetragraph.language.entity_linking.known_names import find_possible_names
from tetragraph.language.lexicon.analysis import analyse_text
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import FactParticipant, FactStatement, Filters, content_id
from tetragraph.model.documents import own_titles
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.stored_chunks import find_allowed, find_similar
from tetragraph.stores.vectors import Kind
from tetragraph.systems.bipartite_graph.construction import alias_id
from tetragraph.systems.bipartite_graph.stored_records import FactDetails, StoredEntity, StoredFact, without_vector
from tetragraph.systems.bipartite_graph.view import NO_NAME

NEAR = 200
"""Facts requested from the vector store for each text; more if more facts are wanted."""
SIMILAR = 40
"""Chunks requested from the vector store for each text, whose facts are read; more if more hits are wanted."""
FILTERED = 5
"""How many times as many facts and chunks are requested where filters may exclude most of the facts."""
ENTITIES = 200
"""Entities requested from the vector store, where names are compared; more if more are wanted."""
FOLLOWED = 2_000
"""Largest number of facts of an entity that are read; of a more frequent one, those found otherwise count."""
STATING = 100
"""Largest number of chunks that are read of those that state a fact: the first by id."""


@dataclass
class StoredPart:
    """Facts, entities and chunks of a corpus, each read once; every method reads what is new to the part.

    Attributes:
        stores: The stores of the corpus.
        made: Properties of the root.
        filters: Filters of the search; None for none.
        hub: Number of facts of an entity above which only the most similar are read.
        is_joint: Whether facts are compared together, which takes vectors of the facts that share an entity.
        texts: Texts whose names were looked up.
        aliases: Id of an entity by the hash of a name that is merged into it everywhere.
        own: Ids of the entities that a text names by their own name.
        entities: Entities by id.
        facts: Facts by id; each is stated by a chunk of the part.
        details: Texts, participants and places of facts, by id.
        facts_of: Ids of all facts of an entity, by its id; of a frequent one, of those of the part.
        chunks: Ids of the chunks.
        allowed: Those of the chunks that pass the filters.
        about: Ids of the entities that the titles of a chunk name, by its id.
        vectors: Vectors of facts by id.
        compared: Vectors of the texts that facts and chunks are compared with, by their bytes.
        near_entities: Cosines of the entities most similar to a text, by its bytes.
    """

    stores: CorpusStores
    made: Mapping[str, Any]
    filters: Filters | None
    hub: int
    is_joint: bool
    texts: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)
    entities: dict[str, StoredEntity] = field(default_factory=dict)
    facts: dict[str, StoredFact] = field(default_factory=dict)
    details: dict[str, FactDetails] = field(default_factory=dict)
    facts_of: dict[str, set[str]] = field(default_factory=dict)
    chunks: set[str] = field(default_factory=set)
    allowed: set[str] = field(default_factory=set)
    about: dict[str, frozenset[str]] = field(default_factory=dict)
    vectors: dict[str, Vectors] = field(default_factory=dict)
    compared: dict[bytes, Vectors] = field(default_factory=dict)
    near_entities: dict[bytes, dict[str, float]] = field(default_factory=dict)
    _cosines: dict[tuple[Kind, bytes], dict[str, float]] = field(default_factory=dict)
    _seen_chunks: set[str] = field(default_factory=set)
    _seen_facts: set[str] = field(default_factory=set)
    _frequent: set[str] = field(default_factory=set)
    _read_for_frequent: set[tuple[str, str]] = field(default_factory=set)

    def named(self) -> dict[str, str]:
        """Id of an entity by the hash of a name that may be in a question; an entity's own name comes first."""
        known = [*self.aliases.items(), *((entity, entity) for entity in sorted(self.own))]
        return {key: entity for key, entity in known if self.entities[entity].type not in NO_NAME}

    def look_up(self, texts: Iterable[str]) -> None:
        """Read the entities that texts could name."""
        new = sorted(set(texts) - self.texts)
        names = {name for text in new for name in _possible_names(text)}
        self.texts.update(new)
        if not names:
            return
        keys = {alias_id(name): content_id(name) for name in names}
        for alias, entity in self._read_entities(sorted(map(content_id, names)), sorted(keys)):
            if not alias:
                self.own.add(entity)
            else:
                self.aliases[keys[alias]] = entity

    def add_near(self, vectors: Sequence[Vectors], wanted: int) -> None:
        """Read the facts and the chunks most similar to each of some texts, and the facts that these chunks state.

        Args:
            vectors: Vectors of the texts, at least one.
            wanted: Number of hits or facts that the search returns.
        """
        times = FILTERED if self.filters else 1
        near: set[str] = set()
        for vector in vectors:
            self.compared[vector.tobytes()] = vector
            found = self.stores.nearest("relations", vector, max(wanted, times * NEAR))
            self._cosines["relations", vector.tobytes()] = {one.id: one.score for one in found}
            near |= {one.id for one in found}
        similar = set(find_similar(self.stores, np.array(vectors), max(wanted, times * SIMILAR), self.filters))
        self.add_facts(near, similar)

    def add_similar_entities(self, vector: Vectors, wanted: int) -> None:
        """Read the entities whose names are most similar to a text."""
        found = self.stores.nearest("entities", vector, max(wanted, ENTITIES))
        self.near_entities[vector.tobytes()] = {one.id: one.score for one in found}
        self._read_entities(sorted({one.id for one in found} - self.entities.keys()), [])

    def add_facts(self, ids: Iterable[str], chunks: Iterable[str] = ()) -> None:
        """Read facts, those that some chunks state, and the chunks that state any of these.

        Facts that no chunk with a vector states are left out.

        Args:
            ids: Ids of facts.
            chunks: Ids of chunks.
        """
        given = set(chunks)
        new = set(ids) - self._seen_facts
        if not (new or given):
            return
        (columns,) = self.stores.graph.read(
            "bipartite_graph/find_facts",
            corpus=self.stores.name,
            ids=sorted(new),
            chunks=sorted(given),
            most=STATING,
        )
        names = ("id", "confidence", "weight", "participants", "chunks")
        found = {
            one: StoredFact(confidence, weight, size, tuple(stating.split()))
            for one, confidence, weight, size, stating in zip(*(columns[name] for name in names), strict=True)
        }
        self._add_chunks(given.union(*(fact.chunks for fact in found.values())))
        self._seen_facts |= new | found.keys()
        for one, fact in found.items():
            stating = tuple(chunk for chunk in fact.chunks if chunk in self.chunks)
            if stating:
                self.facts[one] = fact._replace(chunks=stating)

    def open(self, ids: Iterable[str]) -> None:
        """Read the texts, the participants and the places of facts."""
        new = sorted(set(ids) - self.details.keys())
        if not new:
            return
        rows = self.stores.graph.read("bipartite_graph/find_details", corpus=self.stores.name, ids=new, most=STATING)
        for row in rows:
            parts = []
            for entity, role, name, kind, confidence, facts in row["participants"]:
                parts.append(FactParticipant(entity, name, kind, role))
                self.entities.setdefault(entity, StoredEntity(name, kind, confidence, facts))
            stated = tuple(FactStatement(*statement) for statement in row["statements"])
            self.details[row["id"]] = FactDetails(row["description"], row["type"], tuple(parts), stated)
        if missing := [one for one in new if one not in self.details]:
            raise StoreError(f"fact {missing[0]} was deleted while the question was answered: ask again")

    def expand(self, ids: Iterable[str]) -> None:
        """Read the facts of entities of the part; of a hub only those that are most similar to a text."""
        new = sorted(set(ids) - self.facts_of.keys())
        if not new:
            return
        rows = self.stores.graph.read(
            "bipartite_graph/find_facts_of_entities", corpus=self.stores.name, ids=new, most=FOLLOWED
        )
        found = {row["id"]: set(row["facts"].split()) for row in rows}
        self.facts_of |= {one: found.get(one, set()) for one in new}
        self._frequent |= {one for one in new if self.entities[one].facts > FOLLOWED}
        hubs = [] if self.filters else [facts for facts in found.values() if len(facts) > self.hub]
        self._compare("relations", {fact for facts in hubs for fact in facts})
        chosen = {fact for facts in found.values() if facts not in hubs for fact in facts}
        chosen |= {fact for facts in hubs for fact in self._most_similar(sorted(facts))}
        self.add_facts(chosen)
        if self.is_joint:
            self.add_vectors(chosen)

    def add_vectors(self, ids: Iterable[str]) -> None:
        """Read the vectors of facts."""
        new = sorted((set(ids) & self.facts.keys()) - self.vectors.keys())
        self.vectors |= self.stores.vectors.get(self.stores.name, "relations", new) if new else {}
        self._check_vectors(one for one in new if one not in self.vectors)

    def settle(self) -> None:
        """Read what is missing of the facts and entities of the part, so that it can be searched."""
        self._compare("relations", self.facts)
        self._compare("chunks", self.chunks)
        new = [(fact, one) for one in sorted(self._frequent) for fact in sorted(self.facts)]
        new = [pair for pair in new if pair not in self._read_for_frequent]
        if new:
            self._read_for_frequent.update(new)
            facts, entities = (sorted(set(side)) for side in zip(*new, strict=True))
            rows = self.stores.graph.read(
                "bipartite_graph/find_participations", corpus=self.stores.name, ids=facts, entities=entities
            )
            for row in rows:
                self.facts_of[row["entity"]].add(row["relation"])
            if self.is_joint:
                self.add_vectors(row["relation"] for row in rows)
        if self.is_joint:
            self._add_titles()

    def cosines(self, kind: Kind, vector: Vectors, ids: Sequence[str]) -> Floats:
        """``(ids,)`` cosines of facts or chunks of the part with a text."""
        known = self._cosines[kind, vector.tobytes()]
        return np.array([known[one] for one in ids], dtype=np.float64)

    def _read_entities(self, ids: Sequence[str], aliases: Sequence[str]) -> list[tuple[str, str]]:
        """Read entities; returns an alias, or an empty text for the entity's own id, and the id of each entity."""
        rows = self.stores.graph.read(
            "bipartite_graph/find_named", corpus=self.stores.name, ids=list(ids), aliases=list(aliases)
        )
        for row in rows:
            self.entities[row["id"]] = StoredEntity(row["name"], row["type"], row["confidence"], row["facts"])
        return [(row["alias"], row["id"]) for row in rows]

    def _add_chunks(self, ids: Iterable[str]) -> None:
        new = set(ids) - self._seen_chunks
        self._seen_chunks |= new
        self._compare("chunks", new)
        known = next(iter(self.compared))
        cosines = self._cosines["chunks", known]
        here = {one for one in new if not np.isnan(cosines[one])}
        self.chunks |= here
        self.allowed |= find_allowed(self.stores, sorted(here), self.filters) if here else set()

    def _compare(self, kind: Kind, ids: Iterable[str]) -> None:
        """Compare facts or chunks with every text that they have not been compared with, in one request."""
        wanted = set(ids)
        lacking = {key: wanted - self._cosines.setdefault((kind, key), {}).keys() for key in self.compared}
        new = sorted(set[str]().union(*lacking.values()))
        keys = [key for key, some in lacking.items() if some]
        if not new:
            return
        vectors = np.array([self.compared[key] for key in keys])
        for key, cosines in zip(keys, self.stores.vectors.compare(self.stores.name, kind, vectors, new), strict=True):
            self._cosines[kind, key] |= zip(new, cosines.tolist(), strict=True)
            if kind == "relations":
                self._check_vectors(np.array(new)[np.isnan(cosines)].tolist())

    def _most_similar(self, ids: Sequence[str]) -> set[str]:
        """Those of some facts that are most similar to one of the texts, as many as a search follows for each."""
        return {
            ids[row]
            for vector in self.compared.values()
            for row in top(self.cosines("relations", vector, ids), self.hub)
        }

    def _add_titles(self) -> None:
        """Read the entities in the titles of the chunks that state facts which share an entity."""
        facts = {fact for some in self.facts_of.values() for fact in some if fact in self.facts}
        new = sorted({chunk for fact in facts for chunk in self.facts[fact].chunks} - self.about.keys())
        if not new:
            return
        (columns,) = self.stores.graph.read("bipartite_graph/find_titles", corpus=self.stores.name, ids=new)
        self.about |= dict.fromkeys(new, frozenset())
        names = ("id", "document_title", "title", "named_by_file", "described")
        for one, document, title, is_file, described in zip(*(columns[name] for name in names), strict=True):
            titles = own_titles(document, title, named_by_file=is_file)
            self.about[one] = frozenset([*described.split(), *(content_id(normalise_name(form)) for form in titles)])

    def _check_vectors(self, missing: Iterable[str]) -> None:
        """Raise if there is a fact without a vector."""
        if first := min(missing, default=""):
            raise without_vector(self.stores, first)


def _possible_names(text: str) -> set[str]:
    """Normalised names that a text could contain, and the text itself as a name."""
    names = {name for _, _, name in find_possible_names(analyse_text(text))}
    whole = normalise_name(text)
    return names | {whole} if whole else names
