"""Models that compute all their outputs, a proxy that is away, a scripted model, and an operation that calls it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import kept_outputs
from scripted_llm import ScriptedLlm
from tetragraph.language.embedders import onnx_bert
from tetragraph.llm import LanguageModel, Operation
from tetragraph.settings import Settings


@pytest.fixture(autouse=True)
def _computed_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let models compute their outputs also for inputs that other tests have given them."""
    monkeypatch.setattr(onnx_bert, "_load_session", kept_outputs.compute_session)


@pytest.fixture
def dead_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a proxy for all addresses that nobody answers for."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with ScriptedLlm() as llm:
        yield llm


@pytest.fixture
def operation(llm: ScriptedLlm, settings: Settings) -> Operation:
    return LanguageModel.open(llm.settings(settings)).operation("test")
