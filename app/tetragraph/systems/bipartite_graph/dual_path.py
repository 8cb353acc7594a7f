"""Start of a search: facts of the entities that a question names, and facts similar to the question.

Source:
    BiG-RAG, section 4.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tetragraph.algorithms.evidence_walk import top
from tetragraph.algorithms.reciprocal_rank_fusion import reciprocal_rank_fusion
from tetragraph.arrays import Flags, Floats, Rows, Vectors
from tetragraph.language.entity_linking.known_names import Phrase, find_phrases, longest_phrases
from tetragraph.language.lexicon.analysis import analyse_text
from tetragraph.stores.corpus import Question
from tetragraph.systems.bipartite_graph.options import COMPARED, NAMES_AT_MOST, Paths
from tetragraph.systems.bipartite_graph.view import FactView


@dataclass(frozen=True, slots=True)
class Names:
    """Entities that a text names.

    Attributes:
        entities: Rows, ascending, each once.
        spans: Character offsets in the text, ascending.
        prompted: Texts of the names, if they come from a language model.
    """

    entities: Rows
    spans: tuple[tuple[int, int], ...]
    prompted: tuple[str, ...] = ()


def find_names(index: FactView, text: str) -> Names:
    """Find the entities of the graph that a text names: the longest names, from left to right.

    Source:
        BiG-RAG, section 4.2.1, step 1. Deviation: the paper asks a language model, see
        :mod:`tetragraph.systems.bipartite_graph.question_names`.
    """
    analysis = analyse_text(text)
    named = index.named_in(text)
    found: list[Phrase] = longest_phrases(list(find_phrases(analysis)), named)
    entities = sorted({named[entity] for _, _, entity in found})
    spans = [(int(analysis.start[start]), int(analysis.end[start + length - 1])) for start, length, _ in found]
    return Names(np.array(entities, dtype=np.int64), tuple(spans))


@dataclass(frozen=True, slots=True)
class FactSimilarities:
    """Similarity of a text to every fact.

    Attributes:
        vector: Embedding of the text.
        cosines: ``(m,)`` scaled cosines of the facts with the text.
    """

    vector: Vectors
    cosines: Floats


def compare(index: FactView, question: Question, texts: Sequence[str]) -> list[FactSimilarities]:
    """Compare the texts of a search with every fact at once.

    Args:
        index: Index of the corpus.
        question: Embeds the texts.
        texts: One or more texts.
    """
    question.embed_ahead(texts[1:])
    vectors = np.stack([question.embed(text) for text in texts])
    return [FactSimilarities(vector, cosines) for vector, cosines in zip(vectors, index.compare(vectors), strict=True)]


class FactQuestion:
    """A question or sub-query with its similarity to every fact.

    Args:
        index: Index of the corpus.
        compared: Vector of the text, and its cosines with all facts.
        entities: Rows of the entities that it names.
        chunk: Share of the cosine of a fact's chunk; the cosine of the fact has the rest.
        names: Weight of the names that take part in a fact.
        allowed: ``(n,)`` chunks that may be found; facts that only other chunks state are excluded.
    """

    def __init__(
        self,
        index: FactView,
        compared: FactSimilarities,
        entities: Rows,
        *,
        chunk: float,
        names: float,
        allowed: Flags,
    ) -> None:
        self.index = index
        self.vector = compared.vector
        self.cosines = compared.cosines
        self.entities = entities
        self._chunk = chunk
        self._names = names
        self._allowed = allowed

    @cached_property
    def passages(self) -> Floats:
        """``(n,)`` cosines of the chunks, scaled."""
        return self.index.compare_passages(self.vector)

    @cached_property
    def home(self) -> Rows:
        """``(m,)`` first chunk that states each fact and may be found; for an excluded fact the first chunk."""
        if self._allowed.all():
            return self.index.home
        stated = self.index.stated
        places, relations = stated.places(np.arange(len(self.index.home)))
        is_open = self._allowed[stated.items[places]]
        reachable, first = np.unique(relations[is_open], return_index=True)
        home = self.index.home.copy()
        home[reachable] = stated.items[places][is_open][first]
        return home

    @cached_property
    def is_allowed(self) -> Flags:
        """``(m,)`` whether a chunk that may be found states the fact."""
        allowed: Flags = self._allowed[self.home]
        return allowed

    @cached_property
    def extra(self) -> Floats:
        """``(m,)`` score of a fact beyond its own cosine: from its chunk, and from the names that take part."""
        extra = self._chunk * (self.passages[self.home] - self.cosines)
        places, source = self.index.facts.places(self.entities)
        named = np.bincount(
            self.index.facts.items[places],
            weights=self.index.information[self.entities][source],
            minlength=len(extra),
        )
        bonus: Floats = extra + self._names * np.minimum(named, NAMES_AT_MOST)
        return bonus

    @cached_property
    def scores(self) -> Floats:
        """``(m,)`` score of each fact on its own; minus infinity for an excluded fact."""
        scores: Floats = np.where(self.is_allowed, self.cosines + self.extra, -np.inf)
        return scores


@dataclass(frozen=True, slots=True)
class Start:
    """Results of the two retrieval paths.

    Attributes:
        entity_path: Facts of the entities, best first (``F_E``).
        relation_path: Facts similar to the question, best first (``F_R``).
        fused: The best facts of both by reciprocal rank fusion, best first.
        shares: ``(2, len(fused))`` contribution of each path to each fused fact.
    """

    entity_path: Rows
    relation_path: Rows
    fused: Rows
    shares: Floats


def by_similarity(asked: FactQuestion, relations: int, paths: Paths = "both") -> Start:
    """Rank both paths by similarity to the question.

    Args:
        asked: The question.
        relations: Number of fused facts.
        paths: Paths that are used; the other one is empty.

    Source:
        BiG-RAG, sections 4.2.1 to 4.2.3. Deviations: entities are those that the question names, and their facts are
        ranked by similarity, as the paper does not define their order; the extractor's confidence is not a factor, as
        it changed nothing in measurements.
    """
    places, _ = asked.index.facts.places(asked.entities)
    of_entities = np.unique(asked.index.facts.items[places])
    entity_path = _best(of_entities, asked.scores[of_entities], COMPARED)
    relation_path = _best_of_all(np.where(asked.is_allowed, asked.cosines, -np.inf), relations)
    return fuse(*_keep(paths, entity_path, relation_path), relations)


def by_confidence(
    asked: FactQuestion, entity_vector: Vectors, entities: int, relations: int, paths: Paths = "both"
) -> Start:
    """Rank both paths as in the paper: by cosine times confidence, for entities and for facts.

    Args:
        asked: The question.
        entity_vector: Embedding of the names in the question (``φ(V_q)``).
        entities: Number of entities, ``k_E``.
        relations: Number of facts, ``k_R`` and ``k``.
        paths: Paths that are used; the other one is empty.

    Source:
        BiG-RAG, sections 4.2.1 to 4.2.3. Facts of one entity are ordered by their own score.
    """
    index = asked.index
    likeness = index.compare_entities(entity_vector) * index.entity_confidence
    chosen = top(likeness, entities)
    scores = asked.cosines * index.confidence
    places, source = index.facts.places(chosen)
    facts = index.facts.items[places]
    order = np.lexsort((facts, -scores[facts], source))
    reached = facts[order][asked.is_allowed[facts[order]]]
    _, first = np.unique(reached, return_index=True)
    relation_path = _best_of_all(np.where(asked.is_allowed, scores, -np.inf), relations)
    return fuse(*_keep(paths, reached[np.sort(first)], relation_path), relations)


def fuse(entity_path: Rows, relation_path: Rows, count: int) -> Start:
    """Select the best facts of two paths by reciprocal rank fusion with the constant 60 (section 4.2.3)."""
    facts, place = np.unique(np.concatenate([entity_path, relation_path]), return_inverse=True)
    rankings = [place[: len(entity_path)].tolist(), place[len(entity_path) :].tolist()]
    shares = reciprocal_rank_fusion(rankings, len(facts))
    best = top(shares.sum(axis=0), count)
    return Start(entity_path, relation_path, facts[best], shares[:, best])


def _keep(paths: Paths, entity_path: Rows, relation_path: Rows) -> tuple[Rows, Rows]:
    """The two paths, each empty unless it is used."""
    nothing = np.zeros(0, dtype=np.int64)
    return nothing if paths == "relations" else entity_path, nothing if paths == "entities" else relation_path


def _best_of_all(scores: Floats, count: int) -> Rows:
    rows = top(scores, count)
    return rows[np.isfinite(scores[rows])]


def _best(rows: Rows, scores: Floats, count: int) -> Rows:
    best = top(scores, count)
    return rows[best][np.isfinite(scores[best])]
