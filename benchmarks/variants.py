"""Measured variants of searches: every method, each engine of methods with several, and a costly option."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args, get_type_hints

from tetragraph import Tetragraph
from tetragraph.model import Findings
from tetragraph.retrieval import request
from tetragraph.stores.corpus import Question
from tetragraph.systems.base import SearchRequest
from tetragraph.systems.registry import RETRIEVERS, find_retriever

K = 10
Search = Callable[[], Findings]


@dataclass(frozen=True, slots=True)
class Variant:
    """A method with defaults except for some options.

    Attributes:
        method: Name of the method.
        chosen: Options that differ from the defaults, with their values.
    """

    method: str
    chosen: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        """Name in the tables."""
        return ", ".join([self.method, *(" ".join(map(str, pair)) for pair in self.chosen)])

    @property
    def options(self) -> Mapping[str, Any]:
        """The keyword arguments of ``Corpus.search``."""
        return dict(self.chosen)


OTHERS = (Variant("evidence", (("chain", "off"),)),)
"""Further variants: a search without decomposition of the question."""


def variants() -> list[Variant]:
    """All methods in the order of their list, with their engines, and then :data:`OTHERS`.

    The engine ``auto`` is one of the others.
    """
    found: list[Variant] = []
    for method in RETRIEVERS:
        named = [engine for engine in engines(method) if engine != "auto"]
        found += [Variant(method, (("engine", engine),)) for engine in named] or [Variant(method)]
        found += [other for other in OTHERS if other.method == method]
    return found


def engines(method: str) -> tuple[str, ...]:
    """The engines of a method; none if there is only one."""
    return get_args(get_type_hints(RETRIEVERS[method].search_options).get("engine"))


def embedded(client: Tetragraph, corpus: str, texts: list[str]) -> list[Question]:
    """Embed questions, so that searches can be timed without the embedding."""
    stores = client.connection.stores(corpus)
    return [client.connection.question(stores, text) for text in texts]


def searches(client: Tetragraph, corpus: str, variant: Variant, questions: list[Question]) -> list[Search]:
    """Searches for embedded questions as by the client, including the lookup of the corpus record."""
    chosen = find_retriever(variant.method)
    options = request.make_options(chosen, variant.options)

    def search(question: Question) -> Search:
        return lambda: chosen.search(SearchRequest(client.connection.stores(corpus), question, K, options))

    return [search(question) for question in questions]
