"""Which entities of the corpus a question names, also where it writes a name a little differently."""

from __future__ import annotations

import numpy as np

from tetragraph.language.entity_linking.known_names import find_phrases, longest_phrases
from tetragraph.language.lexicon.analysis import analyse_text
from tetragraph.systems.encoding_tree.index import TreeIndex

_SHORTEST = 5
"""Letters of a stretch that may be a name written differently; shorter ones are like too many."""


def find_entities(index: TreeIndex, text: str, threshold: float) -> dict[int, float]:
    """The entities that a text names, by place, each with how alike the names are, above ``threshold`` to 1.

    Names that the corpus knows have similarity 1. Any other capitalised stretch stands for the entity whose name is
    most like it, the first by id of equals, if it is like enough.

    Source:
        SeRAG (2026), eq. (12). Deviation: the paper compares embeddings of names; here their letters are compared, so
        that an index needs no vector for each of ten thousands of names.
    """
    analysis = analyse_text(text)
    named = longest_phrases(list(find_phrases(analysis)), index.entity_rows)
    found = {index.entity_rows[entity]: 1.0 for _, _, entity in named}
    if not index.entities or threshold >= 1:
        return dict(sorted(found.items()))
    linked = np.zeros(len(analysis.word), dtype=bool)
    for start, length, _ in named:
        linked[start : start + length] = True
    for start in np.flatnonzero(analysis.span).tolist():
        stop = start + int(analysis.span[start])
        name = text[int(analysis.start[start]) : int(analysis.end[stop - 1])]
        if linked[start:stop].any() or len(name) < _SHORTEST:
            continue
        alike = index.profiles.similarities(name)
        best = int(alike.argmax())
        if alike[best] > threshold:
            found.setdefault(best, float(alike[best]))
    return dict(sorted(found.items()))
