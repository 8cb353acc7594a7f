"""Extracts the facts of chunks and stores them in the graph; each chunk only once, also after interruptions.

Facts can have words of the titles of their chunk, whose id changes with its text and heading only. So the facts of a
chunk with other titles are extracted again.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tetragraph.errors import LlmError
from tetragraph.language.entity_resolution.model import Stated
from tetragraph.language.facts.model import Fact, Participant
from tetragraph.language.llm_steps.facts import expected_requests, identity
from tetragraph.llm import Request
from tetragraph.model import Chunk, content_id
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.bipartite_graph.extractors import Source

STAGE = "extraction"
_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Extracted:
    """Facts of the chunks of a corpus.

    Attributes:
        passages: Facts by chunk id, in order of id.
        new: Number of newly extracted chunks.
    """

    passages: Mapping[str, Stated]
    new: int


class _Extraction(NamedTuple):
    """Name of the extractor of a chunk, its facts in stored form, and the hash of the titles that it read, if known."""

    extractor: str
    facts: bytes
    titles: str | None

    def is_of(self, chunk: Chunk) -> bool:
        """Whether the chunk has the titles that were read."""
        return self.titles in {None, content_id(*chunk.own_titles)}


def extract(stores: CorpusStores, chunks: Sequence[Chunk], source: Source, progress: Progress) -> Extracted:
    """Return the facts of chunks; those without stored facts are extracted, and each batch is written at once.

    Facts that a version without hashes of titles has stored are kept, and belong to the present titles.

    Args:
        stores: Stores of the corpus; receive notes on incomplete extractions and on facts of other models.
        chunks: All chunks of the corpus, in order of id.
        source: Extracts facts.
        progress: Receives the progress by chunk.

    Raises:
        InvalidInput: a file of recorded triples is missing or invalid.
        MissingDependency: spaCy or its English model is not installed.
        LlmError: a language model is needed, and none is configured, or it did not answer within the budget, or too
            many of its replies cannot be read; a note of the error contains the progress so far.
    """
    stored = _read(stores)
    held = {
        chunk.id: row
        for chunk in chunks
        if (row := stored.get(chunk.id)) and row.is_of(chunk) and source.holds(row.extractor)
    }
    facts = {chunk: row.facts for chunk, row in held.items()}
    new = [chunk for chunk in chunks if chunk.id not in held]
    progress.start(STAGE, len(new), "chunks")
    done = 0
    try:
        for batch, found in source.batches(new):
            rows = [_row(chunk, source.name, pack(one)) for chunk, one in zip(batch, found, strict=True)]
            stores.graph.write("bipartite_graph/upsert_extractions", corpus=stores.name, rows=rows)
            facts |= {row["id"]: row["facts"] for row in rows}
            done += len(batch)
            progress.advance(STAGE, len(batch))
    except LlmError as error:
        error.add_note(
            f"The facts of {done:,} of {len(new):,} chunks are extracted and kept, and so is every reply; the graph is "
            f"as it was. Run the same command again, and it goes on from there."
        )
        raise
    progress.finish(STAGE)
    source.note(stores, new)
    _note_others(stores, sum(row.extractor != source.name for row in held.values()))
    kept = ((chunk, held[chunk.id]) for chunk in chunks if chunk.id in held)
    untitled = [_row(chunk, row.extractor, row.facts) for chunk, row in kept if row.titles is None]
    list(stores.graph.write_rows("bipartite_graph/upsert_extractions", untitled, corpus=stores.name))
    gone = [{"id": chunk} for chunk in sorted(stored.keys() - {chunk.id for chunk in chunks})]
    list(stores.graph.write_rows("bipartite_graph/delete_extractions", gone, corpus=stores.name))
    passages = {chunk.id: _stated(chunk, facts[chunk.id]) for chunk in chunks}
    return Extracted(passages, len(new))


def read_stored(stores: CorpusStores, chunks: Sequence[Chunk]) -> dict[str, Stated]:
    """Return the stored facts of chunks by any extractor, in order of chunk id; nothing is extracted or written."""
    stored = _read(stores)
    return {chunk.id: _stated(chunk, stored[chunk.id].facts) for chunk in chunks if chunk.id in stored}


def _stated(chunk: Chunk, packed: bytes) -> Stated:
    """Facts of a chunk with the title of its document; the name of a file is none."""
    return Stated(chunk.document_id, "" if chunk.named_by_file else chunk.document_title, unpack(packed))


def written_names(stores: CorpusStores) -> set[str]:
    """Return all forms in which the stored facts write names."""
    rows = (row for one in _read(stores).values() for row in json.loads(zlib.decompress(one.facts)))
    return {columns[0] for row in rows for columns in row[5:]}


def missing_requests(stores: CorpusStores, chunks: Sequence[Chunk], model: str, gleanings: int) -> Iterator[Request]:
    """Yield the requests that extract the remaining chunks with a language model."""
    name, stored = identity(model, gleanings), _read(stores)
    for chunk in chunks:
        row = stored.get(chunk.id)
        if row is None or row.extractor != name or not row.is_of(chunk):
            yield from expected_requests(chunk, gleanings)


def _read(stores: CorpusStores) -> dict[str, _Extraction]:
    """Stored extractions by chunk id."""
    pages = stores.graph.pages("bipartite_graph/find_extractions", corpus=stores.name, limit=_PAGE)
    return {row["id"]: _Extraction(row["extractor"], row["facts"], row["titles"]) for row in pages}


def _row(chunk: Chunk, extractor: str, facts: bytes) -> dict[str, Any]:
    """The extraction of a chunk with its present titles, as it is stored."""
    return {"id": chunk.id, "extractor": extractor, "facts": facts, "titles": content_id(*chunk.own_titles)}


def _note_others(stores: CorpusStores, others: int) -> None:
    if others:
        stores.note(
            f"the facts of {others:,} chunks were extracted by another model, or with other prompts: "
            f"`tetragraph build bipartite -c {stores.name}` extracts them anew"
        )


def pack(facts: Sequence[Fact]) -> bytes:
    """Convert facts to their stored form."""
    rows = [
        [fact.description, fact.type, fact.confidence, fact.start, fact.end, *map(_columns, fact.participants)]
        for fact in facts
    ]
    return zlib.compress(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode())


def unpack(stored: bytes) -> list[Fact]:
    """Restore facts from the stored form of :func:`pack`."""
    return [
        Fact(description, kind, confidence, tuple(Participant(*columns) for columns in participants), start, end)
        for description, kind, confidence, start, end, *participants in json.loads(zlib.decompress(stored))
    ]


def _columns(participant: Participant) -> list[Any]:
    return [participant.name, participant.type, participant.role, participant.confidence]
