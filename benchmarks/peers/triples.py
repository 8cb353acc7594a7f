"""Triples for a system that needs those of an LLM: recorded ones of a set, or substitutes by spaCy."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks import data
from benchmarks.peers.material import Material, Passage
from tetragraph.errors import InvalidInput
from tetragraph.language.spacy_model import PARSING, TYPING, use_model

SOURCES = ("recorded", "spacy")
_COUNTED = frozenset({"CARDINAL", "ORDINAL"})
_BATCH = 64


@dataclass(frozen=True, slots=True)
class Triples:
    """The triples of a set.

    Attributes:
        source: One of ``SOURCES``.
        rows: Extraction of each distinct passage in the format of HippoRAG.
        wall_s: Seconds of the extraction; unknown for recorded triples.
        cpu_s: Processor seconds of the extraction; unknown for recorded triples.
    """

    source: str
    rows: list[dict[str, Any]]
    wall_s: float
    cpu_s: float


def make_triples(material: Material, wanted: str | None) -> Triples:
    """The requested triples; by default recorded ones if the set has them for all passages, otherwise spaCy's.

    Raises:
        InvalidInput: recorded triples are requested, and the set does not have them for all its passages.
        MissingDependency: triples by spaCy are needed, and spaCy or its model is not installed.
    """
    recorded = _recorded(material)
    missing = sum(passage.id not in recorded for passage in material.passages)
    if wanted == "recorded" and missing:
        raise InvalidInput(
            f"recorded triples must cover every passage of the set, and {missing:,} of the "
            f"{len(material.passages):,} of {material.name!r} have none: choose --triples spacy"
        )
    source = wanted or ("spacy" if missing else "recorded")
    began = time.perf_counter(), time.process_time()
    distinct = material.distinct
    found = recorded if source == "recorded" else _parsed([alike[0] for alike in distinct.values()])
    rows = [_row(whole, *found[alike[0].id]) for whole, alike in distinct.items()]
    return Triples(source, rows, time.perf_counter() - began[0], time.process_time() - began[1])


def _row(whole: str, entities: list[str], triples: list[list[str]]) -> dict[str, Any]:
    return {"idx": "", "passage": whole, "extracted_entities": entities, "extracted_triples": triples}


Extracted = dict[str, tuple[list[str], list[list[str]]]]
"""Names and triples (subject, predicate, object) of each passage, by its id."""


def _recorded(material: Material) -> Extracted:
    file = data.folder() / material.name / "openie.jsonl.gz"
    return {row["passage_id"]: (row["entities"], row["triples"]) for row in data.rows(file)} if file.is_file() else {}


def _parsed(passages: Sequence[Passage]) -> Extracted:
    """For each sentence, triples of the title, the root verb, and each other entity that the sentence names."""
    with use_model((*TYPING, *PARSING), "triples") as model:
        documents = model.pipe((passage.text for passage in passages), batch_size=_BATCH)
        return {
            passage.id: _extract(passage.title, document) for passage, document in zip(passages, documents, strict=True)
        }


def _extract(title: str, document: Any) -> tuple[list[str], list[list[str]]]:
    triples = [
        [title, entity.sent.root.text, entity.text]
        for entity in document.ents
        if entity.label_ not in _COUNTED and entity.text != title
    ]
    return list(dict.fromkeys([title, *(triple[2] for triple in triples)])), triples
