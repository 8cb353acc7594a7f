"""The entities of a corpus as the bipartite graph has them: made by ``Corpus.entities``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tetragraph.arrays import Vectors
from tetragraph.connection import Connection
from tetragraph.indexing import operations
from tetragraph.indexing.operations import IngestReport
from tetragraph.progress import NoProgress, Progress
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.bipartite_graph import entity_queries, name_separation
from tetragraph.systems.bipartite_graph.entity_lookup import EntityReport, find_entity
from tetragraph.systems.bipartite_graph.entity_queries import (
    KnownFact,
    MergedName,
    RolePlayer,
    Way,
)
from tetragraph.systems.registry import FACTS

Write: TypeAlias = Callable[[CorpusStores, EntityReport, str], None]


class Entities:
    """What takes part in the facts of one corpus; thread-safe.

    An entity is given by its id, by its name in any spelling of its words, or by a name that was merged into it.

    Raises (all methods):
        NotBuilt: the corpus has no bipartite graph; the message names the command that makes it.
        UnknownEntity: there is no such entity, or a name means several; the message lists names that are alike, or
            these.
        UnknownCorpus, StoreUnavailable: see ``Corpus.search``.
    """

    def __init__(self, connection: Connection, corpus: str) -> None:
        self._connection = connection
        self._corpus = corpus

    def get(self, entity: str) -> EntityReport:
        """One entity: in how many facts it takes part, what was merged into it and why, what was split from it."""
        return self._find(self._stores(), entity)

    def facts(self, entity: str, limit: int = 10) -> tuple[KnownFact, ...]:
        """The facts in which an entity takes part, those first that most chunks state, then the surest.

        Args:
            entity: An entity.
            limit: How many at the most.

        Raises:
            InvalidInput: ``limit`` is below 1.
        """
        stores = self._stores()
        return entity_queries.read_facts(stores, self._find(stores, entity).id, limit)

    def between(self, first: str, second: str, hops: int = 2, limit: int = 10) -> tuple[Way, ...]:
        """Ways of facts that join two entities, shortest first, then those over entities with few facts.

        They are of the two smallest numbers of facts that there are.

        Args:
            first: The entity that ways begin with.
            second: The one that they end with.
            hops: How many facts a way has at the most, 1 to 3.
            limit: How many ways at the most.

        Raises:
            InvalidInput: a number is out of range, or both names mean one entity.
        """
        stores = self._stores()
        start, end = self._find(stores, first), self._find(stores, second)
        return entity_queries.read_ways(stores, start.id, end.id, hops, limit)

    def merged(self, limit: int = 100) -> tuple[MergedName, ...]:
        """Names that were merged into entities, and why; the least sure first.

        Raises:
            InvalidInput: ``limit`` is below 1.
        """
        return entity_queries.read_merged(self._stores(), limit)

    def by_role(self, role: str, limit: int = 10) -> tuple[RolePlayer, ...]:
        """The entities that have a role, such as ``subject`` or ``date``, in most facts.

        Raises:
            InvalidInput: nothing has that role, the message lists those that there are; or ``limit`` is below 1.
        """
        return entity_queries.read_role(self._stores(), role, limit)

    def split(self, entity: str, alias: str, *, progress: Progress | None = None) -> IngestReport:
        """Undo the merge of a name into an entity, for good: it becomes an entity of its own, with its facts.

        Later ingests and builds keep to it, until :meth:`join`. Nothing is extracted again. A name that means the
        entity inside single documents is split from it in all of them.

        Args:
            entity: What the name was merged into.
            alias: The name.
            progress: Told of every stage; silent when left out.

        Raises:
            InvalidInput: the name was not merged into the entity; nothing was written.
            CorpusBusy: another process is changing the corpus.
        """
        return self._change(entity, alias, name_separation.forbid_merge, progress)

    def join(self, entity: str, alias: str, *, progress: Progress | None = None) -> IngestReport:
        """Undo a :meth:`split`: the name is merged again if the texts still tell that it means the entity.

        Raises:
            InvalidInput: the name was not split from the entity; nothing was written.
            CorpusBusy: another process is changing the corpus.
        """
        return self._change(entity, alias, name_separation.allow_merge, progress)

    def _change(self, entity: str, alias: str, write: Write, progress: Progress | None) -> IngestReport:
        self._stores()

        def change(stores: CorpusStores) -> None:
            write(stores, self._find(stores, entity), alias)

        return operations.change_entity_names(self._connection, self._corpus, change, progress or NoProgress())

    def _stores(self) -> CorpusStores:
        stores = self._connection.stores(self._corpus)
        FACTS.check_ready(stores)
        return stores

    def _find(self, stores: CorpusStores, entity: str) -> EntityReport:
        def embed(name: str) -> Vectors:
            vector: Vectors = self._connection.embedder_of(stores.record).embed([name])[0]
            return vector

        return find_entity(stores, entity, embed)
