"""Tools that take a question: search, ask, explain and facts."""

from __future__ import annotations

from collections.abc import Sequence

from mcp.server.mcpserver import Context

from tetragraph.errors import InvalidInput
from tetragraph.model import Evidence, FactParticipant, FactStatement, FoundFact, Hit
from tetragraph.model.answers import Answer, Citation
from tetragraph.model.explanations import Explanation
from tetragraph.service.mcp.arguments import (
    CorpusArgument,
    FiltersArgument,
    Hits,
    Method,
    Options,
    Question,
    Size,
    ToolGroup,
)
from tetragraph.service.mcp.bounds import TOKENS, Cut, fit
from tetragraph.service.mcp.results import (
    AnswerResult,
    CitationItem,
    ExplainResult,
    FactItem,
    FactsResult,
    PartItem,
    Passage,
    SearchResult,
)
from tetragraph.service.mcp.uris import document_uri
from tetragraph.systems.bipartite_graph.entity_queries import KnownFact
from tetragraph.validation import merge_options

_DIGITS = 4
_MOST_STATED = 5
"""Largest number of passages listed for a fact."""


class QuestionTools(ToolGroup):
    """Tools that take a question."""

    def search(
        self,
        context: Context,
        corpus: CorpusArgument,
        question: Question,
        k: Hits = 8,
        method: Method = "evidence",
        filters: FiltersArgument = None,
        options: Options = None,
        max_tokens: Size = TOKENS,
    ) -> SearchResult:
        """Find the passages that best support an answer to a question, across documents and over several steps.

        Use this to read evidence yourself and cite it; use `ask` for a finished answer.
        """
        found = self._corpus(context, corpus).search(
            **merge_options(options or {}, question=question, k=k, method=method, filters=filters)
        )
        return fit(lambda cut: search_result(corpus, found, cut), len(found), max_tokens)

    def ask(
        self,
        context: Context,
        corpus: CorpusArgument,
        question: Question,
        k: Hits = 5,
        method: Method = "evidence",
        filters: FiltersArgument = None,
        options: Options = None,
        max_tokens: Size = TOKENS,
    ) -> AnswerResult:
        """Answer a question from the corpus, with quotes that were checked against their passages.

        An empty answer means that the evidence contains none; the citations then come nearest.
        """
        found = self._corpus(context, corpus).ask(
            **merge_options(options or {}, question=question, k=k, method=method, filters=filters)
        )
        return fit(lambda cut: answer_result(corpus, found, cut), len(found.citations), max_tokens)

    def explain(
        self,
        context: Context,
        corpus: CorpusArgument,
        question: Question,
        rank: Hits = 1,
        k: Hits = 8,
        method: Method = "evidence",
        filters: FiltersArgument = None,
        options: Options = None,
        max_tokens: Size = TOKENS,
    ) -> ExplainResult:
        """Explain why a passage has its rank: the parts of its score, and the path in the graph that led to it.

        Give the arguments of the `search` whose result is to be explained; searches are deterministic.
        """
        searched = self._corpus(context, corpus)
        found = searched.search(
            **merge_options(options or {}, question=question, k=max(k, rank), method=method, filters=filters)
        )
        if rank > len(found):
            raise InvalidInput(f"rank must be 1 to {len(found)}, as the search found no more, got {rank}")
        told = searched.explain(found, rank)
        return fit(lambda cut: explain_result(corpus, told, cut), len(told.sentences), max_tokens)

    def facts(
        self,
        context: Context,
        corpus: CorpusArgument,
        question: Question,
        k: Hits = 10,
        filters: FiltersArgument = None,
        options: Options = None,
        max_tokens: Size = TOKENS,
    ) -> FactsResult:
        """Find the facts that best answer a question: clauses with their participants, and where they are stated.

        The corpus needs the graph `bipartite`.
        """
        found = self._corpus(context, corpus).facts(
            **merge_options(options or {}, question=question, k=k, filters=filters)
        )

        def make(cut: Cut) -> FactsResult:
            return FactsResult(
                corpus=corpus,
                question=found.question,
                facts=fact_items(found[: cut.items], cut),
                left_out=len(found) - cut.items,
                notes=list(found.notes),
            )

        return fit(make, len(found), max_tokens)


def search_result(corpus: str, found: Evidence, cut: Cut) -> SearchResult:
    """The result of a search, of a certain size."""
    return SearchResult(
        corpus=corpus,
        question=found.question,
        method=found.method,
        passages=[_passage(corpus, hit, cut) for hit in found[: cut.items]],
        sub_questions=[step.question for step in found.chain],
        left_out=len(found) - cut.items,
        notes=list(found.notes),
    )


def answer_result(corpus: str, found: Answer, cut: Cut) -> AnswerResult:
    """An answer with its citations, of a certain size."""
    return AnswerResult(
        corpus=corpus,
        question=found.question,
        answer=found.text,
        kind=found.kind,
        is_insufficient=found.insufficient,
        confidence=None if found.confidence is None else round(found.confidence, _DIGITS),
        citations=citation_items(corpus, found.citations[: cut.items], cut),
        session=found.session,
        left_out=len(found.citations) - cut.items,
        notes=list(found.notes),
    )


def explain_result(corpus: str, told: Explanation, cut: Cut) -> ExplainResult:
    """An explanation, of a certain size; the path, which is the last sentence, is left out last."""
    return ExplainResult(
        corpus=corpus,
        question=told.question,
        method=told.method,
        rank=told.rank,
        chunk=told.chunk.id,
        title=told.chunk.title,
        score=round(told.score, _DIGITS),
        parts=[PartItem(name=part.name, value=round(part.value, _DIGITS), meaning=part.meaning) for part in told.parts],
        sentences=[cut.shorten(line) for line in (*told.sentences[: cut.items - 1], told.sentences[-1])],
        nodes=len(told.subgraph.nodes),
        relationships=len(told.subgraph.links),
        left_out=len(told.sentences) - cut.items,
        notes=list(told.notes),
    )


def citation_items(corpus: str, citations: Sequence[Citation], cut: Cut) -> list[CitationItem]:
    """Citations, numbered from 1."""
    return [
        CitationItem(
            number=number,
            quote=cut.quote("quote", one.quote, number),
            chunk=one.chunk,
            title=one.title,
            source=one.source,
            page=one.page,
            document=document_uri(corpus, one.document),
        )
        for number, one in enumerate(citations, 1)
    ]


def fact_items(facts: Sequence[FoundFact | KnownFact], cut: Cut) -> list[FactItem]:
    """Facts, with the names of their participants."""
    return [
        FactItem(
            fact=cut.quote("fact", one.description, number),
            type=one.type,
            confidence=round(one.confidence, _DIGITS),
            participants=[_participant(other) for other in one.participants],
            stated_in=_chunks(one.statements),
        )
        for number, one in enumerate(facts, 1)
    ]


def _participant(other: FactParticipant) -> str:
    return f"{other.name} ({other.role})"


def _chunks(statements: Sequence[FactStatement]) -> list[str]:
    return list(dict.fromkeys(one.chunk for one in statements))[:_MOST_STATED]


def _passage(corpus: str, hit: Hit, cut: Cut) -> Passage:
    chunk = hit.chunk
    return Passage(
        rank=hit.rank,
        score=round(hit.score, _DIGITS),
        chunk=chunk.id,
        title=chunk.title or chunk.document_title,
        source=chunk.source,
        page=chunk.page,
        place=hit.places,
        document=document_uri(corpus, chunk.document_id),
        text=cut.quote("passage", chunk.text, hit.rank),
        is_cut=cut.has_cut(chunk.text),
        parts={name: round(value, _DIGITS) for name, value in hit.parts.items() if value},
    )
