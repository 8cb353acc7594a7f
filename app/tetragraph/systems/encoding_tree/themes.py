"""Queries for analysts: contents, distinctive entities and neighbours of a theme; the affinity of two chunks."""

from __future__ import annotations

from dataclasses import dataclass

from tetragraph.errors import InvalidInput, UnknownChunk, UnknownTheme
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.base import not_built
from tetragraph.systems.encoding_tree.overview import Theme, ThemeChunk, read_overview

BRIDGES = 3
"""Pairs of chunks that are shown for each neighbour."""
SHARED = 5
"""Entities in common that are shown for each neighbour."""


@dataclass(frozen=True, slots=True)
class CentralChunk:
    """A chunk of a theme.

    Attributes:
        inside: Its affinity to other chunks of the theme.
        share: That of all its affinity, 0 to 1.
    """

    id: str
    title: str
    inside: float
    share: float


@dataclass(frozen=True, slots=True)
class TellingEntity:
    """An entity that tells a theme from the rest of the corpus.

    Attributes:
        chunks: Number of chunks of the theme that name it.
        everywhere: Chunks of the corpus that name it.
        strength: Share of the theme's chunks times the logarithm of that share over the corpus' share.
    """

    id: str
    name: str
    chunks: int
    everywhere: int
    strength: float


@dataclass(frozen=True, slots=True)
class Bridge:
    """Two chunks of different themes that are near, with the weight of their affinity."""

    here: ThemeChunk
    there: ThemeChunk
    weight: float


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A theme of the same level.

    Attributes:
        weight: Affinity across.
        pairs: Pairs of chunks that it joins.
        shared: Names of the entities that both name, those first that both name often and others seldom.
        bridges: The nearest of those pairs.
    """

    id: str
    name: str
    size: int
    weight: float
    pairs: int
    shared: tuple[str, ...]
    bridges: tuple[Bridge, ...]


@dataclass(frozen=True, slots=True)
class ThemeReport:
    """One theme, and what is to be said of it.

    Attributes:
        theme: Its measures, and the themes that it holds.
        chunks: The most central ones first, by what of their affinity stays in the theme.
        entities: The most telling ones first.
        neighbours: Those with most affinity to it first.
    """

    theme: Theme
    chunks: tuple[CentralChunk, ...]
    entities: tuple[TellingEntity, ...]
    neighbours: tuple[Neighbour, ...]


@dataclass(frozen=True, slots=True)
class Affinity:
    """How near two chunks are, and why.

    Attributes:
        semantic: Cosine similarity where one is among the nearest of the other, else 0 (eq. 3).
        logical: Share of the entities that both name (eq. 4).
        distance: Nearness within their document, 0 in different ones (eq. 5).
        weight: All three together (eq. 6).
        entities: Names of those that both name, in order.
    """

    semantic: float
    logical: float
    distance: float
    weight: float
    entities: tuple[str, ...]


def read_theme(stores: CorpusStores, theme: str, limit: int = 10) -> ThemeReport:
    """One theme in detail.

    Args:
        stores: The corpus.
        theme: Its id, or how that begins.
        limit: Largest number of chunks, of entities and of neighbours.

    Raises:
        UnknownTheme: no theme has that id, or several begin like that.
        NotBuilt: the corpus has no tree, or one is being written.
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise InvalidInput(f"limit must be an integer of at least 1, got {limit!r}")
    chosen = _find(stores, theme)
    asked = {"corpus": stores.name, "community": chosen.id, "limit": limit}
    chunks = stores.graph.read("themes/find_central_chunks", **asked)
    entities = stores.graph.read("themes/find_telling_entities", **asked)
    neighbours = stores.graph.read("themes/find_neighbouring_themes", **asked)
    return ThemeReport(
        chosen,
        tuple(CentralChunk(**row) for row in chunks),
        tuple(TellingEntity(**row) for row in entities),
        tuple(
            Neighbour(
                **row, shared=_shared(stores, chosen.id, row["id"]), bridges=_bridges(stores, chosen.id, row["id"])
            )
            for row in neighbours
        ),
    )


def read_affinity(stores: CorpusStores, first: str, second: str) -> Affinity | None:
    """Why two chunks are near; None where nothing joins them.

    Raises:
        UnknownChunk: the corpus lacks one of them.
        NotBuilt: the corpus has no tree, or one is being written.
    """
    row = stores.graph.get("themes/get_affinity", corpus=stores.name, first=first, second=second)
    if row is not None:
        return Affinity(**{**row, "entities": tuple(row["entities"])})
    known = chunk_table.fetch(stores, [first, second])
    missing = [chunk for chunk in (first, second) if chunk not in known]
    if missing:
        raise UnknownChunk(f"corpus {stores.name!r} has no chunk {missing[0]!r}; hits of a search carry ids of chunks")
    root = stores.graph.get("encoding_tree/get_tree", corpus=stores.name)
    if root is None or root["unfinished"]:
        raise not_built(stores, "tree", "encoding tree")
    return None


def _find(stores: CorpusStores, begins: str) -> Theme:
    themes = list(read_overview(stores).walk())
    found = [theme for theme in themes if theme.id == begins] or [
        theme for theme in themes if theme.id.startswith(begins)
    ]
    if len(found) != 1:
        several = f"{len(found)} themes begin" if found else "none begins"
        raise UnknownTheme(
            f"a theme must be named by its id, or by a beginning that no other has, got {begins!r}: {several} like "
            f"that in corpus {stores.name!r}; `tetragraph tree {stores.name}` lists them"
        )
    return found[0]


def _shared(stores: CorpusStores, first: str, second: str) -> tuple[str, ...]:
    found = stores.graph.read(
        "themes/find_shared_entities", corpus=stores.name, first=first, second=second, limit=SHARED
    )
    return tuple(row["name"] for row in found)


def _bridges(stores: CorpusStores, first: str, second: str) -> tuple[Bridge, ...]:
    found = stores.graph.read("themes/find_bridges", corpus=stores.name, first=first, second=second, limit=BRIDGES)
    return tuple(
        Bridge(
            ThemeChunk(row["first"], row["first_title"]), ThemeChunk(row["second"], row["second_title"]), row["weight"]
        )
        for row in found
    )
