"""Finds each content once: hits whose chunks are copies of a better hit are left out.

Of chunks with the same content the one with the best score is kept, and of equal ones the first by id, as in every
ranking. The others are listed with it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from tetragraph.model import MOST_COPIES, Copy, Filters, Findings, Hit
from tetragraph.stores import chunk_table, filters
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.versions import NO_VERSIONS, Versions
from tetragraph.systems.base import Retriever, SearchRequest


def search_distinct(
    retriever: Retriever[Any],
    request: SearchRequest[Any],
    per_document: int = 0,
    versions: Versions = NO_VERSIONS,
) -> Findings:
    """Search for ``k`` hits of different content; fewer only if fewer were found.

    Where hits are left out the search is repeated with a larger ``k``, at least doubled each time.

    Args:
        retriever: The method.
        request: The request.
        per_document: Largest number of hits of one document; 0 for no limit.
        versions: Versions of the documents; of copies, one of a document that is not superseded is kept.
    """
    depth = request.k
    while True:
        found = retriever.search(replace(request, k=depth))
        kept = _limit_documents(merge_copies(found.hits, versions), per_document)
        if len(kept) >= request.k or len(found.hits) < depth:
            return replace(found, hits=kept[: request.k])
        depth = max(2 * depth, request.k + 2 * (len(found.hits) - len(kept)))


def _limit_documents(hits: tuple[Hit, ...], most: int) -> tuple[Hit, ...]:
    """The best hits of each document, with ranks from 1; all for 0."""
    if not most:
        return hits
    seen: Counter[str] = Counter()
    kept: list[Hit] = []
    for hit in hits:
        seen[hit.chunk.document_id] += 1
        if seen[hit.chunk.document_id] <= most:
            kept.append(replace(hit, rank=len(kept) + 1))
    return tuple(kept)


def merge_copies(hits: Iterable[Hit], versions: Versions = NO_VERSIONS) -> tuple[Hit, ...]:
    """The first hit of each content, if possible of a document that is not superseded, with ranks from 1."""
    first: dict[str, Hit] = {}
    for hit in hits:
        content = hit.chunk.content
        before = first.setdefault(content, hit)
        if before.chunk.document_id in versions.successors and hit.chunk.document_id not in versions.successors:
            del first[content]
            first[content] = hit
    return tuple(
        hit if hit.rank == rank else replace(hit, rank=rank) for rank, hit in enumerate(first.values(), start=1)
    )


def list_copies(stores: CorpusStores, hits: Sequence[Hit], wanted: Filters | None) -> tuple[Hit, ...]:
    """The hits, each with the other chunks of its content that pass the filters."""
    if not hits:
        return ()
    rows = stores.graph.read(
        "corpus/find_copies",
        corpus=stores.name,
        ids=[hit.chunk.id for hit in hits],
        filters=filters.parameters(wanted),
        limit=MOST_COPIES,
    )
    contents = {hit.chunk.id: hit.chunk.content for hit in hits}
    copies: dict[str, list[Copy]] = defaultdict(list)
    for row in rows:
        copy = chunk_table.from_row(row)
        if copy.content == contents[row["copied"]]:
            copies[row["copied"]].append(Copy.of(copy))
    return tuple(replace(hit, also_in=tuple(copies[hit.chunk.id])) if hit.chunk.id in copies else hit for hit in hits)
