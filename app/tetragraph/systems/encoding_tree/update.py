"""Updates the encoding tree after documents were added or removed, without a rebuild."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tetragraph.algorithms.entropy_minimiser import levels_above, minimise_entropy, repair
from tetragraph.algorithms.structural_entropy import WeightedGraph, community_measures
from tetragraph.arrays import Labels, Rows
from tetragraph.llm import Operation
from tetragraph.progress import Progress
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import Change, CorpusStores, raise_llm_not_configured
from tetragraph.systems import entity_links
from tetragraph.systems.encoding_tree import affinity, affinity_edges, stored
from tetragraph.systems.encoding_tree.affinity import Affinities
from tetragraph.systems.encoding_tree.build import (
    Root,
    TreeBuild,
    TreeBuildReport,
    build,
    name_tree,
    options_of,
    report,
    store,
)
from tetragraph.systems.encoding_tree.communities import inherit_ids
from tetragraph.systems.encoding_tree.llm_naming import unchanged_names
from tetragraph.systems.encoding_tree.stored import StoredTree
from tetragraph.systems.neighbours import note_lists

VISITS = 1_024
"""Largest number of visits to chunks for each chunk that is new or has changed neighbours."""
SETTLED_AT = 0.05
"""Share of changed volume from which all chunks are visited again, starting from their communities."""


def update(
    stores: CorpusStores,
    table: ChunkTable,
    change: Change,
    progress: Progress,
    llm: Callable[[], Operation] = raise_llm_not_configured,
) -> TreeBuildReport:
    """Place new chunks, and move those for which another community has become better.

    The affinities are those of a new build; above ``exact_up_to`` chunks, new chunks miss no neighbour, unlike in a
    build. Communities keep their ids. Changes are detected by the stored measures of the communities, which are exact,
    so a run after an interruption completes the remaining changes.

    Args:
        stores: Stores of the corpus.
        table: All current chunks.
        change: Chunks added and removed since the tree was last complete.
        progress: Receives the progress of writing.
        llm: Returns the language model operation for names; communities with unchanged chunks keep their names.

    Raises:
        LlmError: as in :func:`~tetragraph.systems.encoding_tree.build.build`.

    Source:
        None: SeRAG (2026) does not describe updates.
    """
    now = stored.read(stores)
    if now.root is None:
        return build(stores, table, progress, llm=llm)
    options = options_of(now)
    links = entity_links.read(stores, table.rows)
    stored_affinities = affinity_edges.read(stores, table.rows)
    added = np.array(sorted(table.rows[chunk] for chunk in change.added if chunk in table.rows), dtype=np.int64)
    known = _known(stored_affinities, added)
    near = table.neighbours.update(options.neighbours, options.exact_up_to, known, added, has_gaps=bool(change.removed))
    note_lists(stores, len(table), options.exact_up_to)
    wanted = affinity.measure(table, links, near, options)
    graph = wanted.graph(len(table))
    levels, changed = _updated_levels(graph, now, table.ids)
    paths = [now.path(chunk) for chunk in table.ids]
    before = [[path[level] if path else None for path in paths] for level in range(len(levels))]
    tree = inherit_ids(levels, table.ids, before)
    root = Root(options, now.root["built_ratio"], changed)
    work = TreeBuild(table, links, graph, progress)
    names = name_tree(stores, work, tree, options, llm, unchanged_names(now, tree, table.ids))
    written, _ = affinity_edges.write_difference(stores, table.ids, stored_affinities, wanted, progress)
    written += store(stores, work, now, tree, root, names)
    return report(graph, tree, len(wanted), written, rebuilt=False)


def find_drift(stores: CorpusStores) -> float:
    """Return the relative loss of the tree since it was built from scratch: 0.02 for 2 %; may be below 0.

    The loss is the increase of the ratio of its structural entropy to that of the graph without communities.
    """
    root = stores.graph.get("encoding_tree/get_tree", corpus=stores.name)
    return 0.0 if root is None else drift_of(root)


def drift_of(root: Mapping[str, Any]) -> float:
    """Return the loss as in :func:`find_drift`, from the properties of the root."""
    if not root["one_dimensional_entropy"]:
        return 0.0
    return float(root["structural_entropy"] / root["one_dimensional_entropy"] / root["built_ratio"] - 1)


def _known(stored_affinities: Affinities, added: Rows) -> tuple[Rows, Rows]:
    """Stored pairs of similar chunks, in both directions, without those of new chunks."""
    is_old = (
        (stored_affinities.semantic > 0)
        & ~np.isin(stored_affinities.first, added)
        & ~np.isin(stored_affinities.second, added)
    )
    old = stored_affinities.take(is_old)
    return np.concatenate([old.first, old.second]), np.concatenate([old.second, old.first])


def _updated_levels(graph: WeightedGraph, now: StoredTree, chunks: list[str]) -> tuple[Labels, float]:
    """The levels after the change, and the share of the volume changed since all chunks were visited."""
    names = sorted(set(now.places.values()))
    number = {name: place for place, name in enumerate(names)}
    labels = np.array([number[now.places[chunk]] if chunk in now.places else -1 for chunk in chunks], dtype=np.int64)
    moved, stirred = _changed_volume(graph, now, names, labels)
    root = now.root or {}
    changed = float(root["changed"]) + moved / (graph.volume or 1.0)
    budget = VISITS * max(int((labels < 0).sum()), len(stirred))
    labels, left_over = repair(graph, labels, stirred, budget=budget)
    above = levels_above(graph, labels, int(root["height"]))
    levels = np.concatenate([above, labels[None, :]])
    if changed < SETTLED_AT and not len(left_over) and len(levels) == 1:
        return levels, changed
    return minimise_entropy(graph, height=len(levels) + 1, start=levels), 0.0


def _changed_volume(graph: WeightedGraph, now: StoredTree, names: list[str], labels: Labels) -> tuple[float, Rows]:
    """The added and changed volume, and the chunks that are new or in a changed community."""
    is_new = labels < 0
    homes = np.where(is_new, len(names), labels)
    volumes, cuts = (values[: len(names)] for values in community_measures(graph, homes))
    sizes = np.bincount(homes, minlength=len(names))[: len(names)]
    is_other = np.ones(len(names) + 1, dtype=bool)
    moved = float(graph.degrees[is_new].sum())
    for row, (name, *measures) in enumerate(zip(names, volumes.tolist(), cuts.tolist(), sizes.tolist(), strict=True)):
        stored = now.communities[name]
        is_other[row] = measures != [stored["volume"], stored["cut"], stored["size"]]
        moved += abs(measures[0] - stored["volume"])
    return moved, np.flatnonzero(is_other[homes])
