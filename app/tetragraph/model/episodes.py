"""Episodes: a policy that answers a question by querying the bipartite graph, turn by turn, and its reward.

Source:
    BiG-RAG, section 4.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tetragraph.model.display import shorten, to_plain
from tetragraph.model.evidence import FoundFact
from tetragraph.model.usage import NOTHING, Usage

EpisodeEnd = Literal["answered", "turns", "tokens", "budget", "deadline"]
"""Reason why an episode ended: the policy answered; the limit of turns or of the interaction's tokens is reached;
tokens or money of the language model, or time, are used up."""
Speaker = Literal["prompt", "policy", "environment"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: what the policy wrote, and what the environment returned.

    Attributes:
        number: Number of the turn, from 1.
        text: Text of the policy as it was written.
        think: Text of its first ``<think>`` block; empty for none.
        query: Text of the query, if the action of the turn is one; empty otherwise.
        answer: Text of the answer, if the action of the turn is one; empty otherwise.
        fault: Reason why the turn is not well-formed; empty if it is.
        facts: Facts that the query retrieved and the policy is shown, best first.
        knowledge: Text that the environment returned: the block ``<knowledge>``; empty after an answer.
        notes: Warnings in words, of the search and of the environment.
    """

    number: int
    text: str
    think: str
    query: str
    answer: str
    fault: str
    facts: tuple[FoundFact, ...] = ()
    knowledge: str = ""
    notes: tuple[str, ...] = ()

    @property
    def is_well_formed(self) -> bool:
        """Whether the turn is one ``<think>`` block and then one ``<query>`` or ``<answer>`` block."""
        return not self.fault


def found_facts(turns: Iterable[Turn]) -> tuple[FoundFact, ...]:
    """The facts of some turns, each once, as and in the order in which they were first found."""
    found: dict[str, FoundFact] = {}
    for turn in turns:
        for fact in turn.facts:
            found.setdefault(fact.relation, fact)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of an episode's text by one speaker; a trainer learns from those of the policy alone."""

    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class Reward:
    """Reward of an episode.

    Attributes:
        format: Reward of the form, 0 to 1.
        answer: Agreement of the answer with an accepted one, 0 to 1; 0 without an answer.
        total: Reward, -1 to 1.

    Source:
        BiG-RAG, section 4.4.3.
    """

    format: float
    answer: float
    total: float


@dataclass(frozen=True, slots=True, repr=False)
class Episode:
    """A complete interaction of a policy with the graph for one question.

    Attributes:
        question: The question.
        policy: Name of the policy, with its prompt.
        prompt: Texts that the policy was given before its first turn: of the system, and of the user.
        turns: Turns in order; empty if budget or time did not suffice for one.
        ended: Reason why it ended.
        sample: Number of the episode among those of the same question, from 0; seed of the policy's sampling.
        reward: Reward; None where no accepted answer is known.
        session: Id of the session that stores it; empty for none.
        usage: Language model usage of the policy and of its queries.
        manifest: Settings, model and corpus generation: all that a rerun needs for the same bytes.
    """

    question: str
    policy: str
    prompt: tuple[str, str]
    turns: tuple[Turn, ...]
    ended: EpisodeEnd
    sample: int = 0
    reward: Reward | None = None
    session: str = ""
    usage: Usage = NOTHING
    manifest: Mapping[str, Any] = field(default_factory=dict)

    @property
    def answer(self) -> str:
        """Answer of the policy; empty if it gave none."""
        return self.turns[-1].answer if self.turns else ""

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The text of the episode in its order, by speaker."""
        found = [Segment("prompt", text) for text in self.prompt]
        for turn in self.turns:
            found.append(Segment("policy", turn.text))
            if turn.knowledge:
                found.append(Segment("environment", turn.knowledge))
        return tuple(found)

    def __repr__(self) -> str:
        reward = "" if self.reward is None else f", reward {self.reward.total:.2f}"
        return f"Episode({shorten(self.question)!r}, {len(self.turns)} turns, {self.ended}{reward})"

    def to_dict(self) -> dict[str, Any]:
        """All fields as types of JSON."""
        found: dict[str, Any] = to_plain(self)
        return found
