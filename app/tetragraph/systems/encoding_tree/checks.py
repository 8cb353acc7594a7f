"""Consistency check of the vectors of communities in Qdrant."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from tetragraph.stores.vectors import Kind, Point, count_different
from tetragraph.systems.base import CheckContext
from tetragraph.systems.encoding_tree.vectors import expected_points

_PAGE = 5_000


class CommunityVectors:
    """The collection ``communities``: one consolidated vector for each community.

    Args:
        context: Dependencies of the checks.
    """

    kind: Kind = "communities"
    follows_chunks = True

    def __init__(self, context: CheckContext) -> None:
        self._context = context

    def ids(self) -> Collection[str]:
        return self._ids

    @cached_property
    def _ids(self) -> frozenset[str]:
        stores = self._context.stores
        pages = stores.graph.pages("doctor/find_communities", by="last", corpus=stores.name, limit=_PAGE)
        return frozenset(node for page in pages for node in page["ids"])

    def stale(self, stored_hashes: Mapping[str, str]) -> list[str]:
        stores = self._context.stores
        wanted = {point.id: point.vector for point in self._expected()}
        ids = [node for node in stored_hashes if node in wanted]
        stored = stores.vectors.get(stores.name, "communities", ids)
        return [node for node in ids if count_different([wanted[node]], [stored[node]])]

    def points(self, ids: Sequence[str]) -> Iterator[list[Point]]:
        wanted = {*ids}
        yield [point for point in self._expected() if point.id in wanted]

    def _expected(self) -> list[Point]:
        """The points computed from the vectors of the chunks; empty while a chunk has no vector."""
        stores = self._context.stores
        rows = {chunk: row for row, chunk in enumerate(self._context.chunks)}
        if not rows:
            return []
        vectors, missing = stores.vectors_by_row("chunks", rows)
        return [] if missing else expected_points(stores, rows, vectors)
