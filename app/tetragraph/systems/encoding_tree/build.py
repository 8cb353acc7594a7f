"""Makes the encoding tree of a corpus: affinities, the tree of least structural entropy over them, its communities."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from tetragraph.language.lexicon import analysis
from tetragraph.language.lexicon.analysis import Analysis, analyse_chunks
from tetragraph.language.llm_steps import community_names
from tetragraph.llm import Operation, Request
from tetragraph.progress import Progress
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores, raise_llm_not_configured
from tetragraph.systems import entity_links
from tetragraph.systems.base import BuildReport
from tetragraph.systems.encoding_tree import affinity, affinity_edges, stored, vectors
from tetragraph.systems.encoding_tree.affinity import Affinities
from tetragraph.systems.encoding_tree.communities import Tree, assign_new_ids
from tetragraph.systems.encoding_tree.llm_naming import describe, name_by_model
from tetragraph.systems.encoding_tree.naming import name_communities
from tetragraph.systems.encoding_tree.options import BuildOptions
from tetragraph.systems.encoding_tree.stored import StoredTree
from tetragraph.systems.entity_links import EntityLinks


@dataclass(frozen=True, slots=True)
class TreeBuildReport(BuildReport):
    """Result of a build or an update of the encoding tree.

    Attributes:
        written: Number of new and changed affinities, communities and memberships.
        affinities: Number of AFFINITY relationships of the corpus.
        communities: Number of communities by level, from the root down.
        structural_entropy: Structural entropy of the tree in bits (eq. 1).
        one_dimensional_entropy: Entropy of the graph without communities in bits.
        rebuilt: Whether the tree was computed from nothing.
    """

    affinities: int
    communities: tuple[int, ...]
    structural_entropy: float
    one_dimensional_entropy: float
    rebuilt: bool


def build(
    stores: CorpusStores,
    table: ChunkTable,
    progress: Progress,
    options: BuildOptions | None = None,
    llm: Callable[[], Operation] = raise_llm_not_configured,
) -> TreeBuildReport:
    """Make the tree from nothing and bring the graph to it; an interrupted build is finished by the next.

    No token is spent on the tree; a language model is asked only where it names the communities.

    Args:
        stores: The corpus; a note says for how many communities the model gave no name.
        table: Its chunks.
        progress: Told of what is written.
        options: Those that the corpus' tree was made with when left out, else the defaults.
        llm: Gives what asks the language model for names.

    Raises:
        LlmError: the model is asked, and none is set, or it did not answer within the budget; the tree stays as it was.

    Source:
        SeRAG (2026), sections 3.1 and 3.2.
    """
    now = stored.read(stores)
    options = options or options_of(now)
    links = entity_links.read(stores, table.rows)
    wanted, graph, tree = _make(table, links, options)
    work = TreeBuild(table, links, graph, progress)
    names = name_tree(stores, work, tree, options, llm)
    stored_affinities = affinity_edges.read(stores, table.rows)
    written, _ = affinity_edges.write_difference(stores, table.ids, stored_affinities, wanted, progress)
    written += store(stores, work, now, tree, Root(options, entropy_ratio(graph, tree)), names)
    return report(graph, tree, len(wanted), written, rebuilt=True)


def uses_llm(stores: CorpusStores, options: BuildOptions | None = None) -> bool:
    """Whether a build asks the language model, with these options or else those that the tree was made with."""
    root = stores.graph.get("encoding_tree/get_tree", corpus=stores.name) or {"settings": ""}
    return (options or options_of(StoredTree(settings=root["settings"]))).names == "llm"


def llm_requests(stores: CorpusStores, table: ChunkTable, options: BuildOptions | None = None) -> Iterator[Request]:
    """Requests of a build if every reply is well formed; the tree is computed for them."""
    options = options or options_of(stored.read(stores))
    if options.names != "llm":
        return iter(())
    links = entity_links.read(stores, table.rows)
    _, graph, tree = _make(table, links, options)
    described = describe(table, graph, tree.levels, _distinctive(stores, table, links, tree))
    return community_names.requests([one for level in described for one in level])


def _make(table: ChunkTable, links: EntityLinks, options: BuildOptions) -> tuple[Affinities, WeightedGraph, Tree]:
    """Affinities, the graph of them, and the tree over it, from nothing."""
    near = nearest_neighbours(table.vectors, options.neighbours)
    wanted = affinity.measure(table, links, near, options)
    graph = wanted.graph(len(table))
    return wanted, graph, assign_new_ids(minimise_entropy(graph, height=options.height), table.ids)


@dataclass(frozen=True, slots=True)
class TreeBuild:
    """Input of storing a tree.

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
    """Properties of the root that an update reads.

    Attributes:
        options: The tree was made with.
        built_ratio: Structural over one-dimensional entropy, when the tree was last made from nothing.
        changed: Share of the volume that came, went or moved since all chunks were last gone through, from 0.
    """

    options: BuildOptions
    built_ratio: float
    changed: float = 0.0


@dataclass(frozen=True, slots=True)
class TreeNames:
    """Names of the communities of a tree.

    Attributes:
        names: By level from the root down, and number.
        tokens: That were paid for them.
    """

    names: list[list[str]]
    tokens: int = 0


def name_tree(
    stores: CorpusStores,
    work: TreeBuild,
    tree: Tree,
    options: BuildOptions,
    llm: Callable[[], Operation],
    kept: Mapping[str, str] | None = None,
) -> TreeNames:
    """Name the communities of a tree as the options say.

    Args:
        stores: The corpus; a note says for how many communities a language model gave no name.
        work: What the tree is stored from.
        tree: The tree.
        options: It is made with.
        llm: Gives what asks the language model.
        kept: Id of a community to the name that it keeps, where a model names them.

    Raises:
        LlmError: the model is asked, and none is set, or it did not answer within the budget.
    """
    telling = _distinctive(stores, work.table, work.links, tree)
    if options.names == "distinctive":
        return TreeNames(telling)
    operation = llm()
    before = operation.usage.tokens
    described = describe(work.table, work.graph, tree.levels, telling)
    named = name_by_model(operation, tree, described, kept or {})
    if named.unnamed:
        stores.note(
            f"the language model gave no name that can be used to {named.unnamed:,} of "
            f"{sum(map(len, tree.ids)):,} themes: these are called by what tells them apart"
        )
    return TreeNames(named.names, operation.usage.tokens - before)


def store(stores: CorpusStores, work: TreeBuild, now: StoredTree, tree: Tree, root: Root, names: TreeNames) -> int:
    """Bring the tree in Neo4j and the vectors of its communities up to date; returns how much was written."""
    measures = tree_measures(work.graph, tree.levels)
    wanted = stored.describe(tree, measures, names.names, work.table.ids)
    properties = {
        "height": len(tree.levels) + 1,
        "structural_entropy": structural_entropy(work.graph, tree.levels),
        "one_dimensional_entropy": one_dimensional_entropy(work.graph),
        "built_ratio": root.built_ratio,
        "changed": root.changed,
        "tokens": names.tokens + (now.root["tokens"] if now.root else 0),
        "settings": json.dumps(asdict(root.options), sort_keys=True),
    }
    whole = replace(wanted, root=properties)
    written = stored.write_difference(stores, now, whole, work.progress)
    centroids = consolidate(work.graph, tree.levels, work.table.vectors)
    return written + vectors.write_difference(stores, tree, centroids)


def report(graph: WeightedGraph, tree: Tree, affinities: int, written: int, *, rebuilt: bool) -> TreeBuildReport:
    """The report of a build or an update."""
    entropy = structural_entropy(graph, tree.levels)
    sizes = tuple(len(ids) for ids in tree.ids)
    return TreeBuildReport(written, affinities, sizes, entropy, one_dimensional_entropy(graph), rebuilt)


def entropy_ratio(graph: WeightedGraph, tree: Tree) -> float:
    """Structural over one-dimensional entropy, 0 to 1: how much the tree leaves to be told; 1 without edges."""
    whole = one_dimensional_entropy(graph)
    return structural_entropy(graph, tree.levels) / whole if whole else 1.0


def options_of(tree: StoredTree) -> BuildOptions:
    """The options that a stored tree was made with; the defaults where there is none."""
    return BuildOptions(**json.loads(tree.settings)) if tree.settings else BuildOptions()


def _distinctive(stores: CorpusStores, table: ChunkTable, links: EntityLinks, tree: Tree) -> list[list[str]]:
    """Distinctive words of each community, by level and number."""
    return name_communities(tree.levels, links, _analysis(stores, table), lambda ids: _names(stores, ids))


def _analysis(stores: CorpusStores, table: ChunkTable) -> Analysis:
    """The words of the chunks; those that an ingest has read before are not read again."""
    return analyse_chunks(list(table.chunks()), stores.arrays.newest(stores.record.key, analysis.KIND))


def _names(stores: CorpusStores, ids: Sequence[str]) -> dict[str, str]:
    rows = stores.graph.read("entities/find_names", corpus=stores.name, ids=list(ids))
    return {row["id"]: row["name"] for row in rows}
