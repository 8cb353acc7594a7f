"""The greedy search, and seeds selected by a language model, on both engines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scripted_llm import ScriptedLlm
from tetragraph.algorithms.quantise import LEVELS
from tetragraph.errors import LlmNotConfigured, UnusableReply
from tetragraph.llm import LanguageModel, Operation
from tetragraph.progress import NoProgress
from tetragraph.settings import Settings
from tetragraph.stores.corpus import Question
from tetragraph.systems.gain_graph import BuildOptions, GainOptions, build, search
from tetragraph.systems.gain_graph.options import Engine

World = Any
ENGINES: tuple[Engine, ...] = ("gds", "memory")
TEXT = "Who lives on Dora Island with Emil?"


@pytest.fixture
def built(world: World) -> World:
    build(world.stores, world.table, NoProgress(), BuildOptions(neighbours=3, explains=2))
    return world


def asking(question: Question, llm: ScriptedLlm, settings: Settings) -> tuple[Question, Operation]:
    """The question with a model that may be asked about it."""
    operation = LanguageModel.open(llm.settings(settings)).operation("search")
    return replace(question, llm=lambda: operation), operation


@pytest.mark.parametrize("mode", ["tetragraph", "paper"])
@pytest.mark.parametrize("number", [0, 7])
def test_both_engines_search_greedily_alike(built: World, mode: Any, number: int) -> None:
    question = built.question(TEXT, number)
    options = [GainOptions(engine=engine, walk="greedy", mode=mode) for engine in ENGINES]
    first, second = (search(built.stores, question, 8, chosen) for chosen in options)
    assert len(first) == 8
    assert [hit.chunk for hit in first] == [hit.chunk for hit in second]
    assert [hit.score for hit in first] == pytest.approx([hit.score for hit in second])
    unweighed, again = ([[replace(step, weight=0.0) for step in hit.path] for hit in hits] for hits in (first, second))
    assert unweighed == again
    weights, others = ([step.weight for hit in hits for step in hit.path] for hits in (first, second))
    assert weights == pytest.approx(others)


def test_each_greedy_hit_follows_from_one_before_it(built: World) -> None:
    weights = dict(zip(LEVELS, GainOptions().level_weights, strict=True))
    hits = search(built.stores, built.question(TEXT), 10, GainOptions(walk="greedy"))
    scores = {hit.chunk.id: hit.score for hit in hits}
    assert hits[0].score == 1.0
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    followed = 0
    for hit in hits:
        assert sum(hit.parts.values()) == pytest.approx(hit.score)
        assert (hit.path[0].via, hit.path[-1].target) == ("SEED", hit.chunk.id)
        if len(hit.path) > 1:
            step, followed = hit.path[-1], followed + 1
            assert hit.score == pytest.approx(scores[step.source] * weights[step.label])
    assert followed


@pytest.mark.parametrize("engine", ENGINES)
def test_a_greedy_search_passes_through_what_is_not_allowed(built: World, engine: Any) -> None:
    options = GainOptions(engine=engine, walk="greedy")
    everything = search(built.stores, built.question(TEXT), 50, options)
    allowed = {hit.chunk.id for hit in everything[1::3]}
    hits = search(built.stores, built.question(TEXT), 50, options, allowed)
    assert [hit.chunk.id for hit in hits] == [hit.chunk.id for hit in everything if hit.chunk.id in allowed]
    assert [hit.score for hit in hits] == [hit.score for hit in everything if hit.chunk.id in allowed]


@pytest.mark.parametrize("engine", ENGINES)
def test_seeds_are_those_that_the_model_puts_first(built: World, settings: Settings, engine: Any) -> None:
    options = GainOptions(engine=engine, rerank="llm", pool=6, seeds=2, question_names=0.0)
    plain = search(built.stores, built.question(TEXT), 50, replace(options, rerank="none", seeds=6))
    near = sorted((hit for hit in plain if hit.parts["seed_similar"] > 0), key=lambda hit: -hit.parts["seed_similar"])
    with ScriptedLlm(lambda body: '{"order": [6, 5, 5, 77]}') as llm:
        question, operation = asking(built.question(TEXT), llm, settings)
        hits = search(built.stores, question, 50, options)
        assert llm.calls == operation.usage.calls == 1
    assert {hit.chunk.id for hit in hits if hit.parts["seed_similar"] > 0} == {hit.chunk.id for hit in near[4:6]}
    assert built.stores.notes == [
        "of the 6 passages that the language model was to put in order it left out 4, and 2 of its numbers belong to "
        "none or came twice"
    ]


def test_an_order_that_cannot_be_read_is_an_error_and_so_is_a_model_that_is_not_set(
    built: World, settings: Settings
) -> None:
    options = GainOptions(rerank="llm")
    with ScriptedLlm(lambda body: "I cannot say.") as llm, pytest.raises(UnusableReply):
        search(built.stores, asking(built.question(TEXT), llm, settings)[0], 5, options)
    with pytest.raises(LlmNotConfigured):
        search(built.stores, built.question(TEXT), 5, options)
