"""Bodies of requests that several methods send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tetragraph.client.remote import requests
from tetragraph.client.remote.requests import BudgetForm
from tetragraph.client.remote.transport import form
from tetragraph.model import Filters
from tetragraph.model.usage import Budget


def ask_form(
    question: str,
    k: int,
    method: str,
    filters: Filters | None,
    budget: Budget,
    given: Mapping[str, Any],
    options: Mapping[str, Any],
) -> requests.AskRequest:
    """The body of a question that is answered whole or in pieces."""
    return form(
        requests.AskRequest,
        question=question,
        k=k,
        method=method,
        filters=filters,
        budget=BudgetForm.of(budget),
        options=dict(options),
        **given,
    )
