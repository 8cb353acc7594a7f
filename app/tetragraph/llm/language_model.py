"""The language model of the settings, its operations and its limits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tetragraph.errors import InvalidInput, LlmNotConfigured
from tetragraph.llm.budget import Limit, Meter
from tetragraph.llm.cache import NoReplies, Replies, ReplyCache
from tetragraph.llm.cost import CostModel, estimate
from tetragraph.llm.database import LlmDatabase
from tetragraph.llm.diagnostics import EndpointCapabilities, check
from tetragraph.llm.messages import Request
from tetragraph.llm.operation import Operation
from tetragraph.llm.recording import PREFIX, Recording
from tetragraph.llm.transport import OpenAITransport, Transport
from tetragraph.llm.usage_log import UsageLog
from tetragraph.model.usage import NOTHING, UNLIMITED, Budget, Estimate, Total, Usage, check_budget

if TYPE_CHECKING:
    from tetragraph.settings import Settings


def not_configured() -> LlmNotConfigured:
    """Return the error of a step that needs a language model when none is set."""
    return LlmNotConfigured(
        "this needs a language model and none is set: name one with TETRAGRAPH_LLM, its endpoint with OPENAI_BASE_URL "
        "and its key with OPENAI_API_KEY; a model on this machine, as by Ollama or llama-server, needs no key"
    )


class LanguageModel:
    """A language model with its reply cache and the usage log of all calls. Safe to share between threads.

    Raises:
        InvalidInput: a price of the settings is not a number from 0.
    """

    def __init__(self, transport: Transport, replies: Replies, database: LlmDatabase, settings: Settings) -> None:
        self._transport = transport
        self._replies = replies
        self._database = database
        self._settings = settings
        self._log = UsageLog(database)
        self._costs = CostModel(transport.model, settings.llm_prices, self._log)
        self._settled = threading.Condition()
        self._corpus_limits: dict[str, Limit] = {}
        self._guard = threading.Lock()

    @classmethod
    def open(cls, settings: Settings) -> LanguageModel:
        """Open the model that the settings name.

        Raises:
            LlmNotConfigured: the settings name none.
            InvalidInput: the settings name a recording that cannot be replayed, or a price that is not valid.
        """
        if not settings.llm:
            raise not_configured()
        database = LlmDatabase.of(settings)
        if settings.llm.startswith(PREFIX):
            recording = Recording(Path(settings.llm.removeprefix(PREFIX)).expanduser())
            return cls(recording, recording, database, settings)
        transport = OpenAITransport(settings.llm, settings)
        return cls(transport, ReplyCache(database, transport.model), database, settings)

    @property
    def name(self) -> str:
        """Name of the model at its endpoint."""
        return self._transport.model

    @property
    def paid(self) -> Usage:
        """Usage of all paid calls of this process."""
        return self._log.paid

    def operation(self, name: str, *, corpus: str = "", budget: Budget = UNLIMITED) -> Operation:
        """Begin an operation.

        Args:
            name: Name in the usage log: ``build gain``, ``ask`` …
            corpus: Name of the corpus, or empty.
            budget: Limits of the operation; the settings fill in those that are None.

        Raises:
            InvalidInput: money is limited, and the model has no price.
            UnusableCache: the database cannot be used.
        """
        return self._begin(name, corpus, budget, self._replies)

    def check(self) -> EndpointCapabilities:
        """Determine the capabilities of the endpoint; see :func:`tetragraph.llm.diagnostics.check`."""
        return check(self._transport, self._begin("check", "", UNLIMITED, NoReplies()))

    def estimate(self, requests: Iterable[Request]) -> Estimate:
        """Estimate the cost of requests without sending them; see :func:`tetragraph.llm.cost.estimate`.

        Args:
            requests: Requests as they would be sent, with the schema of their form or for one token.
        """
        return estimate(requests, self._costs, self._replies, self._settings.llm_concurrency)

    def totals(self, corpus: str | None = None) -> list[Total]:
        """Return the usage of all operations, of a corpus or of all, including those of other processes."""
        return self._log.totals(corpus)

    def close(self) -> None:
        """Write the usage log and close the database; the next call opens it again."""
        self._log.flush()
        self._database.close()

    def _begin(self, name: str, corpus: str, budget: Budget, replies: Replies) -> Operation:
        limits = self._limits(budget)
        self._costs.load()
        meter = Meter(
            Total(name, corpus, self.name, NOTHING),
            limits,
            costs=self._costs,
            log=self._log,
            settled=self._settled,
            corpus_limits=self._limits_of(corpus),
        )
        return Operation(self._transport, replies, meter, self._settings.llm_concurrency)

    def _limits(self, budget: Budget) -> Budget:
        check_budget(budget)
        settings = self._settings
        limits = Budget(
            settings.llm_budget_tokens if budget.tokens is None else budget.tokens,
            settings.llm_budget_money if budget.money is None else budget.money,
            settings.llm_deadline_s if budget.deadline_s is None else budget.deadline_s,
        )
        is_limited = limits.money is not None or settings.llm_corpus_money is not None
        if is_limited and not self._costs.has_price and not isinstance(self._transport, Recording):
            raise InvalidInput(
                f"a budget of money needs the price of {self.name!r}, and TETRAGRAPH_LLM_PRICES has none: add "
                f'{{"{self.name}": [IN, OUT]}}, the prices of a million tokens, or limit tokens instead'
            )
        return limits

    def _limits_of(self, corpus: str) -> tuple[Limit, ...]:
        """Limits of a corpus, shared by all operations on it."""
        tokens, money = self._settings.llm_corpus_tokens, self._settings.llm_corpus_money
        if not corpus or (tokens is None and money is None):
            return ()
        with self._guard:
            if corpus not in self._corpus_limits:
                names = ("TETRAGRAPH_LLM_CORPUS_TOKENS", "TETRAGRAPH_LLM_CORPUS_MONEY")
                owner = f"corpus {corpus!r}"
                self._corpus_limits[corpus] = Limit(owner, tokens, money, lambda: self._log.spent(corpus), names)
            return (self._corpus_limits[corpus],)


class LazyOperation:
    """A language model operation that starts on first use; most searches and builds use none.

    Safe to share between threads.
    """

    def __init__(self, begin: Callable[[], Operation]) -> None:
        self._begin = begin
        self._operation: Operation | None = None
        self._guard = threading.Lock()

    def __call__(self) -> Operation:
        """Return the operation, the same one on each call.

        Raises:
            LlmNotConfigured: no model is set.
        """
        with self._guard:
            if self._operation is None:
                self._operation = self._begin()
            return self._operation

    @property
    def usage(self) -> Usage:
        """Usage so far; zero before the first use."""
        return self._operation.usage if self._operation else NOTHING

    @property
    def notes(self) -> tuple[str, ...]:
        """Result notes of the operation; none before the first use."""
        return self._operation.notes if self._operation else ()

    @property
    def record(self) -> dict[str, Any]:
        """Manifest entry ``llm`` with the model and the prompts; empty before the first use."""
        return {"llm": self._operation.record} if self._operation else {}
