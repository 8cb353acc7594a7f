"""Findings that a client keeps, and gives again for the same question.

Findings are kept by corpus, generation, method, options, question and filters, and only where they were computed from
arrays: these are of one generation, and never change. What comes from the stores or a language model is computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final, TypeAlias

from tetragraph.host.recent_values import RecentValues
from tetragraph.llm import Operation
from tetragraph.model import Findings
from tetragraph.systems.base import Retriever, SearchRequest

Search: TypeAlias = Callable[[Retriever[Any], SearchRequest[Any]], Findings]
Kept: TypeAlias = tuple[Findings, tuple[str, ...]]
"""Findings with the notes of their search."""


MOST_KEPT_HITS: Final = 20
"""Largest number of hits of findings that are kept: a result of hundreds takes megabytes."""


def search_or_recall(
    kept: RecentValues[Hashable, Kept], search: Search, retriever: Retriever[Any], request: SearchRequest[Any]
) -> Findings:
    """The findings of a search, computed unless they are kept.

    Args:
        kept: Findings of earlier searches, to which those of this one are added.
        search: Computes findings.
        retriever: Retriever of the method.
        request: The search; its stores receive the notes.
    """
    key = _identify(retriever, request)
    known = kept.get(key)
    if known is None:
        (found, notes), may_be_kept = _compute(search, retriever, request)
        if may_be_kept:
            kept.put(key, (_copy(found), notes))
    else:
        found, notes = _copy(known[0]), known[1]
    for note in notes:
        request.stores.note(note)
    return found


def _copy(found: Findings) -> Findings:
    """The findings with mappings of their own: a caller that changes these changes no kept findings."""
    hits = tuple(
        replace(hit, parts=dict(hit.parts), chunk=replace(hit.chunk, metadata=dict(hit.chunk.metadata)))
        for hit in found.hits
    )
    return replace(found, hits=hits, graph=deepcopy(found.graph), trace=deepcopy(found.trace))


def _identify(retriever: Retriever[Any], request: SearchRequest[Any]) -> Hashable:
    """All that findings from arrays depend on."""
    record, filters = request.stores.record, sorted((request.filters or {}).items())
    state = (record.key, record.generation, record.published, record.embedder, record.vector_set)
    return (*state, retriever.name, repr(request.options), request.k, request.question.text, repr(filters))


def _compute(search: Search, retriever: Retriever[Any], request: SearchRequest[Any]) -> tuple[Kept, bool]:
    """Findings with their notes, and whether they are kept: another search is certain to find the same."""
    operations: list[Operation] = []

    def ask() -> Operation:
        operations.append(request.question.llm())
        return operations[-1]

    stores, question = replace(request.stores, notes=[]), replace(request.question, llm=ask)
    found = search(retriever, replace(request, stores=stores, question=question))
    is_whole = stores.record.generation == stores.record.published
    is_repeatable = not retriever.is_multi_step and retriever.is_repeatable(request.options)
    is_exact = found.engine == "memory" and not operations and is_repeatable
    return (found, tuple(stores.notes)), is_whole and is_exact and len(found.hits) <= MOST_KEPT_HITS
