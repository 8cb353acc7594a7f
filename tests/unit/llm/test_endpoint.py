"""Tests of ``tetragraph.llm.endpoint``: proxies of the environment apply to other machines only."""

from __future__ import annotations

import pytest

from scripted_llm import ScriptedLlm
from tetragraph.errors import LlmUnavailable
from tetragraph.llm import LanguageModel, Message, Operation, Request
from tetragraph.settings import Settings

REQUEST = Request((Message("user", "Is it so?"),), 8)
NOBODY = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def _proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set an unreachable proxy for all addresses."""
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, NOBODY)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


def test_no_proxy_stands_before_a_model_of_this_machine(llm: ScriptedLlm, operation: Operation) -> None:
    assert operation.complete(REQUEST).text == "Yes."
    assert llm.calls == 1


def test_a_proxy_stands_before_all_others(settings: Settings) -> None:
    asked = settings.model_copy(update={"llm": "m", "llm_base_url": "http://models.example/v1", "llm_retries": 0})
    with pytest.raises(LlmUnavailable):
        LanguageModel.open(asked).operation("test").complete(REQUEST)
