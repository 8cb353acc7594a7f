"""Finds each content once: hits whose chunks are copies or near copies of a better hit are left out.

Of chunks with the same content the one with the best score is kept, and of equal ones the first by id, as in every
ranking. The others are listed with it. Near copies are the passages of documents that are nearly the same; which these
are is computed with each change of a corpus (:mod:`tetragraph.algorithms.near_copies`) and stored.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tetragraph.model import MOST_COPIES, Chunk, Copy, Filters, Findings, Hit
from tetragraph.stores import chunk_table, copied_chunks, filters
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.versions import NO_VERSIONS, Versions
from tetragraph.systems.base import Retriever, SearchRequest

MARGIN: Final = 2
"""Hits beyond ``k`` that the first search of a corpus with near copies finds, in place of those that are left out."""
DEEPEST: Final = 10_000
"""Hits among which those of a limited number of each document are found; ten times ``k`` if that is more."""


def search_distinct(
    retriever: Retriever[Any],
    request: SearchRequest[Any],
    per_document: int = 0,
    versions: Versions = NO_VERSIONS,
) -> Findings:
    """Search for ``k`` hits of different content; fewer only if fewer were found.

    Where more hits are left out than :data:`MARGIN` replaces, the search is repeated with a larger ``k``, at least
    doubled each time. With a limit by document it ends when every document has all hits that it may have, or, with a
    note, at :data:`DEEPEST`.

    Args:
        retriever: The method. A multi-step one finds exactly ``k`` hits at first, as each step depends on them.
        request: The request.
        per_document: Largest number of hits of one document; 0 for no limit.
        versions: Versions of the documents; of copies, one of a document that is not superseded is kept.
    """
    has_margin = bool(request.stores.record.near_copies) and not retriever.is_multi_step
    depth, deepest = request.k + MARGIN * has_margin, max(DEEPEST, 10 * request.k)
    reachable = 0
    while True:
        found = retriever.search(replace(request, k=depth))
        originals = find_originals(request.stores, found.hits)
        kept = _limit_documents(merge_copies(found.hits, originals, versions), per_document)
        is_complete = len(kept) >= request.k or len(found.hits) < depth
        if per_document and not is_complete:
            reachable = reachable or _count_reachable(request, per_document)
            is_complete = len(kept) >= reachable
        if is_complete:
            return replace(found, hits=kept[: request.k])
        if per_document and depth >= deepest:
            request.stores.note(
                f"the limit of {per_document} hits per document leaves {len(kept)} of the best {depth:,} hits, and no "
                f"others were searched: raise per_document, or filter by document"
            )
            return replace(found, hits=kept[: request.k])
        depth = max(2 * depth, request.k + 2 * (len(found.hits) - len(kept)))
        depth = min(depth, deepest) if per_document else depth


def _count_reachable(request: SearchRequest[Any], per_document: int) -> int:
    """Largest number of hits under a limit by document, or ``k``; ``k`` also while the documents are being changed."""
    record = request.stores.record
    if record.published != record.generation:
        return request.k
    (row,) = request.stores.graph.read(
        "corpus/count_limited",
        corpus=request.stores.name,
        filters=filters.parameters(request.filters),
        most=per_document,
        documents=request.k,
    )
    return min(request.k, int(row["chunks"]))


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


def merge_copies(
    hits: Iterable[Hit], originals: Mapping[str, str], versions: Versions = NO_VERSIONS
) -> tuple[Hit, ...]:
    """The first hit of each content, if possible of a document that is not superseded, with ranks from 1.

    Versions of one document are often nearly the same, and yet no copies of one another.

    Args:
        hits: Hits, best first.
        originals: Result of :func:`find_originals` for them.
        versions: Versions of the documents.
    """
    first: dict[tuple[str, str], Hit] = {}
    kept: list[Hit] = []
    for hit in hits:
        keys = [("content", hit.chunk.content)]
        if hit.chunk.id in originals:
            keys.append(("original", originals[hit.chunk.id]))
        copied = [first[key] for key in keys if key in first]
        before = next((one for one in copied if not _are_versions(one, hit, versions)), None)
        if before is not None and _is_superseded(before, versions) and not _is_superseded(hit, versions):
            kept.remove(before)
            first = {key: hit if one is before else one for key, one in first.items()}
            before = None
        if before is None:
            kept.append(hit)
        first |= dict.fromkeys(keys, before or hit)
    return tuple(hit if hit.rank == rank else replace(hit, rank=rank) for rank, hit in enumerate(kept, start=1))


def _are_versions(one: Hit, other: Hit, versions: Versions) -> bool:
    """Whether two chunks with different content are of a document and one that supersedes it."""
    first, second = one.chunk.document_id, other.chunk.document_id
    is_newer = first in versions.successors.get(second, ()) or second in versions.successors.get(first, ())
    return is_newer and one.chunk.content != other.chunk.content


def _is_superseded(hit: Hit, versions: Versions) -> bool:
    return hit.chunk.document_id in versions.successors


def find_originals(stores: CorpusStores, hits: Sequence[Hit]) -> Mapping[str, str]:
    """The chunk of the original by chunk, for the hits that have a near copy."""
    return copied_chunks.find_originals(stores, [hit.chunk.id for hit in hits])


def list_copies(stores: CorpusStores, hits: Sequence[Hit], wanted: Filters | None) -> tuple[Hit, ...]:
    """The hits, each with the other chunks of its content that pass the filters, and with its near copies."""
    if not hits:
        return ()
    contents = {hit.chunk.id: hit.chunk.content for hit in hits}
    copies: dict[str, dict[str, Copy]] = defaultdict(dict)
    may_be_copied = copied_chunks.may_have_copies(stores, [*contents])
    for copied, chunk in _read_copies("corpus/find_copies", stores, may_be_copied, wanted):
        if chunk.content == contents[copied]:
            copies[copied][chunk.id] = Copy.of(chunk)
    may_be_near = copied_chunks.may_have_near_copies(stores, [*contents])
    for copied, chunk in _read_copies("corpus/find_nearly_same", stores, may_be_near, wanted):
        copies[copied].setdefault(chunk.id, Copy.of(chunk, is_exact=False))
    return tuple(
        replace(hit, also_in=tuple(found for _, found in sorted(copies[hit.chunk.id].items()))[:MOST_COPIES])
        if hit.chunk.id in copies
        else hit
        for hit in hits
    )


def _read_copies(
    query: str, stores: CorpusStores, ids: Sequence[str], wanted: Filters | None
) -> Iterator[tuple[str, Chunk]]:
    """Yield the id of the chunk of a hit, and a chunk that a query finds for it."""
    if not ids:
        return
    rows = stores.graph.read(
        query,
        corpus=stores.name,
        ids=list(ids),
        filters=filters.parameters(wanted),
        limit=MOST_COPIES,
    )
    for row in rows:
        yield row["copied"], chunk_table.from_row(row)
