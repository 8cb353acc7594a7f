"""Answers a question by an episode of the configured model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from tetragraph.answering.compose import AskOptions
from tetragraph.answering.sessions import time_to_live
from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput
from tetragraph.language.lexicon.quotations import find_quotation
from tetragraph.model import Chunk, Evidence, Hit
from tetragraph.model.answers import Answer, Citation, FollowUp
from tetragraph.model.episodes import Episode, EpisodeEnd, Turn, found_facts
from tetragraph.retrieval.request import Request
from tetragraph.rl.episodes import MODE, EpisodeRequest, EpisodeRunner

_MOST_CITATIONS: Final = 5
_ENDED: Final[Mapping[EpisodeEnd, str]] = {
    "turns": "as many turns as there may be",
    "tokens": "as many tokens as the interaction may have",
    "budget": "the budget is spent",
    "deadline": "the time is up",
}


def is_episode(options: Mapping[str, Any]) -> bool:
    """Whether the options of an answer ask for the RL mode."""
    return options.get("mode") == MODE


def ask(connection: Connection, request: Request, options: AskOptions) -> Answer:
    """Answer a question by an episode, which is stored as a session; see ``Corpus.ask`` with ``mode="rl"``.

    Raises:
        InvalidInput: an option has no meaning in this mode.
    """
    if options.generate is False or options != AskOptions(options.generate):
        raise InvalidInput(
            f"in mode {MODE!r} a policy queries facts and answers: generate must not be false, and iterations, context "
            f"and context_tokens have no meaning (turns and tokens limit an episode), got {options}"
        )
    wanted = replace(EpisodeRequest.of(request), keep=True, ttl=time_to_live(connection.settings, None))
    runner = EpisodeRunner(connection, wanted)
    episode = runner.run()
    return _answer(episode, runner.hits(episode.turns))


def _answer(episode: Episode, hits: Sequence[Hit]) -> Answer:
    manifest = {**episode.manifest, "answer": {"kind": "generated", "mode": MODE, "policy": episode.policy}}
    notes = tuple(dict.fromkeys(_notes(episode)))
    evidence = Evidence(
        episode.question,
        str(episode.manifest.get("method", "bipartite")),
        tuple(hits),
        episode.manifest,
        notes,
        trace={MODE: {"ended": episode.ended, "turns": [_trace(turn) for turn in episode.turns]}},
        usage=episode.usage,
    )
    citations = tuple(_citations(episode, {hit.chunk.id: hit.chunk for hit in hits})) if episode.answer else ()
    unsaid = episode.answer and not citations
    return Answer(
        episode.question,
        episode.answer,
        "generated",
        citations,
        0,
        not episode.answer,
        evidence,
        tuple(_follow_ups(episode.turns)),
        episode.usage,
        manifest,
        (*notes, *(["no fact that the policy read states the words of the answer"] if unsaid else [])),
        episode.session,
        found_facts(episode.turns),
    )


def _citations(episode: Episode, chunks: Mapping[str, Chunk]) -> Iterator[Citation]:
    """Statements that contain the words of the answer, of the latest turns first."""
    found: dict[Citation, None] = {}
    for turn in reversed(episode.turns):
        for fact in turn.facts:
            for place in fact.statements:
                chunk = chunks.get(place.chunk)
                if chunk and find_quotation(chunk.text[place.start : place.end], episode.answer):
                    found.setdefault(Citation.of(chunk, place.start, place.end))
    yield from list(found)[:_MOST_CITATIONS]


def _notes(episode: Episode) -> Iterator[str]:
    for turn in episode.turns:
        yield from turn.notes
        if turn.fault:
            yield f"turn {turn.number} is not well-formed: {turn.fault}"
    if not episode.answer:
        yield f"no answer was generated: {_ENDED[episode.ended]}"


def _trace(turn: Turn) -> dict[str, Any]:
    return {
        "number": turn.number,
        "think": turn.think,
        "query": turn.query,
        "answer": turn.answer,
        "fault": turn.fault,
        "facts": [fact.relation for fact in turn.facts],
    }


def _follow_ups(turns: Sequence[Turn]) -> Iterator[FollowUp]:
    """The queries, each with what the policy thought of its facts in the next turn."""
    for turn, after in zip(turns, (*turns[1:], None), strict=False):
        if turn.query:
            chunks = dict.fromkeys(place.chunk for fact in turn.facts for place in fact.statements)
            yield FollowUp(turn.query, "", tuple(chunks), after.think if after else "")
