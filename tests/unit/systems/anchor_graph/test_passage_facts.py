"""Facts of chunks: n-ary facts as triples around a head, otherwise names beside the title."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tetragraph.model import content_id
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.anchor_graph.passage_facts import (
    MENTIONS,
    FactTriples,
    MentionTriples,
    TripleSource,
    find_triple_source,
)
from tetragraph.systems.anchor_graph.reasoner import Triple
from tetragraph.systems.bipartite_graph.fact_index import load_facts
from tetragraph.systems.bipartite_graph.system import FactGraph
from tetragraph.systems.evidence_walk.name_index import load_names

PASSAGES = {
    "Low Tide": "Low Tide is a poem by Jens Arild. It was printed in Old Port in 1899.",
    "Jens Arild": "Jens Arild was a poet who lived in Halvik.",
    "Halvik": "Halvik is a town.",
}
FACTS = [
    (
        "Low Tide",
        "printed",
        [("1899", "DATE", "time"), ("Old Port", "PLACE", "place"), ("Low Tide", "WORK", "object")],
    ),
    ("Low Tide", "is", [("Low Tide", "WORK", "subject"), ("a poem", "CONCEPT", "attribute")]),
    ("Jens Arild", "lived", [("Jens Arild", "PERSON", "subject"), ("Halvik", "PLACE", "in")]),
    ("Jens Arild", "wrote", [("Jens Arild", "PERSON", "agent"), ("verse", "CONCEPT", "object")]),
    ("Halvik", "owned", [("a boat", "CONCEPT", "subject")]),
]
ALL = [content_id(title) for title in PASSAGES]
MakeStores = Callable[..., CorpusStores]
Embed = Callable[[str], NDArray[np.float32]]


def triple_source(stores: CorpusStores) -> TripleSource:
    return find_triple_source(stores, load_names(stores), FactGraph(), lambda: load_facts(stores))


def test_a_fact_is_told_from_its_subject_or_from_what_its_passage_is_about(
    make_stores: MakeStores, embed: Embed
) -> None:
    stores = make_stores(PASSAGES, FACTS)
    facts = triple_source(stores)
    assert isinstance(facts, FactTriples)
    assert stores.notes == []
    (first, second) = facts.triples_of(ALL[:1], embed("printed 1899 Old Port"))
    assert (first.head, set(first.triples)) == (
        "Low Tide",
        {Triple("Low Tide", "printed in", "Old Port"), Triple("Low Tide", "printed at", "1899")},
    )
    assert (second.head, second.triples, second.attributes) == ("Low Tide", (), ("a poem",))
    assert list(facts.triples_of(ALL[:1], embed("is a poem"))) == [second, first], (
        "the closest to the query comes first"
    )


def test_roles_that_are_prepositions_become_phrases_and_concepts_no_anchors(
    make_stores: MakeStores, embed: Embed
) -> None:
    stores = make_stores(PASSAGES, FACTS)
    (lived,) = triple_source(stores).triples_of(ALL[1:], embed("lived"))
    assert lived.triples == (Triple("Jens Arild", "lived in", "Halvik"),)
    assert lived.names == ("Jens Arild", "Halvik")


def test_types_are_known_of_what_takes_part_in_facts(make_stores: MakeStores) -> None:
    stores = make_stores(PASSAGES, FACTS)
    stated = triple_source(stores)
    assert stated.types_of(["jens arild", "nobody"]) == {"jens arild": "PERSON"}


def test_a_role_of_a_model_may_be_any_text(make_stores: MakeStores, embed: Embed) -> None:
    odd = ("Jens Arild", "lived", [("Jens Arild", "PERSON", "subject"), ("Halvik", "PLACE", "{in} {}")])
    stores = make_stores(PASSAGES, [odd])
    (lived,) = triple_source(stores).triples_of(ALL[1:], embed("lived"))
    assert lived.triples == (Triple("Jens Arild", "lived {in} {}", "Halvik"),)


def test_without_facts_titles_are_joined_with_what_their_passages_name_and_a_note_says_so(
    make_stores: MakeStores, embed: Embed
) -> None:
    stores = make_stores(PASSAGES)
    stated = triple_source(stores)
    assert isinstance(stated, MentionTriples)
    assert ["has no bipartite graph" in note for note in stores.notes] == [True]
    assert "`tetragraph build bipartite -c c`" in stores.notes[0]
    found = list(stated.triples_of(ALL, embed("Jens Arild")))
    triples = {triple for one in found for triple in one.triples}
    assert Triple("Low Tide", MENTIONS, "Jens Arild") in triples
    assert Triple("Jens Arild", MENTIONS, "Halvik") in triples
    assert found[0].head == "Jens Arild"
    assert all(one.head != triple.tail for one in found for triple in one.triples)
    assert next(iter(stated.triples_of(ALL, embed("a poem by Jens Arild printed in 1899")))).head == "Low Tide"
    assert stated.types_of(["jens arild"]) == {}


def test_chunks_that_the_corpus_lacks_state_nothing(make_stores: MakeStores, embed: Embed) -> None:
    for stores in (make_stores(PASSAGES), make_stores(PASSAGES, FACTS)):
        stated = triple_source(stores)
        assert list(stated.triples_of(["gone"], embed("x"))) == []
        assert list(stated.triples_of([], embed("x"))) == []
