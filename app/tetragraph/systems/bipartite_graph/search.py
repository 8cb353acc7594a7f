"""Searches the bipartite graph: ranks facts, and the chunks that state them."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tetragraph.algorithms.reciprocal_rank_fusion import reciprocal_rank_fusion
from tetragraph.arrays import Flags
from tetragraph.host.optional_imports import install_command
from tetragraph.language.questions.complexity import PAPER, TETRAGRAPH, Complexity, classify
from tetragraph.language.questions.reading import has_parser
from tetragraph.language.questions.variables import SubQuery, as_sub_queries, filled
from tetragraph.model import FactFindings, Findings
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.systems.bipartite_graph import hits
from tetragraph.systems.bipartite_graph.dual_path import Names, compare, find_names
from tetragraph.systems.bipartite_graph.hits import Ranked, ScoreContributions, chunk_scores
from tetragraph.systems.bipartite_graph.index import BipartiteIndex, load
from tetragraph.systems.bipartite_graph.joint_binding import (
    bind_jointly,
    chunk_probability,
    fact_probability,
    ways,
)
from tetragraph.systems.bipartite_graph.options import SEARCH_DEFAULTS, WEIGHTS, BipartiteOptions
from tetragraph.systems.bipartite_graph.outcome import FactSearchOutcome
from tetragraph.systems.bipartite_graph.question_names import PromptedNames, ask_names, find_entities
from tetragraph.systems.bipartite_graph.retriever import Retrieval, Retriever
from tetragraph.systems.bipartite_graph.sequential_binding import bind_sequentially
from tetragraph.systems.bipartite_graph.traversal import IsLate, Reached
from tetragraph.systems.bipartite_graph.view import FactView
from tetragraph.systems.question_decomposition import Decomposed, decompose

_TIE = 1e-4
"""Weight of a chunk's own cosine when facts are ranked by structure: it breaks ties between chunks."""


def search(
    stores: CorpusStores,
    question: Question,
    k: int,
    options: BipartiteOptions = SEARCH_DEFAULTS,
    allowed: Collection[str] | None = None,
) -> Findings:
    """Find the best ``k`` chunks with their facts, or all allowed chunks if there are fewer; ties by id.

    Args:
        stores: Stores of the corpus.
        question: Question and its vector.
        k: Number of hits, at least 1.
        options: Search options.
        allowed: Ids of the chunks that may be found; all when left out. Facts that only other chunks state are ignored.

    Raises:
        NotBuilt: the corpus is being changed and its last complete graph is unavailable.

    Source:
        BiG-RAG, sections 4.2 and 4.3. Chunks are found by the facts that they state.
    """
    index, found = _look(stores, question, options, allowed)
    return findings(index, found, k)


def search_facts(
    stores: CorpusStores,
    question: Question,
    k: int,
    options: BipartiteOptions = SEARCH_DEFAULTS,
    allowed: Collection[str] | None = None,
) -> FactFindings:
    """Find the best ``k`` facts; fewer only if fewer are reached. Arguments and errors as for :func:`search`."""
    index, found = _look(stores, question, options, allowed)
    return fact_findings(index, found, k)


def findings(index: FactView, found: FactSearchOutcome, k: int) -> Findings:
    """The best ``k`` chunks of a search."""
    best = hits.hits(index, found.ranked, found.parts, found.contributions, found.allowed, k)
    return Findings(best, found.chain(index), index.made, found.trace(index))


def fact_findings(index: FactView, found: FactSearchOutcome, k: int) -> FactFindings:
    """The best ``k`` facts of a search."""
    best = hits.found_facts(index, found.ranked, found.allowed, k)
    return FactFindings(best, found.chain(index), index.made, found.trace(index))


def _look(
    stores: CorpusStores, question: Question, options: BipartiteOptions, allowed: Collection[str] | None
) -> tuple[BipartiteIndex, FactSearchOutcome]:
    """Search the corpus and add notes on shortcomings."""
    index = load(stores)
    found = search_index(index, question, options, index.table.mask(allowed))
    note_shortcomings(stores, index, found, options)
    return index, found


def note_shortcomings(
    stores: CorpusStores, index: FactView, found: FactSearchOutcome, options: BipartiteOptions
) -> None:
    """Add notes on options that a search did not fulfil, and on a graph that was built in another mode."""
    for shortcoming in _shortcomings(found, options):
        stores.note(shortcoming)
    if options.mode == "paper" and index.build_mode != "paper":
        stores.note(
            f"mode paper searches a graph that was built in mode {index.build_mode}, without confidence thresholds: "
            f"`tetragraph build bipartite -c {stores.name} -o mode=paper` builds that of the paper"
        )


@dataclass(frozen=True, slots=True)
class AnalysedQuestion:
    """A question taken apart, before facts are searched.

    Attributes:
        prompted: Names in the question that a language model found.
        complexity: Its complexity.
        queries: Its sub-queries; none if it is answered as a whole.
        apart: Its decomposition.
        is_late: Whether there is no time for a further hop.
    """

    prompted: PromptedNames
    complexity: Complexity
    queries: tuple[SubQuery, ...]
    apart: Decomposed
    is_late: IsLate

    @property
    def from_model(self) -> Mapping[str, Any]:
        """Names and steps of the language model, for the trace."""
        names = {} if self.prompted.names is None else {"names": list(self.prompted.names)}
        return {**names, **self.apart.trace()}

    @property
    def faults(self) -> tuple[str, ...]:
        """Reasons why parts of the model's replies were not used."""
        return tuple(fault for fault in (self.prompted.fault, self.apart.fault) if fault)


def analyse(question: Question, options: BipartiteOptions, prompted: PromptedNames, names: Names) -> AnalysedQuestion:
    """Take a question apart; the time limit begins.

    Args:
        question: The question.
        options: Search options.
        prompted: Names from the language model.
        names: The entities that the question names.
    """
    complexity = classify(question.text, names.spans, mode=PAPER if options.ranking == "paper" else TETRAGRAPH)
    is_complex = options.decompose and complexity.level == "complex"
    apart = decompose(question, names.spans, options.decomposition) if is_complex else Decomposed(())
    queries = as_sub_queries(question.text, apart.steps) if len(apart.steps) > 1 else ()
    deadline = None if options.time_limit is None else time.monotonic() + options.time_limit
    return AnalysedQuestion(
        prompted, complexity, queries, apart, lambda: deadline is not None and time.monotonic() > deadline
    )


def search_index(index: FactView, question: Question, options: BipartiteOptions, allowed: Flags) -> FactSearchOutcome:
    """Search an index.

    Args:
        index: Index of the corpus.
        question: Question and its vector.
        options: Search options.
        allowed: ``(n,)`` chunks that may be found.
    """
    prompted = ask_names(question, options.query_entities)
    names = find_entities(index, question.text, prompted)
    return search_analysed(index, question, options, allowed, analyse(question, options, prompted, names), names)


def search_analysed(
    index: FactView,
    question: Question,
    options: BipartiteOptions,
    allowed: Flags,
    analysed: AnalysedQuestion,
    names: Names,
) -> FactSearchOutcome:
    """Search an index for a question that was taken apart.

    Args:
        index: Index of the corpus, or of a part of it.
        question: Question and its vector.
        options: Search options.
        allowed: ``(n,)`` chunks that may be found.
        analysed: The question taken apart.
        names: The entities that it names, as rows of this index.
    """
    retriever = Retriever(index, question, options, allowed, analysed.is_late)
    run = _by_structure if options.ranking == "paper" else _by_similarity
    found = run(retriever, names, analysed.complexity, analysed.queries)
    return replace(found, prompted=analysed.from_model, faults=analysed.faults)


def _by_similarity(
    retriever: Retriever, names: Names, complexity: Complexity, queries: tuple[SubQuery, ...]
) -> FactSearchOutcome:
    index, question, options = retriever.index, retriever.question, retriever.options
    whole, *asked = compare(index, question, [question.text, *(filled(query, {}) for query in queries)])
    retrieval = retriever.by_similarity(question.text, whole, names, options.bounds(complexity.level))
    answers = bind_jointly(index, queries, asked, retriever.allowed, options.hub) if queries else ()
    reached = {row: retrieval.traversal.reached[row] for row in retrieval.facts}
    by_way = _rank(index, {row: one.score for row, one in reached.items()}, reached, names)
    likely = fact_probability(answers)
    scores = {
        row: by_way.scores.get(row, float(retrieval.asked.scores[row])) + WEIGHTS.step * likely.get(row, 0.0)
        for row in {*reached, *likely}
    }
    parts = {
        "similarity": WEIGHTS.passage * retrieval.asked.passages,
        "facts": (1 - WEIGHTS.passage) * chunk_scores(index, by_way),
        "sub_queries": WEIGHTS.step * chunk_probability(retrieval.asked, answers),
    }
    bound = ways(index, queries, answers)
    crossed = {row: one for row, one in reached.items() if one.entities or row not in bound}
    ranked = _rank(index, scores, {**bound, **crossed}, names)
    contributions = ScoreContributions(
        {row: (1 - WEIGHTS.passage) * score for row, score in by_way.scores.items()},
        {row: WEIGHTS.step * probability for row, probability in likely.items()},
        retrieval.asked.home,
    )
    return FactSearchOutcome(
        complexity, queries, answers, (retrieval,), ranked, parts, contributions, retriever.allowed
    )


def _by_structure(
    retriever: Retriever, names: Names, complexity: Complexity, queries: tuple[SubQuery, ...]
) -> FactSearchOutcome:
    index, bounds = retriever.index, retriever.options.bounds(complexity.level)
    retrievals: list[Retrieval] = []

    def retrieve(text: str) -> Sequence[int]:
        named = names if text == retriever.question.text else find_names(index, text)
        retrievals.append(retriever.by_structure(text, named, bounds))
        return retrievals[-1].facts

    answers = bind_sequentially(index, queries, retrieve) if queries else ()
    if not queries:
        retrieve(retriever.question.text)
    rows = sorted({row for retrieval in retrievals for row in retrieval.facts})
    place = {row: number for number, row in enumerate(rows)}
    shares = reciprocal_rank_fusion([[place[row] for row in retrieval.facts] for retrieval in retrievals], len(rows))
    scores = dict(zip(rows, shares.sum(axis=0).tolist(), strict=True))
    reached: dict[int, Reached] = {}
    for retrieval in reversed(retrievals):
        reached |= {row: retrieval.traversal.reached[row] for row in retrieval.facts}
    ranked = _rank(index, scores, reached, names)
    parts = {
        "facts": chunk_scores(index, ranked),
        "similarity": _TIE * index.compare_passages(retriever.question.vector),
    }
    contributions = ScoreContributions(scores, {}, retrievals[0].asked.home)
    return FactSearchOutcome(
        complexity, queries, answers, tuple(retrievals), ranked, parts, contributions, retriever.allowed
    )


def _rank(index: FactView, scores: Mapping[int, float], reached: Mapping[int, Reached], names: Names) -> Ranked:
    by_row = {row: reached.get(row, Reached(score, (row,))) for row, score in scores.items()}
    named = index.facts.items[index.facts.places(names.entities)[0]]
    return Ranked(scores, by_row, frozenset(named.tolist()))


def _shortcomings(found: FactSearchOutcome, options: BipartiteOptions) -> Iterator[str]:
    """Notes on options that the search did not fulfil."""
    yield from found.faults
    if any(retrieval.traversal.stopped == "time" for retrieval in found.retrievals):
        yield (
            f"the traversal was stopped after {options.time_limit} s: with more time, or without time_limit, it goes on"
        )
    if not found.complexity.parsed:
        apart = ", and it was taken apart by a pattern, once at most" if options.decomposition == "parser" else ""
        reason, remedy = ("a question with a word of 100 characters or more is not parsed", "leave the word out")
        if not has_parser():
            reason, remedy = "spaCy and its English model are not installed", install_command("local")
        yield f"{reason}: how complex the question is was told by its words{apart}; {remedy}"
