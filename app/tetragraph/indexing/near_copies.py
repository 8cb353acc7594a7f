"""The near copies of a corpus in the graph: passages of documents that are nearly the same.

As the stage of the entities does, this one compares the expected with the stored state and writes the difference. It
therefore ends in the same graph after added documents, removed documents and killed runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np

from tetragraph.algorithms.near_copies import WORDS, Texts, find_near_copies
from tetragraph.algorithms.neighbourhood import ranges
from tetragraph.arrays import Flags, Longs
from tetragraph.language.lexicon.analysis import CAPITAL, FIRST, TITLE, Analysis
from tetragraph.model import Chunk
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores

STAGE = "near copies"
_BLOCK = 10_000
"""Chunks whose words are put in order at a time."""


def update_near_copies(
    stores: CorpusStores, chunks: Sequence[Chunk], analysis: Analysis, progress: Progress, *, wanted: bool = True
) -> int:
    """Update the near copies in the graph to those among these chunks.

    Args:
        stores: Stores of the corpus; the caller holds its lease.
        chunks: All chunks of the corpus, in ascending order of id.
        analysis: Words of the same chunks.
        progress: Receives every written change.
        wanted: Whether near copies are looked for; otherwise those in the graph are removed.

    Returns:
        Number of chunks whose original was written or removed.
    """
    expected = find_originals(chunks, analysis) if wanted else {}
    stored = {row["id"]: row["near"] for row in stores.graph.read("corpus/find_near_copies", corpus=stores.name)}
    rows = [
        {"id": chunk, "near": expected.get(chunk)}
        for chunk in sorted(expected.keys() | stored.keys())
        if expected.get(chunk) != stored.get(chunk)
    ]
    if rows:
        progress.start(STAGE, len(rows), "changes")
        for size in stores.graph.write_rows("ingest/upsert_near_copies", rows, corpus=stores.name):
            progress.advance(STAGE, size)
        progress.finish(STAGE)
    count = len(expected) or None
    if rows or count != stores.record.near_copies:  # an interruption between both leaves another number
        stores.graph.write("ingest/upsert_near_count", corpus=stores.name, near_copies=count)
    return len(rows)


def find_originals(chunks: Sequence[Chunk], analysis: Analysis) -> Mapping[str, str]:
    """The chunk of the original by chunk, for all near copies and for the chunks that these are copies of.

    Args:
        chunks: Chunks in the order of the analysis.
        analysis: Their words.
    """
    places = [(chunk.document_id, chunk.position) for chunk in chunks]
    order = sorted(range(len(places)), key=places.__getitem__)
    names = [places[place][0] for place in order]
    del places
    is_new = np.array([place > 0 and names[place] != names[place - 1] for place in range(len(names))], dtype=np.int64)
    found = find_near_copies(_texts(analysis, np.array(order, dtype=np.int64), np.cumsum(is_new)))
    originals = {
        analysis.ids[order[copy]]: analysis.ids[order[original]]
        for copy, original in enumerate(found.tolist())
        if original >= 0
    }
    return originals | {original: original for original in originals.values()}


def _texts(analysis: Analysis, order: Longs, documents: Longs) -> Texts:
    """The words of the chunks in reading order, without those of titles and of sentences too short for a shingle.

    Args:
        analysis: The words.
        order: ``(n,)`` chunks in reading order.
        documents: ``(n,)`` number of the document of each of them.
    """
    hashes = [int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest()) for word in analysis.words]
    hash_of = np.array(hashes, dtype=np.uint64)
    is_number = np.array([word[:1].isdigit() for word in analysis.words], dtype=bool)
    words, particular, lengths = [hash_of[:0]], [is_number[:0]], [order[:0]]
    kept = _find_kept(analysis)
    for start in range(0, len(order), _BLOCK):
        chosen = order[start : start + _BLOCK]
        sizes = np.diff(analysis.bounds)[chosen]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        tokens = ranges(analysis.bounds[chosen], sizes)
        is_kept = kept[tokens]
        lengths.append(np.diff(np.concatenate([[0], np.cumsum(is_kept)])[starts]))
        tokens = tokens[is_kept]
        word, flags = analysis.word[tokens], analysis.flags[tokens]
        words.append(hash_of[word])
        particular.append(((flags & (CAPITAL | FIRST)) == CAPITAL) | is_number[word])
    bounds = np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int64)
    return Texts(np.concatenate(words), np.concatenate(particular), bounds, documents)


def _find_kept(analysis: Analysis) -> Flags:
    """``(tokens,)`` whether each word is in a sentence of the text with at least ``WORDS`` words."""
    kept = np.zeros(len(analysis.word), dtype=bool)
    for chunks, tokens in analysis.blocks():
        flags, bounds = analysis.flags[tokens], analysis.bounds[chunks.start : chunks.stop + 1] - tokens.start
        begins = (flags & FIRST) != 0
        begins[bounds[:-1][np.diff(bounds) > 0]] = True
        sentence = np.cumsum(begins) - 1
        is_long = np.bincount(sentence, minlength=1) >= WORDS
        kept[tokens] = is_long[sentence] & ((flags & TITLE) == 0)
    return kept
