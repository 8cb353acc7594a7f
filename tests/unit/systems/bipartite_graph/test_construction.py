"""Facts are converted to a bipartite graph and back."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.language.entity_resolution.model import Merge, Resolution, Stated
from tetragraph.language.facts.model import Fact, Participant
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import content_id
from tetragraph.systems.bipartite_graph.construction import (
    AliasOf,
    Audit,
    BipartiteGraph,
    Entity,
    Hyperedge,
    Participation,
    Relation,
    Statement,
    alias_id,
    construct,
    hyperedges,
)

NAMES = ["Anna Brandt", "anna brandt", "Brandt", "A. Brandt", "Halvik", "HALVIK", "Old Port", "UN", "United Nations"]
ROLES = ["subject", "object", "place", "time"]
TYPES = ["PERSON", "PLACE", ""]
CONFIDENCE = st.sampled_from([0.0, 0.5, 0.7, 0.9, 1.0])
PARTICIPANTS = st.lists(
    st.builds(Participant, st.sampled_from(NAMES), st.sampled_from(TYPES), st.sampled_from(ROLES), CONFIDENCE),
    min_size=2,
    max_size=4,
    unique_by=lambda participant: normalise_name(participant.name),
)
MERGES = [
    Merge("brandt", "anna brandt", "Brandt", "short form", 0.9, "d1"),
    Merge("a brandt", "anna brandt", "A. Brandt", "fuller name", 0.9),
    Merge("un", "united nations", "UN", "acronym", 1.0),
    Merge("old port", "halvik", "Old Port", "similar", 0.91, "d0"),
]


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    start = draw(st.integers(0, 9))
    return Fact(
        description=draw(st.sampled_from(["one thing", "another thing"])),
        type=draw(st.sampled_from(["born", "met"])),
        confidence=draw(CONFIDENCE),
        participants=tuple(draw(PARTICIPANTS)),
        start=start,
        end=start + draw(st.integers(1, 9)),
    )


PASSAGES = st.lists(st.lists(facts(), max_size=4), max_size=5).map(
    lambda lists: {f"c{row}": Stated(f"d{row % 3}", "", stated) for row, stated in enumerate(lists)}
)
RESOLUTIONS = st.sets(st.sampled_from(MERGES)).map(
    lambda merges: Resolution(tuple(sorted(merges, key=lambda merge: (merge.alias, merge.document))))
)


def fact(*names: str, kind: str = "met", start: int = 0, confidence: float = 0.9, description: str = "") -> Fact:
    participants = tuple(
        Participant(name, "", role, confidence)
        for name, role in zip(names, ["subject", "object", "place"], strict=False)
    )
    return Fact(description or " ".join(names), kind, confidence, participants, start, start + 5)


def built(*stated: list[Fact], merges: tuple[Merge, ...] = ()) -> BipartiteGraph:
    """The graph of chunks c0, c1 … of documents d0, d1 …."""
    passages = {f"c{row}": Stated(f"d{row}", "", list(facts)) for row, facts in enumerate(stated)}
    return construct(passages, Resolution(merges))


def by_hand(passages: Mapping[str, Stated], resolution: Resolution) -> dict[Hyperedge, dict[str, list[Fact]]]:
    """Each hyperedge with the chunks that state it, and with which facts."""
    found: dict[Hyperedge, dict[str, list[Fact]]] = defaultdict(lambda: defaultdict(list))
    for chunk, stated in passages.items():
        for one in stated.facts:
            roles: dict[str, str] = {}
            for participant in one.participants:
                roles.setdefault(resolution.entity(participant.name, stated.document), participant.role)
            if len(roles) > 1:
                edge = (one.type, frozenset((role, content_id(name)) for name, role in roles.items()))
                found[edge][chunk].append(one)
    return found


@given(PASSAGES, RESOLUTIONS)
def test_edges_join_entities_and_relations_and_every_relation_has_two_or_more(
    passages: dict[str, Stated], resolution: Resolution
) -> None:
    graph = construct(passages, resolution)
    assert graph.entities.keys().isdisjoint(graph.relations)
    taking_part = [[part.entity for part in relation.participants] for relation in graph.relations.values()]
    assert {entity for entities in taking_part for entity in entities} == graph.entities.keys()
    assert all(len(set(entities)) == len(entities) >= 2 for entities in taking_part)


@given(PASSAGES, RESOLUTIONS)
def test_the_hyperedges_that_come_out_are_those_that_went_in(
    passages: dict[str, Stated], resolution: Resolution
) -> None:
    """Proposition 1."""
    graph = construct(passages, resolution)
    expected = by_hand(passages, resolution)
    found = list(hyperedges(graph))
    assert len(found) == len(set(found))
    assert set(found) == expected.keys()
    for edge, relation in zip(found, graph.relations.values(), strict=True):
        assert relation.weight == len(expected[edge])
        assert [one.chunk for one in relation.statements] == sorted(expected[edge])


@given(PASSAGES, RESOLUTIONS)
def test_a_relation_says_what_its_most_sure_statement_says(passages: dict[str, Stated], resolution: Resolution) -> None:
    graph = construct(passages, resolution)
    expected = by_hand(passages, resolution)
    for edge, relation in zip(hyperedges(graph), graph.relations.values(), strict=True):
        stated = [(chunk, one) for chunk, facts in expected[edge].items() for one in facts]
        best = min(
            stated, key=lambda item: (-item[1].confidence, item[0], item[1].start, item[1].end, item[1].description)
        )
        assert (relation.description, relation.confidence) == (best[1].description, best[1].confidence)


@given(PASSAGES, RESOLUTIONS, st.randoms(use_true_random=False))
def test_the_order_of_passages_and_facts_changes_nothing(
    passages: dict[str, Stated], resolution: Resolution, order: random.Random
) -> None:
    shuffled = [
        (chunk, Stated(stated.document, stated.title, order.sample(stated.facts, len(stated.facts))))
        for chunk, stated in passages.items()
    ]
    order.shuffle(shuffled)
    first, second = construct(passages, resolution), construct(dict(shuffled), resolution)
    assert first == second
    for one, other in ((first.entities, second.entities), (first.relations, second.relations)):
        assert list(one) == list(other)


@given(PASSAGES, RESOLUTIONS)
def test_without_a_passage_the_graph_is_that_of_the_others(passages: dict[str, Stated], resolution: Resolution) -> None:
    """What a passage brings goes with it, so an update may derive the graph anew and write the difference."""
    graph = construct(passages, resolution)
    last = max(passages, default="")
    others = construct({chunk: stated for chunk, stated in passages.items() if chunk != last}, resolution)
    assert others.relations.keys() == {
        relation for relation, one in graph.relations.items() if any(where.chunk != last for where in one.statements)
    }
    assert others.entities.keys() <= graph.entities.keys()


def test_a_fact_of_two_chunks_is_one_relation_of_weight_two() -> None:
    graph = built([fact("Anna Brandt", "Halvik", start=7)], [fact("anna BRANDT", "Halvik", confidence=0.95)])
    (relation,) = graph.relations.values()
    assert relation == Relation(
        description="anna BRANDT Halvik",
        type="met",
        confidence=0.95,
        weight=2,
        participants=(
            Participation(content_id("halvik"), "object", 0.95),
            Participation(content_id("anna brandt"), "subject", 0.95),
        ),
        statements=(Statement("c0", 7, 12), Statement("c1", 0, 5)),
    )


def test_who_takes_part_is_as_sure_as_in_the_statement_that_is_most_sure() -> None:
    stated = [[fact("Anna Brandt", "Halvik", confidence=confidence)] for confidence in (0.7, 0.95, 0.9)]
    (relation,) = built(*stated).relations.values()
    assert [part.confidence for part in relation.participants] == [0.95, 0.95]


@pytest.mark.parametrize("starts", [(40, 4), (4, 40)])
def test_a_fact_that_a_chunk_states_twice_is_stated_where_it_stands_first(starts: tuple[int, int]) -> None:
    graph = built([fact("Anna Brandt", "Halvik", start=start) for start in starts])
    (relation,) = graph.relations.values()
    assert (relation.weight, relation.statements) == (1, (Statement("c0", 4, 9),))


@pytest.mark.parametrize(
    "other",
    [fact("Anna Brandt", "Halvik", kind="left"), fact("Halvik", "Anna Brandt"), fact("Anna Brandt", "Halvik", "UN")],
    ids=["another type", "other roles", "more participants"],
)
def test_another_fact_is_another_relation(other: Fact) -> None:
    assert len(built([fact("Anna Brandt", "Halvik"), other]).relations) == 2


def test_what_participants_of_one_entity_do_is_done_by_it_once_in_the_first_role() -> None:
    graph = built(
        [fact("Brandt", "Halvik", "Anna Brandt")], merges=(Merge("brandt", "anna brandt", "Brandt", "similar", 1),)
    )
    (relation,) = graph.relations.values()
    assert {(part.entity, part.role) for part in relation.participants} == {
        (content_id("anna brandt"), "subject"),
        (content_id("halvik"), "object"),
    }


def test_a_fact_about_one_entity_alone_makes_no_relation_and_its_merge_is_not_kept() -> None:
    merge = Merge("brandt", "anna brandt", "Brandt", "similar", 1.0)
    assert built([fact("Brandt", "Anna Brandt")], merges=(merge,)) == BipartiteGraph()


def test_a_short_form_of_one_document_is_a_name_of_its_own_in_another() -> None:
    merge = Merge("brandt", "anna brandt", "Brandt", "short form", 0.9, "d0")
    graph = built([fact("Brandt", "Halvik")], [fact("Brandt", "Halvik")], merges=(merge,))
    assert {name.name for name in graph.entities.values()} == {"Brandt", "Halvik"}
    assert sorted(relation.weight for relation in graph.relations.values()) == [1, 1]
    audit = Audit("Brandt", "", "short form", 0.9)
    assert graph.merges == {AliasOf(alias_id("brandt"), content_id("anna brandt"), "d0"): audit}


def test_an_entity_is_called_what_it_is_written_most_often_and_is_what_it_is_taken_for_most_often() -> None:
    def seen(name: str, kind: str, confidence: float) -> Fact:
        participants = (Participant(name, kind, "subject", confidence), Participant("Oslo", "", "place", 0.1))
        return Fact("x", name + kind, confidence, participants, 0, 1)

    graph = built(
        [seen("Brandt", "PERSON", 0.5), seen("BRANDT", "PLACE", 0.9), *[seen("Brandt", "", 0.6)] * 5],
        [seen("A. B.", "PLACE", 0.2), seen("A. B.", "PERSON", 0.2), seen("A. B.", "PERSON", 0.1), seen("A. B.", "", 1)],
        merges=(Merge("a b", "brandt", "A. B.", "acronym", 1.0),),
    )
    assert graph.entities[content_id("brandt")] == Entity("Brandt", "PERSON", 1.0)
    assert graph.entities[content_id("oslo")] == Entity("Oslo", "", 0.1)
    assert graph.merges == {
        AliasOf(alias_id("a b"), content_id("brandt"), ""): Audit("A. B.", "PERSON", "acronym", 1.0)
    }


def test_ties_of_names_and_types_go_to_the_first_by_letter() -> None:
    one, two = (Participant(name, kind, "subject", 1.0) for name, kind in (("oslo", "PLACE"), ("Oslo", "GROUP")))
    other = Participant("Brandt", "", "object", 1.0)
    graph = built([Fact("x", "a", 1.0, (one, other), 0, 1), Fact("x", "b", 1.0, (two, other), 0, 1)])
    assert graph.entities[content_id("oslo")] == Entity("Oslo", "GROUP", 1.0)
