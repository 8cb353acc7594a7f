"""Any OpenAI-compatible language model: kept replies, budgets, retries, replies of a form."""

from tetragraph.llm.file import LlmFile
from tetragraph.llm.language_model import LanguageModel, not_configured
from tetragraph.llm.model import Chance, Completion, Message, Request
from tetragraph.llm.on_demand import OnDemand
from tetragraph.llm.operation import Operation
from tetragraph.llm.status import LlmStatus, status

__all__ = [
    "Chance",
    "Completion",
    "LanguageModel",
    "LlmFile",
    "LlmStatus",
    "Message",
    "OnDemand",
    "Operation",
    "Request",
    "not_configured",
    "status",
]
