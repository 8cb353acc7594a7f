"""Runs episodes of a policy on a corpus, and stores them as sessions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Self

from tetragraph.connection import Connection
from tetragraph.errors import BudgetExhausted, DeadlineExceeded, InvalidInput
from tetragraph.llm import LazyOperation
from tetragraph.model import Chunk, FactEvidence, Filters, FoundFact, Hit
from tetragraph.model.anchors import AnchorGraph, AnchorStep, StepFact, Stopped
from tetragraph.model.episodes import Episode, EpisodeEnd, Turn, found_facts
from tetragraph.model.usage import UNLIMITED, Budget
from tetragraph.retrieval.request import Request, check_question, make_options
from tetragraph.retrieval.search import find_facts
from tetragraph.rl.environment import KnowledgeEnvironment
from tetragraph.rl.options import EpisodeOptions
from tetragraph.rl.policies import EndpointPolicy
from tetragraph.rl.reward import reward_of
from tetragraph.stores import chunk_table
from tetragraph.systems.anchor_graph import SessionStore
from tetragraph.systems.registry import FACTS, find_retriever

MODE: Final = "rl"
STOPPED: Final[Mapping[EpisodeEnd, Stopped]] = {
    "answered": "sufficient",
    "turns": "steps",
    "tokens": "budget",
    "budget": "budget",
    "deadline": "deadline",
}
"""Reason of the end as a session stores it."""


@dataclass(frozen=True, slots=True)
class EpisodeRequest:
    """An episode on a corpus.

    Attributes:
        corpus: Name of the corpus.
        question: Text of the question.
        episode: Options of the episode.
        search: Options of the search for facts (``BipartiteOptions``).
        filters: Conditions on metadata.
        budget: Limits of the language model, for the policy and its queries together.
        accepted: Accepted answers, from which the reward is computed; none for no reward.
        keep: Whether the episode is stored as a session.
        ttl: Time after which the session may be pruned; None for never.
    """

    corpus: str
    question: str
    episode: EpisodeOptions = field(default_factory=EpisodeOptions)
    search: Mapping[str, Any] = field(default_factory=dict)
    filters: Filters | None = None
    budget: Budget = UNLIMITED
    accepted: Sequence[str] = ()
    keep: bool = False
    ttl: timedelta | None = None

    @classmethod
    def of(cls, request: Request) -> Self:
        """The request of a question whose options are those of the episode and of the search together.

        ``k`` is the number of facts of a query, unless the option ``facts`` is given.

        Raises:
            InvalidInput: the question is empty, the method finds no facts, or an option is unknown or breaks its rule.
        """
        if request.method != FACTS.name:
            raise InvalidInput(f"mode {MODE!r} queries facts: method must be {FACTS.name!r}, got {request.method!r}")
        text = check_question(request.question, request.k)
        common = cls.with_options(request.corpus, {"facts": request.k, **request.options})
        return replace(common, question=text, filters=request.filters, budget=request.budget)

    @classmethod
    def with_options(cls, corpus: str, options: Mapping[str, Any]) -> Self:
        """The request common to episodes with these options, without a question.

        Raises:
            InvalidInput: an option is unknown or breaks its rule.
        """
        if (mode := options.get("mode", MODE)) != MODE:
            raise InvalidInput(f"episodes are in mode {MODE!r}, and their queries in that of the method, got {mode!r}")
        names = {one.name for one in fields(EpisodeOptions)}
        episode = {name: value for name, value in options.items() if name in names}
        search = {name: value for name, value in options.items() if name not in names | {"mode"}}
        make_options(find_retriever(FACTS.name), search)
        return cls(corpus, "", EpisodeOptions(**episode), search)


class CorpusFacts:
    """The search for facts that an episode runs for each query; safe to share between threads.

    Attributes:
        manifest: Manifest of the last search; empty before the first.

    Args:
        connection: Connection to the stores.
        request: An episode on the corpus.
        llm: Language model operation of the searches.
    """

    def __init__(self, connection: Connection, request: EpisodeRequest, llm: LazyOperation) -> None:
        self._connection = connection
        self._request = request
        self._llm = llm
        self.manifest: Mapping[str, Any] = {}

    def __call__(self, query: str) -> FactEvidence:
        """The facts that answer a query."""
        request = self._request
        asked = Request(
            request.corpus, query, request.episode.facts, FACTS.name, request.filters, request.search, request.budget
        )
        found = find_facts(self._connection, asked, self._llm)
        self.manifest = found.manifest
        return found


def open_environment(connection: Connection, request: EpisodeRequest) -> KnowledgeEnvironment:
    """The environment of an episode whose policy is somewhere else.

    Raises:
        UnknownCorpus, NotBuilt: there is no such corpus, or it has no bipartite graph.
    """
    FACTS.check_ready(connection.stores(request.corpus))
    llm = connection.operation("rollouts", request.corpus, request.budget)
    return KnowledgeEnvironment(CorpusFacts(connection, request, llm), request.question, request.episode)


class EpisodeRunner:
    """Runs one episode; its creation raises every error that can be detected before the policy is asked.

    Args:
        connection: Connection to the stores.
        request: The episode.
        llm: Operation that the episode is a part of; by default one of its own, with the request's budget.

    Raises:
        LlmNotConfigured: no model is configured.
        UnknownCorpus, NotBuilt: there is no such corpus, or it has no bipartite graph.
    """

    def __init__(self, connection: Connection, request: EpisodeRequest, llm: LazyOperation | None = None) -> None:
        self._connection = connection
        self._request = request
        self._llm = llm or connection.operation("ask", request.corpus, request.budget)
        self._policy = EndpointPolicy(self._llm, connection.llm.name, request.episode)
        self._stores = connection.stores(request.corpus)
        FACTS.check_ready(self._stores)
        self._facts = CorpusFacts(connection, request, self._llm)
        self._environment = KnowledgeEnvironment(self._facts, request.question, request.episode)
        self._session = ""

    def run(self) -> Episode:
        """Run the episode to its end; each turn is written to the session before the next.

        Raises:
            LlmUnavailable, LlmRefused: the policy gives no turn; the session keeps those before.
        """
        store = SessionStore(self._connection.graph, self._request.corpus)
        if self._request.keep:
            self._session = self._create(store)
        for turn in self.turns():
            if self._session:
                store.write_step(self._session, self._step(turn))
        episode = self._episode()
        if self._session:
            total = None if episode.reward is None else episode.reward.total
            store.end(self._session, STOPPED[episode.ended], episode.answer, total)
        return episode

    def turns(self) -> Iterator[Turn]:
        """Ask the policy turn by turn; budget and time end the episode."""
        environment = self._environment
        while environment.ended is None:
            try:
                yield environment.step(self._policy(environment.messages, environment.reply_tokens))
            except BudgetExhausted:
                environment.ended = "budget"
            except DeadlineExceeded:
                environment.ended = "deadline"

    def hits(self, turns: Sequence[Turn]) -> tuple[Hit, ...]:
        """The chunks that state the facts of some turns, each once, in the order in which they were found."""
        stated: dict[str, list[FoundFact]] = {}
        for fact in found_facts(turns):
            for place in fact.statements:
                stated.setdefault(place.chunk, []).append(fact)
        chunks: Mapping[str, Chunk] = chunk_table.fetch(self._stores, sorted(stated))
        found = [(chunks[chunk], stated[chunk]) for chunk in stated if chunk in chunks]
        return tuple(
            Hit(rank, facts[0].score, chunk, facts=tuple(facts)) for rank, (chunk, facts) in enumerate(found, 1)
        )

    def _create(self, store: SessionStore) -> str:
        request = self._request
        record = store.create(
            request.question,
            retriever=FACTS.name,
            reasoner=f"policy {self._policy.name}",
            options={"mode": MODE, **asdict(request.episode), **request.search},
            k=request.episode.facts,
            filters=request.filters or {},
            ttl=request.ttl,
            now=datetime.now(UTC),
        )
        return record.id

    def _step(self, turn: Turn) -> AnchorStep:
        """A turn as the step of a session."""
        fault = (f"the turn is not well-formed: {turn.fault}",) if turn.fault else ()
        return AnchorStep(
            number=turn.number,
            question=self._request.question,
            query=turn.query,
            retriever=FACTS.name,
            hits=self.hits([turn]),
            graph=AnchorGraph(),
            thought=turn.think,
            judgement="sufficient" if turn.answer else "insufficient",
            notes=(*turn.notes, *fault),
            facts=tuple(StepFact(fact.rank, fact.score, fact.relation, fact.description) for fact in turn.facts),
        )

    def _episode(self) -> Episode:
        request, environment = self._request, self._environment
        ended = environment.ended or "turns"
        system, user = (message.content for message in environment.messages[:2])
        episode = Episode(
            request.question,
            self._policy.name,
            (system, user),
            environment.turns,
            ended,
            request.episode.sample,
            session=self._session,
            usage=self._llm.usage,
            manifest={**self._facts.manifest, "mode": MODE, "episode": asdict(request.episode), **self._llm.record},
        )
        return replace(episode, reward=reward_of(episode, request.accepted)) if request.accepted else episode
