"""What chunks state, kept in the graph: extracted once, whatever is interrupted."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tetragraph.language.facts.dependency import DependencyExtractor
from tetragraph.language.facts.model import Fact, Participant
from tetragraph.language.facts.processes import extract_batches
from tetragraph.language.facts.recorded import RecordedExtractor
from tetragraph.language.resolution.model import Stated
from tetragraph.model import Chunk
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.bipartite_graph.options import DEPENDENCY

STAGE = "extraction"
_PAGE = 1_000
_BATCH = 64
"""Chunks that are extracted and written together: a kill loses no more than those under way."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What the chunks of a corpus state.

    Attributes:
        passages: By chunk id, in order of id.
        new: How many chunks were extracted for it.
    """

    passages: Mapping[str, Stated]
    new: int


def identify(extractor: str, before: str) -> str:
    """What facts of an extractor are known by: another file of triples, or other rules of the parser, have other names.

    Args:
        extractor: ``dependency``, or the path of a file of recorded triples.
        before: What the same was known by, when the graph was last made; empty where it was not. It holds on where
            the file is gone, for as long as nothing has to be extracted.
    """
    if extractor == DEPENDENCY:
        return DependencyExtractor.name
    path = Path(extractor)
    return f"recorded {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}" if path.is_file() else before


def extract(stores: CorpusStores, chunks: Sequence[Chunk], extractor: str, name: str, progress: Progress) -> Extracted:
    """What the chunks state; those that this extractor has not seen are extracted, each batch written at once.

    Args:
        stores: The corpus; a note says how many chunks a file of recorded triples lacks.
        chunks: All of the corpus, in order of id.
        extractor: ``dependency``, or the path of a file of recorded triples.
        name: What its facts are known by (see :func:`identify`).
        progress: Told of every chunk.

    Raises:
        InvalidInput: the file is absent, or no file of recorded triples.
        MissingDependency: spaCy or its English model is not installed.
    """
    facts, stored = _read(stores, name)
    new = [chunk for chunk in chunks if chunk.id not in facts]
    progress.start(STAGE, len(new), "chunks")
    for batch, found in _extracted(stores, new, extractor):
        by_chunk = {chunk.id: one for chunk, one in zip(batch, found, strict=True)}
        rows = [{"id": chunk, "extractor": name, "facts": pack(one)} for chunk, one in by_chunk.items()]
        stores.graph.write("bipartite_graph/upsert_extractions", corpus=stores.name, rows=rows)
        facts |= by_chunk
        progress.advance(STAGE, len(batch))
    progress.finish(STAGE)
    gone = [{"id": chunk} for chunk in sorted(stored - {chunk.id for chunk in chunks})]
    list(stores.graph.write_rows("bipartite_graph/delete_extractions", gone, corpus=stores.name))
    passages = {chunk.id: Stated(chunk.document_id, chunk.document_title, facts[chunk.id]) for chunk in chunks}
    return Extracted(passages, len(new))


def _read(stores: CorpusStores, name: str) -> tuple[dict[str, list[Fact]], set[str]]:
    """The facts that an extractor found before, by chunk id, and the ids of all chunks of which something is kept."""
    facts: dict[str, list[Fact]] = {}
    stored: set[str] = set()
    for row in stores.graph.pages("bipartite_graph/find_extractions", corpus=stores.name, limit=_PAGE):
        stored.add(row["id"])
        if row["extractor"] == name:
            facts[row["id"]] = unpack(row["facts"])
    return facts, stored


def pack(facts: Sequence[Fact]) -> bytes:
    """Facts as they are stored."""
    rows = [
        [fact.description, fact.type, fact.confidence, fact.start, fact.end, *map(_columns, fact.participants)]
        for fact in facts
    ]
    return zlib.compress(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode())


def unpack(stored: bytes) -> list[Fact]:
    """Facts from what :func:`pack` made of them."""
    return [
        Fact(description, kind, confidence, tuple(Participant(*columns) for columns in participants), start, end)
        for description, kind, confidence, start, end, *participants in json.loads(zlib.decompress(stored))
    ]


def _columns(participant: Participant) -> list[Any]:
    return [participant.name, participant.type, participant.role, participant.confidence]


def _extracted(
    stores: CorpusStores, chunks: Sequence[Chunk], extractor: str
) -> Iterator[tuple[Sequence[Chunk], list[list[Fact]]]]:
    """Batches of chunks with their facts."""
    batches = [chunks[start : start + _BATCH] for start in range(0, len(chunks), _BATCH)]
    if extractor == DEPENDENCY:
        yield from zip(batches, extract_batches(batches), strict=True)
    elif batches:
        recorded = RecordedExtractor(Path(extractor))
        missing = 0
        for batch in batches:
            yield batch, recorded.extract(batch)
            missing += recorded.missing
        if missing:
            stores.note(f"{missing} of {len(chunks)} chunks are not in {extractor}: no facts are known of them")
