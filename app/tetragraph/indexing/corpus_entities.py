"""The entity dictionary in the graph: entities, and the chunks that describe and mention them.

The stage computes the expected entities and relationships of all chunks, compares them with the stored ones, and writes
the difference. It therefore ends in the same graph after added documents, removed documents and killed runs.

The id of an entity is the hash of its normalised name (``language.names.normalise_name``); its ``name``, for display,
is the most frequent form in the corpus. ``df`` counts the chunks that mention it and marks the entities of the
dictionary: an entity without ``df`` belongs to another graph and is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tetragraph.indexing.entity_difference import EntityDifference, ExpectedEntities, compare
from tetragraph.language.lexicon.analysis import KIND, Analysis, analyse_chunks
from tetragraph.language.lexicon.dictionary import build_dictionary
from tetragraph.language.lexicon.gazetteer import Gazetteer, gazetteer_of
from tetragraph.model import Chunk
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores

STAGE = "entities"
_BATCH = 2_500
"""Rows of one transaction; the row of a chunk creates about eight relationships."""


@dataclass(frozen=True, slots=True)
class EntityReport:
    """Result of the entity stage.

    Attributes:
        entities: Number of entities of the dictionary.
        mentions: Number of ``MENTIONS`` relationships.
        descriptions: Number of ``DESCRIBES`` relationships.
        written: Number of created, changed and removed entities, and of chunks whose relationships changed; 0 if
            nothing changed.
    """

    entities: int
    mentions: int
    descriptions: int
    written: int


def analyse(stores: CorpusStores, chunks: Sequence[Chunk]) -> Analysis:
    """The words of all chunks of a corpus; they are cached for the next ingest and for the evidence walk."""
    record = stores.record
    analysis = analyse_chunks(chunks, stores.arrays.newest(record.key, KIND))
    stored = Analysis.from_arrays(stores.arrays.put(record.key, KIND, record.generation, analysis.arrays()))
    return stored if stored.ids == analysis.ids else analysis


def update_entities(
    stores: CorpusStores, chunks: Sequence[Chunk], analysis: Analysis, progress: Progress
) -> EntityReport:
    """Update the entities in the graph to those of a fresh build on these chunks.

    Args:
        stores: Stores of the corpus; the caller holds its lease.
        chunks: All chunks of the corpus, in ascending order of id.
        analysis: Words of the same chunks.
        progress: Receives every written change.
    """
    gazetteer = gazetteer_of(stores.record.settings)
    wanted = ExpectedEntities(analysis.ids, build_dictionary(chunks, analysis, gazetteer))
    written = _write_difference(stores, compare(stores, wanted), progress)
    written += _write_known_types(stores, gazetteer, wanted)
    dictionary = wanted.dictionary
    return EntityReport(len(wanted.ids), len(dictionary.mention_row), len(dictionary.title_row), written)


def _write_known_types(stores: CorpusStores, gazetteer: Gazetteer, wanted: ExpectedEntities) -> int:
    """Write the types of known entities; returns their number."""
    kinds = {one: known.type for one, known in gazetteer.by_id.items() if known.type and one in wanted.row_of}
    if not kinds:
        return 0
    stored = stores.graph.read("entities/find_types", corpus=stores.name, ids=sorted(kinds))
    rows = [{"id": row["id"], "type": kinds[row["id"]]} for row in stored if row["type"] != kinds[row["id"]]]
    return sum(stores.graph.write_rows("entities/upsert_entity_types", rows, batch=_BATCH, corpus=stores.name))


def _write_difference(stores: CorpusStores, difference: EntityDifference, progress: Progress) -> int:
    """Create entities before their relationships and delete them after these, in fixed order; returns the count."""
    total = sum(step.rows for step in difference.steps())
    progress.start(STAGE, total, "changes")
    for step in difference.steps():
        for size in stores.graph.write_rows(step.query, step.make(), batch=_BATCH, corpus=stores.name):
            progress.advance(STAGE, size)
    progress.finish(STAGE)
    return total
