"""What is measured of searching: every method, each engine of those that have several, and a choice that costs."""

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
    """A method with its defaults but for some options.

    Attributes:
        method: Name of the method.
        chosen: Options and their values.
    """

    method: str
    chosen: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        """For people."""
        return ", ".join([self.method, *(" ".join(map(str, pair)) for pair in self.chosen)])

    @property
    def options(self) -> Mapping[str, Any]:
        """The keyword arguments of ``Corpus.search``."""
        return dict(self.chosen)


OTHERS = (Variant("evidence", (("chain", "off"),)),)
"""What is measured beside methods and engines: a search that never takes the question apart."""


def variants() -> list[Variant]:
    """Every method there is, in the order of the list of methods, with its engines and then :data:`OTHERS`."""
    found: list[Variant] = []
    for method in RETRIEVERS:
        found += [Variant(method, (("engine", engine),)) for engine in engines(method)] or [Variant(method)]
        found += [other for other in OTHERS if other.method == method]
    return found


def engines(method: str) -> tuple[str, ...]:
    """The engines a method can be run by; none where there is no choice."""
    return get_args(get_type_hints(RETRIEVERS[method].search_options).get("engine"))


def embedded(client: Tetragraph, corpus: str, texts: list[str]) -> list[Question]:
    """The questions with their vectors, so that searches can be timed without the embedding."""
    stores = client.connection.stores(corpus)
    return [client.connection.question(stores, text) for text in texts]


def searches(client: Tetragraph, corpus: str, variant: Variant, questions: list[Question]) -> list[Search]:
    """Searches as the client does them, the record of the corpus looked up each time, for embedded questions."""
    chosen = find_retriever(variant.method)
    options = request.make_options(chosen, variant.options)

    def search(question: Question) -> Search:
        return lambda: chosen.search(SearchRequest(client.connection.stores(corpus), question, K, options))

    return [search(question) for question in questions]
