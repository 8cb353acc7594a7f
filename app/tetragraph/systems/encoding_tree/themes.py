"""Queries for analysts: contents, distinctive entities and neighbours of a theme; the affinity of two chunks."""

from __future__ import annotations

from dataclasses import dataclass

from tetragraph.drawing.node_links import Link, Node, draw
from tetragraph.errors import InvalidInput, UnknownChunk, UnknownTheme
from tetragraph.model.display import html_table
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.base import not_built
from tetragraph.systems.encoding_tree.overview import Theme, ThemeChunk, read_overview

BRIDGES = 3
"""Number of pairs of chunks listed for each neighbour."""
SHARED = 5
"""Number of common entities listed for each neighbour."""


@dataclass(frozen=True, slots=True)
class CentralChunk:
    """A chunk of a theme.

    Attributes:
        inside: Its affinity to other chunks of the theme.
        share: Share of that in all its affinity, 0 to 1.
    """

    id: str
    title: str
    inside: float
    share: float


@dataclass(frozen=True, slots=True)
class TellingEntity:
    """A distinctive entity of a theme.

    Attributes:
        chunks: Number of chunks of the theme that name it.
        everywhere: Number of chunks of the corpus that name it.
        strength: Share of the theme's chunks times the logarithm of that share over the corpus' share.
    """

    id: str
    name: str
    chunks: int
    everywhere: int
    strength: float


@dataclass(frozen=True, slots=True)
class ThemeBridge:
    """Two chunks of different themes, with the weight of their affinity."""

    here: ThemeChunk
    there: ThemeChunk
    weight: float


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A theme of the same level.

    Attributes:
        weight: Affinity between the two themes.
        pairs: Number of pairs of chunks with affinity between the two themes.
        shared: Names of the common entities, those first that both name often and others rarely.
        bridges: Pairs with the highest affinity.
    """

    id: str
    name: str
    size: int
    weight: float
    pairs: int
    shared: tuple[str, ...]
    bridges: tuple[ThemeBridge, ...]


@dataclass(frozen=True, slots=True)
class ThemeReport:
    """Details of a theme.

    Attributes:
        theme: Its measures, and the themes below it.
        chunks: Its chunks, the most central first, by their affinity inside the theme.
        entities: Its distinctive entities, the most distinctive first.
        neighbours: Its neighbours, those with the highest affinity first.
    """

    theme: Theme
    chunks: tuple[CentralChunk, ...]
    entities: tuple[TellingEntity, ...]
    neighbours: tuple[Neighbour, ...]

    def _repr_html_(self) -> str:
        chunks = [(one.title, one.inside, f"{one.share:.0%}") for one in self.chunks]
        names = ", ".join(f"{one.name} ({one.chunks} of {one.everywhere})" for one in self.entities)
        beside = ", ".join(one.name for one in self.neighbours)
        caption = f"{self.theme.name} ({self.theme.size} chunks, level {self.theme.level})"
        below = [f"entities: {names}", f"neighbours: {beside}"]
        return html_table(caption, ("chunk", "affinity inside", "share inside"), chunks, below) + self._picture()

    def _picture(self) -> str:
        """The theme with its central chunks, its distinctive entities, and its neighbours over the nearest chunks."""
        nodes = {self.theme.id: Node(self.theme.id, self.theme.name, "Community")}
        links: list[Link] = []
        for chunk in self.chunks:
            nodes[chunk.id] = Node(chunk.id, chunk.title, "Chunk")
            links.append(Link(self.theme.id, chunk.id, f"contains; affinity inside {chunk.inside:.2f}"))
        for entity in self.entities:
            nodes[entity.id] = Node(entity.id, entity.name, "Entity")
            links.append(Link(self.theme.id, entity.id, f"in {entity.chunks} of {entity.everywhere} chunks"))
        for other in self.neighbours:
            nodes[other.id] = Node(other.id, other.name, "Community", f"{other.name}: affinity {other.weight:.2f}")
            links.append(Link(self.theme.id, other.id, f"affinity {other.weight:.2f}, {other.pairs} pairs"))
            for bridge in other.bridges:
                if bridge.here.id in nodes:
                    links.append(Link(bridge.here.id, other.id, f"to {bridge.there.title}: {bridge.weight:.2f}"))
        return draw(list(nodes.values()), links, title=f"The theme {self.theme.name}")


@dataclass(frozen=True, slots=True)
class Affinity:
    """Affinity of two chunks, with its layers.

    Attributes:
        semantic: Cosine similarity if one is among the nearest neighbours of the other, otherwise 0 (eq. 3).
        logical: Share of common entities (eq. 4).
        distance: Affinity by distance within a document, 0 for different documents (eq. 5).
        weight: Weighted sum of the three (eq. 6).
        entities: Names of the common entities, in order.
    """

    semantic: float
    logical: float
    distance: float
    weight: float
    entities: tuple[str, ...]


def read_theme(stores: CorpusStores, theme: str, limit: int = 10) -> ThemeReport:
    """Read the details of a theme.

    Args:
        stores: Stores of the corpus.
        theme: Id of the theme, or a prefix of it.
        limit: Largest number of chunks, of entities and of neighbours.

    Raises:
        UnknownTheme: no theme has that id or prefix, or several have that prefix.
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
    """Read the affinity of two chunks; None if they have none.

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


def _bridges(stores: CorpusStores, first: str, second: str) -> tuple[ThemeBridge, ...]:
    found = stores.graph.read("themes/find_bridges", corpus=stores.name, first=first, second=second, limit=BRIDGES)
    return tuple(
        ThemeBridge(
            ThemeChunk(row["first"], row["first_title"]), ThemeChunk(row["second"], row["second_title"]), row["weight"]
        )
        for row in found
    )
