"""The language model that the settings name, and what it may be used for."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tetragraph.errors import InvalidInput, LlmNotConfigured
from tetragraph.llm.budget import Bill, Books, Purse
from tetragraph.llm.cache import NoReplies, Replies, ReplyCache
from tetragraph.llm.cost import Prices, TokenGauge, estimate
from tetragraph.llm.database import LlmDatabase
from tetragraph.llm.diagnostics import EndpointCapabilities, check
from tetragraph.llm.messages import Request
from tetragraph.llm.operation import Operation
from tetragraph.llm.recording import PREFIX, Recording
from tetragraph.llm.transport import OpenAITransport, Transport
from tetragraph.llm.usage_log import Account, Ledger
from tetragraph.model.usage import (
    UNLIMITED,
    Budget,
    Estimate,
    Total,
)

if TYPE_CHECKING:
    from tetragraph.settings import Settings
from collections.abc import Callable
from typing import Any

from tetragraph.model.usage import NOTHING, Usage


def not_configured() -> LlmNotConfigured:
    """The error of a step that needs a model where none is set."""
    return LlmNotConfigured(
        "this needs a language model and none is set: name one with TETRAGRAPH_LLM, its endpoint with OPENAI_BASE_URL "
        "and its key with OPENAI_API_KEY; a model on this machine, as by Ollama or llama-server, needs no key"
    )


class LanguageModel:
    """A model with the file of its replies and of what all calls cost. Safe to share between threads."""

    def __init__(self, transport: Transport, replies: Replies, file: LlmDatabase, settings: Settings) -> None:
        self._transport = transport
        self._replies = replies
        self._file = file
        self._settings = settings
        self._prices = Prices(settings.llm_prices)
        self._ledger = Ledger(file)
        self._books: Books | None = None
        self._purses: dict[str, Purse] = {}
        self._guard = threading.Lock()

    @classmethod
    def open(cls, settings: Settings) -> LanguageModel:
        """The model that the settings name.

        Raises:
            LlmNotConfigured: they name none.
            InvalidInput: they name a recording that cannot be replayed, or a price that is none.
        """
        if not settings.llm:
            raise not_configured()
        file = LlmDatabase.of(settings)
        if settings.llm.startswith(PREFIX):
            recording = Recording(Path(settings.llm.removeprefix(PREFIX)).expanduser())
            return cls(recording, recording, file, settings)
        transport = OpenAITransport(str(settings.llm), settings)
        return cls(transport, ReplyCache(file, transport.model), file, settings)

    @property
    def name(self) -> str:
        """As the endpoint knows it."""
        return self._transport.model

    def operation(self, name: str, *, corpus: str = "", budget: Budget = UNLIMITED) -> Operation:
        """Begin an operation.

        Args:
            name: What it is, for the books: ``build gain``, ``ask`` …
            corpus: Whose it is.
            budget: What it may cost; what is None here is as the settings have it.

        Raises:
            InvalidInput: money is limited, and the model has no price.
            UnusableCache: the file of replies cannot be used.
        """
        return self._begin(name, corpus, budget, self._replies)

    def check(self) -> EndpointCapabilities:
        """Ask the endpoint what it offers; see :func:`tetragraph.llm.diagnostics.check`."""
        return check(self._transport, self._begin("check", "", UNLIMITED, NoReplies()))

    def estimate(self, requests: Iterable[Request]) -> Estimate:
        """What requests would cost now; give them as they are sent, with the schema of their form or for one token.

        Nothing is sent; see :func:`tetragraph.llm.cost.estimate`.
        """
        return estimate(
            requests,
            self.name,
            self._replies,
            self._shared().gauge,
            prices=self._prices,
            habits=self._ledger.habits(self.name),
            concurrency=self._settings.llm_concurrency,
        )

    def totals(self, corpus: str | None = None) -> list[Total]:
        """What all operations cost, of a corpus or of all, also those of other processes on the same file."""
        return self._ledger.totals(corpus)

    def close(self) -> None:
        """Let go of the file; what is asked afterwards opens it again."""
        self._ledger.write()
        self._file.close()

    def _begin(self, name: str, corpus: str, budget: Budget, replies: Replies) -> Operation:
        limits = self._limits(budget)
        purse = self._purse(corpus)
        bill = Bill(self._shared(), Account(corpus, name, self.name), limits, (purse,) if purse else ())
        return Operation(self._transport, replies, bill, self._settings.llm_concurrency)

    def _limits(self, budget: Budget) -> Budget:
        settings = self._settings
        limits = Budget(
            settings.llm_budget_tokens if budget.tokens is None else budget.tokens,
            settings.llm_budget_money if budget.money is None else budget.money,
            settings.llm_deadline_s if budget.deadline_s is None else budget.deadline_s,
        )
        is_limited = limits.money is not None or settings.llm_corpus_money is not None
        if is_limited and not self._prices.knows(self.name) and not isinstance(self._transport, Recording):
            raise InvalidInput(
                f"a budget of money needs the price of {self.name!r}, and TETRAGRAPH_LLM_PRICES has none: add "
                f'{{"{self.name}": [IN, OUT]}}, the prices of a million tokens, or limit tokens instead'
            )
        return limits

    def _purse(self, corpus: str) -> Purse | None:
        """The one of a corpus, shared by all operations on it."""
        tokens, money = self._settings.llm_corpus_tokens, self._settings.llm_corpus_money
        if not corpus or (tokens is None and money is None):
            return None
        with self._guard:
            if corpus not in self._purses:
                names = ("TETRAGRAPH_LLM_CORPUS_TOKENS", "TETRAGRAPH_LLM_CORPUS_MONEY")
                owner = f"corpus {corpus!r}"
                self._purses[corpus] = Purse(owner, tokens, money, lambda: self._ledger.spent(corpus), names)
            return self._purses[corpus]

    def _shared(self) -> Books:
        with self._guard:
            if self._books is None:
                gauge = TokenGauge(self._ledger.habits(self.name))
                self._books = Books(self._ledger, gauge, self._prices, threading.Condition())
            return self._books


class LazyOperation:
    """Call it for the operation, the same each time. Safe to share between threads."""

    def __init__(self, begin: Callable[[], Operation]) -> None:
        self._begin = begin
        self._begun: Operation | None = None
        self._guard = threading.Lock()

    def __call__(self) -> Operation:
        """The operation.

        Raises:
            LlmNotConfigured: no model is set.
        """
        with self._guard:
            if self._begun is None:
                self._begun = self._begin()
            return self._begun

    @property
    def usage(self) -> Usage:
        """What it has cost so far; nothing where nobody asked."""
        return self._begun.usage if self._begun else NOTHING

    @property
    def notes(self) -> tuple[str, ...]:
        """Said in words: in which ways its replies are less sure than they could be."""
        return self._begun.notes if self._begun else ()

    @property
    def record(self) -> dict[str, Any]:
        """For manifests: an entry ``llm`` of the model and the prompts, or none where nobody asked."""
        return {"llm": self._begun.record} if self._begun else {}
