"""Reranking from the command line and from asyncio, with the real models on a small corpus."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import anchored_world
from command_line import Ended, run_here
from environments import user_environment
from tetragraph import AsyncTetragraph, Settings, Tetragraph, errors
from tetragraph.language.rerankers import RERANKERS

QUESTION = anchored_world.QUESTION
Run = Callable[..., Ended]


@pytest.fixture
def run(anchored_settings: Settings, tmp_path: Path) -> Run:
    return partial(run_here, environment=user_environment(anchored_settings, COLUMNS="200"), folder=tmp_path)


@pytest.mark.parametrize("name", RERANKERS)
def test_the_commands_rerank_and_explain_it(run: Run, anchored: str, name: str) -> None:
    asked = (QUESTION, "-c", anchored, "-o", f"rerank={name}")
    shown = run("search", *asked, "--explain")
    assert shown.returncode == 0, shown.stderr
    assert f"reranked by {name}, " in shown.stdout
    assert "rerank: it answers the question or a sub-question" in shown.stdout
    found = json.loads(run("search", *asked, "--json").stdout)
    assert found["manifest"]["rerank"]["model"] == name
    assert all(sum(hit["parts"].values()) == pytest.approx(hit["score"]) for hit in found["hits"])
    explained = json.loads(run("explain", *asked, "--json").stdout)
    parts = [part for one in explained["explanations"] for part in one["parts"] if part["name"] == "rerank"]
    texts = {part["contributions"][0]["label"].split(", scored ")[0] for part in parts}
    assert texts
    assert texts <= {*found["trace"]["rerank"]["questions"]}
    answer = json.loads(run("ask", *asked, "--json").stdout)
    assert answer["evidence"]["manifest"]["options"]["rerank"] == name


def test_evaluation_compares_a_method_with_and_without_it(run: Run, anchored: str, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text(json.dumps({"id": "q1", "question": QUESTION, "supporting": ["halvik", "orla-brandt"]}))
    done = run("eval", "-c", anchored, "-q", questions, "--method", "fused,fused:rerank=late-interaction", "--json")
    assert done.returncode == 0, done.stderr
    assert '"rerank": "none"' in done.stdout
    assert '"rerank": "late-interaction"' in done.stdout


def test_asyncio_finds_the_same(anchored_settings: Settings, anchored: str) -> None:
    async def search() -> object:
        async with await AsyncTetragraph.connect(anchored_settings) as client:
            return await client.corpus(anchored).search(QUESTION, k=3, rerank="late-interaction")

    with Tetragraph.connect(anchored_settings) as client:
        assert asyncio.run(search()) == client.corpus(anchored).search(QUESTION, k=3, rerank="late-interaction")


@pytest.mark.parametrize(
    ("option", "rule"),
    [
        ({"rerank": "cross-encoder"}, "rerank must be none for facts, as it orders passages, got 'cross-encoder'"),
        ({"per_document": 1}, "per_document must be 0 for facts, as it limits passages, got 1"),
        ({"superseded": "below"}, "superseded must be hide or keep for facts, .* got 'below': choose one"),
    ],
)
def test_facts_have_no_order_or_limit_of_passages(
    anchored_settings: Settings, anchored: str, option: dict[str, Any], rule: str
) -> None:
    with Tetragraph.connect(anchored_settings) as client, pytest.raises(errors.InvalidInput, match=rule):
        client.corpus(anchored).facts(QUESTION, **option)
