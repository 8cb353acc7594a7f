"""Builds the encoding tree: affinities, the tree of minimal structural entropy over them, and its communities."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from tetragraph.algorithms.consolidation import consolidate
from tetragraph.algorithms.entropy_minimiser import minimise_entropy
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
from tetragraph.systems.neighbours import note_lists


@dataclass(frozen=True, slots=True)
class TreeBuildReport(BuildReport):
    """Result of a build or an update of the encoding tree.

    Attributes:
        written: Number of new and changed affinities, communities and memberships.
        affinities: Number of AFFINITY relationships of the corpus.
        communities: Number of communities by level, from the root down.
        structural_entropy: Structural entropy of the tree in bits (eq. 1).
        one_dimensional_entropy: Entropy of the graph without communities in bits.
        rebuilt: Whether the tree was computed from scratch.
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
    """Compute the tree from scratch and write the difference; completes an interrupted build.

    The tree itself needs no language model; only names of communities may.

    Args:
        stores: Stores of the corpus; receive a note on communities without a name from the model.
        table: All chunks of the corpus.
        progress: Receives the progress of writing.
        options: Build options; by default the stored options, or the defaults for a new tree.
        llm: Returns the language model operation for names.

    Raises:
        LlmError: a language model is needed, and none is configured, or it did not answer within the budget; the tree
            is unchanged.

    Source:
        SeRAG (2026), sections 3.1 and 3.2.
    """
    now = stored.read(stores)
    options = options or options_of(now)
    links = entity_links.read(stores, table.rows)
    wanted, graph, tree = _make(table, links, options)
    note_lists(stores, len(table), options.exact_up_to)
    work = TreeBuild(table, links, graph, progress)
    names = name_tree(stores, work, tree, options, llm)
    stored_affinities = affinity_edges.read(stores, table.rows)
    written, _ = affinity_edges.write_difference(stores, table.ids, stored_affinities, wanted, progress)
    written += store(stores, work, now, tree, Root(options, entropy_ratio(graph, tree)), names)
    return report(graph, tree, len(wanted), written, rebuilt=True)


def uses_llm(stores: CorpusStores, options: BuildOptions | None = None) -> bool:
    """Whether a build with these options, by default the stored ones, calls the language model."""
    root = stores.graph.get("encoding_tree/get_tree", corpus=stores.name) or {"settings": ""}
    return (options or options_of(StoredTree(settings=root["settings"]))).names == "llm"


def llm_requests(stores: CorpusStores, table: ChunkTable, options: BuildOptions | None = None) -> Iterator[Request]:
    """Yield the requests of a build if every reply is well formed; computes the tree."""
    options = options or options_of(stored.read(stores))
    if options.names != "llm":
        return iter(())
    links = entity_links.read(stores, table.rows)
    _, graph, tree = _make(table, links, options)
    described = describe(table, graph, tree.levels, _distinctive(stores, table, links, tree))
    return community_names.requests([one for level in described for one in level])


def _make(table: ChunkTable, links: EntityLinks, options: BuildOptions) -> tuple[Affinities, WeightedGraph, Tree]:
    """Compute affinities, their graph, and the tree over it, from scratch."""
    near = table.neighbours.find(options.neighbours, options.exact_up_to)
    wanted = affinity.measure(table, links, near, options)
    graph = wanted.graph(len(table))
    return wanted, graph, assign_new_ids(minimise_entropy(graph, height=options.height), table.ids)


@dataclass(frozen=True, slots=True)
class TreeBuild:
    """Input of storing a tree.

    Attributes:
        table: All chunks, in order of id.
        links: Entities of the chunks.
        graph: Graph of their affinities.
        progress: Receives the progress of writing.
    """

    table: ChunkTable
    links: EntityLinks
    graph: WeightedGraph
    progress: Progress


@dataclass(frozen=True, slots=True)
class Root:
    """Properties of the root that an update reads.

    Attributes:
        options: Stored options.
        built_ratio: Ratio of structural to one-dimensional entropy after the last build from scratch.
        changed: Share of the volume that was added, removed or moved since all chunks were last visited, from 0.
    """

    options: BuildOptions
    built_ratio: float
    changed: float = 0.0


@dataclass(frozen=True, slots=True)
class TreeNames:
    """Names of the communities of a tree.

    Attributes:
        names: Names by level from the root down, and number.
        tokens: Number of tokens used for them.
    """

    names: list[list[str]]
    tokens: int = 0


def name_tree(
    stores: CorpusStores,
    work: TreeBuild,
    tree: Tree,
    options: BuildOptions,
    llm: Callable[[], Operation],
    existing_names: Mapping[str, str] | None = None,
) -> TreeNames:
    """Name the communities of a tree according to the options.

    Args:
        stores: Stores of the corpus; receive a note on communities without a name from the model.
        work: Input of storing the tree.
        tree: The tree.
        options: Build options of the tree.
        llm: Returns the language model operation.
        existing_names: Names, by id of a community, that a model does not replace.

    Raises:
        LlmError: the model is needed, and none is configured, or it did not answer within the budget.
    """
    telling = _distinctive(stores, work.table, work.links, tree)
    if options.names == "distinctive":
        return TreeNames(telling)
    operation = llm()
    before = operation.usage.tokens
    described = describe(work.table, work.graph, tree.levels, telling)
    named = name_by_model(operation, tree, described, existing_names or {})
    if named.unnamed:
        stores.note(
            f"the language model gave no name that can be used to {named.unnamed:,} of "
            f"{sum(map(len, tree.ids)):,} themes: these are called by what tells them apart"
        )
    return TreeNames(named.names, operation.usage.tokens - before)


def store(stores: CorpusStores, work: TreeBuild, now: StoredTree, tree: Tree, root: Root, names: TreeNames) -> int:
    """Write the difference of the tree to Neo4j and of its vectors to Qdrant; returns the number of changes."""
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
    """Return the report of a build or an update."""
    entropy = structural_entropy(graph, tree.levels)
    sizes = tuple(len(ids) for ids in tree.ids)
    return TreeBuildReport(written, affinities, sizes, entropy, one_dimensional_entropy(graph), rebuilt)


def entropy_ratio(graph: WeightedGraph, tree: Tree) -> float:
    """Compute the ratio of structural to one-dimensional entropy, 0 to 1; 1 without edges."""
    whole = one_dimensional_entropy(graph)
    return structural_entropy(graph, tree.levels) / whole if whole else 1.0


def options_of(tree: StoredTree) -> BuildOptions:
    """Return the options of a stored tree; the defaults if there is none."""
    return BuildOptions(**json.loads(tree.settings)) if tree.settings else BuildOptions()


def _distinctive(stores: CorpusStores, table: ChunkTable, links: EntityLinks, tree: Tree) -> list[list[str]]:
    """Distinctive words of each community, by level and number."""
    return name_communities(tree.levels, links, _analysis(stores, table), lambda ids: _names(stores, ids))


def _analysis(stores: CorpusStores, table: ChunkTable) -> Analysis:
    """The words of the chunks, from the analysis cached by the ingest where there is one."""
    return analyse_chunks(table.chunks(), stores.arrays.newest(stores.record.key, analysis.KIND))


def _names(stores: CorpusStores, ids: Sequence[str]) -> dict[str, str]:
    rows = stores.graph.read("entities/find_names", corpus=stores.name, ids=list(ids))
    return {row["id"]: row["name"] for row in rows}
