"""The language model that the settings name, and what it may be used for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tetragraph.errors import LlmNotConfigured
from tetragraph.llm.bill import Bill
from tetragraph.llm.cache import ReplyCache
from tetragraph.llm.local import settings_for
from tetragraph.llm.operation import Operation
from tetragraph.llm.transport import OpenAITransport, Transport
from tetragraph.spending import UNLIMITED, Budget

if TYPE_CHECKING:
    from tetragraph.settings import Settings


def not_configured() -> LlmNotConfigured:
    """The error of a step that needs a model where none is set."""
    return LlmNotConfigured(
        "this needs a language model and none is set: name one with TETRAGRAPH_LLM (and its endpoint with "
        "OPENAI_BASE_URL, its key with OPENAI_API_KEY), or run one here with `tetragraph llm up`"
    )


class LanguageModel:
    """A model with the file of its replies. Safe to share between threads."""

    def __init__(self, transport: Transport, cache: ReplyCache, settings: Settings) -> None:
        self._transport = transport
        self._cache = cache
        self._settings = settings

    @classmethod
    def open(cls, settings: Settings) -> LanguageModel:
        """The model that the settings name.

        Raises:
            LlmNotConfigured: they name none.
            LlmUnavailable: they name the local model, and it is not served.
        """
        if not settings.llm:
            raise not_configured()
        settings = settings_for(settings)
        return cls(OpenAITransport(settings.llm, settings), ReplyCache(), settings)

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
        """
        return Operation(self._transport, self._cache, Bill(budget), self._settings.llm_concurrency)
