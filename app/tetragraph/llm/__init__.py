"""Client of any OpenAI-compatible language model: reply cache, budgets, retries, structured output."""

from tetragraph.llm.database import LlmDatabase
from tetragraph.llm.diagnostics import LlmStatus, status
from tetragraph.llm.language_model import LanguageModel, LazyOperation, not_configured
from tetragraph.llm.messages import Completion, Message, Request, TokenLogprob
from tetragraph.llm.operation import Operation

__all__ = [
    "Completion",
    "LanguageModel",
    "LazyOperation",
    "LlmDatabase",
    "LlmStatus",
    "Message",
    "Operation",
    "Request",
    "TokenLogprob",
    "not_configured",
    "status",
]
