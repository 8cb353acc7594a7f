"""Names communities by distinctive entities and words, without a language model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy import sparse

from tetragraph.arrays import CSR, Floats, Labels
from tetragraph.language.lexicon.analysis import Analysis
from tetragraph.language.lexicon.words import STOP_WORDS
from tetragraph.systems.entity_links import EntityLinks

ENTITIES = 3
TERMS = 2
_SHORTEST_TERM = 3
_DECIMALS = 9


def name_communities(
    levels: Labels, links: EntityLinks, analysis: Analysis, find_names: Callable[[Sequence[str]], Mapping[str, str]]
) -> list[list[str]]:
    """Name each community of each level, by number.

    A name consists of up to three entities and two words, those that are frequent in the community and rare elsewhere:
    ranked by their share of the community's chunks times the logarithm of that share over their share of all chunks.

    Args:
        levels: ``(height - 1, n)`` levels of a tree.
        links: Entities of the chunks.
        analysis: Words of the same chunks.
        find_names: Returns the names of entities by id.
    """
    entities = ((links.mentions + links.describes) > 0).astype(np.float64)
    terms = _term_matrix(analysis)
    chosen = [(most_telling(entities, labels, ENTITIES), most_telling(terms, labels, 2 * TERMS)) for labels in levels]
    wanted = sorted({links.entities[column] for rows, _ in chosen for row in rows for column in row})
    names = find_names(wanted)
    return [
        [
            _join([names[links.entities[column]] for column in row], [analysis.words[column] for column in words])
            for row, words in zip(*level, strict=True)
        ]
        for level in chosen
    ]


def most_telling(features: CSR, labels: Labels, limit: int) -> list[list[int]]:
    """Select the most distinctive columns of each community; ties go to the smaller column.

    Args:
        features: ``(n, columns)`` ones and zeros.
        labels: ``(n,)`` community of each row, from 0.
        limit: Largest number of columns for each community.
    """
    size, communities = len(labels), int(labels.max(initial=-1)) + 1
    members = sparse.csr_array((np.ones(size), (labels, np.arange(size))), shape=(communities, size))
    held = (members @ features).tocoo()
    everywhere: Floats = features.sum(axis=0)
    inside = held.data / np.bincount(labels, minlength=communities)[held.row]
    strength = (inside * np.log(inside / (everywhere[held.col] / size))).round(_DECIMALS)
    found: list[list[int]] = [[] for _ in range(communities)]
    for place in np.lexsort((held.col, -strength, held.row)).tolist():
        row = found[int(held.row[place])]
        if len(row) < limit:
            row.append(int(held.col[place]))
    return found


def _term_matrix(analysis: Analysis) -> CSR:
    """Matrix of chunks by words: ones where a chunk contains a content word."""
    telling = np.array([_is_term(word) for word in analysis.words], dtype=bool)
    parts = [sparse.csr_array((0, len(analysis.words)), dtype=np.float64)]
    for chunks, tokens in analysis.blocks():
        size = chunks.stop - chunks.start
        word = analysis.word[tokens]
        row = np.repeat(np.arange(size), np.diff(analysis.bounds[chunks.start : chunks.stop + 1]))
        places = (row[telling[word]], word[telling[word]])
        matrix = sparse.csr_array((np.ones(len(places[0])), places), shape=(size, len(analysis.words)))
        matrix.sum_duplicates()
        matrix.data[:] = 1.0
        parts.append(matrix)
    return sparse.vstack(parts, format="csr")


def _is_term(word: str) -> bool:
    return len(word) >= _SHORTEST_TERM and word.isalpha() and word not in STOP_WORDS


def _join(entities: Sequence[str], terms: Sequence[str]) -> str:
    """Join entities and words to a name; words contained in an entity are left out."""
    joined = " ".join(entities).casefold()
    own = [term for term in terms if term not in joined][:TERMS]
    return " · ".join(", ".join(part) for part in (entities, own) if part)
