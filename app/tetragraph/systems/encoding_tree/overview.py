"""Overview of the encoding tree: its communities, presented as themes, in reading order."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tetragraph.drawing import blocks
from tetragraph.drawing.blocks import Block
from tetragraph.model.display import html_table
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.base import not_built
from tetragraph.systems.encoding_tree import stored
from tetragraph.systems.encoding_tree.stored import StoredTree
from tetragraph.systems.encoding_tree.update import drift_of

THEME_COLUMNS = ("theme", "level", "chunks", "outside")
"""Columns of a theme in a table."""
SHOWN_THEMES = 100
"""Largest number of themes in a table of a notebook."""


@dataclass(frozen=True, slots=True)
class ThemeChunk:
    """A chunk as a theme shows it; ``place`` is its file and heading, as in :attr:`Chunk.place`."""

    id: str
    title: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Theme:
    """A community of the tree, as presented to users.

    Attributes:
        name: Name of the theme, such as its distinctive entities and words.
        level: Level in the tree, 1 below the root.
        size: Number of chunks, including those of the themes below it.
        volume: Affinity of its chunks to all others; an affinity within it counts twice.
        cut: Affinity of its chunks to those of other themes.
        entropy: Its term of the structural entropy in bits (eq. 1).
        children: Themes below it, the largest first, then by id.
        chunks: Chunks of a theme of the lowest level, by id, if requested.
    """

    id: str
    name: str
    level: int
    size: int
    volume: float
    cut: float
    entropy: float
    children: tuple[Theme, ...] = ()
    chunks: tuple[ThemeChunk, ...] = ()

    @property
    def outside(self) -> float:
        """Share of its affinity that goes to other themes: 0 for a theme without affinity to others."""
        return self.cut / self.volume if self.volume else 0.0

    def _repr_html_(self) -> str:
        rows = [_row(one) for one in (self, *self.children)]
        return html_table(self.name, THEME_COLUMNS, rows) + blocks.draw(_block(self), title=self.name)


@dataclass(frozen=True, slots=True)
class TreeOverview:
    """The encoding tree of a corpus.

    Attributes:
        height: Height of the tree; 2 if the themes of level 1 contain the chunks.
        structural_entropy: Structural entropy of the tree in bits (eq. 1): information of a step of a random walk.
        one_dimensional_entropy: Entropy in bits without themes.
        drift: Relative loss of the tree by updates since it was built: 0.02 for 2 %; may be below 0.
        tokens: Number of tokens that a language model used for it.
        settings: Build options of the tree.
        chunks: Number of chunks of the corpus.
        themes: Themes of level 1, the largest first, then by id.
    """

    height: int
    structural_entropy: float
    one_dimensional_entropy: float
    drift: float
    tokens: int
    settings: Mapping[str, Any]
    chunks: int
    themes: tuple[Theme, ...]

    def walk(self) -> Iterator[Theme]:
        """Yield every theme, each before those below it."""
        waiting = list(reversed(self.themes))
        while waiting:
            theme = waiting.pop()
            yield theme
            waiting += reversed(theme.children)

    def _repr_html_(self) -> str:
        drift = f"{self.drift:.1%} lost by updates" if self.drift else "as built"
        caption = f"{self.chunks:,} chunks in {len(self.themes):,} themes of level 1 ({drift})"
        rows = [_row(one) for one in self.walk()]
        below = [f"{len(rows) - SHOWN_THEMES:,} themes more"] if len(rows) > SHOWN_THEMES else []
        table = html_table(caption, THEME_COLUMNS, rows[:SHOWN_THEMES], below)
        parts = tuple(_block(theme) for theme in self.themes)
        whole = Block(f"{self.chunks:,} chunks", max(self.chunks, 1), caption, parts)
        return table + blocks.draw(whole, title="Themes, as wide as they have chunks")


def _row(theme: Theme) -> tuple[object, ...]:
    return "· " * (theme.level - 1) + theme.name, theme.level, theme.size, f"{theme.outside:.0%}"


def _block(theme: Theme) -> Block:
    """The theme with all below it, its chunks included where they are listed."""
    chunks = tuple(Block(one.title or one.place, 1, one.title or one.place) for one in theme.chunks)
    parts = (*(_block(child) for child in theme.children), *chunks)
    return Block(theme.name, max(theme.size, 1), f"{theme.name}: {theme.size:,} chunks", parts)


def read_overview(stores: CorpusStores, *, with_chunks: bool = False) -> TreeOverview:
    """Read the current tree.

    Args:
        stores: Stores of the corpus.
        with_chunks: Whether themes of the lowest level list their chunks.

    Raises:
        NotBuilt: the corpus has no tree, or one is being written.
    """
    tree = stored.read(stores)
    if tree.root is None:
        raise not_built(stores, "tree", "encoding tree")
    root = tree.root
    return TreeOverview(
        height=root["height"],
        structural_entropy=root["structural_entropy"],
        one_dimensional_entropy=root["one_dimensional_entropy"],
        drift=drift_of(root),
        tokens=root["tokens"],
        settings=json.loads(root["settings"]),
        chunks=len(tree.places),
        themes=_themes(tree, _chunks(stores, tree) if with_chunks else {}),
    )


def _themes(tree: StoredTree, chunks: Mapping[str, tuple[ThemeChunk, ...]]) -> tuple[Theme, ...]:
    """The themes of level 1, with all themes below them."""
    held: dict[str | None, list[str]] = defaultdict(list)
    for community in sorted(tree.communities, key=lambda one: (-tree.communities[one]["size"], one)):
        held[tree.above.get(community)].append(community)

    def below(parent: str | None) -> tuple[Theme, ...]:
        return tuple(
            Theme(id=one, **tree.communities[one], children=below(one), chunks=chunks.get(one, ()))
            for one in held[parent]
        )

    return below(None)


def _chunks(stores: CorpusStores, tree: StoredTree) -> dict[str, tuple[ThemeChunk, ...]]:
    """Chunks of each community of the lowest level."""
    found: dict[str, list[ThemeChunk]] = defaultdict(list)
    for chunk in chunk_table.find_chunks(stores):
        if chunk.id in tree.places:
            found[tree.places[chunk.id]].append(ThemeChunk(chunk.id, chunk.title, chunk.place))
    return {community: tuple(chunks) for community, chunks in found.items()}
