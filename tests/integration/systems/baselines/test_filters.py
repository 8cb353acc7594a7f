"""A filter selects the same chunks in Neo4j and in the vector store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tetragraph.errors import InvalidInput, UnknownFilter
from tetragraph.model import Filters, Hit, content_id
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.stores.filters import allowed_ids
from tetragraph.systems import dense, keyword

Ask = Callable[[str], Question]
MakeCorpus = Callable[..., CorpusStores]
Search = Callable[[CorpusStores, Question, int, Filters | None], list[Hit]]
EVERY_WORD = "capital river wine"
CASES: list[tuple[Filters, set[str]]] = [
    ({"country": "Portugal"}, {"Lisbon", "Porto"}),
    ({"country": ["Spain", "Portugal"], "capital": True}, {"Lisbon", "Madrid"}),
    ({"capital": False}, {"Porto"}),
    ({"capital": 1}, set()),
    ({"people": 231_000}, {"Porto"}),
    ({"people": 545_000.0}, {"Lisbon"}),
    ({"people": {"gt": 231_000, "lte": 545_000}}, {"Lisbon"}),
    ({"people": {"gte": 231_000, "lt": 545_000}}, {"Porto"}),
    ({"country": {"gt": 1}}, set()),
    ({"length_km": {"gt": 0}}, {"Tagus"}),
    ({"country": "portugal"}, set()),
    ({"tags": "water"}, {"Tagus"}),
    ({"tags": ["long", "deep"]}, {"Tagus"}),
    ({"tags": "wa"}, set()),
    ({"tags": {"ne": "water"}}, {"Lisbon", "Porto", "Madrid"}),
    ({"country": {"ne": "Portugal"}}, {"Tagus", "Madrid"}),
    ({"country": {"ne": ["Portugal", "Spain"]}}, {"Tagus"}),
    ({"people": {"gte": 231_000, "ne": 545_000}}, {"Porto", "Madrid"}),
    ({"capital": {"ne": True}}, {"Porto", "Tagus"}),
    ({"@source": "places/portugal"}, {"Lisbon", "Porto"}),
    ({"@source": "places/portugal/"}, {"Lisbon", "Porto"}),
    ({"@source": "places/port"}, set()),
    ({"@source": "places/rivers.csv"}, {"Tagus"}),
    ({"@source": "places/*"}, {"Tagus"}),
    ({"@source": "**/lisbon.md"}, {"Lisbon"}),
    ({"@source": "*.md"}, {"Lisbon"}),
    ({"@source": ["*.m?", "Madrid"]}, {"Lisbon", "Madrid"}),
    ({"@source": {"ne": "places"}}, {"Madrid"}),
    ({"@suffix": "pdf"}, {"Porto"}),
    ({"@suffix": [".pdf", "csv"]}, {"Porto", "Tagus"}),
    ({"@suffix": {"ne": ["pdf", "csv"]}}, {"Lisbon", "Madrid"}),
    ({"@source": "places", "capital": True}, {"Lisbon"}),
    ({"written": {"gte": "2024-05-31"}}, {"Porto", "Tagus"}),
    ({"written": {"gt": "2024-05-30", "lte": "2024-05-31"}}, {"Porto"}),
    ({"written": {"gt": "2024-05-31"}}, {"Tagus"}),
    ({"written": {"lt": "2024-05-31"}}, {"Lisbon"}),
    ({"written": {"lte": "2024-05-31", "ne": "2024-05-30"}}, {"Porto"}),
    ({"written": {"gte": "1000-01-01"}, "country": "Portugal"}, {"Lisbon", "Porto"}),
    ({"people": {"gte": "1000-01-01"}}, set()),
    ({"tags": {"gte": "1000-01-01"}}, set()),
    ({"written": {"gt": 0}}, set()),
    ({}, {"Lisbon", "Porto", "Tagus", "Madrid"}),
]


@pytest.mark.parametrize(("filters", "expected"), CASES, ids=[str(filters) for filters, _ in CASES])
def test_a_filter_lets_the_same_passages_through_everywhere(
    make_corpus: MakeCorpus, corpus_name: str, ask: Ask, filters: Filters, expected: set[str]
) -> None:
    stores = make_corpus(corpus_name)
    assert {hit.chunk.title for hit in dense.search(stores, ask(EVERY_WORD), 9, filters)} == expected
    assert {hit.chunk.title for hit in keyword.search(stores, ask(EVERY_WORD), 9, filters)} == expected
    assert allowed_ids(stores, filters) == {content_id(title) for title in expected}


@pytest.mark.parametrize("search", [dense.search, keyword.search], ids=["dense", "keyword"])
def test_an_unknown_key_is_an_error_that_lists_the_known_ones(
    make_corpus: MakeCorpus, corpus_name: str, ask: Ask, search: Search
) -> None:
    with pytest.raises(UnknownFilter, match=r"got 'year'.*capital, country, length_km, people, tags, written"):
        search(make_corpus(corpus_name), ask("river"), 3, {"year": 1999})


@pytest.mark.parametrize("value", [None, [], float("nan"), {}, {"about": 3}, {"gt": "a"}, {"gt": True}, [["a"]]])
def test_a_value_that_nothing_can_be_compared_with_is_refused(
    make_corpus: MakeCorpus, corpus_name: str, ask: Ask, value: Any
) -> None:
    stores = make_corpus(corpus_name)
    for search in (dense.search, keyword.search):
        with pytest.raises(InvalidInput, match="country"):
            search(stores, ask("river"), 3, {"country": value})


@pytest.mark.parametrize("value", [None, 3, [], "", ".", {"gt": "a"}, {"ne": 1}, ["a", 1], "*a" * 9])
def test_a_filter_on_files_that_is_no_path_is_refused(
    make_corpus: MakeCorpus, corpus_name: str, ask: Ask, value: Any
) -> None:
    stores = make_corpus(corpus_name)
    for search in (dense.search, keyword.search):
        with pytest.raises(InvalidInput, match="'@source'"):
            search(stores, ask("river"), 3, {"@source": value})


def test_filters_of_another_corpus_do_not_reach_over(make_corpus: MakeCorpus, corpus_name: str, ask: Ask) -> None:
    make_corpus(f"{corpus_name}-twin")
    mine = make_corpus(corpus_name, {"Faro": "a capital of nothing"}, {"Faro": {"country": "Portugal"}})
    assert allowed_ids(mine, {"country": "Portugal"}) == {content_id("Faro")}
