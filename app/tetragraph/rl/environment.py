"""The environment of a policy: the bipartite graph of a corpus, queried turn by turn for one question.

Source:
    BiG-RAG, sections 4.4.1 and 4.4.2, and appendix D.4. Deviations: a query is answered by the search for facts that
    ``Corpus.facts`` runs (4.4.1 names algorithm 4, algorithm 6 the fusion of both paths: the search does both), and the
    Coherence Score, which is nowhere defined, is the score of that search.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from tetragraph.language.llm_steps.fact_answer import knowledge_block
from tetragraph.language.prompts import Fenced, fence, load
from tetragraph.llm import Message
from tetragraph.llm.cost import CHARACTERS
from tetragraph.model import FactEvidence, FoundFact
from tetragraph.model.episodes import EpisodeEnd, Turn
from tetragraph.rl.options import EpisodeOptions
from tetragraph.rl.turns import read_turn

PROMPT: Final = "rl_turn"
LEAST_REPLY: Final = 60
"""Smallest number of tokens in which a turn can be written; if fewer are left, the episode ends."""
_FORM: Final = "<think>…</think> and then <query>…</query> or <answer>…</answer>"
FindFacts = Callable[[str], FactEvidence]


class KnowledgeEnvironment:
    """One episode: give ``messages`` to a policy, its reply to :meth:`step`, until ``ended`` is set.

    Deterministic, and independent of any trainer: the same replies give the same messages.

    Attributes:
        messages: The conversation so far: prompt, replies of the policy and knowledge.
        turns: Turns so far.
        ended: Reason of the end; None while the episode runs.

    Args:
        find: Search for facts.
        question: The question.
        options: Limits of the episode.
    """

    def __init__(self, find: FindFacts, question: str, options: EpisodeOptions) -> None:
        self._find = find
        self._options = options
        values: dict[str, Fenced | int] = {"question": fence("question", question), "turns": options.turns}
        self.messages: tuple[Message, ...] = load(PROMPT).request(options.tokens, values).messages
        self.turns: tuple[Turn, ...] = ()
        self.ended: EpisodeEnd | None = None
        if self.reply_tokens < LEAST_REPLY:
            self.ended = "tokens"

    @property
    def reply_tokens(self) -> int:
        """Largest length of the next reply in tokens: what the messages leave of the limit."""
        return self._options.tokens - _tokens(message.content for message in self.messages)

    def step(self, text: str) -> Turn:
        """Carry out a turn of the policy.

        A query is searched for; an answer ends the episode; a turn without an action is told its fault. However
        wrong a reply is, the turn is recorded.

        Args:
            text: Reply of the policy.
        """
        turn = read_turn(len(self.turns) + 1, text)
        self.messages = (*self.messages, Message("assistant", text))
        if turn.answer:
            self.ended = "answered"
        else:
            turn = self._query(turn) if turn.query else replace(turn, knowledge=_block(_no_action(turn)))
            self.messages = (*self.messages, Message("user", turn.knowledge))
        self.turns = (*self.turns, turn)
        if self.ended is None and len(self.turns) >= self._options.turns:
            self.ended = "turns"
        elif self.ended is None and self.reply_tokens < LEAST_REPLY:
            self.ended = "tokens"
        return turn

    def _query(self, turn: Turn) -> Turn:
        found = self._find(turn.query)
        shown, knowledge = self._fit(found.facts)
        notes = list(found.notes)
        if len(shown) < len(found.facts):
            notes.append(
                f"{len(shown)} of {len(found.facts)} facts were returned: {self._options.tokens} tokens hold no more"
            )
        return replace(turn, facts=tuple(shown), knowledge=knowledge, notes=tuple(notes))

    def _fit(self, facts: Sequence[FoundFact]) -> tuple[Sequence[FoundFact], str]:
        """The longest prefix of the facts that leaves room for a reply, and the knowledge with it."""
        for count in range(len(facts), 0, -1):
            knowledge = _block(knowledge_block(facts[:count]).text)
            if self.reply_tokens - _tokens([knowledge]) >= LEAST_REPLY:
                return facts[:count], knowledge
        return (), _block("There is no room for facts." if facts else "Nothing was found.")


def _no_action(turn: Turn) -> str:
    return f"Nothing was looked up, as {turn.fault}. Write {_FORM}."


def _block(text: str) -> str:
    return f"<knowledge>\n{text}\n</knowledge>"


def _tokens(texts: Iterable[str]) -> int:
    return math.ceil(sum(map(len, texts)) / CHARACTERS)
