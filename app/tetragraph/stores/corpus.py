"""One corpus in its stores, as passed to every build and every search."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.errors import NotBuilt
from tetragraph.llm import Operation, not_configured
from tetragraph.model import Filters, content_id
from tetragraph.stores.array_cache import ArrayCache, ArraySet
from tetragraph.stores.array_folder import Written
from tetragraph.stores.graph import Graph
from tetragraph.stores.policies import PolicyStore
from tetragraph.stores.vectors import Kind, Scored, VectorStore

Index = TypeVar("Index")


@dataclass(frozen=True, slots=True)
class CorpusRecord:
    """Properties of a corpus in the graph.

    Attributes:
        generation: Number that rises with every change of the corpus' documents and every complete build.
        published: Newest generation whose graphs are complete; equal to ``generation`` unless a change is in
            progress or was interrupted.
        database: Identity of the database that holds the corpus.
        metadata_keys: Metadata keys that searches can filter on.
        graphs: Graphs that are built and updated, by the name of their search method.
        chunks: Number of chunks when it was last published; None where an earlier version published it, as for the
            next two.
        mean_terms: Mean number of terms of a chunk.
        similarity_scale: Factor on cosines (:func:`tetragraph.algorithms.similarity_scale.similarity_scale`).
        near_copies: Number of chunks that have a near copy; None for none.
        stem_languages: Languages whose words are stemmed, by ISO 639-1 code; English is, without being named.
        vector_set: Number of the set of collections that its vectors are in.
        must_rebuild: Whether the next publish builds all graphs: a change of the embedder was interrupted while they
            were built, or known entities were replaced.
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
    chunks: int | None = None
    mean_terms: float | None = None
    similarity_scale: float | None = None
    near_copies: int | None = None
    stem_languages: tuple[str, ...] = ()
    vector_set: int = 1
    must_rebuild: bool = False

    @classmethod
    def from_row(cls, row: Mapping[str, Any], database: str) -> Self:
        """A record from the columns of ``corpus/get_corpus``."""
        values = {name: row[name] for name in cls.__dataclass_fields__ if name in row}
        values["settings"] = json.loads(row["settings"])
        values["metadata_keys"] = tuple(row["metadata_keys"])
        values["graphs"] = tuple(row["graphs"])
        values["stem_languages"] = tuple(row["stem_languages"])
        return cls(database=database, **values)

    @property
    def sentences(self) -> str:
        """Method of embedding sentences, ``pooled`` or ``separate``; ``none`` where their vectors are not stored."""
        return str(self.settings.get("sentences", "none"))

    @property
    def has_arrays(self) -> bool:
        """Whether every change writes arrays for searches in memory."""
        return bool(self.settings.get("arrays", True))

    @property
    def key(self) -> str:
        """Globally unique key of the corpus; another database, or a corpus created again, has another key."""
        return content_id(self.database, self.name, self.created)


@dataclass(frozen=True, slots=True)
class Change:
    """Ids of the chunks added and removed since the last published generation, in ascending order."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


def raise_llm_not_configured() -> Operation:
    """Default ``Question.llm``, for questions that are answered without a language model."""
    raise not_configured()


def _ignore_texts(_: Sequence[str]) -> None:
    """Default ``Question.embed_ahead``: each text is embedded when its vector is needed."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its vector.

    Attributes:
        vector: ``(dimension,)`` float32 of length 1, computed once per search.
        embed: Returns the vector of a part of the question.
        llm: Returns the language model operation of the question, the same one each time; raises
            ``LlmNotConfigured`` without a model.
        deadline: End of a search in several steps, in seconds of :func:`time.monotonic`; None for no end.
        embed_ahead: Begins to compute the vectors of parts of the question that ``embed`` is going to be asked for.
    """

    text: str
    vector: Vectors
    embed: Callable[[str], Vectors]
    llm: Callable[[], Operation] = raise_llm_not_configured
    deadline: float | None = None
    embed_ahead: Callable[[Sequence[str]], None] = _ignore_texts


@dataclass(frozen=True, slots=True)
class CorpusStores:
    """The stores bound to one corpus, in its state when a build or a search began.

    Attributes:
        notes: Warnings in words about the result, collected while it is computed.
        policies: Policies of the home.
    """

    record: CorpusRecord
    graph: Graph
    vectors: VectorStore
    arrays: ArrayCache
    notes: list[str] = field(default_factory=list)
    policies: PolicyStore = field(default_factory=PolicyStore)

    @property
    def name(self) -> str:
        """Name of the corpus: the value of ``corpus`` on every node and of ``$corpus`` in every query."""
        return self.record.name

    def note(self, sentence: str) -> None:
        """Add a warning to the result, unless it is already there."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def note_old_generation(self) -> None:
        """Add a warning if an earlier generation answers; only then the holder of the right to change is read."""
        record = self.record
        if record.published == record.generation:
            return
        held = self.graph.get("ingest/get_lease", corpus=self.name) or {}
        change = (
            "the corpus is being changed"
            if held.get("holder")
            else "a change of the corpus was interrupted, and the next ingest completes it"
        )
        self.note(f"{change}: answered from generation {record.published}, not {record.generation}")

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
        """``(n, dimension)`` vectors of nodes, zeros for those that the store lacks; ``rows`` maps an id to its row.

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

    def index(self, kind: str, build: Callable[[], Written], wrap: Callable[[ArraySet], Index]) -> Index:
        """The in-process index of the newest complete generation.

        During a change the graph in Neo4j is neither the old nor the new one. The index of the last complete
        generation is then used, and a note reports it.

        Raises:
            NotBuilt: a change is in progress or was interrupted, and the last complete generation is not in the cache.
        """
        record = self.record
        if record.published != record.generation:
            if not self.arrays.has(record.key, kind, record.published):
                raise NotBuilt(
                    f"corpus {record.name!r} is being changed, or a change was interrupted, and no complete index "
                    f"is at hand: wait for the ingest, or run it again; dense and keyword search work meanwhile"
                )
            self.note_old_generation()
        return self.arrays.load(record.key, kind, record.published, build, wrap)
