"""Seeds that a language model chooses: from more of the nearest chunks those that help most."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tetragraph.language.llm_steps import rerank
from tetragraph.stores.corpus import Question
from tetragraph.stores.vectors import Vectors
from tetragraph.systems.gain_graph.engine import Engine, NamedEntity


class RerankedFinder:
    """Finds as an engine does, but takes the nearest chunks in the order of a language model.

    Source:
        iG²RAG (2025), section 6.6 and table 7. The order says which chunks are seeds; their shares follow eq. (5).
        Deviation: the paper does not say how many chunks are put in order; here ``pool``.
    """

    def __init__(self, engine: Engine, question: Question, pool: int, note: Callable[[str], None]) -> None:
        self._engine = engine
        self._question = question
        self._pool = pool
        self._note = note

    def entities(self, ids: Sequence[str]) -> Mapping[str, NamedEntity]:
        return self._engine.entities(ids)

    def nearest(self, vector: Vectors, count: int) -> list[tuple[str, float]]:
        found = self._engine.nearest(vector, max(count, self._pool))
        ids = [chunk for chunk, _ in found]
        _, chunks = self._engine.surroundings(ids, ids)
        known = [pair for pair in found if pair[0] in chunks]
        passages = [chunks[chunk].passage for chunk, _ in known]
        order = rerank.rerank(self._question.llm(), self._question.text, passages)
        if order.missing or order.unknown:
            self._note(
                f"of the {len(known)} passages that the language model was to put in order it left out "
                f"{order.missing}, and {order.unknown} of its numbers belong to none or came twice"
            )
        return [known[place] for place in order.places[:count]]
