"""Search composed in the stores: what one question needs is read from Neo4j and Qdrant, and nothing is kept.

Source:
    docs/evidence-walk.md, section 4 ("In the stores").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from tetragraph.algorithms.evidence_walk import top, walk
from tetragraph.arrays import Flags, Floats, Vectors
from tetragraph.language.lexicon.stemming import load_stemmer
from tetragraph.language.questions.decompose import Step
from tetragraph.model import Filters, Findings
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.stores.filters import check
from tetragraph.stores.lucene import lucene_query
from tetragraph.stores.stored_chunks import find_similar, find_worded, rank_worded
from tetragraph.systems.engines import check_statistics
from tetragraph.systems.evidence_walk.chain import take_apart
from tetragraph.systems.evidence_walk.local_index import NAMED, SIMILAR, WORDED
from tetragraph.systems.evidence_walk.options import EvidenceOptions
from tetragraph.systems.evidence_walk.question_terms import QuestionTerms
from tetragraph.systems.evidence_walk.ranking import IndexedQuestion, rank, start
from tetragraph.systems.evidence_walk.relevance import without_names
from tetragraph.systems.evidence_walk.stored_index import StoredIndex
from tetragraph.systems.evidence_walk.stored_names import (
    StoredTerms,
    find_names,
    find_terms,
    make_lexicon,
    read_text,
)
from tetragraph.systems.evidence_walk.stored_surroundings import Surroundings
from tetragraph.systems.question_decomposition import Decomposed, fill_variables

SIMILAR_STEP = 100
"""Chunks that are found for each sub-question, the most similar ones."""
PASSAGES = 32
"""Largest number of chunks of an entity that adds its chunks."""
FRONTIER = 64
"""Chunks that a step of the walk expands, those with the most mass."""
REACHED = 100
"""Chunks that a step of the walk adds, those that the most mass moves to; ten times as many leave recall as it is."""
SAMPLE = 64
"""Chunks that represent all chunks outside."""
KNOWN = 100
"""Chunks whose sentences are compared one by one for their mentions, those with the most mass."""
KNOWN_STEP = 20
"""Such chunks for each sub-question, the most similar ones."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with what the stores know of its words.

    Attributes:
        question: The question.
        reading: Its terms and entities, as places in ``terms`` and ``entities``.
        terms: Its terms.
        entities: Ids of the entities that it could name.
        decomposed: Its sub-questions.
        texts: ``(texts, dimension)`` vectors of the question, its residual and its sub-questions.
        parts: Which of ``texts`` are the question and its sub-questions.
    """

    question: Question
    reading: QuestionTerms
    terms: StoredTerms
    entities: Sequence[str]
    decomposed: Decomposed
    texts: Vectors
    parts: Vectors

    @property
    def steps(self) -> Sequence[Step]:
        """The sub-questions."""
        return self.decomposed.steps


def search(
    stores: CorpusStores, question: Question, k: int, options: EvidenceOptions, filters: Filters | None = None
) -> Findings:
    """The best ``k`` chunks; see :func:`tetragraph.systems.evidence_walk.search.search`.

    Raises:
        NotBuilt: an earlier version published the corpus, without the numbers that this search needs.
    """
    check(stores, filters)
    check_statistics(stores)
    if not stores.record.chunks:
        return Findings(())
    asked = _ask(stores, question, options)
    if asked.decomposed.fault:
        stores.note(asked.decomposed.fault)
    surroundings = Surroundings(stores, asked.terms, asked.texts, filters, PASSAGES)
    rest = _collect(surroundings, asked, k, filters)
    asked = replace(asked, reading=replace(asked.reading, rest=rest))
    index = _explore(surroundings, asked, options)
    allowed = index.table.mask(surroundings.allowed)
    if not allowed.any():
        return Findings(())
    ranked = IndexedQuestion(question, _renumber(asked, index), asked.steps)
    trace = asked.decomposed.trace()
    return replace(rank(index, ranked, k, options, allowed), trace={"llm": trace} if trace else {})


def _ask(stores: CorpusStores, question: Question, options: EvidenceOptions) -> _Asked:
    analysis = read_text(question.text)
    names = find_names(stores, analysis)
    terms = find_terms(stores, analysis)
    entities = list(names.values())
    stem = load_stemmer(stores.record.stem_languages)
    reading = make_lexicon(list(names), entities, terms.terms, stem).read(question.text)
    decomposed = take_apart(question, reading, options)
    steps = decomposed.steps
    subs = [question.embed(fill_variables(steps, step)) for step in steps] if len(steps) > 1 else []
    parts = np.array([question.vector, *subs], dtype=np.float32)
    residual = without_names(question.text, reading) if options.residual else ""
    others = [question.embed(residual)] if residual else []
    texts = np.array([*parts, *others], dtype=np.float32)
    return _Asked(question, reading, terms, [entity.id for entity in entities], decomposed, texts, parts)


def _collect(surroundings: Surroundings, asked: _Asked, k: int, filters: Filters | None) -> tuple[tuple[int, ...], ...]:
    """Add the chunks that the walk begins with; returns the names that seed it besides the entities."""
    stores = surroundings.stores
    entities = [asked.entities[place] for place in asked.reading.entities]
    words = [word for some in asked.terms.words for word in some]
    with ThreadPoolExecutor(3) as pool:  # Qdrant and Neo4j answer at the same time
        near = pool.submit(_find_near, stores, asked, max(k, SIMILAR), filters)
        worded = pool.submit(_find_worded, stores, words, max(k, WORDED), filters)
        sample = pool.submit(surroundings.add_sample, SAMPLE)
        names = {stems: ids for stems in asked.reading.rest if (ids := _find_holders(stores, asked, stems)) is not None}
        surroundings.add_entities(entities)
    named = [one for ids in names.values() for one in ids]
    surroundings.add_chunks(
        [*near.result(), *worded.result(), *named, *sample.result(), *surroundings.holders_of(entities)]
    )
    return tuple(names)


def _find_near(stores: CorpusStores, asked: _Asked, count: int, filters: Filters | None) -> list[str]:
    """Ids of the ``count`` chunks most similar to the question, and of some similar to each sub-question."""
    near = list(find_similar(stores, asked.parts[:1], count, filters))
    if len(asked.parts) > 1:
        near += find_similar(stores, asked.parts[1:], SIMILAR_STEP, filters)
    return near


def _explore(surroundings: Surroundings, asked: _Asked, options: EvidenceOptions) -> StoredIndex:
    """Extend the surroundings from the chunks with the most mass, as many times as the walk has steps."""
    mass: Floats = np.zeros(0)
    for step in range(options.steps):
        index = surroundings.index()
        mass = _find_mass(index, asked, options, index.table.mask(surroundings.allowed), step)
        frontier = {index.table.ids[row]: float(mass[row]) for row in top(mass, FRONTIER).tolist() if mass[row] > 0}
        chunks = [surroundings.chunks[one] for one in frontier]
        surroundings.add_entities(one for chunk in chunks for one in (*chunk.mentioned, *chunk.described))
        surroundings.add_chunks(surroundings.find_reached(frontier, options.walk_options)[:REACHED])
    if surroundings.stores.record.sentences == "none" or not options.sentences:
        return surroundings.index()
    known = [index.table.ids[row] for row in top(mass, KNOWN).tolist()]
    known += [
        index.table.ids[row] for one in asked.parts for row in top(index.passages.compare_passages(one), KNOWN_STEP)
    ]
    return surroundings.index(set(known), sentences=True)


def _find_mass(index: StoredIndex, asked: _Asked, options: EvidenceOptions, allowed: Flags, steps: int) -> Floats:
    here = IndexedQuestion(asked.question, _renumber(asked, index), ())
    _, transition, seeds = start(index, here, options, allowed)
    return walk(transition, seeds.total)[steps - 1].after if steps else seeds.total


def _renumber(asked: _Asked, index: StoredIndex) -> QuestionTerms:
    """The entities of the question as rows of an index."""
    place = {entity.id: row for row, entity in enumerate(index.entities)}
    ids = (asked.entities[one] for one in asked.reading.entities)
    return replace(asked.reading, entities=tuple(sorted(place[one] for one in ids if one in place)))


def _find_worded(stores: CorpusStores, words: Iterable[str], count: int, filters: Filters | None) -> list[str]:
    """Ids of the chunks with the highest BM25 of the full-text index."""
    query = lucene_query(" ".join(words), stores.name)
    if query is None:
        return []
    if not filters:
        return find_worded(stores, query, count)
    return [chunk_id for chunk_id, _ in rank_worded(stores, query, count, filters)]


def _find_holders(stores: CorpusStores, asked: _Asked, stems: tuple[int, ...]) -> list[str] | None:
    """Ids of the chunks that a name which is no entity seeds; None if these are more than a name may seed.

    They are those with all its words, otherwise those with its rarest.
    """
    known = [one for one in stems if one >= 0]
    if not known:
        return []
    if len(known) == len(stems):
        found = _find_with_all(stores, [asked.terms.words[one] for one in known])
        if found:
            return found if len(found) <= NAMED else None
    rarest = min(known, key=lambda one: (int(asked.terms.df[one]), one))
    if asked.terms.df[rarest] > NAMED:
        return None
    return _find_with_all(stores, [asked.terms.words[rarest]])[:NAMED]


def _find_with_all(stores: CorpusStores, words: Sequence[Sequence[str]]) -> list[str]:
    """Ids of the chunks that contain one of the words of each group, at most one more than a name may seed."""
    query = lucene_query(" ".join(group[0] for group in words), stores.name, every=True)
    return [] if query is None else find_worded(stores, query, NAMED, is_one_more=True)
