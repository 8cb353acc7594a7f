"""The graph of the paper, other weights, the greedy search, and seeds selected by a language model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
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
from tetragraph.systems.gain_graph.memory_engine import MemoryEngine
from tetragraph.systems.gain_graph.options import EdgeWeights, Engine, Mode

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


def with_options(world: World, options: BuildOptions) -> World:
    """The world as a search finds it after a build with these options."""
    build(world.stores, world.table, NoProgress(), options)
    record = replace(world.stores.record, settings={"gain": asdict(options)})
    return replace(world, stores=replace(world.stores, record=record, notes=[]))


@pytest.mark.parametrize("number", [0, 7])
def test_mode_paper_finds_the_same_in_a_graph_of_both_directions_as_in_the_graph_of_the_paper(
    make_world: Callable[[str], World], number: int
) -> None:
    modes: tuple[Mode, ...] = ("tetragraph", "paper")
    worlds = {mode: make_world(f"-{mode}") for mode in modes}
    found = {}
    for mode, world in worlds.items():
        world.add(range(14))
        world = with_options(world, BuildOptions(neighbours=2, mode=mode))
        options = GainOptions(mode="paper", tolerance=1e-9)
        hits = search(world.stores, world.question(TEXT, number), 14, options)
        found[mode] = {hit.chunk.id: hit.score for hit in hits}
        rule = "mode paper goes from a chunk to its nearest neighbours only"
        assert [note.startswith(rule) for note in world.stores.notes] == [True] * (mode == "tetragraph")
    assert len(worlds["tetragraph"].edges()) > len(worlds["paper"].edges()) == 14 * 2
    assert found["tetragraph"] == pytest.approx(found["paper"], abs=1e-6)


def test_a_walk_by_gain_or_similarity_continues_in_proportion_to_it(world: World) -> None:
    built = with_options(world, BuildOptions(neighbours=3))
    edges, vectors = built.edges(), built.vectors
    similarity = {(a, b): max(0.0, float(vectors[a] @ vectors[b])) for a, b in edges}
    gain = {pair: float(edge["gain"]) for pair, edge in edges.items()}
    by_name: dict[EdgeWeights, dict[tuple[str, str], float]] = {"gain": gain, "similarity": similarity}
    for name, weights in by_name.items():
        engine = MemoryEngine.load(built.stores, GainOptions(weights=name))
        steps = engine.onwards(sorted(built.chunks))
        assert {(step.source, step.target) for step in steps} == {pair for pair in edges if weights[pair] > 0}
        for step in steps:
            total = sum(weight for (source, _), weight in weights.items() if source == step.source)
            assert step.weight == pytest.approx(weights[step.source, step.target], abs=1e-6)
            assert step.share == pytest.approx(weights[step.source, step.target] / total, abs=1e-6)


def test_weights_that_neo4j_does_not_walk_by_are_walked_in_this_process_with_a_note(built: World) -> None:
    hits = search(built.stores, built.question(TEXT), 5, GainOptions(weights="similarity"))
    in_process = GainOptions(weights="similarity", engine="memory")
    assert built.stores.notes == ["Neo4j walks by levels, not by similarity: ranked in this process (engine memory)"]
    assert hits == search(built.stores, built.question(TEXT), 5, in_process)
    assert hits != search(built.stores, built.question(TEXT), 5, GainOptions(engine="memory"))


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
