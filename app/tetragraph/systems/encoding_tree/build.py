"""Makes the encoding tree of a corpus: affinities, the tree of least structural entropy over them, its communities."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from tetragraph.algorithms.consolidation import consolidate
from tetragraph.algorithms.entropy_minimiser import minimise_entropy
from tetragraph.algorithms.nearest_neighbours import nearest_neighbours
from tetragraph.algorithms.structural_entropy import (
    WeightedGraph,
    one_dimensional_entropy,
    structural_entropy,
    tree_measures,
)
from tetragraph.language import analysis
from tetragraph.language.analysis import Analysis, analyse_chunks
from tetragraph.progress import Progress
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems import entity_links
from tetragraph.systems.encoding_tree import affinity, affinity_edges, community_vectors, stored_tree
from tetragraph.systems.encoding_tree.communities import Tree, named_afresh
from tetragraph.systems.encoding_tree.naming import name_communities
from tetragraph.systems.encoding_tree.options import BuildOptions
from tetragraph.systems.encoding_tree.stored_tree import StoredTree
from tetragraph.systems.entity_links import EntityLinks


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build or an update did.

    Attributes:
        affinities: AFFINITY relationships of the corpus now.
        communities: Communities by level, from the root down.
        structural_entropy: Of the tree, in bits (eq. 1).
        one_dimensional_entropy: Of the graph without communities.
        written: Affinities, communities and places that were new or changed.
        rebuilt: Whether the tree was made from nothing.
    """

    affinities: int
    communities: tuple[int, ...]
    structural_entropy: float
    one_dimensional_entropy: float
    written: int
    rebuilt: bool


def build(
    stores: CorpusStores, table: ChunkTable, progress: Progress, options: BuildOptions | None = None
) -> BuildReport:
    """Make the tree from nothing and bring the graph to it; an interrupted build is finished by the next.

    No model is asked for anything, so no token is spent.

    Args:
        stores: The corpus.
        table: Its chunks.
        progress: Told of what is written.
        options: Those that the corpus' tree was made with when left out, else the defaults.

    Source:
        SeRAG (2026), sections 3.1 and 3.2.
    """
    now = stored_tree.read(stores)
    options = options or options_of(now)
    links = entity_links.read(stores, table.rows)
    near = nearest_neighbours(table.vectors, options.neighbours)
    wanted = affinity.measure(table, links, near, options)
    stored = affinity_edges.read(stores, table.rows)
    written, _ = affinity_edges.write_difference(stores, table.ids, stored, wanted, progress)
    graph = wanted.graph(len(table))
    tree = named_afresh(minimise_entropy(graph, height=options.height), table.ids)
    ratio = entropy_ratio(graph, tree)
    written += store(stores, Work(table, links, graph, progress), now, tree, Root(options, ratio))
    return report(graph, tree, len(wanted), written, rebuilt=True)


@dataclass(frozen=True, slots=True)
class Work:
    """What a tree is stored from.

    Attributes:
        table: The chunks, in order of id.
        links: What they name.
        graph: Their affinities.
        progress: Told of what is written.
    """

    table: ChunkTable
    links: EntityLinks
    graph: WeightedGraph
    progress: Progress


@dataclass(frozen=True, slots=True)
class Root:
    """What the root tells an update.

    Attributes:
        options: The tree was made with.
        built_ratio: Structural over one-dimensional entropy, when the tree was last made from nothing.
        changed: Share of the volume that came, went or moved since all chunks were last gone through, from 0.
    """

    options: BuildOptions
    built_ratio: float
    changed: float = 0.0


def store(stores: CorpusStores, work: Work, now: StoredTree, tree: Tree, root: Root) -> int:
    """Bring the tree in Neo4j and the vectors of its communities up to date; returns how much was written."""
    measures = tree_measures(work.graph, tree.levels)
    names = name_communities(tree.levels, work.links, _analysis(stores, work.table), lambda ids: _names(stores, ids))
    wanted = stored_tree.describe(tree, measures, names, work.table.ids)
    properties = {
        "height": len(tree.levels) + 1,
        "structural_entropy": structural_entropy(work.graph, tree.levels),
        "one_dimensional_entropy": one_dimensional_entropy(work.graph),
        "built_ratio": root.built_ratio,
        "changed": root.changed,
        "tokens": 0,
        "settings": json.dumps(asdict(root.options), sort_keys=True),
    }
    whole = replace(wanted, root=properties)
    written = stored_tree.write_difference(stores, now, whole, work.progress)
    vectors = consolidate(work.graph, tree.levels, work.table.vectors)
    return written + community_vectors.write_difference(stores, tree, vectors)


def report(graph: WeightedGraph, tree: Tree, affinities: int, written: int, *, rebuilt: bool) -> BuildReport:
    """What was done, in numbers."""
    entropy = structural_entropy(graph, tree.levels)
    sizes = tuple(len(ids) for ids in tree.ids)
    return BuildReport(affinities, sizes, entropy, one_dimensional_entropy(graph), written, rebuilt)


def entropy_ratio(graph: WeightedGraph, tree: Tree) -> float:
    """Structural over one-dimensional entropy, 0 to 1: how much the tree leaves to be told; 1 without edges."""
    whole = one_dimensional_entropy(graph)
    return structural_entropy(graph, tree.levels) / whole if whole else 1.0


def options_of(tree: StoredTree) -> BuildOptions:
    """The options that a stored tree was made with; the defaults where there is none."""
    return BuildOptions(**json.loads(tree.settings)) if tree.settings else BuildOptions()


def _analysis(stores: CorpusStores, table: ChunkTable) -> Analysis:
    """The words of the chunks; those that an ingest has read before are not read again."""
    return analyse_chunks(list(table.chunks()), stores.arrays.newest(stores.record.key, analysis.KIND))


def _names(stores: CorpusStores, ids: Sequence[str]) -> dict[str, str]:
    rows = stores.graph.read("entities/find_names", corpus=stores.name, ids=list(ids))
    return {row["id"]: row["name"] for row in rows}
