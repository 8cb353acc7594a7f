"""Share of a large language model's triples that the parser also finds, and its cost."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from functools import cache
from typing import Any

from benchmarks import data
from benchmarks.plan import Plan
from tetragraph.language.facts.dependency import DependencyExtractor
from tetragraph.language.facts.model import Fact
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.lexicon.words import STOP_WORDS, stem
from tetragraph.model import Chunk

RECORDED = "musique_train"
SPEED = "2wikimultihopqa"
RULES = ("equal", "mostly", "contained", "overlap")
_SPEED_PASSAGES = 500


def measure_facts(_plan: Plan) -> dict[str, Any]:
    """Measure the coverage of recorded triples, and processor time for each passage."""
    return {RECORDED: coverage(RECORDED), SPEED: {"cpu_ms_per_passage": cpu_ms(SPEED, _SPEED_PASSAGES)}}


def coverage(name: str) -> dict[str, Any]:
    """The share of the recorded triples' (subject, object) pairs that a fact of the same passage contains.

    A pair is covered when one fact has a participant that matches the subject and another that matches the object. Two
    names match by one of these rules, each of which allows more than the one before it:

    - ``equal``: their normalised forms are the same;
    - ``mostly``: or one contains the other as whole words, and the shorter has half of the longer's content words;
    - ``contained``: or one contains the other as whole words, with a content word; the requirement refers to this rule;
    - ``overlap``: or they share at least half of the content words of the name that has fewer.

    Content words are stems of words that are not stop words.
    """
    chunks = passages(name)
    triples = {row["passage_id"]: row["triples"] for row in data.rows(data.folder() / name / "openie.jsonl.gz")}
    facts = DependencyExtractor().extract(chunks)
    pairs = [(found, triple) for chunk, found in zip(chunks, facts, strict=True) for triple in triples[chunk.id]]
    return {
        "passages": len(chunks),
        "pairs": len(pairs),
        **{rule: round(_share(pairs, rule), 4) for rule in RULES},
        "facts_per_passage": round(sum(map(len, facts)) / len(chunks), 2),
        "participants_per_fact": round(_participants(facts), 2),
    }


def _share(pairs: list[tuple[list[Fact], list[str]]], rule: str) -> float:
    return sum(is_covered(found, triple[0], triple[2], rule) for found, triple in pairs) / len(pairs)


def cpu_ms(name: str, count: int) -> float:
    """Processor time of parsing and extraction, in ms per passage, with the model loaded."""
    chunks = passages(name)[:count]
    extractor = DependencyExtractor()
    extractor.extract(chunks[:1])
    began = time.process_time()
    extractor.extract(chunks)
    return round((time.process_time() - began) * 1000 / len(chunks), 2)


def passages(name: str) -> list[Chunk]:
    """The passages of a set as chunks."""
    return [
        Chunk(row["id"], row["id"], row["title"], row["title"], row["text"], 0, 0, len(row["text"]), 0)
        for row in data.rows(data.corpus(name))
    ]


def is_covered(facts: Iterable[Fact], subject: str, target: str, rule: str) -> bool:
    """Whether one of the facts has a subject and an object as different participants."""
    for fact in facts:
        names = [participant.name for participant in fact.participants]
        subjects = {place for place, name in enumerate(names) if matches(name, subject, rule)}
        targets = {place for place, name in enumerate(names) if matches(name, target, rule)}
        if subjects and targets and len(subjects | targets) > 1:
            return True
    return False


@cache
def matches(first: str, second: str, rule: str) -> bool:
    """Whether two names match, by one of the rules of :func:`coverage`."""
    one, other = normalise_name(first), normalise_name(second)
    if one == other:
        return bool(one)
    words, others = _content(one), _content(other)
    if not words or not others:
        return False
    is_contained = f" {one} " in f" {other} " or f" {other} " in f" {one} "
    shared = len(words & others)
    return {
        "equal": False,
        "mostly": is_contained and shared * 2 >= max(len(words), len(others)),
        "contained": is_contained,
        "overlap": is_contained or shared * 2 >= min(len(words), len(others)),
    }[rule]


@cache
def _content(name: str) -> frozenset[str]:
    return frozenset(stem(word) for word in re.split(r"\s+", name) if word not in STOP_WORDS)


def _participants(facts: Iterable[Iterable[Fact]]) -> float:
    counts = [len(fact.participants) for found in facts for fact in found]
    return sum(counts) / max(1, len(counts))
