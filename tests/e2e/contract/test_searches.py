"""Hits of all search methods in the small world, with their manifests."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from contract import Contract, leaves, line_of, masked, rounded, steady
from contract_questions import METHODS, QUESTIONS
from tetragraph import Corpus, Evidence

K = 8


@pytest.mark.parametrize("method", METHODS)
def test_hits_of_a_method_are_the_stored_ones(contract: Contract, place: Any, asking: Corpus, method: str) -> None:
    lines = []
    for question in QUESTIONS:
        lines += list(_lines(asking.search(question, k=K, method=method), place.names))
    contract.check(f"hits_{method}.txt", lines)


@pytest.mark.parametrize("method", METHODS)
def test_manifest_and_trace_of_a_method_are_the_stored_ones(
    contract: Contract, place: Any, asking: Corpus, method: str
) -> None:
    found = asking.search(QUESTIONS[0], k=K, method=method)
    about = {"manifest": found.manifest, "trace": found.trace, "notes": found.notes, "chain": map(asdict, found.chain)}
    plain = json.loads(json.dumps(about, default=list))
    contract.check(f"manifest_{method}.txt", [masked(line, place.names) for line in leaves(steady(rounded(plain)))])


def test_facts_that_answer_are_the_stored_ones(contract: Contract, asking: Corpus) -> None:
    lines = []
    for question in QUESTIONS:
        lines.append(f"== {question}")
        lines += [
            f"{fact.rank} {fact.relation} {fact.score:.4f} hop {fact.hop} {fact.type!r}: {fact.description}"
            for fact in asking.facts(question, k=K)
        ]
    contract.check("facts.txt", lines)


def _lines(found: Evidence, names: dict[str, str]) -> list[str]:
    """The question with its chain and notes, then a line for each hit with the way to it."""
    lines = [f"== {found.question}"]
    lines += [f"step: {step.question} {[bridge.name for bridge in step.bridges]}" for step in found.chain]
    lines += [f"note: {masked(note, names)}" for note in found.notes]
    for hit in found:
        way = " ".join(f"{step.via}({step.label})" for step in hit.path)
        lines.append(
            f"{hit.rank} {hit.chunk.id} {hit.score:.4f} {hit.chunk.title} {line_of(dict(hit.parts))} {way}".rstrip()
        )
    return lines
