"""Finds the entities of the corpus that a question names, also in slightly different spellings."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

import numpy as np

from tetragraph.language.entity_linking.known_names import Phrase, find_phrases, longest_phrases
from tetragraph.language.lexicon.analysis import Analysis, analyse_text
from tetragraph.systems.encoding_tree.index import TreeIndex

_SHORTEST = 5
"""Smallest number of letters of a span that is matched approximately; shorter spans resemble too many names."""


def find_entities(index: TreeIndex, text: str, threshold: float) -> dict[int, float]:
    """Find the entities that a text names, by index, with the similarity of the names, above ``threshold`` to 1.

    Names of the entity dictionary have similarity 1. Any other capitalised span is matched to the entity with the most
    similar name, ties by id, if it is similar enough.

    Source:
        SeRAG (2026), eq. (12). Deviation: the paper compares embeddings of names; here letters are compared, so
        that an index needs no vector for each of tens of thousands of names.
    """
    analysis = analyse_text(text)
    named = find_named(analysis, index.entity_rows)
    found = {index.entity_rows[entity]: 1.0 for _, _, entity in named}
    if not index.entities or threshold >= 1:
        return dict(sorted(found.items()))
    for name in find_unlinked(text, analysis, named):
        alike = index.profiles.similarities(name)
        best = int(alike.argmax())
        if alike[best] > threshold:
            found.setdefault(best, float(alike[best]))
    return dict(sorted(found.items()))


def find_named(analysis: Analysis, known: Container[str]) -> list[Phrase]:
    """The spans of a text that name an entity of the dictionary.

    Args:
        analysis: Words of the text.
        known: Ids of the entities.
    """
    return longest_phrases(list(find_phrases(analysis)), known)


def find_unlinked(text: str, analysis: Analysis, named: Sequence[Phrase]) -> Iterator[str]:
    """The capitalised spans of a text that name no entity and are long enough to be matched approximately."""
    linked = np.zeros(len(analysis.word), dtype=bool)
    for start, length, _ in named:
        linked[start : start + length] = True
    for start in np.flatnonzero(analysis.span).tolist():
        stop = start + int(analysis.span[start])
        name = text[int(analysis.start[start]) : int(analysis.end[stop - 1])]
        if not linked[start:stop].any() and len(name) >= _SHORTEST:
            yield name
