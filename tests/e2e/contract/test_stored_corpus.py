"""Contents of both stores after an ingest with all graphs, and of its exports."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from contract import Contract, in_order, masked, page, with_four_digits
from contract_questions import QUESTIONS
from tetragraph import Corpus, Tetragraph

SHOWN = 6
"""Numbers of a vector that are stored as they are; all others take part in one sum."""


def test_the_stored_graph_and_vectors_are_the_stored_ones(
    contract: Contract, place: Any, corpus_of_all: str, fingerprint: Callable[[Tetragraph, str], dict[str, list[Any]]]
) -> None:
    with Tetragraph.connect(place.settings) as client:
        found = fingerprint(client, corpus_of_all)
    for kind in ("nodes", "links"):
        contract.check(f"{kind}.txt", in_order([_steady(line, place.names) for line in found.pop(kind)]))
    hashes = [f"{name} {value}" for pairs in found.pop("hashes") for name, value in pairs]
    contract.check("hashes.txt", hashes)
    lines = [f"{kind} {name} {_summary(vector)}" for kind in sorted(found) for name, vector in _vectors(found[kind])]
    contract.check("vectors.txt", lines)


def test_exports_are_the_stored_ones(contract: Contract, place: Any, asking: Corpus) -> None:
    for name in ("corpus.graphml", "corpus.jsonl"):
        asking.export(place.folder / name)
        text = (place.folder / name).read_text(encoding="utf-8")
        contract.check(f"export_{name}.txt", [_steady(line, place.names) for line in text.splitlines()])


def test_the_page_of_a_search_is_the_stored_one(contract: Contract, place: Any, asking: Corpus) -> None:
    asking.export(place.folder / "why.html", asking.search(QUESTIONS[0], k=3, method="gain"))
    text = (place.folder / "why.html").read_text(encoding="utf-8")
    contract.check("export_search.html.txt", page(text, place.names))


def _steady(line: str, names: dict[str, str]) -> str:
    return with_four_digits(masked(line, names))


def _vectors(found: list[Any]) -> list[tuple[str, list[float]]]:
    """Names with their vectors; sentences have their number after the name of their chunk."""
    vectors: list[tuple[str, list[float]]] = []
    for name, value in found:
        is_many = bool(value) and isinstance(value[0], list)
        vectors += [(f"{name}#{place}", one) for place, one in enumerate(value)] if is_many else [(name, value)]
    return vectors


def _summary(vector: list[float]) -> str:
    """Length, first numbers, and a sum in which every number has a weight of its own."""
    total = sum(number * math.cos(place) for place, number in enumerate(vector))
    return f"{len(vector)}: {' '.join(f'{number:.4f}' for number in vector[:SHOWN])} … {total:.4f}"
