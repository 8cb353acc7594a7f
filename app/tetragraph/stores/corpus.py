"""One corpus in its stores: what every build and every search is given."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

import numpy as np

from tetragraph.arrays import Array, Vectors
from tetragraph.errors import NotBuilt
from tetragraph.llm import Operation, not_configured
from tetragraph.model import Filters, content_id
from tetragraph.stores.array_cache import ArrayCache, ArraySet
from tetragraph.stores.graph import Graph
from tetragraph.stores.vectors import Kind, Scored, VectorStore

Index = TypeVar("Index")


@dataclass(frozen=True, slots=True)
class CorpusRecord:
    """Properties of a corpus in the graph.

    Attributes:
        generation: Rises with every change of the corpus' documents, and when a build is complete.
        published: The newest generation whose graphs are complete; equal to ``generation`` unless a change is
            under way or was interrupted.
        database: Identity of the database that holds it.
        metadata_keys: The keys that searches can filter on.
        graphs: The graphs that are built and kept up to date, by the name of their search method.
    """

    name: str
    created: str
    embedder: str
    dimension: int
    settings: Mapping[str, Any]
    generation: int
    published: int
    database: str
    metadata_keys: tuple[str, ...] = ()
    graphs: tuple[str, ...] = ()

    @classmethod
    def from_row(cls, row: Mapping[str, Any], database: str) -> Self:
        """A record from the columns that ``corpus/get_corpus`` returns."""
        values = {name: row[name] for name in cls.__dataclass_fields__ if name in row}
        values["settings"] = json.loads(row["settings"])
        values["metadata_keys"] = tuple(row["metadata_keys"])
        values["graphs"] = tuple(row["graphs"])
        return cls(database=database, **values)

    @property
    def sentences(self) -> str:
        """How vectors of sentences are made, ``pooled`` or ``separate``; ``none`` where none are kept."""
        return str(self.settings.get("sentences", "none"))

    @property
    def key(self) -> str:
        """Names the corpus in all the world: another database, or a corpus made anew, has another key."""
        return content_id(self.database, self.name, self.created)


@dataclass(frozen=True, slots=True)
class Change:
    """Ids of the chunks added and removed since the last published generation, in ascending order."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


def raise_llm_not_configured() -> Operation:
    """For questions that nobody may ask a model about."""
    raise not_configured()


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its vector.

    Attributes:
        vector: ``(dimension,)`` float32 of length 1, made once for a search.
        embed: Gives the vector of a part of the question.
        llm: Gives what asks the language model about it, the same each time; raises ``LlmNotConfigured`` where there
            is no model.
        deadline: When a search in several steps has to end, in seconds of :func:`time.monotonic`; None for never.
    """

    text: str
    vector: Vectors
    embed: Callable[[str], Vectors]
    llm: Callable[[], Operation] = raise_llm_not_configured
    deadline: float | None = None


@dataclass(frozen=True, slots=True)
class CorpusStores:
    """The stores bound to one corpus, as they stood when a build or a search began.

    Attributes:
        notes: Filled by whoever has to say something about the result, in words.
    """

    record: CorpusRecord
    graph: Graph
    vectors: VectorStore
    arrays: ArrayCache
    notes: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The value of ``corpus`` on every node and of ``$corpus`` in every query."""
        return self.record.name

    def note(self, sentence: str) -> None:
        """Say something about the result, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def nearest(self, kind: Kind, vector: Vectors, limit: int, filters: Filters | None = None) -> list[Scored]:
        """The ``limit`` most similar nodes that pass the filters, best first; notes if some may be missing."""
        found = self.vectors.query(self.name, kind, vector, limit, filters)
        if not self.vectors.is_exact(self.name, kind):
            self.note(
                f"the nearest {kind} are those that Qdrant's index found, which can miss some: "
                f"TETRAGRAPH_QDRANT_EXACT is off, or the collection forbids exact searches"
            )
        return found

    def vectors_by_row(self, kind: Kind, rows: Mapping[str, int]) -> tuple[Vectors, set[str]]:
        """``(n, dimension)`` vectors of nodes, whose rows are given by id; zeros for those that the store lacks.

        Returns:
            The vectors, and the ids of the nodes without one.
        """
        vectors = np.zeros((len(rows), self.record.dimension), dtype=np.float32)
        missing = set(rows)
        for ids, batch in self.vectors.scroll(self.name, kind):
            known = [(rows[node], place) for place, node in enumerate(ids) if node in rows]
            if known:
                targets, places = np.array(known).T
                vectors[targets] = batch[places]
                missing.difference_update(ids)
        return vectors, missing

    def index(self, kind: str, build: Callable[[], Mapping[str, Array]], wrap: Callable[[ArraySet], Index]) -> Index:
        """The in-process index of the newest complete generation.

        While documents come or go, the graph in Neo4j is neither the old nor the new one. Then the set of the last
        complete generation answers, and a note says so.

        Raises:
            NotBuilt: a change is under way or was interrupted, and the last complete generation is not in the cache.
        """
        record = self.record
        if record.published != record.generation:
            if not self.arrays.has(record.key, kind, record.published):
                raise NotBuilt(
                    f"corpus {record.name!r} is being changed, or a change was interrupted, and no complete index "
                    f"is at hand: wait for the ingest, or run it again; dense and keyword search work meanwhile"
                )
            self.note(
                f"the corpus is being changed: answered from generation {record.published}, not {record.generation}"
            )
        return self.arrays.load(record.key, kind, record.published, build, wrap)
