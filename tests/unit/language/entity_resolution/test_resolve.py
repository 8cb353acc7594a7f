"""Invariants of every resolution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tetragraph.arrays import Vectors
from tetragraph.language.entity_resolution.model import Stated
from tetragraph.language.entity_resolution.resolve import resolve
from tetragraph.language.facts.model import Fact, Participant
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import content_id

Make = Callable[..., Any]

NAMES = [
    *["Ann Roe", "Ann B. Roe", "Ann Beatrice Roe", "A. Roe", "Roe", "Ann", "Sir Rex Roe", "Rex Roe", "Ann Rowe"],
    *["Sol", "Sol (film)", "Sol (song)", "The Sol", "Henry IV", "King Henry IV", "Henry V", "HU", "H.U.", "Hill Union"],
    *[
        "Ann-Roe",
        "SOL",
        "sol",
        "Plano",
        "Plano, Texas",
        "Texas",
        "film",
        "films",
        "1990",
        "12 May 1990",
        "Elisabeth Hill",
        "Elizabeth Hill",
    ],
]
TYPES = ["", "PERSON", "WORK", "PLACE", "ORGANIZATION", "CONCEPT", "DATE", "OTHER"]


def to_fact(kind: str, parts: Sequence[tuple[str, str]]) -> Fact:
    roles = ["subject", *["object"] * (len(parts) - 1)]
    given = [Participant(name, label, role, 0.9) for (name, label), role in zip(parts, roles, strict=True)]
    return Fact(", ".join(name for name, _ in parts), kind, 0.9, tuple(given), 0, 1)


parts = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(TYPES)),
    min_size=2,
    max_size=3,
    unique_by=lambda part: normalise_name(part[0]),
)
facts = st.builds(to_fact, st.sampled_from(["is", "named", "abbreviated"]), parts)
passages = st.builds(
    lambda title, facts: Stated(title, title, facts),
    st.sampled_from([*NAMES, "Other", ""]),
    st.lists(facts, min_size=1, max_size=5),
)
corpora = st.lists(passages, min_size=1, max_size=6)
pairs = st.frozensets(
    st.tuples(*[st.sampled_from(sorted({normalise_name(name) for name in NAMES}))] * 2).filter(lambda p: p[0] != p[1]),
    max_size=4,
)


def ids(apart: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(content_id(first), content_id(second)) for first, second in apart]


def all_alike(names: Sequence[str]) -> Vectors:
    return np.ones((len(names), 1), dtype=np.float32)


@given(corpora, pairs, st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_order_of_passages_and_facts_changes_nothing(corpus: list[Stated], apart: Any, random: Any) -> None:
    mixed = [Stated(one.document, one.title, random.sample(one.facts, len(one.facts))) for one in corpus]
    random.shuffle(mixed)
    assert resolve(mixed, all_alike, ids(apart)) == resolve(corpus, all_alike, ids(apart))


@given(corpora, pairs)
@settings(max_examples=100, deadline=None)
def test_names_that_are_kept_apart_are_never_one_entity(corpus: list[Stated], apart: Any) -> None:
    found = resolve(corpus, all_alike, ids(apart))
    for first, second in apart:
        for document in {"", *(one.document for one in corpus)}:
            assert found.entity(first, document) != found.entity(second, document)


@given(corpora)
@settings(max_examples=100, deadline=None)
def test_no_entity_is_an_alias_where_its_merge_holds(corpus: list[Stated]) -> None:
    merges = resolve(corpus, all_alike, []).merges
    aliases = {(merge.alias, merge.document) for merge in merges}
    assert len(aliases) == len(merges)
    assert list(merges) == sorted(merges, key=lambda merge: (merge.alias, merge.document))
    for merge in merges:
        assert merge.alias != merge.entity
        assert (merge.entity, "") not in aliases
        assert (merge.entity, merge.document) not in aliases


@given(corpora)
@settings(max_examples=60, deadline=None)
def test_what_is_stated_twice_is_resolved_as_what_is_stated_once(corpus: list[Stated]) -> None:
    assert resolve([*corpus, *corpus], all_alike, []) == resolve(corpus, all_alike, [])


@given(corpora)
@settings(max_examples=60, deadline=None)
def test_entities_that_are_no_titles_are_not_resolved_further(corpus: list[Stated]) -> None:
    found = resolve(corpus, all_alike, [])
    for name in NAMES:
        assert found.entity(found.entity(name, ""), "") == found.entity(name, "")


@given(corpora)
@settings(max_examples=60, deadline=None)
def test_dates_and_numbers_are_never_merged(corpus: list[Stated]) -> None:
    kinds: dict[str, set[str]] = {}
    for one in corpus:
        for fact in one.facts:
            for part in fact.participants:
                kinds.setdefault(normalise_name(part.name), set()).add(part.type)
    for merge in resolve(corpus, all_alike, []).merges:
        for name in (merge.alias, merge.entity):
            assert not kinds.get(name, {""}) <= {"DATE", "OTHER"}


@given(corpora)
@settings(max_examples=60, deadline=None)
def test_no_entity_has_the_titles_of_two_documents(corpus: list[Stated]) -> None:
    found = resolve(corpus, all_alike, [])
    titles = {normalise_name(one.title) for one in corpus} - {""}
    entities = [found.entity(title, "") for title in titles]
    assert len({*entities}) == len(entities)


def test_nothing_is_embedded_that_is_not_alike(fact: Make, passage: Make, all_alike: Any) -> None:
    names = ["Ann Roe:PERSON", "Elisabeth Hill:PERSON", "Elizabeth Hill:PERSON", "Oslo:PLACE"]
    resolve([passage("A", *(fact(name, "harbour:CONCEPT") for name in names))], all_alike, [])
    assert all_alike.asked == ["Elisabeth Hill", "Elizabeth Hill"]


def test_names_are_merged_from_the_threshold_upwards(fact: Make, passage: Make) -> None:
    corpus = [passage("A", *(fact(f"{name} Hill:PERSON", "harbour:CONCEPT") for name in ("Elisabeth", "Elizabeth")))]

    def nearly(names: Sequence[str]) -> Vectors:
        return np.array([[1.0, 0.0], [0.8, 0.6]], dtype=np.float32)[: len(names)]

    assert resolve(corpus, nearly, []).merges == ()
    merged = resolve(corpus, nearly, [], threshold=0.8).merges
    assert [(merge.reason, merge.score) for merge in merged] == [("similar", 0.8)]
    assert resolve(corpus, None, []).merges == ()


def test_the_most_frequent_name_is_the_entity_where_no_title_is(fact: Make, passage: Make, all_alike: Any) -> None:
    once, often = fact("Elisabeth Hill:PERSON", "Oslo:PLACE"), fact("Elizabeth Hill:PERSON", "Oslo:PLACE")
    assert resolve([passage("A", once, often, often)], all_alike, []).entity("Elisabeth Hill", "") == "elizabeth hill"
    titled = passage("Elisabeth Hill", once, document="A")
    assert resolve([titled, passage("B", often, often)], all_alike, []).entity("Elizabeth Hill", "") == "elisabeth hill"


def test_a_chain_of_merges_ends_at_one_entity(fact: Make, passage: Make, all_alike: Any) -> None:
    life = passage(
        "Ann Roe (poet)",
        fact("Ann Roe (poet):PERSON", "Ann Beatrice Roe:PERSON", kind="named"),
        fact("Ann B. Roe:PERSON", "Oslo:PLACE"),
    )
    found = resolve([life], all_alike, [])
    names = ["Ann Roe (poet)", "Ann Beatrice Roe", "Ann B. Roe"]
    assert {found.entity(name, "Ann Roe (poet)") for name in names} == {"ann roe"}


def test_a_pair_that_was_split_stays_apart_through_a_third_name(fact: Make, passage: Make, all_alike: Any) -> None:
    names = ["Elisabeth Hilton", "Elizabeth Hilton", "Elisabeth Hylton"]
    corpus = [passage("A", *(fact(f"{name}:PERSON", "Oslo:PLACE") for name in names))]
    assert len({resolve(corpus, all_alike, []).entity(name, "") for name in names}) == 1
    split = resolve(corpus, all_alike, ids([("elizabeth hilton", "elisabeth hylton")]))
    assert split.entity("Elizabeth Hilton", "") != split.entity("Elisabeth Hylton", "")


def test_a_pair_that_was_split_stays_apart_inside_a_document(fact: Make, passage: Make) -> None:
    film = passage("Night Film", fact("Alden Smith:PERSON", "Oslo:PLACE"), fact("Smith:PERSON", "Rome:PLACE"))
    assert resolve([film], None, []).entity("Smith", "Night Film") == "alden smith"
    assert resolve([film], None, ids([("smith", "alden smith")])).merges == ()
