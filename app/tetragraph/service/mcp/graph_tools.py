"""Tools that look at a corpus: corpora, entity, themes and sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from mcp.server.mcpserver import Context
from pydantic import Field

from tetragraph.model.anchors import AnchorStep, SessionRecord
from tetragraph.model.answers import Citation
from tetragraph.service.mcp.arguments import CorpusArgument, Size, ToolGroup
from tetragraph.service.mcp.bounds import TOKENS, Cut, fit
from tetragraph.service.mcp.question_tools import citation_items, fact_items
from tetragraph.service.mcp.results import (
    CorporaResult,
    CorpusItem,
    EntityResult,
    SessionItem,
    SessionResult,
    StepItem,
    ThemeItem,
    ThemesResult,
)
from tetragraph.service.mcp.uris import session_uri
from tetragraph.systems.encoding_tree.overview import Theme
from tetragraph.systems.encoding_tree.themes import ThemeReport

Limit = Annotated[int, Field(ge=1, le=100, description="Largest number of items.")]
_SUB_THEMES = 5
_PASSAGES = 8
"""Largest number of titles listed for a step."""


class GraphTools(ToolGroup):
    """Tools that look at a corpus."""

    def corpora(self, context: Context) -> CorporaResult:
        """List the corpora that can be searched, with their sizes and whether a change of them is complete."""
        return CorporaResult(
            corpora=[
                CorpusItem(
                    name=one.name,
                    state=one.state,
                    documents=one.documents,
                    passages=one.chunks,
                    entities=one.entities,
                    embedder=one.embedder,
                    created=one.created,
                )
                for one in self._access_of(context).corpora()
            ]
        )

    def entity(
        self,
        context: Context,
        corpus: CorpusArgument,
        entity: Annotated[str, Field(description="Name or id of the entity, in any spelling of its words.")],
        to: Annotated[str, Field(description="Another entity: how facts connect the two. Empty for none.")] = "",
        limit: Limit = 10,
        max_tokens: Size = TOKENS,
    ) -> EntityResult:
        """Show one entity: its other names, its facts, and the paths of facts from it to another entity.

        The corpus needs the graph `bipartite`.
        """
        entities = self._corpus(context, corpus).entities
        found = entities.get(entity)
        facts = entities.facts(found.id, limit)
        ways = entities.between(found.id, to, limit=limit) if to.strip() else ()
        paths = [" → ".join(way.descriptions) for way in ways]

        def make(cut: Cut) -> EntityResult:
            return EntityResult(
                corpus=corpus,
                id=found.id,
                name=found.name,
                type=found.type,
                aliases=sorted({one.alias for one in found.aliases}),
                fact_count=found.facts,
                facts=fact_items(facts[: cut.items], cut),
                paths=[cut.quote("path", path, number) for number, path in enumerate(paths[: cut.items], 1)],
                left_out=max(0, len(facts) - cut.items) + max(0, len(paths) - cut.items),
            )

        return fit(make, max(len(facts), len(paths)), max_tokens)

    def themes(
        self,
        context: Context,
        corpus: CorpusArgument,
        theme: Annotated[str, Field(description="Id of one theme for its details; empty for all themes.")] = "",
        limit: Limit = 20,
        max_tokens: Size = TOKENS,
    ) -> ThemesResult:
        """Show what a corpus is about: its largest themes; or one theme with its passages, entities and neighbours.

        The corpus needs the graph `tree`.
        """
        opened = self._corpus(context, corpus)
        if theme.strip():
            report = opened.theme(theme, limit=limit)
            return fit(lambda cut: _one_theme(corpus, report, cut), limit, max_tokens)
        found = opened.tree().themes

        def make(cut: Cut) -> ThemesResult:
            shown = [_theme(one) for one in found[: cut.items]]
            return _themes_result(corpus, shown, left_out=len(found) - len(shown))

        return fit(make, min(limit, len(found)), max_tokens)

    def session(
        self,
        context: Context,
        corpus: CorpusArgument,
        question: Annotated[
            str, Field(description="Question to search for in several steps; a follow-up if `session` is given.")
        ] = "",
        session: Annotated[str, Field(description="Id of a stored session, or the beginning of one.")] = "",
        limit: Limit = 10,
        max_tokens: Size = TOKENS,
    ) -> SessionResult:
        """Search in several steps and keep them as a session; follow up on one, show one, or list the newest.

        With a question: runs a new search in several steps. With a session: shows it. With both: asks a follow-up
        question that starts from the session's graph. With neither: lists the newest sessions.
        """
        opened = self._corpus(context, corpus)
        if not question.strip() and not session.strip():
            records = opened.sessions.newest(limit)
            return fit(lambda cut: _listed(corpus, records, cut), len(records), max_tokens)
        notes: Sequence[str] = ()
        citations: Sequence[Citation] = ()
        stored = opened.session(session) if session.strip() else None
        if question.strip():
            run = stored.ask(question) if stored else opened.anchor(question)
            citations, notes, stored = run.answer.citations, run.answer.notes, run.session
        assert stored is not None  # noqa: S101  # one of the two was given
        record, steps = stored.record, stored.steps

        def make(cut: Cut) -> SessionResult:
            shown = steps[len(steps) - cut.items :]
            return SessionResult(
                corpus=corpus,
                sessions=[_session(record)],
                steps=[_step(step, cut) for step in shown],
                resource=session_uri(corpus, record.id),
                citations=citation_items(corpus, citations, cut),
                left_out=len(steps) - len(shown),
                notes=list(notes),
            )

        return fit(make, len(steps), max_tokens)


def _listed(corpus: str, records: Sequence[SessionRecord], cut: Cut) -> SessionResult:
    return SessionResult(
        corpus=corpus,
        sessions=[_session(record) for record in records[: cut.items]],
        steps=[],
        resource="",
        citations=[],
        left_out=len(records) - cut.items,
        notes=[],
    )


def _session(record: SessionRecord) -> SessionItem:
    return SessionItem(
        id=record.id,
        question=record.question,
        started=record.started,
        steps=record.steps,
        status=record.stopped or record.status,
        answer=record.answer,
    )


def _step(step: AnchorStep, cut: Cut) -> StepItem:
    names = {anchor.key: anchor.name for anchor in step.graph.anchors}
    related = [f"{names[one.source]} — {one.phrase} → {names[one.target]}" for one in step.related]
    added = [*(anchor.name for anchor in step.added), *related]
    return StepItem(
        number=step.number,
        query=step.query,
        judgement=step.judgement or "",
        thought=cut.shorten(step.thought),
        passages=[cut.shorten(hit.chunk.title or hit.chunk.document_title) for hit in step.hits[:_PASSAGES]],
        added=[cut.quote("addition", one) for one in added[: cut.characters // 20]],
    )


def _one_theme(corpus: str, report: ThemeReport, cut: Cut) -> ThemesResult:
    return _themes_result(
        corpus,
        [_theme(report.theme)],
        central_passages=[cut.shorten(one.title) for one in report.chunks[: cut.items]],
        entities=[one.name for one in report.entities[: cut.items]],
        neighbours=[f"{one.name} ({one.id})" for one in report.neighbours[: cut.items]],
    )


def _themes_result(
    corpus: str,
    themes: list[ThemeItem],
    *,
    central_passages: Sequence[str] = (),
    entities: Sequence[str] = (),
    neighbours: Sequence[str] = (),
    left_out: int = 0,
) -> ThemesResult:
    return ThemesResult(
        corpus=corpus,
        themes=themes,
        central_passages=list(central_passages),
        entities=list(entities),
        neighbours=list(neighbours),
        left_out=left_out,
    )


def _theme(theme: Theme) -> ThemeItem:
    return ThemeItem(
        id=theme.id,
        name=theme.name,
        passages=theme.size,
        level=theme.level,
        sub_themes=[child.name for child in theme.children[:_SUB_THEMES]],
    )
