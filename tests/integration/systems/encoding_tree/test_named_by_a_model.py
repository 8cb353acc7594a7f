"""Communities named by a language model: requests, preserved names, and interruptions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from scripted_faults import failing, first
from scripted_llm import ScriptedLlm, last_turn
from tetragraph.errors import LlmNotConfigured, LlmUnavailable
from tetragraph.llm import LanguageModel, Operation
from tetragraph.progress import NoProgress
from tetragraph.settings import Settings
from tetragraph.stores.corpus import Change
from tetragraph.systems.encoding_tree import BuildOptions, build, llm_requests, update, uses_llm

World = Any
_THEME = re.compile(r"<theme (\d+) [0-9a-f]{8}>\n(.*)\n")


def naming(body: dict[str, Any]) -> str:
    """Names each theme after what tells it apart."""
    found = _THEME.findall(last_turn(body))
    return json.dumps({"names": [{"theme": int(number), "name": f"About {telling}"} for number, telling in found]})


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(naming) as llm:
        yield llm


@pytest.fixture
def begin(llm: ScriptedLlm, settings: Settings) -> Callable[[], Operation]:
    """Begins operations of one model; its replies are kept between them."""
    model = LanguageModel.open(llm.settings(settings, llm_retries=0))
    return lambda: model.operation("build tree")


@pytest.fixture
def named(small: BuildOptions) -> BuildOptions:
    return replace(small, names="llm", height=3)


def names(world: World) -> dict[str, str]:
    return {community: one["name"] for community, one in world.communities().items()}


def test_every_community_has_the_models_name_and_the_root_what_it_cost(
    world: World, llm: ScriptedLlm, begin: Any, named: BuildOptions, small: BuildOptions
) -> None:
    build(world.stores, world.table, NoProgress(), replace(small, height=3))
    telling = names(world)
    estimate = list(llm_requests(world.stores, world.table, named))
    build(world.stores, world.table, NoProgress(), named, begin)
    assert names(world) == {community: f"About {words}"[:80].strip() for community, words in telling.items()}
    assert sorted(one.messages[1].content for one in estimate) == sorted(last_turn(body) for body in llm.requests)
    assert world.root()["tokens"] == llm.input_tokens + llm.output_tokens > 0
    assert uses_llm(world.stores)
    before = world.state()
    build(world.stores, world.table, NoProgress(), None, begin)
    assert (world.state(), llm.calls) == (before, len(estimate))


def test_an_update_asks_about_communities_whose_chunks_are_others_alone(
    world: World, llm: ScriptedLlm, begin: Any, named: BuildOptions
) -> None:
    build(world.stores, world.table, NoProgress(), named, begin)
    before, homes = names(world), world.homes()
    llm.answer = lambda body: naming(body).replace("About", "Of")
    del llm.requests[:]
    added = world.add([16])
    update(world.stores, world.table, Change(added, ()), NoProgress(), begin)
    after = names(world)
    stirred = {community for community, one in after.items() if one.startswith("Of ")}
    assert 0 < len(stirred) < len(after)
    assert {one: name for one, name in after.items() if one not in stirred}.items() <= before.items()
    moved = {home for chunk, (home,) in world.homes().items() if homes.get(chunk) != [home]}
    assert moved <= stirred
    assert sum(len(_THEME.findall(last_turn(body))) for body in llm.requests) == len(stirred)


def test_a_model_that_is_away_or_not_set_leaves_the_tree_as_it_was(
    world: World, llm: ScriptedLlm, begin: Any, named: BuildOptions
) -> None:
    build(world.stores, world.table, NoProgress(), named, begin)
    before = world.state()
    added = world.add([16])
    llm.faults = first(100, failing(500))
    with pytest.raises(LlmUnavailable):
        update(world.stores, world.table, Change(added, ()), NoProgress(), begin)
    with pytest.raises(LlmNotConfigured):
        update(world.stores, world.table, Change(added, ()), NoProgress())
    assert world.state() == before
    llm.faults = lambda call: None
    update(world.stores, world.table, Change(added, ()), NoProgress(), begin)
    assert all(name.startswith("About ") for name in names(world).values())


def test_a_community_without_a_name_is_called_by_what_tells_it_apart(
    world: World, llm: ScriptedLlm, begin: Any, named: BuildOptions
) -> None:
    llm.answer = lambda body: '{"names": []}'
    build(world.stores, world.table, NoProgress(), named, begin)
    assert all(names(world).values())
    count = len(names(world))
    assert world.stores.notes == [
        f"the language model gave no name that can be used to {count} of {count} themes: "
        "these are called by what tells them apart"
    ]
