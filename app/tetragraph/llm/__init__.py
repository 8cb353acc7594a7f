"""Any OpenAI-compatible language model: kept replies, budgets, retries, replies of a form."""

from tetragraph.llm.file import LlmFile
from tetragraph.llm.language_model import LanguageModel, not_configured
from tetragraph.llm.model import Completion, Message, Request, TokenLogprob
from tetragraph.llm.on_demand import LazyOperation
from tetragraph.llm.operation import Operation
from tetragraph.llm.status import LlmStatus, status

__all__ = [
    "Completion",
    "LanguageModel",
    "LazyOperation",
    "LlmFile",
    "LlmStatus",
    "Message",
    "Operation",
    "Request",
    "TokenLogprob",
    "not_configured",
    "status",
]
