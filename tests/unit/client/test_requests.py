"""Bodies of requests have the bounds of the local client."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.answering.compose import LEAST_CONTEXT, AskOptions
from tetragraph.client.remote.requests import AnchorRequest, AskRequest
from tetragraph.client.remote.transport import form
from tetragraph.errors import InvalidInput


@pytest.mark.parametrize("kind", [AskRequest, AnchorRequest])
def test_a_request_takes_the_limits_of_evidence_that_an_answer_takes(kind: Any) -> None:
    assert AskOptions(context_tokens=LEAST_CONTEXT).context_tokens == LEAST_CONTEXT
    assert form(kind, question="Who?", context_tokens=LEAST_CONTEXT).context_tokens == LEAST_CONTEXT
    with pytest.raises(InvalidInput, match="context_tokens must be an integer of at least 50"):
        AskOptions(context_tokens=LEAST_CONTEXT - 1)
    with pytest.raises(InvalidInput, match="context_tokens: Input should be greater than or equal to 50"):
        form(kind, question="Who?", context_tokens=LEAST_CONTEXT - 1)
