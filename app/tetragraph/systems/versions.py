"""Time and authority in searches: documents that are left out, and the order of superseded passages.

This belongs to the stage that all methods share (:mod:`tetragraph.systems.reranking`); no method does it itself. For a
corpus whose documents state no validity nothing here reads a store or changes a hit.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from typing import Any, Final

from tetragraph.errors import UnknownFilter
from tetragraph.model import HIDDEN_DOCUMENTS, Contribution, Filters, Hit
from tetragraph.model.display import first_of
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.versions import Versions, has_versions, load_versions
from tetragraph.systems.rerank_options import RerankOptions

PART: Final = "superseded"
"""Part of the score of a passage that was moved below those of the documents that supersede its own."""
MEANING: Final = "its document is superseded, so it ranks below the passages of the newer one"
LEAST_POOL: Final = 20
"""Least number of hits among which superseded ones are ordered; twice ``k`` if that is more."""
_SHOWN = 3


def hide_documents(stores: CorpusStores, options: Any, filters: Filters | None) -> Filters | None:
    """The filters of a search, with the documents that ``as_of`` and ``superseded="hide"`` leave out.

    Args:
        stores: The stores of the corpus; get a note where no document states when it is valid.
        options: Search options of the method.
        filters: Filters of the caller.

    Raises:
        UnknownFilter: the filters have the key that this function adds.
    """
    if HIDDEN_DOCUMENTS in (filters or {}):
        raise UnknownFilter(f"a filter must name a metadata key of the corpus, got {HIDDEN_DOCUMENTS!r}: leave it out")
    if not isinstance(options, RerankOptions) or (not options.as_of and options.superseded != "hide"):
        return filters
    if not has_versions(stores):
        asked = f"as_of {options.as_of}" if options.as_of else "superseded hide"
        stores.note(f"no document states valid_from, valid_to or supersedes, so {asked} leaves none out")
        return filters
    versions = load_versions(stores)
    hidden = versions.not_valid_on(options.as_of) if options.as_of else set[str]()
    if options.superseded == "hide":
        hidden |= versions.successors.keys()
    return {**(filters or {}), HIDDEN_DOCUMENTS: sorted(hidden)} if hidden else filters


def pool_size(k: int) -> int:
    """Number of hits among which superseded ones are ordered, for ``k`` hits."""
    return max(2 * k, LEAST_POOL)


def mark_superseded(hits: Sequence[Hit], versions: Versions) -> tuple[Hit, ...]:
    """The hits, each with the documents that supersede its own."""
    return tuple(
        replace(hit, superseded_by=found) if (found := versions.superseded_by(hit.chunk.document_id)) else hit
        for hit in hits
    )


def order_versions(hits: Sequence[Hit], *, is_complete: bool) -> tuple[Hit, ...]:
    """Marked hits in an order in which none is above a hit of a document that supersedes its own.

    Each hit keeps its place unless it is superseded; then it follows the last hit of its successors. Its score becomes
    the next lower one than that of the hit above it, and the difference is the part ``superseded``.

    Args:
        hits: Hits in descending order of score.
        is_complete: Whether these are all hits of the search. Otherwise hits whose successors are not among them
            follow all others, as their successors would have a lower place than those.
    """
    if not any(hit.superseded_by for hit in hits):
        return tuple(hits)
    order = _Order(hits, is_complete=is_complete)
    placed = [hits[place] if score == hits[place].score else _lowered(hits[place], score) for place, score in order]
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(placed, start=1))


class _Order:
    """Places of hits in the order of :func:`order_versions`, each with its score there."""

    def __init__(self, hits: Sequence[Hit], *, is_complete: bool) -> None:
        self._hits = hits
        self._left = Counter(hit.chunk.document_id for hit in hits)
        self._free: list[tuple[float, int]] = []
        self._last: deque[int] = deque()
        self._blocked: dict[int, int] = {}
        self._waiting: dict[str, list[int]] = defaultdict(list)
        for place, hit in enumerate(hits):
            newer = [one for one in hit.superseded_by if self._left[one]]
            for one in newer:
                self._waiting[one].append(place)
            if newer:
                self._blocked[place] = len(newer)
            elif hit.superseded_by and not is_complete:
                self._last.append(place)
            else:
                heappush(self._free, (-hit.score, place))

    def __iter__(self) -> Iterator[tuple[int, float]]:
        above = math.inf
        for _ in self._hits:
            if not self._free:  # in a cycle, which only an earlier version can have stored, all are blocked
                place = self._last.popleft() if self._last else min(self._blocked)
                self._blocked.pop(place, None)
                self._push(place, above)
            negative, place = heappop(self._free)
            above = -negative
            yield place, above
            self._leave(self._hits[place].chunk.document_id, above)

    def _push(self, place: int, above: float) -> None:
        heappush(self._free, (-min(self._hits[place].score, math.nextafter(above, -math.inf)), place))

    def _leave(self, document: str, above: float) -> None:
        """Free the hits that waited for the last hit of a document."""
        self._left[document] -= 1
        if self._left[document]:
            return
        for place in self._waiting[document]:
            if place in self._blocked:
                self._blocked[place] -= 1
                if not self._blocked[place]:
                    del self._blocked[place]
                    self._push(place, above)


def _lowered(hit: Hit, score: float) -> Hit:
    lost = score - hit.score
    label = f"superseded by {_listed(hit.superseded_by)}"
    return replace(
        hit,
        score=score,
        parts={**hit.parts, PART: lost},
        contributions=(*hit.contributions, Contribution(PART, label, lost)),
    )


def note_superseded(stores: CorpusStores, hits: Sequence[Hit]) -> None:
    """Note which hits are of superseded documents, and where a newer version of one is among the hits."""
    found = {hit.chunk.document_id: hit.superseded_by for hit in hits if hit.superseded_by}
    if not found:
        return
    present = {hit.chunk.document_id for hit in hits}
    both = {one: sorted(present & {*newer}) for one, newer in found.items()}
    for document in sorted(found)[:_SHOWN]:
        if both[document]:
            sentence = f"{document!r} and {_listed(both[document])}, which supersedes it, are both in the result"
            stores.note(f"{sentence}: where they contradict each other, the newer one holds")
        else:
            stores.note(f"{document!r} is superseded by {_listed(found[document])}, of which no passage was found")
    if len(found) > _SHOWN:
        stores.note(f"{len(found) - _SHOWN} more documents of the result are superseded: see superseded_by of the hits")


def _listed(documents: Sequence[str]) -> str:
    return first_of([*map(repr, documents)], _SHOWN)
