"""Communities of a tree, whose ids persist while the corpus changes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

import numpy as np

from tetragraph.arrays import Labels
from tetragraph.model import content_id

Ids: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree over the chunks of a corpus.

    Attributes:
        levels: ``(height - 1, n)`` number of the community of each chunk, from the level below the root down;
            the numbers of a level are 0 to c - 1, each in use.
        ids: Ids of the communities of each level, by number.
    """

    levels: Labels
    ids: tuple[Ids, ...]


def renumber(levels: Labels) -> Labels:
    """Renumber the communities of each level from 0, without gaps, in order of their first chunks."""
    found = [np.unique(labels, return_index=True, return_inverse=True) for labels in levels]
    ranked = [np.argsort(np.argsort(first))[inverse] for _, first, inverse in found]
    return np.array(ranked, dtype=np.int64).reshape(levels.shape)


def assign_new_ids(levels: Labels, chunks: Sequence[str]) -> Tree:
    """Assign ids computed from level and first chunk of each community: equal trees have equal ids.

    Args:
        levels: Levels of a tree.
        chunks: Ids of the chunks, ascending.
    """
    levels = renumber(levels)
    ids = []
    for number, labels in enumerate(levels, start=1):
        _, first = np.unique(labels, return_index=True)
        ids.append(tuple(_new_id(number, chunks[row], ()) for row in first.tolist()))
    return Tree(levels, tuple(ids))


def inherit_ids(levels: Labels, chunks: Sequence[str], before: Sequence[Sequence[str | None]]) -> Tree:
    """Assign to each community the id of the old one with which it shares most chunks.

    If several communities share an old one, that with most of its chunks keeps the id and the others get new ones.

    Args:
        levels: Levels of a tree.
        chunks: Ids of the chunks, ascending.
        before: For each level the id of the previous community of each chunk; None for new chunks.
    """
    levels = renumber(levels)
    ids = tuple(
        _inherit(number, labels, chunks, old)
        for number, (labels, old) in enumerate(zip(levels, before, strict=True), start=1)
    )
    return Tree(levels, ids)


def _inherit(level: int, labels: Labels, chunks: Sequence[str], before: Sequence[str | None]) -> Ids:
    known = sorted({old for old in before if old is not None})
    place = {old: number for number, old in enumerate(known)}
    old = np.array([-1 if name is None else place[name] for name in before], dtype=np.int64)
    had = np.flatnonzero(old >= 0)
    pairs, shared = np.unique(np.stack([labels[had], old[had]]), axis=1, return_counts=True)
    ids: dict[int, str] = {}
    taken: set[int] = set()
    for row in np.lexsort((pairs[1], pairs[0], -shared)).tolist():
        new, previous = int(pairs[0, row]), int(pairs[1, row])
        if new not in ids and previous not in taken:
            ids[new] = known[previous]
            taken.add(previous)
    used = set(known)
    _, first = np.unique(labels, return_index=True)
    for new, row in enumerate(first.tolist()):
        if new not in ids:
            ids[new] = _new_id(level, chunks[row], used)
            used.add(ids[new])
    return tuple(ids[new] for new in range(len(first)))


def _new_id(level: int, chunk: str, used: Collection[str]) -> str:
    """An id computed from level and chunk that is not in use yet."""
    tries = (content_id("community", str(level), chunk, *([str(number)] if number else [])) for number in count())
    return next(name for name in tries if name not in used)
