"""Search of the bipartite graph composed in the stores: what one question needs is read, and nothing is kept.

Source:
    docs/bipartite-graph.md, section 4 ("In the stores").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tetragraph.language.questions.variables import filled
from tetragraph.model import FactFindings, Filters, Findings
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.stores.filters import check
from tetragraph.systems.bipartite_graph.dual_path import Names
from tetragraph.systems.bipartite_graph.options import BipartiteOptions
from tetragraph.systems.bipartite_graph.outcome import FactSearchOutcome
from tetragraph.systems.bipartite_graph.question_names import ask_names, find_entities
from tetragraph.systems.bipartite_graph.search import (
    AnalysedQuestion,
    analyse,
    fact_findings,
    findings,
    note_shortcomings,
    search_analysed,
)
from tetragraph.systems.bipartite_graph.stored_part import StoredPart
from tetragraph.systems.bipartite_graph.stored_view import IncompleteView, StoredView
from tetragraph.systems.engines import being_built, check_statistics

MOST_FACTS = 20_000
"""Facts of the part of the graph after which no further entity is crossed."""


def search(
    stores: CorpusStores, question: Question, k: int, options: BipartiteOptions, filters: Filters | None = None
) -> Findings:
    """The best ``k`` chunks; see :func:`tetragraph.systems.bipartite_graph.search.search`.

    Raises:
        NotBuilt: an earlier version published the corpus, without the numbers that this search needs.
        StoreError: graph and vectors disagree, or the graph is being changed.
    """
    root = _check(stores, filters)
    if not stores.record.chunks:
        return Findings((), graph=root)
    view, found = _look(stores, root, question, k, options, filters)
    return findings(view, found, k)


def search_facts(
    stores: CorpusStores, question: Question, k: int, options: BipartiteOptions, filters: Filters | None = None
) -> FactFindings:
    """The best ``k`` facts; fewer only if fewer are reached. Arguments and errors as for :func:`search`."""
    root = _check(stores, filters)
    if not stores.record.chunks:
        return FactFindings((), graph=root)
    view, found = _look(stores, root, question, k, options, filters)
    return fact_findings(view, found, k)


def _look(
    stores: CorpusStores,
    root: Mapping[str, Any],
    question: Question,
    k: int,
    options: BipartiteOptions,
    filters: Filters | None,
) -> tuple[StoredView, FactSearchOutcome]:
    is_joint = options.ranking == "similarity"
    part = StoredPart(stores, root, filters, options.hub, is_joint)
    prompted = ask_names(question, options.query_entities)
    part.look_up([question.text, *(prompted.names or ())])
    view = _view(part)
    names = find_entities(view, question.text, prompted)
    named = [view.entities[row] for row in names.entities.tolist()]
    analysed = analyse(question, options, prompted, names)
    part.look_up(query.text for query in analysed.queries)
    texts = [filled(query, {}) for query in analysed.queries] if is_joint else []
    part.add_near([question.vector, *map(question.embed, texts)], max(k, options.relations))
    part.expand(named)
    view, found = _settle(part, question, max(k, options.relations), options, analysed)
    note_shortcomings(stores, view, found, options)
    return view, found


def _check(stores: CorpusStores, filters: Filters | None) -> Mapping[str, Any]:
    """Check that the stores can answer; returns the properties of the root."""
    check(stores, filters)
    check_statistics(stores)
    root = stores.graph.get("bipartite_graph/get_graph", corpus=stores.name)
    if root is None or root["unfinished"]:
        raise being_built(stores, "bipartite graph", "bipartite")
    return root


def _view(part: StoredPart) -> StoredView:
    return StoredView(part, part.stores.record.similarity_scale or 1.0)


def _settle(
    part: StoredPart, question: Question, wanted: int, options: BipartiteOptions, analysed: AnalysedQuestion
) -> tuple[StoredView, FactSearchOutcome]:
    """Search the part, and read what the search lacked, until it lacks nothing."""
    while True:
        view = _view(part)
        found = _run(view, part, question, options, analysed)
        needs, is_full = view.needs, len(part.facts) >= MOST_FACTS
        if is_full and needs.facts:
            needs.facts.clear()
            part.stores.note(
                f"the search read {len(part.facts):,} facts from the stores and crossed no further entity: "
                f"engine='memory' has no such bound"
            )
        if found is not None and not needs:
            return view, found
        part.look_up(needs.texts)
        if needs.compared:
            part.add_near(needs.compared, wanted)
        for vector in needs.named:
            part.add_similar_entities(vector, options.entities)
        part.open(needs.members)
        if part.is_joint and not is_full:  # most participants that are asked for are crossed next: one round less
            part.expand(other.entity for one in needs.members for other in part.details[one].participants)
        part.expand(needs.facts)
        part.add_vectors(needs.vectors)


def _run(
    view: StoredView, part: StoredPart, question: Question, options: BipartiteOptions, analysed: AnalysedQuestion
) -> FactSearchOutcome | None:
    """Search a view; None if it lacks a text, without which the search cannot go on."""
    names: Names = find_entities(view, question.text, analysed.prompted)
    try:
        return search_analysed(view, question, options, view.table.mask(part.allowed), analysed, names)
    except IncompleteView:
        return None
