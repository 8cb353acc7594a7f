"""Computes the arrays of a corpus that the evidence walk searches.

The entities are those of ``indexing.corpus_entities``: both come from the same dictionary of the same chunks, so the
walk in process and the relationships in Neo4j are one graph.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

import numpy as np

from tetragraph.algorithms.bm25 import Postings
from tetragraph.algorithms.rounded_vectors import round_vectors
from tetragraph.algorithms.similarity_scale import similarity_scale
from tetragraph.arrays import Array, Ints, Longs, Vectors
from tetragraph.errors import StoreError
from tetragraph.language.lexicon import analysis as text_analysis
from tetragraph.language.lexicon.analysis import Analysis, analyse_chunks
from tetragraph.language.lexicon.dictionary import Dictionary, build_dictionary
from tetragraph.language.lexicon.gazetteer import NO_GAZETTEER, Gazetteer, gazetteer_of
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.stemming import load_stemmer
from tetragraph.language.lexicon.terms import find_terms
from tetragraph.model import Chunk
from tetragraph.stores.array_cache import Strings
from tetragraph.stores.array_folder import Pieces, Written
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.evidence_walk.documents import number_documents
from tetragraph.systems.evidence_walk.options import LOCAL_FROM

KIND = "evidence_walk_5"
_ROUNDED = 10_000
"""Vectors that are rounded at a time."""
_TEXT = np.int64(1) << 32
"""Exceeds the length of any text, so that a chunk and an offset in it are combined in one number."""


def compute(stores: CorpusStores, table: ChunkTable) -> Written:
    """The arrays of all chunks of a corpus; chunks that an ingest has analysed are not analysed again."""
    chunks = table.chunks()
    known = stores.arrays.newest(stores.record.key, text_analysis.KIND)
    gazetteer = gazetteer_of(stores.record.settings)
    packed = pack(chunks, table, analyse_chunks(chunks, known), gazetteer, stores.record.stem_languages)
    return {**packed, **(pack_rounded(table.vectors) if len(table) >= LOCAL_FROM else {})}


def pack(
    chunks: Sequence[Chunk],
    table: ChunkTable,
    analysis: Analysis,
    gazetteer: Gazetteer = NO_GAZETTEER,
    stem_languages: Sequence[str] = (),
) -> dict[str, Array]:
    """Compute the arrays from chunks in order of id, their table, their analysis, known entities, and languages."""
    dictionary = build_dictionary(chunks, analysis, gazetteer)
    stems, stem_of = find_terms(analysis.words, load_stemmer(tuple(stem_languages)))
    postings = Postings.build_from(_terms(analysis, stem_of), len(chunks), len(stems))
    return {
        **Strings.pack("words", analysis.words),
        **Strings.pack("stems", stems),
        **Strings.pack("stem_languages", stem_languages),
        "is_common": dictionary.is_common,
        "is_ever_small": dictionary.is_ever_small,
        **Strings.pack("names", dictionary.names),
        **Strings.pack("labels", dictionary.labels),
        **dictionary.phrases.arrays(),
        **_entity_arrays(dictionary, len(chunks)),
        **(_mention_sentences(chunks, table.sentence_bounds, dictionary) if table.has_sentences else {}),
        **postings.arrays(),
        **_documents(chunks),
        "similarity_scale": np.array([similarity_scale(table.vectors)]),
    }


def pack_rounded(vectors: Vectors) -> Written:
    """The arrays of the rounded vectors of chunks; see :class:`RoundedVectors`."""
    units, errors = (np.empty(len(vectors), dtype=np.float32) for _ in range(2))

    def levels() -> Iterator[Array]:
        for start in range(0, len(vectors), _ROUNDED):
            some = slice(start, start + _ROUNDED)
            rounded = round_vectors(vectors[some])
            units[some], errors[some] = rounded.units, rounded.errors
            yield rounded.levels

    return {
        "rounded.levels": Pieces(np.int8, vectors.shape[1:], levels()),  # written first: it fills the other two
        "rounded.units": units,
        "rounded.errors": errors,
    }


def _documents(chunks: Sequence[Chunk]) -> dict[str, Array]:
    """Document of each chunk, numbered by their ids, and the name of the file of each document without a title."""
    ids: list[str] = []
    names: dict[str, str] = {}
    for chunk in chunks:
        ids.append(chunk.document_id)
        if chunk.named_by_file:
            names[chunk.document_id] = chunk.document_title
    documents, file_names = number_documents(ids, names)
    return {"documents": documents, **Strings.pack("file_names", file_names)}


def _terms(analysis: Analysis, term_of: Ints) -> Iterator[tuple[Longs, Ints]]:
    """Chunk and term of each word that is a term, in blocks."""
    for chunks, tokens in analysis.blocks():
        term = term_of[analysis.word[tokens]]
        row = np.repeat(np.arange(chunks.start, chunks.stop), np.diff(analysis.bounds[chunks.start : chunks.stop + 1]))
        yield row[term >= 0], term[term >= 0]


def _entity_arrays(dictionary: Dictionary, chunks: int) -> dict[str, Array]:
    entities = len(dictionary.names)
    mentions = (dictionary.mention_row, dictionary.mention_entity)
    titles = (dictionary.title_row, dictionary.title_entity)
    return {
        **_group_pairs("mentions", *mentions, chunks),
        **_group_pairs("mentioned", *mentions[::-1], entities),
        **_group_pairs("titles", *titles, chunks),
        **_group_pairs("titled", *titles[::-1], entities),
    }


def _mention_sentences(chunks: Sequence[Chunk], bounds: Longs, dictionary: Dictionary) -> dict[str, Array]:
    """Sentences of each mention, each once; mentions are in the order of ``mentions``.

    Raises:
        StoreError: a chunk has not as many vectors as sentences: another version divided its text differently.
    """
    starts, counts = array("i"), array("i")
    for chunk in chunks:
        spans = sentence_spans(chunk.text)
        starts.extend(start for start, _ in spans)
        counts.append(len(spans))
    wrong = np.flatnonzero(np.diff(bounds) != np.array(counts))
    if wrong.size:
        raise StoreError(
            f"a chunk must have a vector for each of its sentences, {wrong.size} have not, the first is "
            f"{chunks[int(wrong[0])].id}: `tetragraph doctor --repair` embeds these again"
        )
    row = np.repeat(np.arange(len(chunks)), np.diff(bounds))
    places = dictionary.mention_row[dictionary.place_mention] * _TEXT + dictionary.place_start
    sentence = np.searchsorted(row * _TEXT + np.array(starts, dtype=np.int64), places, side="right") - 1
    pairs = np.unique(np.stack([dictionary.place_mention, sentence], axis=1), axis=0).astype(np.int32)
    return _group_pairs("mention_sentences", pairs[:, 0], pairs[:, 1], len(dictionary.mention_row))


def _group_pairs(name: str, first: Ints, second: Ints, size: int) -> dict[str, Array]:
    """Pairs grouped by their first member: start of each group, and the second members, ascending."""
    order = np.lexsort((second, first))
    bounds = np.concatenate([[0], np.cumsum(np.bincount(first, minlength=size))]).astype(np.int32)
    return {f"{name}.bounds": bounds, f"{name}.items": second[order]}
