"""The requests that an estimate counts are those that the build sends."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from scripted_facts import extracting
from scripted_gain import by_chance, judging
from scripted_llm import Reply, ScriptedLlm, last_turn
from tetragraph import Document, Settings, Tetragraph
from tetragraph.systems.base import BuildTarget
from tetragraph.systems.registry import BUILD_TARGETS, find_build_target

LLM_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "bipartite": {"extractor": "llm", "gleanings": 0},
    "gain": {"judge": "levels"},
    "tree": {"names": "llm"},
}
"""Build options with which a target calls the language model."""


def answer(body: dict[str, Any]) -> str | Reply:
    """A usable reply to any request of a build."""
    system = body["messages"][0]["content"]
    if "You name" in system:
        count = last_turn(body).count("</theme ")
        return json.dumps({"names": [{"theme": number, "name": f"Theme {number}"} for number in range(1, count + 1)]})
    return judging(by_chance)(body) if "judge" in system.lower() else extracting(body)


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(answer) as llm:
        yield llm


@pytest.fixture
def asking(llm: ScriptedLlm, conformance_settings: Settings) -> Iterator[Tetragraph]:
    """A client with that model."""
    with Tetragraph.connect(llm.settings(conformance_settings, llm_retries=0)) as client:
        yield client


@pytest.mark.parametrize("target", BUILD_TARGETS)
def test_every_target_that_can_call_a_model_is_estimated_here(target: str) -> None:
    calls_model = type(find_build_target(target)).uses_llm is not BuildTarget.uses_llm
    assert calls_model == (target in LLM_OPTIONS)


@pytest.mark.parametrize("target", LLM_OPTIONS)
def test_the_estimated_requests_are_those_of_the_build(
    asking: Tetragraph, llm: ScriptedLlm, world: list[Document], target: str
) -> None:
    corpus, options = asking.corpus(f"conformance-{uuid.uuid4().hex[:12]}"), LLM_OPTIONS[target]
    corpus.ingest(world[:6], build=())
    before = corpus.estimate(target, **options)
    assert (before.cached, llm.calls) == (0, 0)
    usage = corpus.build(target, **options).usage
    assert before.calls == usage.calls == llm.calls > 0
    after = corpus.estimate(target, **options)
    assert after.calls == 0, "every request has its reply in the cache, or its result in the graph"
    assert llm.calls == len(llm.calls_by_content) == before.calls
    corpus.drop()
