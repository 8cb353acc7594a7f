"""Searches the information-gain graph: ranks chunks by a walk from seeds of the question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from tetragraph.arrays import Vectors
from tetragraph.errors import InvalidInput
from tetragraph.language.llm_steps import rerank
from tetragraph.model import Hit
from tetragraph.stores import gds
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.stores.stored_chunks import keep_present
from tetragraph.systems.gain_graph import explain, greedy, stored
from tetragraph.systems.gain_graph.engine import Engine, NamedEntity
from tetragraph.systems.gain_graph.explain import FinishedWalk
from tetragraph.systems.gain_graph.gds_engine import GdsEngine
from tetragraph.systems.gain_graph.memory_engine import MemoryEngine
from tetragraph.systems.gain_graph.options import SEARCH_DEFAULTS, GainOptions
from tetragraph.systems.gain_graph.seeds import Seeds, find_seeds
from tetragraph.systems.gain_graph.stores_engine import StoresEngine


def search(
    stores: CorpusStores,
    question: Question,
    k: int,
    options: GainOptions = SEARCH_DEFAULTS,
    allowed: Collection[str] | None = None,
) -> list[Hit]:
    """Find the ``k`` chunks with the largest share of a walk from the seeds of a question.

    With ``walk="greedy"``, the first ``k`` chunks of a greedy search. Fewer are returned if fewer are reached.

    Args:
        stores: Stores of the corpus; receive result notes.
        question: Question and its vector.
        k: Number of hits, at least 1.
        options: Search options.
        allowed: Ids of the chunks that may be found; the walk passes through others too. All when left out.

    Raises:
        InvalidInput: ``k`` is below 1.
        LlmError: a language model is to select the seeds, and returns no usable order.
        NotBuilt: the corpus is being changed and its last complete graph is unavailable.

    Source:
        iG²RAG (2025), section 3.2 and algorithm 2.
    """
    if k < 1:
        raise InvalidInput(f"k must be at least 1, got {k}")
    engine = _engine(stores, options)
    finder = RerankedFinder(engine, question, options.pool, stores.note) if options.rerank == "llm" else engine
    seeds = find_seeds(finder, question, options)
    if not seeds.total:
        return []
    if options.walk == "greedy":
        return greedy.rank(stores, engine, seeds, k, allowed)
    return _rank(stores, engine, seeds, k, options, allowed)


def find_engine(stores: CorpusStores, options: GainOptions) -> str:
    """Name of the engine that computes a search: the one asked for, or ``memory`` where that one cannot."""
    is_asked = options.engine == "memory" or _reason_for_memory(stores, options) is None
    return options.engine if is_asked else "memory"


def _engine(stores: CorpusStores, options: GainOptions) -> Engine:
    name = find_engine(stores, options)
    if name != options.engine:
        stores.note(f"{_reason_for_memory(stores, options)}: ranked in this process (engine memory)")
    if name == "memory":
        return MemoryEngine.load(stores, options)
    return StoresEngine(stores, options) if name == "stores" else GdsEngine(stores, options)


def _reason_for_memory(stores: CorpusStores, options: GainOptions) -> str | None:
    """Return why a search cannot be ranked in Neo4j; None if it can."""
    if options.engine == "gds" and not gds.is_available(stores.graph):
        return "Neo4j lacks Graph Data Science"
    if options.weights != "levels":
        return f"Neo4j walks by levels, not by {options.weights}"
    if options.mode == "paper" and stored.options_of(stores.record).mode != "paper":
        return (
            "mode paper goes from a chunk to its nearest neighbours only, and this graph was built in both directions "
            "(`build gain -o mode=paper` builds it in one)"
        )
    return None


def _rank(
    stores: CorpusStores,
    engine: Engine,
    seeds: Seeds,
    k: int,
    options: GainOptions,
    allowed: Collection[str] | None,
) -> list[Hit]:
    """Rank by personalised PageRank."""
    around = engine.rank(seeds.total, max(k, explain.AROUND), None)
    best = around if allowed is None else engine.rank(seeds.total, k, allowed)
    scores = explain.scores_of(around, best)
    chosen = best.ids[:k]
    steps, chunks = engine.surroundings(scores, chosen)
    walk = FinishedWalk(seeds, scores, around.seed_factor, options.restart, steps)
    paths = explain.strongest_paths(walk)
    return [
        Hit(
            place,
            scores[chunk],
            chunks[chunk],
            explain.parts(walk, chunk),
            paths.get(chunk, ()),
            contributions=explain.edge_contributions(walk, chunk),
        )
        for place, chunk in enumerate(keep_present(stores, chosen, chunks), start=1)
    ]


class RerankedFinder:
    """Finder that returns the nearest chunks in the order of a language model, everything else from an engine.

    Source:
        iG²RAG (2025), section 6.6 and table 7. The order determines which chunks are seeds; their shares follow eq.
        (5). Deviation: the paper does not state how many chunks are ranked; here ``pool``.
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
