"""A scripted language model for unit tests, and an operation that calls it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scripted_llm import ScriptedLlm
from tetragraph.llm import LanguageModel, Operation
from tetragraph.settings import Settings


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with ScriptedLlm() as llm:
        yield llm


@pytest.fixture
def operation(llm: ScriptedLlm, settings: Settings) -> Operation:
    return LanguageModel.open(llm.settings(settings)).operation("test")
