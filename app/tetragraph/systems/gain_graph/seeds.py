"""Seeds of a walk: chunks similar to the question, and chunks about the entities that it names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tetragraph.language.entity_linking.known_names import find_phrases, longest_names
from tetragraph.language.lexicon.analysis import analyse_text
from tetragraph.stores.corpus import Question
from tetragraph.systems.gain_graph.engine import Finder
from tetragraph.systems.gain_graph.options import GainOptions


@dataclass(frozen=True, slots=True)
class Seeds:
    """The personalisation vector in its two parts, chunk id to probability; together they sum to 1 (or are empty).

    Attributes:
        similar: Part by similarity to the question (eq. 5).
        named: Part by entities that the question names.
    """

    similar: Mapping[str, float]
    named: Mapping[str, float]

    @property
    def total(self) -> dict[str, float]:
        """Both parts together, in order of id."""
        chunks = sorted({*self.similar, *self.named})
        return {chunk: self.similar.get(chunk, 0.0) + self.named.get(chunk, 0.0) for chunk in chunks}


def find_seeds(finder: Finder, question: Question, options: GainOptions) -> Seeds:
    """Compute the seeds of a question.

    Similarities below 0 count as 0; if all are, the most similar chunks get equal shares. Names are weighted by the
    square of their information, divided equally among the chunks about each.

    Source:
        iG²RAG (2025), eq. (4) and (5). Deviation: names, unless ``mode="paper"``.
    """
    similar = _normalise({chunk: max(0.0, score) for chunk, score in finder.nearest(question.vector, options.seeds)})
    share = 0.0 if options.mode == "paper" else options.question_names
    named = _name_seeds(finder, question.text) if share > 0 else {}
    if not named or not similar:
        return Seeds(similar, named)
    return Seeds(
        {chunk: (1 - share) * value for chunk, value in similar.items()},
        {chunk: share * value for chunk, value in named.items()},
    )


def _name_seeds(finder: Finder, text: str) -> dict[str, float]:
    phrases = list(find_phrases(analyse_text(text)))
    known = finder.entities(list(dict.fromkeys(entity for _, _, entity in phrases)))
    masses: dict[str, float] = {}
    for entity in longest_names(phrases, known):
        chunks = known[entity].chunks
        for chunk in chunks:
            masses[chunk] = masses.get(chunk, 0.0) + known[entity].information ** 2 / len(chunks)
    return _normalise(masses) if masses else {}


def _normalise(masses: Mapping[str, float]) -> dict[str, float]:
    total = sum(masses.values())
    return {chunk: mass / total if total > 0 else 1 / len(masses) for chunk, mass in masses.items()}
