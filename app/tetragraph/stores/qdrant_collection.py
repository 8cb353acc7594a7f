"""A collection of a Qdrant server: its owner, its layout and the limits that the server sets for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from qdrant_client import models

from tetragraph.errors import QueryFailed, StoreError
from tetragraph.stores.points import OWN, SENTENCES
from tetragraph.stores.vectors import Layout

OWNER = "tetragraph_database"
"""Key of the collection's metadata that has the identity of its Neo4j database."""
PAGE = 1_000
POINTS = 256
"""Points of one request, unless the collection allows fewer."""


@dataclass(slots=True)
class Collection:
    """Facts about a collection that are read once.

    Attributes:
        layout: Layout of its vectors.
        indexed: Paths of the payload that have an index; grows as metadata keys appear.
        page: Points that one read may return; strict mode can set fewer than ``PAGE``.
        points: Points that one write may have; strict mode can set fewer than ``POINTS``.
        query_limit: Results that one search may ask for; None for any number.
        allows_exact: Whether searches may do without the server's index.
        ef_limit: Largest ``hnsw_ef`` of a search; None for any.
    """

    layout: Layout
    indexed: set[str] = field(default_factory=set)
    page: int = PAGE
    points: int = POINTS
    query_limit: int | None = None
    allows_exact: bool = True
    ef_limit: int | None = None


def owner_of(info: models.CollectionInfo) -> str | None:
    """Identity of the Neo4j database that a collection belongs to; None without one."""
    owner = (info.config.metadata or {}).get(OWNER)
    return owner if isinstance(owner, str) else None


def read_collection(name: str, info: models.CollectionInfo) -> Collection:
    """The facts in the server's description.

    Raises:
        QueryFailed: the vectors are not those of tetragraph.
    """
    vectors: Any = info.config.params.vectors
    named = vectors if isinstance(vectors, dict) else {OWN: vectors}
    own = named.get(OWN)
    if own is None:
        raise QueryFailed(f"the collection {name!r} was not made by tetragraph: its vectors have other names")
    found = Collection(Layout(own.size, SENTENCES in named), set(info.payload_schema))
    strict = info.config.strict_mode_config
    if strict is None or not strict.enabled:
        return found
    found.query_limit, found.ef_limit = strict.max_query_limit, strict.search_max_hnsw_ef
    found.page = min(PAGE, strict.max_query_limit or PAGE)
    found.points = min(POINTS, strict.upsert_max_batchsize or POINTS)
    found.allows_exact = strict.search_allow_exact is not False
    return found


def check_owner(name: str, url: str, found: str | None, database: str) -> None:
    """Whether a collection belongs to the Neo4j database.

    Raises:
        StoreError: it belongs to another one, or has no mark of any.
    """
    if found == database:
        return
    other = f"another Neo4j database ({found}, not {database})" if found else "no Neo4j database: it has no mark of one"
    corpus = name.rpartition("__")[0]
    raise StoreError(
        f"the collection {name!r} at {url} belongs to {other}; nothing was read from it or written to it: give each "
        f"Neo4j a Qdrant of its own, or the corpus another name; if it is the same Neo4j, moved or restored from a "
        f"backup, `tetragraph vectors claim {corpus}` marks the collections of the corpus as its own"
    )
