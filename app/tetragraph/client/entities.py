"""Entities of the bipartite graph of a corpus, as ``Corpus.entities`` returns them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tetragraph.arrays import Vectors
from tetragraph.connection import Connection
from tetragraph.indexing import operations
from tetragraph.indexing.report import IngestReport
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
"""Writes the decision that an alias belongs to an entity, or does not."""


class Entities:
    """The entities that take part in the facts of one corpus; thread-safe. Obtained from ``Corpus.entities``.

    An entity is given by its id, by its name in any spelling of its words, or by a name that was merged into it.

    Raises (all methods):
        NotBuilt: the corpus has no bipartite graph; the message names the command that builds it.
        UnknownEntity: there is no such entity, or a name denotes several; the message lists similar names, or the
            several entities.
        UnknownCorpus, StoreUnavailable: see ``Corpus.search``.
    """

    def __init__(self, connection: Connection, corpus: str) -> None:
        self._connection = connection
        self._corpus = corpus

    def get(self, entity: str) -> EntityReport:
        """One entity: its number of facts, the names merged into it with reasons, the names split from it."""
        return self._find(self._stores(), entity)

    def facts(self, entity: str, limit: int = 10) -> tuple[KnownFact, ...]:
        """Facts in which an entity takes part, in descending order of stating chunks, then of confidence.

        Args:
            entity: Id or name of the entity.
            limit: Largest number of facts.

        Raises:
            InvalidInput: ``limit`` is below 1.
        """
        stores = self._stores()
        return entity_queries.read_facts(stores, self._find(stores, entity).id, limit)

    def between(self, first: str, second: str, hops: int = 2, limit: int = 10) -> tuple[Way, ...]:
        """Paths of facts that connect two entities: shortest first, then those through entities with few facts.

        Only paths of the two smallest lengths that exist are returned.

        Args:
            first: Id or name of the entity where the paths start.
            second: Id or name of the entity where they end.
            hops: Largest number of facts on a path, 1 to 3.
            limit: Largest number of paths.

        Raises:
            InvalidInput: a number is out of range, or both names denote the same entity.
        """
        stores = self._stores()
        start, end = self._find(stores, first), self._find(stores, second)
        return entity_queries.read_ways(stores, start.id, end.id, hops, limit)

    def merged(self, limit: int = 100) -> tuple[MergedName, ...]:
        """Names that were merged into entities, with the reasons, in ascending order of confidence.

        Args:
            limit: Largest number of names.

        Raises:
            InvalidInput: ``limit`` is below 1.
        """
        return entity_queries.read_merged(self._stores(), limit)

    def by_role(self, role: str, limit: int = 10) -> tuple[RolePlayer, ...]:
        """Entities with a role, such as ``subject`` or ``date``, in descending order of the number of such facts.

        Args:
            role: Name of the role.
            limit: Largest number of entities.

        Raises:
            InvalidInput: no entity has that role, and the message lists the roles of the corpus; or ``limit`` is
                below 1.
        """
        return entity_queries.read_role(self._stores(), role, limit)

    def split(self, entity: str, alias: str, *, progress: Progress | None = None) -> IngestReport:
        """Undo the merge of a name into an entity: the name becomes an entity of its own, with its facts.

        The decision also holds for later ingests and builds, until :meth:`join`. No facts are extracted again. A name
        that denotes the entity only inside single documents is split from it in all of them.

        Args:
            entity: Id or name of the entity.
            alias: Name to split from it.
            progress: Receives every stage; silent when left out.

        Raises:
            InvalidInput: the name was not merged into the entity; nothing was written.
            CorpusBusy: another process is changing the corpus.
        """
        return self._change(entity, alias, name_separation.forbid_merge, progress)

    def join(self, entity: str, alias: str, *, progress: Progress | None = None) -> IngestReport:
        """Undo a :meth:`split`: the name is merged again if the texts still indicate that it denotes the entity.

        Args:
            entity: Id or name of the entity.
            alias: Name that was split from it.
            progress: Receives every stage; silent when left out.

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
