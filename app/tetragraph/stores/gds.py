"""Graphs projected into Graph Data Science on first use, shared by all processes, dropped when stale."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

from tetragraph.errors import NotBuilt, QueryFailed
from tetragraph.model import content_id
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.graph import Graph, Row

MAX_GENERATIONS = 2
"""Number of generations whose projections remain: a search that began before a change still uses the older one."""
MAX_PROJECTIONS = 8
"""Largest number of projections of all corpora of a server; the next search of a dropped one projects it again."""
_GENERATION_DIGITS = 12
logger = logging.getLogger("tetragraph")
_with_gds: WeakSet[Graph] = WeakSet()
_creation_lock = threading.Lock()
"""Held while a shared projection is looked for and made: threads that need the same one make it once."""
_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Projection:
    """A graph to be projected for one corpus.

    Attributes:
        kind: Kind of the graph; part of the projection's name.
        query: Query file that projects it under the name ``$graph``, given ``$corpus`` and the parameters.
        parameters: Parameters of the query; other values make another projection.
    """

    kind: str
    query: str
    parameters: Mapping[str, Any]

    def name(self, stores: CorpusStores) -> str:
        """Name in the server: corpus, kind, generation and parameters, so that no search uses a stale one."""
        variant = content_id(json.dumps(self.parameters, sort_keys=True))[:8]
        return f"{_prefix(stores, self.kind)}{_generation(stores.record.published)}-{variant}"


def find_version(graph: Graph) -> str | None:
    """Version of Graph Data Science; None where it is not installed."""
    if not graph.read("server/count_gds")[0]["installed"]:
        return None
    version: str = graph.read("server/get_gds")[0]["version"]
    return version


def is_available(graph: Graph) -> bool:
    """Whether the server has Graph Data Science; a positive answer is cached."""
    if graph not in _with_gds and find_version(graph):
        _with_gds.add(graph)
    return graph in _with_gds


def read(stores: CorpusStores, projection: Projection, query: str, /, **parameters: Any) -> list[Row]:
    """All rows of a read query over a projection, whose name is ``$graph``.

    The projection is created if the server lacks it, after a change or a restart of the server.

    Raises:
        NotBuilt: a change of the corpus is in progress or was interrupted, and there is no projection of the last
            complete generation.
    """
    name = projection.name(stores)
    rows = _read_projected(stores, projection, query, {"graph": name, **parameters})
    stores.note_old_generation()
    return rows


def _read_projected(
    stores: CorpusStores, projection: Projection, query: str, parameters: Mapping[str, Any]
) -> list[Row]:
    """Run a query, and project the graph whenever it is missing: another search may drop it as soon as it is made."""
    name, was_there = parameters["graph"], False
    for _ in range(_ATTEMPTS - 1):
        try:
            return stores.graph.read(query, **parameters)
        except QueryFailed:
            with _creation_lock:
                is_there = _exists(stores.graph, name)
                if is_there and was_there:
                    raise
                if not is_there:
                    _project(stores, projection, name)
            was_there = is_there
    return stores.graph.read(query, **parameters)


def drop_all(graph: Graph, corpus_key: str) -> None:
    """Drop every projection of a corpus; a server without the library has none."""
    if not is_available(graph):
        return
    for row in graph.read("gds/find_projections", prefix=f"{corpus_key}-"):
        graph.read("gds/drop_projection", graph=row["name"])


def find_stale(graph: Graph, published: Mapping[str, int]) -> list[str]:
    """Names of the projections of this database that no later search uses; foreign projections are left alone.

    They belong to other generations or dropped corpora, or were made by an earlier version.

    Args:
        graph: Connection to the server.
        published: Newest complete generation by key of the corpus.
    """
    rows = graph.read("gds/find_all") if is_available(graph) else []
    return [row["name"] for row in rows if _is_stale(row["name"], published)]


def drop(graph: Graph, names: Iterable[str]) -> None:
    """Drop projections; those that do not exist are ignored."""
    for name in names:
        graph.read("gds/drop_projection", graph=name)


def _is_stale(name: str, published: Mapping[str, int]) -> bool:
    key, _, variant = name.split("-", 2)
    return key not in published or variant.split("-")[0] != _generation(published[key])


def _generation(number: int) -> str:
    """A generation as in the name of a projection: by name they are in order."""
    return f"{number:0{_GENERATION_DIGITS}d}"


def _project(stores: CorpusStores, projection: Projection, name: str) -> None:
    record = stores.record
    if record.published != record.generation:
        raise NotBuilt(
            f"corpus {record.name!r} is being changed, or a change was interrupted, and the server does not hold the "
            f"last complete graph: wait for the ingest, or run it again; dense and keyword search work meanwhile"
        )
    try:
        stores.graph.read(projection.query, corpus=stores.name, graph=name, **projection.parameters)
    except QueryFailed:
        if not _exists(stores.graph, name):
            raise
    logger.info("projected %s into Graph Data Science", name)
    _drop_old(stores, projection.kind)


def _exists(graph: Graph, name: str) -> bool:
    return bool(graph.read("gds/get_projection", graph=name))


def _drop_old(stores: CorpusStores, kind: str) -> None:
    """Drop older generations of the corpus, and the oldest projections of all corpora."""
    prefix = _prefix(stores, kind)
    names = [row["name"] for row in stores.graph.read("gds/find_projections", prefix=prefix)]
    generations = {name: name.removeprefix(prefix).split("-")[0] for name in names}
    remaining = sorted(set(generations.values()))[-MAX_GENERATIONS:]
    for name, generation in generations.items():
        if generation not in remaining:
            stores.graph.read("gds/drop_projection", graph=name)
    for row in stores.graph.read("gds/find_generations")[MAX_PROJECTIONS:]:
        stores.graph.read("gds/drop_projection", graph=row["name"])


def _prefix(stores: CorpusStores, kind: str) -> str:
    return f"{stores.record.key}-{kind}-"
