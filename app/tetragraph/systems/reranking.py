"""Searches for hits of different content, whose scores a reranker completes if the options say so.

This is the one stage between a retriever and its callers: every method is reranked here, and none does it itself. A
search in several steps reranks the hits of each step, by the query of that step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, Final

import numpy as np

from tetragraph.algorithms.reranking import rerank_addends
from tetragraph.errors import InvalidInput
from tetragraph.language.questions.steps import fill_placeholders
from tetragraph.language.rerankers import Reranker
from tetragraph.model import ChainStep, Contribution, Findings, Hit
from tetragraph.stores.versions import NO_VERSIONS, load_versions
from tetragraph.systems import versions as document_versions
from tetragraph.systems.base import Retriever, SearchRequest
from tetragraph.systems.copies import search_distinct
from tetragraph.systems.rerank_options import RerankOptions

PART: Final = "rerank"
"""Part of a score that the reranker adds, key of its entry in the trace of a search, and that in its manifest."""
MEANING: Final = "it answers the question or a sub-question, as a second model reads both"


def search_reranked(retriever: Retriever[Any], request: SearchRequest[Any]) -> Findings:
    """At most ``k`` hits of different content, best first; reranked and limited by document if the options say so.

    Superseded passages are below those of the documents that supersede theirs, unless the options say otherwise.

    Raises:
        MissingDependency: the model of the reranker is not installed.
    """
    options = request.options
    limit = options.per_document if isinstance(options, RerankOptions) else 0
    # Of the documents that are searched for a day none supersedes another: those that were superseded are left out.
    has_order = isinstance(options, RerankOptions) and not options.as_of
    versions = load_versions(request.stores) if has_order else NO_VERSIONS
    is_ordered = bool(versions.successors) and options.superseded == "below"
    wanted = document_versions.pool_size(request.k) if is_ordered else request.k
    reranker = None if retriever.is_multi_step else find_reranker(options)
    depth = max(wanted, options.rerank_pool) if reranker else wanted
    found = search_distinct(retriever, replace(request, k=depth), limit, versions)
    if reranker:
        found = rerank(reranker, request.question.text, found, options.rerank_weight)
    hits = document_versions.mark_superseded(found.hits, versions)
    if is_ordered:
        hits = document_versions.order_versions(hits, is_complete=len(hits) < depth)
    return replace(found, hits=hits[: request.k])


def part_meaning(retriever: Retriever[Any], part: str) -> str:
    """One phrase for a part of ``Hit.parts``, also for those of the reranker and of superseded passages."""
    shared = {PART: MEANING, document_versions.PART: document_versions.MEANING}
    return shared[part] if part in shared else retriever.part_meaning(part)


def find_reranker(options: Any) -> Reranker | None:
    """The reranker of search options; None if they name none.

    Raises:
        MissingDependency: its model is not installed.
    """
    return options.reranker if isinstance(options, RerankOptions) else None


def with_reranking(options: Any, source: RerankOptions) -> Any:
    """The options of a method with the reranking and versions of other options, those of a search in several steps.

    The largest number of hits of one document stays that of the method: the other one limits the result of all steps.

    Raises:
        InvalidInput: the method has no reranking, and the other options ask for it.
    """
    if isinstance(options, RerankOptions):
        options = replace(options, superseded=source.superseded, as_of=source.as_of)
    if source.rerank == "none":
        return options
    if not isinstance(options, RerankOptions):
        raise InvalidInput(f"rerank must be none for a retriever without reranking, got {source.rerank!r}")
    given = {field.name: getattr(source, field.name) for field in fields(RerankOptions) if field.name != "per_document"}
    return replace(options, **given)


def describe_reranker(options: Any) -> dict[str, Any]:
    """Entry of the manifest for the reranker of search options; empty if they name none."""
    reranker = find_reranker(options)
    return {PART: {"model": reranker.name, "model_hash": reranker.model_hash}} if reranker else {}


def rerank(reranker: Reranker, question: str, found: Findings, weight: float) -> Findings:
    """Add the reranker's score to that of each hit, and order by (-score, id).

    A chunk counts by the question or by the sub-question that it answers best. Which text that is, with the
    reranker's own score, is a contribution to the part ``rerank``.

    Args:
        reranker: Scores the chunks, with their titles.
        question: Text of the question.
        found: Findings of a method, with the sub-questions of a decomposed question.
        weight: Weight of the reranker's score relative to that of the method.
    """
    texts = tuple(dict.fromkeys((question, *fill_bridges(found.chain))))
    judged = reranker.score(texts, [hit.chunk.passage for hit in found.hits])
    added = rerank_addends(np.array([hit.score for hit in found.hits], dtype=np.float64), judged, weight)
    hits = [
        _with_addend(hit, value, f"{texts[place]}, scored {row[place]:.2f}")
        for hit, value, place, row in zip(
            found.hits, added.values.tolist(), added.questions.tolist(), judged.T.tolist(), strict=True
        )
    ]
    ranked = sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))
    trace = {"model": reranker.name, "questions": list(texts), "pairs": judged.size}
    return replace(
        found,
        hits=tuple(replace(hit, rank=rank) for rank, hit in enumerate(ranked, start=1)),
        trace={**found.trace, PART: trace},
    )


def fill_bridges(chain: Sequence[ChainStep]) -> tuple[str, ...]:
    """The sub-questions, each with the likeliest bridge for an answer that it needs; without those that lack one."""
    names = {number: step.bridges[0].name for number, step in enumerate(chain, start=1) if step.bridges}
    answered = (step for step in chain if names.keys() >= {*step.refers})
    return tuple(fill_placeholders(step.question, step.refers, names.__getitem__) for step in answered)


def _with_addend(hit: Hit, value: float, label: str) -> Hit:
    """A hit with one more part of its score, and the contribution to it unless it is 0."""
    own = (Contribution(PART, label, value),) if value else ()
    parts = {**hit.parts, PART: value}
    return replace(hit, score=hit.score + value, parts=parts, contributions=(*hit.contributions, *own))
