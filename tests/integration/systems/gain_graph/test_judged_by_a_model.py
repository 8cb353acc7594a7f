"""The graph in Neo4j with a language model as judge: edges, cached replies, and interruptions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from scripted_faults import Fault
from scripted_gain import by_chance, judging, pairs
from scripted_llm import ScriptedLlm
from tetragraph.errors import LlmError, LlmNotConfigured
from tetragraph.llm import LanguageModel, Operation
from tetragraph.progress import NoProgress
from tetragraph.settings import Settings
from tetragraph.stores.corpus import Change, CorpusStores
from tetragraph.systems import gain_graph
from tetragraph.systems.gain_graph import BuildOptions, GainBuildReport

World = Any
LEVELS = BuildOptions(neighbours=3, explains=2, judge="levels")
PAPER = BuildOptions(neighbours=3, judge="score", mode="paper")
BROKEN = Fault("broken", status=400, content='{"error": {"message": "no", "type": "invalid"}}')


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(judging(by_chance)) as llm:
        yield llm


@pytest.fixture
def begin(llm: ScriptedLlm, settings: Settings) -> Callable[[], Operation]:
    """Begins operations of one model; its replies are kept between them."""
    model = LanguageModel.open(llm.settings(settings, llm_retries=0))
    return lambda: model.operation("build gain")


def now(world: World) -> CorpusStores:
    """The stores with the settings that the corpus has now."""
    row = world.stores.graph.read("corpus/get_corpus", corpus=world.stores.name)[0]
    stores: CorpusStores = world.stores
    return replace(stores, record=replace(stores.record, settings=json.loads(row["settings"])), notes=[])


def built(world: World, options: BuildOptions | None, begin: Callable[[], Operation]) -> GainBuildReport:
    return gain_graph.build(now(world), world.table, NoProgress(), options, begin)


def judges(world: World) -> set[str]:
    return {str(edge["judge"]) for edge in world.edges().values()}


@pytest.mark.parametrize("options", [LEVELS, PAPER])
def test_every_edge_has_what_the_model_said_of_its_pair(
    world: World, llm: ScriptedLlm, begin: Callable[[], Operation], options: BuildOptions
) -> None:
    report = built(world, options, begin)
    edges = world.edges()
    assert report.judged == len(edges) == sum(len(pairs(body)) for body in llm.requests)
    for (base, other), edge in edges.items():
        said = by_chance(world.chunks[base].passage, world.chunks[other].passage)
        if options.judge == "score":
            assert edge["gain"] == pytest.approx(said, abs=0.005)
        else:
            assert edge["gain"] == (0.1, 0.4, 0.7, 0.95)[int(said * 4)]
        assert str(edge["judge"]).startswith(f"{options.judge} scripted gain_{options.judge} 1 ")


def test_an_estimate_renders_the_requests_of_the_build(
    world: World, llm: ScriptedLlm, begin: Callable[[], Operation]
) -> None:
    told = list(gain_graph.llm_requests(world.stores, world.table, LEVELS))
    built(world, LEVELS, begin)
    sent = sorted(body["messages"][1]["content"] for body in llm.requests)
    assert sorted(request.messages[1].content for request in told) == sent
    assert list(gain_graph.llm_requests(world.stores, world.table, BuildOptions())) == []


def test_later_builds_and_updates_ask_as_the_first_did(
    world: World, llm: ScriptedLlm, begin: Callable[[], Operation], make_world: Callable[[str], World]
) -> None:
    built(world, LEVELS, begin)
    assert gain_graph.options_of(now(world).record) == LEVELS
    asked = llm.calls
    built(world, None, begin)
    assert llm.calls == asked, "all replies are kept"
    before = world.edges()
    ids = world.add(range(14, 17))
    llm.requests.clear()
    gain_graph.update(now(world), world.table, Change(added=ids), NoProgress(), llm=begin)
    after = world.edges()
    assert judges(world) == {str(next(iter(before.values()))["judge"])}
    assert all(after[pair]["gain"] == before[pair]["gain"] for pair in set(before) & set(after))
    passages = {chunk.passage: name for name, chunk in world.chunks.items()}
    asked_about = {(passages[base], passages[other]) for body in llm.requests for base, other in pairs(body)}
    assert asked_about == set(after) - set(before)
    fresh = make_world("-fresh")
    fresh.add(range(17))
    built(fresh, LEVELS, begin)
    assert fresh.edges() == after


def test_going_back_needs_no_model(world: World, begin: Callable[[], Operation]) -> None:
    gain_graph.build(now(world), world.table, NoProgress())
    before = world.edges()
    built(world, replace(LEVELS, neighbours=5, explains=10), begin)
    assert set(world.edges()) == set(before)
    assert world.edges() != before
    with pytest.raises(LlmNotConfigured):
        gain_graph.build(now(world), world.table, NoProgress())
    gain_graph.build(now(world), world.table, NoProgress(), BuildOptions())
    assert world.edges() == before


def test_another_model_judges_new_pairs_in_an_update_and_all_pairs_in_a_build(
    world: World, llm: ScriptedLlm, begin: Callable[[], Operation], settings: Settings
) -> None:
    built(world, LEVELS, begin)
    before = world.edges()
    llm.model = "newer"
    newer = LanguageModel.open(llm.settings(settings))
    stores = now(world)
    ids = world.add([14])
    gain_graph.update(stores, world.table, Change(added=ids), NoProgress(), llm=lambda: newer.operation("ingest"))
    after = world.edges()
    assert {str(edge["judge"]).split()[1] for pair, edge in after.items() if pair in before} == {"scripted"}
    assert {str(edge["judge"]).split()[1] for pair, edge in after.items() if pair not in before} == {"newer"}
    (note,) = stores.notes
    assert note.startswith(f"{len(set(before) & set(after))} pairs keep what another model or prompt judged")
    built(world, None, lambda: newer.operation("build gain"))
    assert {judge.split()[1] for judge in judges(world)} == {"newer"}


def test_an_end_while_judging_leaves_the_graph_as_it_was(
    world: World, llm: ScriptedLlm, begin: Callable[[], Operation], make_world: Callable[[str], World]
) -> None:
    gain_graph.build(now(world), world.table, NoProgress())
    before = world.edges()
    llm.faults = lambda call: BROKEN if call.number >= 7 else None
    with pytest.raises(LlmError) as caught:
        built(world, LEVELS, begin)
    assert "pairs judged, all kept; the graph is as it was" in caught.value.__notes__[0]
    assert world.edges() == before
    assert gain_graph.options_of(now(world).record) == BuildOptions()
    llm.faults = lambda call: None
    failed = llm.calls - 7
    built(world, LEVELS, begin)
    assert sum(count - 1 for count in llm.calls_by_content.values()) == failed, "nothing that was answered is repeated"
    fresh = make_world("-fresh")
    fresh.add(range(14))
    built(fresh, LEVELS, begin)
    assert world.edges() == fresh.edges()


class _Killed(BaseException):
    """Stands for the end of the process."""


def test_an_end_while_edges_are_written_is_finished_by_the_next_update(
    world: World, begin: Callable[[], Operation], monkeypatch: pytest.MonkeyPatch
) -> None:
    gain_graph.build(now(world), world.table, NoProgress(), BuildOptions(neighbours=3, explains=2))
    stores = now(world)
    write_rows = stores.graph.write_rows

    def cut(name: str, rows: Any, **parameters: Any) -> Iterator[int]:
        yield from write_rows(name, list(rows)[:5], **parameters)
        raise _Killed

    with monkeypatch.context() as patch:
        patch.setattr(stores.graph, "write_rows", cut)
        with pytest.raises(_Killed):
            gain_graph.build(stores, world.table, NoProgress(), LEVELS, begin)
    assert len(judges(world)) == 2
    assert gain_graph.is_unfinished(now(world).record)
    gain_graph.update(now(world), world.table, Change(), NoProgress(), llm=begin)
    assert len(judges(world)) == 1
    assert not gain_graph.is_unfinished(now(world).record)
    before = world.edges()
    built(world, LEVELS, begin)
    assert world.edges() == before
