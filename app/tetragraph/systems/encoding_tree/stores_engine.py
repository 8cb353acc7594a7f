"""Search of the encoding tree composed in the stores: what one question needs is read, and nothing is kept.

Source:
    docs/encoding-tree.md, section 6 ("In the stores").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.language.entity_linking.known_names import find_phrases
from tetragraph.language.entity_linking.name_similarity import NameProfiles
from tetragraph.language.lexicon.analysis import analyse_text
from tetragraph.model import Filters, Findings
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.stores.filters import check
from tetragraph.stores.lucene import lucene_query
from tetragraph.stores.stored_chunks import find_similar, find_worded
from tetragraph.systems.encoding_tree import stored
from tetragraph.systems.encoding_tree.entity_matching import find_named, find_unlinked
from tetragraph.systems.encoding_tree.index import TreeIndex
from tetragraph.systems.encoding_tree.options import TreeOptions
from tetragraph.systems.encoding_tree.query_expansion import FOLLOWED, write
from tetragraph.systems.encoding_tree.search import find_first_hits, rank, score_alone
from tetragraph.systems.encoding_tree.stored_part import StoredPart
from tetragraph.systems.engines import being_built, check_statistics

SIMILAR = 200
"""Chunks requested from the vector store; more if more hits are wanted."""
COMMUNITIES = 5
"""Communities requested from the vector store where none are selected."""
MEMBERS = 200
"""Largest size of a community that adds its chunks, where communities are not selected."""
SPELT = 20
"""Chunks whose names are compared with a name of the question that the corpus lacks."""
_ANY = 2**62
"""More chunks than a community has."""


def search(
    stores: CorpusStores, question: Question, k: int, options: TreeOptions, filters: Filters | None = None
) -> Findings:
    """The best ``k`` chunks; see :func:`tetragraph.systems.encoding_tree.search.search`.

    Raises:
        NotBuilt: an earlier version published the corpus, without the numbers that this search needs.
        StoreError: tree and vectors disagree, or the tree is being changed.
    """
    check(stores, filters)
    check_statistics(stores)
    part = StoredPart(stores, _read_root(stores), filters)
    findable = min(k, _add_near(part, question.vector, k))
    _add_named(part, question, options.threshold)
    if not part.allowed:
        return Findings((), graph=part.made)
    written = write(question, options.enhancement, stores.note)
    if written.passage:
        _add_near(part, written.vector, k)
    if options.weights.is_gated:
        _add_chosen(part, written.vector, options.communities, findable)
    index = _add_followed(part, question, options) if options.enhancement in FOLLOWED else part.index()
    return rank(index, question, written, k, options, index.table.mask(part.allowed))


def _read_root(stores: CorpusStores) -> Mapping[str, Any]:
    root = stored.read_root(stores)
    if root is None:
        raise being_built(stores, "encoding tree", "tree")
    return root


def _add_near(part: StoredPart, vector: Vectors, k: int) -> int:
    """Add the chunks most similar to a text, and those of the communities most similar to it.

    Returns:
        Number of the chunks that pass the filters; at least ``k`` where there are so many.
    """
    stores = part.stores
    near = list(find_similar(stores, vector[None], max(k, SIMILAR), part.filters))
    best = [scored.id for scored in stores.nearest("communities", vector, COMMUNITIES)]
    part.add_chunks([*near, *_find_members(stores, best, MEMBERS)], vector)
    return len(near)


def _find_members(stores: CorpusStores, communities: Sequence[str], most: int) -> set[str]:
    """Ids of the chunks in those of some communities that have at most ``most`` chunks."""
    rows = stores.graph.read("encoding_tree/find_members", corpus=stores.name, ids=list(communities), most=most)
    return {chunk for row in rows for chunk in row["chunks"].split()}


def _add_named(part: StoredPart, question: Question, threshold: float) -> None:
    """Add the entities that the question names, also in slightly different spellings, and their chunks."""
    stores = part.stores
    analysis = analyse_text(question.text)
    possible = sorted({entity for _, _, entity in find_phrases(analysis)})
    known = stores.graph.read("evidence_walk/find_names", corpus=stores.name, ids=possible)
    named = find_named(analysis, {row["id"] for row in known})
    ids = [entity for _, _, entity in named]
    if threshold < 1:
        for name in find_unlinked(question.text, analysis, named):
            ids += _find_spelt(stores, name, threshold)
    part.add_chunks(part.add_named(ids), question.vector)


def _find_spelt(stores: CorpusStores, name: str, threshold: float) -> list[str]:
    """Id of the entity whose name is most similar to one, if it is similar enough.

    Its letters are compared with the names in the chunks that the full-text index finds by similar words.
    """
    query = lucene_query(name, stores.name, every=True, is_fuzzy=True)
    if query is None:
        return []
    near = find_worded(stores, query, SPELT)
    called = stores.graph.read("encoding_tree/find_names_of_chunks", corpus=stores.name, ids=near)
    if not called:
        return []
    alike = NameProfiles([row["name"] for row in called]).similarities(name)
    best = int(alike.argmax())
    return [called[best]["id"]] if alike[best] > threshold else []


def _add_followed(part: StoredPart, question: Question, options: TreeOptions) -> TreeIndex:
    """Add the entities that the first hits mention and their chunks, until the first hits stay the same.

    Returns:
        The part with all of them.
    """
    known: set[str] = set()
    while True:
        index = part.index()
        first = find_first_hits(score_alone(index, question, options), index.table.mask(part.allowed))
        new = {index.table.ids[hit.row] for hit in first} - known
        if not new:
            return index
        known |= new
        part.add_chunks(part.add_mentioned_in(sorted(new)), question.vector)


def _add_chosen(part: StoredPart, vector: Vectors, count: int, least: int) -> None:
    """Add the chunks of the communities most similar to the question, ``count`` per level.

    If they contain too few chunks that may be found, more are selected on all levels until there are enough.

    Source:
        SeRAG (2026), appendix A.3 (``k_coarse``).
    """
    stores, levels = part.stores, int(part.made["height"]) - 1
    before: set[str] = set()
    while True:
        chosen: list[str] = []
        for _ in range(levels):
            chosen = _choose(stores, vector, count, chosen, is_only=levels == 1)
        members = _find_members(stores, chosen, _ANY)
        part.add_chunks(members, vector)
        if len(members & part.allowed) >= least or members == before:
            return
        before = members
        count *= 2


def _choose(stores: CorpusStores, vector: Vectors, count: int, above: list[str], *, is_only: bool) -> list[str]:
    """Ids of the communities most similar to a text: of all if there is one level, else of those below some."""
    if is_only:
        return [scored.id for scored in stores.nearest("communities", vector, count)]
    rows = stores.graph.read("encoding_tree/find_children", corpus=stores.name, ids=above)
    ids = [row["id"] for row in rows]
    (cosines,) = stores.vectors.compare(stores.name, "communities", vector[None], ids)
    best = np.argsort(-np.nan_to_num(cosines, nan=-1.0), kind="stable")[:count]
    return [ids[row] for row in best.tolist()]
