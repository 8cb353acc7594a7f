"""From recorded facts to nodes in Neo4j and vectors in Qdrant, and their removal with documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tetragraph.errors import InvalidInput
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import content_id
from tetragraph.progress import NoProgress
from tetragraph.systems.bipartite_graph import extractors, index, stored, vectors
from tetragraph.systems.bipartite_graph.entity_lookup import EntityReport, find_entity
from tetragraph.systems.bipartite_graph.name_separation import allow_merge, forbid_merge
from tetragraph.systems.bipartite_graph.options import BuildOptions

World = Any
MakeWorld = Callable[[str], World]
Triples = dict[str, list[tuple[str, str, str]]]
TRIPLES: Triples = {
    "Halvik": [
        ("Halvik", "has", "Old Port"),
        ("Halvik", "has", "Town Hall"),
        ("Orla Brandt", "was born in", "Halvik"),
        ("United Nations", "met in", "Halvik"),
        ("United Nations", "abbreviated", "UN"),
        ("UN", "left", "Halvik"),
    ],
    "Orla Brandt": [("Orla Brandt", "was born in", "Halvik"), ("Brandt", "painted", "Low Tide")],
    "Ghent": [
        ("Ghent", "has", "Old Port"),
        ("United Nations", "met in", "Ghent"),
        ("Elva Kron", "was born in", "1921"),
    ],
    "Nothing": [],
}
NAMES = ["Halvik", "HALVIK", "Orla Brandt", "Brandt", "O. Brandt", "United Nations", "UN", "Old Port", "old ports"]
DOCUMENTS = st.dictionaries(
    st.sampled_from(["Halvik", "Orla Brandt", "Ghent", "Low Tide"]),
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(["met", "has"]), st.sampled_from(NAMES)), max_size=4),
    max_size=4,
)


@pytest.fixture
def built(world: World) -> World:
    """A corpus of the documents above."""
    world.record(TRIPLES)
    world.add(TRIPLES)
    world.build_recorded()
    return world


def entity(name: str) -> str:
    return content_id(normalise_name(name))


def relation(world: World, description: str) -> tuple[str, dict[str, Any]]:
    (found,) = [(name, one) for name, one in world.nodes("Relation").items() if one["description"] == description]
    return found


def test_edges_join_entities_to_relations_and_relations_to_chunks_and_nothing_else(built: World) -> None:
    rows = built.run(
        "MATCH (a {corpus: $corpus})-[e]->(b) WHERE a:Entity OR a:Relation OR b:Entity OR b:Relation "
        "RETURN DISTINCT labels(a) + [type(e)] + labels(b) AS kind"
    )
    kinds = {tuple(row["kind"]) for row in rows}
    assert kinds == {
        ("Entity", "PARTICIPATES_IN", "Relation"),
        ("Relation", "STATED_IN", "Chunk"),
        ("Alias", "ALIAS_OF", "Entity"),
    }
    taking_part = built.run(
        "MATCH (r:Relation {corpus: $corpus}) RETURN COUNT { (r)<-[:PARTICIPATES_IN]-(:Entity) } AS n, "
        "COUNT { (r)-[:STATED_IN]->(:Chunk) } = r.weight AS is_weight"
    )
    assert taking_part
    assert all(row["n"] >= 2 and row["is_weight"] for row in taking_part)


def test_a_fact_of_two_documents_is_one_relation_stated_in_both(built: World) -> None:
    name, properties = relation(built, "Orla Brandt was born in Halvik")
    assert properties == {
        "description": "Orla Brandt was born in Halvik",
        "type": "was born in",
        "confidence": 0.8,
        "weight": 2,
    }
    stated = {chunk: offsets for found, chunk, offsets in built.edges("STATED_IN") if found == name}
    texts = {chunk: built.chunks[chunk].text[offsets["start"] : offsets["end"]] for chunk, offsets in stated.items()}
    assert texts == dict.fromkeys(["c-Halvik", "c-Orla Brandt"], "Orla Brandt was born in Halvik.")
    assert [edge for edge in built.edges("PARTICIPATES_IN") if edge[1] == name] == sorted(
        [
            (entity("Orla Brandt"), name, {"role": "subject", "confidence": 0.8}),
            (entity("Halvik"), name, {"role": "object", "confidence": 0.8}),
        ]
    )


def test_what_is_merged_is_written_down_with_its_reason(built: World) -> None:
    aliases = built.nodes("Alias")
    named = {alias["name"]: name for name, alias in aliases.items()}
    assert named.keys() == {"UN", "Brandt"}
    assert named["UN"] == content_id("alias", "un")
    audits = {alias: (target, audit) for alias, target, audit in built.edges("ALIAS_OF")}
    target, audit = audits[named["UN"]]
    assert target == entity("United Nations")
    assert (audit["reason"], audit["document"], audit["generation"]) == ("acronym", "", 1)
    target, audit = audits[named["Brandt"]]
    assert target == entity("Orla Brandt")
    assert (audit["reason"], audit["document"]) == ("short form", "Orla Brandt")
    assert not {entity("UN"), entity("Brandt")} & built.nodes("Entity").keys()


def test_the_dictionary_keeps_its_names_and_the_graph_its_types(built: World) -> None:
    entities = built.nodes("Entity")
    assert entities[entity("Halvik")] == {"name": "HALVIK", "df": 2, "type": "", "confidence": 0.8}
    assert entities[entity("Old Port")] == {"name": "Old Port", "type": "", "confidence": 0.8}


def test_every_fact_and_every_name_has_its_vector(built: World) -> None:
    for kind, texts in (
        ("relations", {name: one["description"] for name, one in built.nodes("Relation").items()}),
        ("entities", {entity(name): name for name in ("Halvik", "Orla Brandt", "Old Port", "United Nations", "Ghent")}),
    ):
        points, hashes = built.points(kind), built.stores.vectors.hashes(built.stores.name, kind)
        assert texts.keys() <= points.keys()
        for name, text in texts.items():
            assert points[name] == pytest.approx(built.embedder.embed_question(text).tolist(), abs=1e-6)
            assert hashes[name] == vectors.text_hash(text)
    assert built.points("relations").keys() == built.nodes("Relation").keys()
    assert built.points("entities").keys() == built.nodes("Entity").keys() - {entity("1921")}


def test_dates_and_numbers_have_no_vector(world: World) -> None:
    triples: Triples = {"a": [("Elva Kron", "was born in", "1921")]}
    world.record(triples)
    world.add(triples)
    world.build_recorded()
    assert world.nodes("Entity")[entity("1921")]["type"] == "DATE"
    assert world.points("entities").keys() == {entity("Elva Kron")}


def test_the_root_tells_how_the_graph_was_made(built: World) -> None:
    ((name, root),) = built.nodes("BipartiteGraph").items()
    assert name == built.stores.name
    assert root["extractor"].startswith("recorded ")
    assert json.loads(root["settings"]) == {
        "extractor": str(built.file),
        "gleanings": 1,
        "threshold": 0.9,
        "mode": "tetragraph",
        "min_entity_confidence": None,
        "min_relation_confidence": None,
    }
    assert (root["relations"], root["entities"], root["merges"]) == (
        len(built.nodes("Relation")),
        sum("confidence" in one for one in built.nodes("Entity").values()),
        len(built.edges("ALIAS_OF")),
    )
    assert "unfinished" not in root


def test_building_again_writes_extracts_and_embeds_nothing(built: World) -> None:
    before = built.state()
    del built.embedder.embedded[:]
    report = built.build()
    assert (report.extracted, report.written, built.embedder.embedded) == (0, 0, [])
    assert built.state() == before


def test_names_that_qdrant_has_are_not_embedded_to_be_compared(built: World) -> None:
    del built.embedder.embedded[:]
    names = ["Old Port", "OLD PORT", "Old Port", "Elva"]
    found = vectors.GraphVectors(built.stores, built.embedder, NoProgress())(names)
    assert built.embedder.embedded == ["Elva", "OLD PORT"]
    assert found == pytest.approx(np.array([built.embedder.embed_question(name) for name in names]), abs=1e-6)


def test_an_update_ends_where_a_build_of_all_ends(world: World, make_world: MakeWorld) -> None:
    world.record(TRIPLES)
    world.add({"Halvik": TRIPLES["Halvik"]})
    world.build_recorded()
    del world.embedder.embedded[:]
    world.add({document: triples for document, triples in TRIPLES.items() if document != "Halvik"})
    report = world.build()
    assert report.extracted == len(TRIPLES) - 1
    assert not {"Halvik", "Orla Brandt was born in Halvik"} & set(world.embedder.embedded)
    fresh = make_world("-fresh")
    fresh.add(TRIPLES)
    fresh.build_recorded()
    assert world.state() == fresh.state()


def test_deleting_a_document_lowers_weights_and_removes_what_nothing_states(built: World) -> None:
    name, _ = relation(built, "Orla Brandt was born in Halvik")
    gone, _ = relation(built, "Halvik has Old Port")
    built.remove("Halvik")
    report = built.build()
    assert report.extracted == 0
    assert built.nodes("Relation")[name]["weight"] == 1
    assert gone not in built.nodes("Relation")
    assert gone not in built.points("relations")
    assert built.points("relations").keys() == built.nodes("Relation").keys()
    assert set(built.nodes("Extraction")) == set(built.chunks)
    assert entity("Old Port") in built.nodes("Entity")  # Ghent has one, too
    assert {edge[0] for edge in built.edges("PARTICIPATES_IN")} == {
        found for found, one in built.nodes("Entity").items() if "confidence" in one
    }


def test_without_documents_only_the_dictionary_is_left(world: World) -> None:
    empty = world.state()
    world.record(TRIPLES)
    world.add(TRIPLES)
    world.build_recorded()
    world.remove(*TRIPLES)
    world.build()
    after = world.state()
    del empty["root"], after["root"]
    assert after == empty


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DOCUMENTS, DOCUMENTS)
def test_what_comes_and_goes_again_leaves_no_trace(make_world: MakeWorld, first: Triples, second: Triples) -> None:
    """Ids, weights, merges, and vectors with their hashes are as before."""
    world = make_world(f"-{content_id(str(first), str(second))}")
    documents = {f"{document} again": triples for document, triples in second.items()}
    world.record({**first, **documents})
    world.add(first)
    world.build_recorded()
    before = world.state()
    world.add(documents)
    world.build()
    between = world.state()
    world.remove(*documents)
    world.build()
    assert world.state() == before
    world.add(documents)
    world.build()
    assert world.state() == between


def test_corpora_do_not_see_each_other(built: World, make_world: MakeWorld) -> None:
    before = built.state()
    other = make_world("-other")
    other.add({"Halvik": TRIPLES["Halvik"]})
    other.build_recorded()
    other.remove("Halvik")
    other.build()
    assert built.state() == before


class _Killed(BaseException):
    """Stands for the end of the process."""


def cut_off(monkeypatch: pytest.MonkeyPatch, store: Any, method: str, after: int, words: str = "") -> None:
    """The process ends at a store's call: the ``after``-th, from 0, of those that begin with the words, if any."""
    original, calls = getattr(store, method), iter(range(after))

    def call(*given: Any, **named: Any) -> Any:
        if (not words or words in given) and next(calls, None) is None:
            raise _Killed
        return original(*given, **named)

    monkeypatch.setattr(store, method, call)


MOMENTS = {
    "between extractions": ("graph", "write", 1, "bipartite_graph/upsert_extractions"),
    "before the root is marked": ("graph", "write", 0, "bipartite_graph/upsert_graph"),
    "between entities": ("graph", "write", 2, "bipartite_graph/upsert_participants"),
    "between relations": ("graph", "write", 1, "bipartite_graph/upsert_relations"),
    "between participants": ("graph", "write", 1, "bipartite_graph/link_participants"),
    "between statements": ("graph", "write", 1, "bipartite_graph/link_statements"),
    "before relations go": ("graph", "write", 0, "bipartite_graph/delete_relations"),
    "before aliases come": ("graph", "write", 0, "bipartite_graph/link_aliases"),
    "before merges go": ("graph", "write", 0, "bipartite_graph/delete_merges"),
    "between merges and aliases that go": ("graph", "write", 0, "bipartite_graph/delete_aliases"),
    "before entities go": ("graph", "write", 0, "bipartite_graph/delete_participants"),
    "between vectors of names": ("vectors", "upsert", 1, "entities"),
    "between vectors of facts": ("vectors", "upsert", 1, "relations"),
    "before vectors go": ("vectors", "delete", 0, "relations"),
    "before the root": ("graph", "write", 1, "bipartite_graph/upsert_graph"),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_update_that_was_cut_off_is_finished_by_the_next(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    disturbed, undisturbed = make_world("-disturbed"), make_world("-undisturbed")
    disturbed.record(TRIPLES)
    for world in (disturbed, undisturbed):
        world.add({name: TRIPLES[name] for name in ("Halvik", "Nothing")})
        world.build_recorded()
        world.remove("Halvik")
        world.add({name: TRIPLES[name] for name in ("Orla Brandt", "Ghent")})
    undisturbed.build()
    store, method, after, words = MOMENTS[moment]
    with monkeypatch.context() as patch:
        for module in (extractors, stored, vectors):
            patch.setattr(module, "_BATCH", 1)
        cut_off(patch, getattr(disturbed.stores, store), method, after, words)
        with pytest.raises(_Killed):
            disturbed.build()
    assert disturbed.state() != undisturbed.state()
    disturbed.build()
    assert disturbed.state() == undisturbed.state()


def test_what_was_extracted_before_an_end_is_not_extracted_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.record(TRIPLES)
    world.add(TRIPLES)
    with monkeypatch.context() as patch:
        patch.setattr(extractors, "_BATCH", 1)
        cut_off(patch, world.stores.graph, "write", 3, "bipartite_graph/upsert_extractions")
        with pytest.raises(_Killed):
            world.build_recorded()
    assert world.build_recorded().extracted == len(TRIPLES) - 3


def test_chunks_that_the_file_lacks_are_told_of(world: World) -> None:
    world.record({"Halvik": TRIPLES["Halvik"]})
    world.add(TRIPLES)
    world.build_recorded()
    assert world.stores.notes == [f"3 of 4 chunks are not in {world.file}: no facts are known of them"]


def test_another_file_is_read_again_and_the_same_is_not(built: World) -> None:
    assert built.build_recorded().extracted == 0
    built.record({"Ghent": [("Ghent", "saw", "Elva Kron")]})
    assert built.build().extracted == len(TRIPLES)
    assert [one["description"] for one in built.nodes("Relation").values()] == ["Ghent saw Elva Kron"]


def test_a_file_that_went_is_missed_only_where_something_has_to_be_extracted(built: World) -> None:
    built.file.unlink()
    built.remove("Halvik")
    assert built.build().extracted == 0
    before = built.state()
    built.add({"Halvik": TRIPLES["Halvik"]})
    with pytest.raises(InvalidInput, match=r"recorded facts must be a readable file .*triples\.jsonl is not"):
        built.build()
    built.remove("Halvik")
    assert built.state() == before


def test_a_threshold_is_kept_by_later_builds(built: World) -> None:
    built.build(BuildOptions(str(built.file), 0.95))
    built.build()
    (root,) = built.nodes("BipartiteGraph").values()
    assert '"threshold": 0.95' in root["settings"]


def test_names_that_are_kept_apart_are_not_merged_and_stay_so(built: World) -> None:
    built.run(
        "MATCH (a:Alias {corpus: $corpus, name: 'UN'})-[m:ALIAS_OF]->(e) DELETE m "
        "CREATE (a)-[:KEPT_APART {generation: 1}]->(e)"
    )
    built.build()
    assert entity("UN") in built.nodes("Entity")
    assert "UN" not in {built.nodes("Alias")[alias]["name"] for alias, *_ in built.edges("ALIAS_OF")}
    before = built.state()
    assert built.build().written == 0
    built.remove(*TRIPLES)
    built.build()
    assert len(built.edges("KEPT_APART")) == 1
    built.add(TRIPLES)
    built.build()
    assert built.state() == before


def test_a_name_that_is_the_only_one_of_its_entity_can_be_split_from_it(world: World) -> None:
    """No fact writes what the film is called without its bracket, so that the entity bears the alias' name."""
    film = {"Low Tide (film)": [("Low Tide (film)", "was made in", "Halvik")]}
    world.record(film)
    world.add(film)
    world.build_recorded()
    assert world.nodes("Entity")[entity("Low Tide")]["name"] == "Low Tide (film)"
    forbid_merge(world.stores, low_tide(world), "Low Tide (film)")
    world.build()
    assert dict(subjects(world)) == {"Low Tide (film)": entity("Low Tide film")}
    allow_merge(world.stores, low_tide(world), "Low Tide (film)")
    world.build()
    assert dict(subjects(world)) == {"Low Tide (film)": entity("Low Tide")}


def low_tide(world: World) -> EntityReport:
    return find_entity(world.stores, entity("Low Tide"), world.embedder.embed_question)


def subjects(world: World) -> list[tuple[str, str]]:
    """Name and id of the subject of each fact."""
    part = "(e:Entity {corpus: $corpus})-[:PARTICIPATES_IN {role: 'subject'}]->(:Relation)"
    return [(row["name"], row["id"]) for row in world.run(f"MATCH {part} RETURN e.name AS name, e.id AS id")]


def test_types_of_entities_that_take_part_no_longer_are_free_to_be_found_elsewhere(built: World) -> None:
    built.remove(*TRIPLES)
    built.build()
    assert built.nodes("Entity") == {
        entity("Halvik"): {"name": "HALVIK", "df": 2},
        entity("Orla Brandt"): {"name": "Orla BRANDT", "df": 2},
    }


def test_the_index_of_a_graph_at_hand_is_the_one_read_from_neo4j(built: World) -> None:
    at_hand = index.read(built.stores, built.table, built.build_recorded().graph)
    stored = index.read(built.stores, built.table)
    assert at_hand.keys() == stored.keys()
    assert [name for name, array in stored.items() if not np.array_equal(array, at_hand[name])] == []
