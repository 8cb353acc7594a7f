"""Filters of other frameworks become filters of a corpus, or are refused."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.model import Filters
from tetragraph_adapters.conditions import Condition, combine
from tetragraph_adapters.translation import from_haystack, from_llama_index, from_neo4j_graphrag


def llama(*filters: dict[str, Any], condition: str | None = "and") -> dict[str, Any]:
    return {"filters": list(filters), "condition": condition}


def one(key: str, operator: str, value: Any) -> dict[str, Any]:
    return {"key": key, "operator": operator, "value": value}


def hay(key: str, operator: str, value: Any) -> dict[str, Any]:
    return {"field": f"meta.{key}", "operator": operator, "value": value}


def logic(operator: str, *conditions: dict[str, Any]) -> dict[str, Any]:
    return {"operator": operator, "conditions": list(conditions)}


EN, DE = one("lang", "==", "en"), one("lang", "==", "de")


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (llama(EN), {"lang": "en"}),
        (llama(EN, condition=None), {"lang": "en"}),
        (llama(one("year", ">=", 1990), one("year", "<", 2000)), {"year": {"gte": 1990, "lt": 2000}}),
        (llama(one("year", ">", 1), one("year", "<=", 2)), {"year": {"gt": 1, "lte": 2}}),
        (llama(one("lang", "in", ["en", "de"])), {"lang": ["en", "de"]}),
        (llama(one("lang", "!=", "en"), one("lang", "nin", ["de"])), {"lang": {"ne": ["en", "de"]}}),
        (llama(one("tags", "contains", "sea"), one("kind", "any", ["a", "b"])), {"tags": "sea", "kind": ["a", "b"]}),
        (llama(EN, DE, condition="or"), {"lang": ["en", "de"]}),
        (llama(EN, condition="not"), {"lang": {"ne": ["en"]}}),
        (llama(EN, one("year", "==", 1), condition="not"), {"lang": {"ne": ["en"]}, "year": {"ne": [1]}}),
        (llama(llama(EN, DE, condition="or"), one("year", "==", 1)), {"lang": ["en", "de"], "year": 1}),
        (llama(), {}),
    ],
)
def test_filters_of_llama_index(given: dict[str, Any], wanted: Filters) -> None:
    assert from_llama_index(given) == wanted


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"lang": "en", "year": {"$gte": 1990}}, {"lang": "en", "year": {"gte": 1990}}),
        ({"year": {"$between": [1, 2]}}, {"year": {"gte": 1, "lte": 2}}),
        ({"year": {"$GT": 1, "$lt": 3}}, {"year": {"gt": 1, "lt": 3}}),
        ({"lang": ["en", "de"]}, {"lang": ["en", "de"]}),
        ({"lang": {"$nin": ["en"]}, "kind": {"$ne": "a"}}, {"lang": {"ne": ["en"]}, "kind": {"ne": ["a"]}}),
        ({"$and": [{"lang": {"$eq": "en"}}, {"year": {"$lte": 1}}]}, {"lang": "en", "year": {"lte": 1}}),
        ({"$or": [{"lang": "en"}, {"lang": {"$in": ["de"]}}]}, {"lang": ["en", "de"]}),
        ({"$AND": [{"lang": "en"}, {"year": 1}]}, {"lang": "en", "year": 1}),
        ({}, {}),
    ],
)
def test_filters_of_neo4j_graphrag(given: dict[str, Any], wanted: Filters) -> None:
    assert from_neo4j_graphrag(given) == wanted


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (hay("lang", "==", "en"), {"lang": "en"}),
        ({"field": "lang", "operator": "in", "value": ["en"]}, {"lang": ["en"]}),
        (logic("AND", hay("year", ">", 1), hay("year", "<=", 2)), {"year": {"gt": 1, "lte": 2}}),
        (logic("OR", hay("lang", "==", "en"), hay("lang", "==", "de")), {"lang": ["en", "de"]}),
        (logic("NOT", hay("lang", "in", ["en"])), {"lang": {"ne": ["en"]}}),
        (logic("NOT", hay("lang", "not in", ["en"])), {"lang": ["en"]}),
        (logic("AND", logic("NOT", hay("lang", "!=", "en")), hay("y", ">=", 0)), {"lang": "en", "y": {"gte": 0}}),
        ({}, {}),
    ],
)
def test_filters_of_haystack(given: dict[str, Any], wanted: Filters) -> None:
    assert from_haystack(given) == wanted


@pytest.mark.parametrize(
    ("translate", "given", "named"),
    [
        (from_llama_index, llama(EN, one("year", "==", 1), condition="or"), "alternatives"),
        (from_llama_index, llama(one("a", ">", 1), one("a", ">", 2), condition="or"), "alternatives"),
        (from_llama_index, llama(llama(EN, DE), condition="not"), "negation of several"),
        (from_llama_index, llama(one("year", ">", 1), condition="not"), "negation of a bound of 'year'"),
        (from_llama_index, llama(one("tags", "all", ["a", "b"])), "'all'"),
        (from_llama_index, llama(one("tags", "is_empty", None)), "'is_empty'"),
        (from_llama_index, llama(EN, DE), "'lang' with eq and eq"),
        (from_llama_index, llama(one("year", ">", 1), one("year", ">", 2)), "'year' with gt and gt"),
        (from_llama_index, llama(one("year", "!=", 1), one("year", "==", 2)), "'year' with ne and eq"),
        (from_neo4j_graphrag, {"kind": {"$like": "a"}}, "'\\$like'"),
        (from_neo4j_graphrag, {"kind": None}, "'kind' compared with no value"),
        (from_haystack, hay("kind", "==", None), "'kind' compared with no value"),
        (from_haystack, hay("kind", "like", "a"), "'like'"),
        (from_haystack, logic("XOR", hay("kind", "==", "a")), "'XOR'"),
        (from_haystack, {"operator": "AND"}, "without conditions"),
        (from_haystack, {"field": "kind"}, "without operator and value"),
        (from_haystack, logic("NOT", hay("a", "==", 1), hay("b", "==", 1)), "negation of several"),
        (from_haystack, logic("NOT"), "negation of no condition"),
        (from_neo4j_graphrag, {"$nor": [{"a": 1}]}, "'\\$nor'"),
    ],
)
def test_what_a_corpus_cannot_decide_is_refused(translate: Any, given: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidInput, match=named):
        translate(given)


@pytest.mark.parametrize(
    ("translate", "given", "said"),
    [
        (from_neo4j_graphrag, [], "must be a dict such as .*, got \\[\\]"),
        (from_neo4j_graphrag, "x", "must be a dict such as .*, got 'x'"),
        (from_neo4j_graphrag, {"$and": {"year": 1}}, "'\\$and' must have a list of filters, got {'year': 1}"),
        (from_neo4j_graphrag, {"$or": 1}, "'\\$or' must have a list of filters, got 1"),
        (from_neo4j_graphrag, {"$and": ["x"]}, "must be a dict such as .*, got 'x'"),
        (from_neo4j_graphrag, {"year": {"$between": [1903]}}, "highest value of 'year', got \\[1903\\]"),
        (from_neo4j_graphrag, {"year": {"$between": 1903}}, "highest value of 'year', got 1903"),
        (from_neo4j_graphrag, {"year": {}}, "a filter on 'year' must have a value, or an operator .*, got {}"),
        (from_neo4j_graphrag, {"year": {5: 1}}, "the operator '5'"),
        (from_neo4j_graphrag, {"year": {"$eq": {"gte": 1}}}, "'year' must be compared with a value .*, got {'gte': 1}"),
        (from_neo4j_graphrag, {5: 1}, "must name a key of the metadata .*, got 5"),
        (from_haystack, [], "must be a dict such as .*, got \\[\\]"),
        (from_haystack, "x", "must be a dict such as .*, got 'x'"),
        (from_haystack, {"field": 5, "operator": "==", "value": 1}, "field of a filter must be a text .*, got 5"),
        (from_haystack, {"operator": "AND", "conditions": "x"}, "'conditions' must have a list of filters, got 'x'"),
        (from_haystack, logic("AND", {}), "without conditions and operator"),
        (from_haystack, {**hay("year", "==", 1), "conditions": []}, "field, operator, value alone, got .*'conditions'"),
    ],
)
def test_filters_without_the_form_of_their_framework_are_refused(translate: Any, given: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        translate(given)


def test_a_condition_that_is_given_twice_counts_once() -> None:
    assert combine([Condition("lang", "eq", "en"), Condition("lang", "eq", "en")]) == {"lang": "en"}
