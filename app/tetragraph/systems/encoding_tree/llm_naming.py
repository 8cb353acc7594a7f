"""Names communities with a language model, given their distinctive words and central chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tetragraph.algorithms.consolidation import structural_weights
from tetragraph.algorithms.structural_entropy import WeightedGraph
from tetragraph.arrays import Floats, Labels
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.llm_steps import community_names
from tetragraph.language.llm_steps.community_names import Community
from tetragraph.llm import Operation
from tetragraph.model import Chunk
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.systems.encoding_tree.communities import Tree
from tetragraph.systems.encoding_tree.stored import StoredTree

Names: TypeAlias = list[list[str]]
"""Names of communities, by level from the root down and by number."""
CENTRAL = 5
"""Number of chunks of each community in the prompt."""
_BEGINNING = 160
"""Number of characters of a chunk in the prompt, in addition to its title."""


@dataclass(frozen=True, slots=True)
class CommunityNames:
    """Names of all communities.

    Attributes:
        names: Names from the model; the distinctive words where it returned none.
        unnamed: Number of communities for which it returned none.
    """

    names: Names
    unnamed: int


def describe(table: ChunkTable, graph: WeightedGraph, levels: Labels, telling: Names) -> list[list[Community]]:
    """Describe each community for the model, by level and number.

    The central chunks are those with the largest weights in the vector of the community (eq. 8).

    Args:
        table: All chunks of the corpus.
        graph: Graph of their affinities.
        levels: Levels of a tree over them.
        telling: Distinctive words of each community.
    """
    weights = structural_weights(graph, levels)
    return [
        [
            Community(words, tuple(_beginning(table.chunk(row)) for row in rows))
            for words, rows in zip(names, _central(labels, weight), strict=True)
        ]
        for labels, weight, names in zip(levels, weights, telling, strict=True)
    ]


def name_by_model(
    operation: Operation, tree: Tree, described: Sequence[Sequence[Community]], existing_names: Mapping[str, str]
) -> CommunityNames:
    """Name the communities of a tree; kept names are not requested.

    Args:
        operation: Language model operation.
        tree: The tree.
        described: See :func:`describe`.
        existing_names: Names to keep, by id of the community.

    Raises:
        LlmError: any error of the operation.
    """
    ids = [community for level in tree.ids for community in level]
    shown = dict(zip(ids, (one for level in described for one in level), strict=True))
    asked = [community for community in ids if community not in existing_names]
    replies = community_names.name_communities(operation, [shown[community] for community in asked]) if asked else []
    given = {community: name for community, name in zip(asked, replies, strict=True) if name}
    names = {**{community: one.telling for community, one in shown.items()}, **existing_names, **given}
    return CommunityNames([[names[community] for community in level] for level in tree.ids], len(asked) - len(given))


def unchanged_names(now: StoredTree, tree: Tree, chunks: Sequence[str]) -> dict[str, str]:
    """Return the names of the communities with unchanged chunks, by id.

    Args:
        now: The stored tree.
        tree: The new tree.
        chunks: Ids of the chunks, ascending.
    """
    before: dict[str, set[str]] = {}
    for chunk in now.places:
        for community in now.path(chunk) or ():
            before.setdefault(community, set()).add(chunk)
    after: dict[str, set[str]] = {}
    for ids, labels in zip(tree.ids, tree.levels.tolist(), strict=True):
        for chunk, number in zip(chunks, labels, strict=True):
            after.setdefault(ids[number], set()).add(chunk)
    return {
        one: now.communities[one]["name"] for one in after if one in now.communities and before.get(one) == after[one]
    }


def _central(labels: Labels, weights: Floats) -> list[list[int]]:
    """Rows of the chunks with the largest weights in each community, by its number; ties go to the smaller row."""
    found: list[list[int]] = [[] for _ in range(int(labels.max(initial=-1)) + 1)]
    for row in np.lexsort((np.arange(len(labels)), -weights.round(9))).tolist():
        rows = found[int(labels[row])]
        if len(rows) < CENTRAL:
            rows.append(row)
    return found


def _beginning(chunk: Chunk) -> str:
    """Title and first sentence of a chunk."""
    start, end = next(iter(sentence_spans(chunk.text)), (0, 0))
    sentence = chunk.text[start:end]
    shown = sentence if len(sentence) <= _BEGINNING else f"{sentence[:_BEGINNING].rsplit(' ', 1)[0]} …"
    return ": ".join(" ".join(part.split()) for part in (chunk.title or chunk.document_title, shown) if part)
