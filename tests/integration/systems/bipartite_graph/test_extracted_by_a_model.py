"""The graph of facts that a language model extracts: requests, cached replies, and interruptions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from scripted_facts import extracting, facts, is_gleaning, shown
from scripted_faults import at, failing
from scripted_llm import ScriptedLlm
from tetragraph.errors import LlmNotConfigured, LlmUnavailable, UnusableReply
from tetragraph.llm import LanguageModel, Operation
from tetragraph.settings import Settings
from tetragraph.stores.corpus import raise_llm_not_configured
from tetragraph.systems.bipartite_graph import extraction, llm_requests, uses_llm
from tetragraph.systems.bipartite_graph.options import BuildOptions

World = Any
PROMPTED = BuildOptions(extractor="llm")
TRIPLES = {
    "Halvik": [("Halvik", "has", "Old Port"), ("Orla Brandt", "was born in", "Halvik")],
    "Low Tide": [("Orla Brandt", "wrote", "Low Tide"), ("Low Tide", "appeared in", "1921")],
    "Nothing": [],
}
MANY = {f"Town{number}": [(f"Town{number}", "has", "Old Port")] for number in range(20)}


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(extracting) as llm:
        yield llm


@pytest.fixture
def begin(llm: ScriptedLlm, settings: Settings) -> Callable[[], Operation]:
    """Begins operations of one model; its replies are kept between them."""
    model = LanguageModel.open(llm.settings(settings, llm_retries=0, llm_concurrency=2))
    return lambda: model.operation("build bipartite")


@pytest.fixture
def built(world: World, begin: Callable[[], Operation]) -> World:
    world.add(TRIPLES)
    world.build(PROMPTED, llm=begin)
    return world


def descriptions(world: World) -> set[str]:
    return {one["description"] for one in world.nodes("Relation").values()}


def asked_about(llm: ScriptedLlm) -> list[str]:
    return sorted(shown(body) for body in llm.requests)


def test_facts_of_the_model_become_relations_at_their_quotes(built: World, llm: ScriptedLlm) -> None:
    said = {one["description"]: one for chunk in built.chunks.values() for one in facts(chunk.text)}
    assert descriptions(built) == said.keys() == {" ".join(one) for found in TRIPLES.values() for one in found}
    relations = built.nodes("Relation")
    for name, chunk, place in built.edges("STATED_IN"):
        quote = said[relations[name]["description"]]["quote"].rstrip(".")
        assert built.chunks[chunk].text[place["start"] : place["end"]] == quote
    assert {one["confidence"] for one in relations.values()} == {0.8}
    assert sum(is_gleaning(body) for body in llm.requests) == 2
    assert llm.calls == 5
    (root,) = built.nodes("BipartiteGraph").values()
    assert root["extractor"].startswith("llm scripted ")


def test_confidence_thresholds_leave_facts_out_and_extract_nothing_again(
    world: World, llm: ScriptedLlm, begin: Callable[[], Operation]
) -> None:
    """The model is sure of all it says to 8 of 10."""
    world.add(TRIPLES)
    assert world.build(replace(PROMPTED, min_relation_confidence=0.9), llm=begin).relations == 0
    assert llm.calls == 5
    assert not world.points("relations")
    assert world.build(llm=begin).relations == 0, "the threshold is stored"
    assert world.build(replace(PROMPTED, min_entity_confidence=0.9), llm=begin).relations == 0
    assert world.build(replace(PROMPTED, mode="paper"), llm=begin).relations == 4
    assert llm.calls == 5


def test_building_again_asks_nothing_that_was_asked(built: World, llm: ScriptedLlm, begin: Any) -> None:
    before = built.state()
    assert built.build(llm=begin).extracted == 0
    assert built.build(PROMPTED, llm=begin).extracted == 0
    assert (built.state(), llm.calls) == (before, 5)


def test_an_update_asks_about_new_chunks_alone_and_a_deletion_about_nothing(
    built: World, llm: ScriptedLlm, begin: Any
) -> None:
    del llm.requests[:]
    built.add({"Ghent": [("Ghent", "has", "Old Port")]})
    built.build(llm=begin, extracts_again=False)
    assert asked_about(llm) == ["Ghent has Old Port."] * 2
    built.remove("Ghent", "Low Tide")
    built.build(llm=raise_llm_not_configured, extracts_again=False)
    assert descriptions(built) == {"Halvik has Old Port", "Orla Brandt was born in Halvik"}
    built.add({"Ghent": [("Ghent", "has", "Old Port")]})
    with pytest.raises(LlmNotConfigured):
        built.build(llm=raise_llm_not_configured, extracts_again=False)


def test_a_chunk_whose_document_has_another_title_is_asked_about_again_and_no_other(
    built: World, llm: ScriptedLlm, begin: Any
) -> None:
    chunk = built.chunks["c-Halvik"]
    built.chunks[chunk.id] = replace(chunk, document_title="Lisse", title="Past")
    assert len(list(llm_requests(built.stores, built.table, None, "scripted"))) == 2
    del llm.requests[:]
    assert built.build(llm=begin, extracts_again=False).extracted == 1
    assert asked_about(llm) == [chunk.text] * 2
    assert built.build(llm=begin).extracted == 0


def test_facts_that_were_stored_without_a_hash_of_titles_are_kept_with_the_present_one(
    built: World, llm: ScriptedLlm, begin: Any
) -> None:
    before = built.state()
    built.run("MATCH (n:Extraction {corpus: $corpus}) REMOVE n.titles")
    assert list(llm_requests(built.stores, built.table, None, "scripted")) == []
    assert built.build(llm=begin).extracted == 0
    assert (built.state(), llm.calls) == (before, 5)


def test_a_model_that_goes_away_leaves_the_graph_and_nothing_is_paid_for_twice(
    world: World, llm: ScriptedLlm, begin: Any
) -> None:
    world.add(MANY)
    llm.faults = at(dict.fromkeys(range(25, 30), failing(500)))
    with pytest.raises(LlmUnavailable) as error:
        world.build(PROMPTED, llm=begin)
    kept = len(world.nodes("Extraction"))
    assert 8 <= kept < len(MANY)
    assert f"The facts of {kept} of 20 chunks are extracted and kept" in error.value.__notes__[0]
    assert (world.nodes("Relation"), world.nodes("BipartiteGraph")) == ({}, {})
    failed = llm.calls
    llm.faults = lambda call: None
    assert world.build(PROMPTED, llm=begin).extracted == len(MANY) - kept
    assert descriptions(world) == {" ".join(one) for found in MANY.values() for one in found}
    assert llm.calls == 2 * len(MANY) + failed - 25


def test_facts_of_another_model_stay_until_all_is_built_anew(
    built: World, llm: ScriptedLlm, settings: Settings
) -> None:
    other = LanguageModel.open(llm.settings(settings, llm="other"))
    llm.model = "other"
    llm.answer = lambda body: extracting(body).replace("was born in", "comes from")
    built.stores.notes.clear()
    built.add({"Ghent": [("Elva Kron", "was born in", "Ghent")]})
    built.build(llm=lambda: other.operation("ingest"), extracts_again=False)
    assert {"Orla Brandt was born in Halvik", "Elva Kron comes from Ghent"} <= descriptions(built)
    assert [note.split(":")[0] for note in built.stores.notes] == [
        "the facts of 3 chunks were extracted by another model, or with other prompts"
    ]
    built.build(llm=lambda: other.operation("build bipartite"))
    assert {"Orla Brandt comes from Halvik", "Elva Kron comes from Ghent"} <= descriptions(built)
    assert {one["extractor"].split()[1] for one in built.nodes("Extraction").values()} == {"other"}


def test_what_is_dropped_is_told(world: World, llm: ScriptedLlm, begin: Any) -> None:
    hostile = json.dumps({"facts": [*facts("Nero burnt Rome. Halvik has Old Port."), {"description": "broken"}]})
    llm.answer = lambda body: hostile
    world.add({"Halvik": TRIPLES["Halvik"]})
    world.build(replace(PROMPTED, gleanings=0), llm=begin)
    assert descriptions(world) == {"Halvik has Old Port"}
    assert world.stores.notes == [
        "what the language model wrote of 1 chunks was used without 1 facts not of the form that was asked for, "
        "1 facts of fewer than two names, 2 names that are not in the passage"
    ]


def refusing(*names: str) -> Callable[[dict[str, Any]], str]:
    return lambda body: "I cannot." if any(f"{name} has" in shown(body) for name in names) else extracting(body)


def test_a_passage_without_a_readable_reply_has_no_facts_and_is_asked_about_once(
    world: World, llm: ScriptedLlm, begin: Any
) -> None:
    llm.answer = refusing("Town3", "Town7")
    world.add(MANY)
    world.build(PROMPTED, llm=begin)
    assert descriptions(world) == {" ".join(one) for name, (one,) in MANY.items() if name not in ("Town3", "Town7")}
    assert world.stores.notes == [
        "the language model's reply could not be read for 2 of 20 passages: they have no facts"
    ]
    calls = llm.calls
    assert world.build(PROMPTED, llm=begin).extracted == 0
    assert llm.calls == calls


def test_more_than_a_tenth_without_a_readable_reply_end_a_build_that_goes_on_with_the_rest(
    world: World, llm: ScriptedLlm, begin: Any
) -> None:
    world.add(MANY)
    world.build(llm=begin)
    before = world.nodes("Relation"), world.nodes("BipartiteGraph")
    llm.answer = refusing("Town3", "Town7", "Town8")
    message = r"at most a tenth of 20 passages .* model 'scripted' on 3 of the \d+ asked so far could not be read: try"
    with pytest.raises(UnusableReply, match=message) as error:
        world.build(PROMPTED, llm=begin)
    assert error.value.raw == "I cannot."
    assert (world.nodes("Relation"), world.nodes("BipartiteGraph")) == before
    llm.answer = extracting
    read = set(asked_about(llm)) - {f"{name} has Old Port." for name in ("Town3", "Town7", "Town8")}
    del llm.requests[:]
    with pytest.raises(UnusableReply):
        world.build(PROMPTED, llm=begin)
    assert read.isdisjoint(asked_about(llm)), "their replies are kept"


def test_a_new_passage_that_the_model_refuses_ends_no_update(built: World, llm: ScriptedLlm, begin: Any) -> None:
    built.add(MANY)
    built.build(llm=begin, extracts_again=False)
    before = descriptions(built)
    llm.answer = refusing("Ghent")
    built.add({"Ghent": [("Ghent", "has", "Old Port")]})
    built.build(llm=begin, extracts_again=False)
    assert descriptions(built) == before
    assert built.stores.notes[-1].endswith("could not be read for 1 of 1 passages: they have no facts")


def test_an_estimate_is_of_what_is_not_extracted_yet(built: World, llm: ScriptedLlm, world: World) -> None:
    built.add({"Ghent": [("Ghent", "has", "Old Port")]})
    expected = list(llm_requests(world.stores, world.table, None, "scripted"))
    assert [one.prompt.split()[0] for one in expected] == ["facts", "more_facts"]
    assert len(list(llm_requests(world.stores, world.table, PROMPTED, "other"))) == 2 * len(world.chunks)
    assert list(llm_requests(world.stores, world.table, BuildOptions(), "scripted")) == []
    assert uses_llm(world.stores)
    assert not uses_llm(world.stores, BuildOptions())
    assert llm.calls == 5


def test_every_extraction_is_read_back(built: World) -> None:
    found = built.nodes("Extraction")
    assert set(found) == set(built.chunks)
    assert {len(extraction.unpack(one["facts"])) for one in found.values()} == {0, 2}
