"""The evidence walk as a retriever."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

from tetragraph.host.turns import COMPUTING
from tetragraph.model import Findings
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.base import BuildReport, Retriever, SearchRequest
from tetragraph.systems.engines import choose_engine
from tetragraph.systems.evidence_walk import index_arrays, stores_engine
from tetragraph.systems.evidence_walk.index import load
from tetragraph.systems.evidence_walk.options import EvidenceOptions
from tetragraph.systems.evidence_walk.search import search


class EvidenceWalk(Retriever[EvidenceOptions]):
    """Walk between chunks and entities, then a selection by coverage; the default method."""

    name = "evidence"
    summary = "our own walk between passages and the entities they mention and describe; the default"
    label = "Evidence walk"
    search_options = EvidenceOptions
    score_parts = {
        "seed_similar": "the walk begins here, as the passage is like the question",
        "seed_entity": "the walk begins here, as the question names what the passage is about",
        "seed_name": "the walk begins here, as the passage holds a name of the question",
        "walk": "the walk came here from other passages",
        "similarity": "likeness of passage and question",
        "sentence": "likeness of the passage's closest sentence and the question",
        "keyword": "words that passage and question share",
        "file_name": "the question has words of the name of its file, which is all that names its document",
        "document": "other passages of its document are relevant, or hold words that it lacks",
        "support": "how much more relevant than itself the passages most like it are",
        "chain": "it answers a sub-question",
        "coverage": "it holds words of the question that better passages leave open",
        "link": "a better passage mentions what this one is about",
        "hop": "it answers a sub-question that better passages leave open",
        "repeat": "better passages are of the same document",
        "order": "it was chosen early: what it opens counts for later ones, whose scores it may not fall below",
    }
    tuning_grid = {
        "keyword": (0.0, 0.03, 0.06, 0.09, 0.13, 0.2),
        "sharpness": (4.0, 6.0, 8.0, 12.0, 16.0),
        "walk": (0.1, 0.2, 0.3, 0.45, 0.6),
        "coverage": (0.5, 1.0, 1.5, 2.0, 3.0),
        "link": (0.0, 0.1, 0.2, 0.3, 0.4),
        "restart": (0.1, 0.2, 0.3, 0.5),
        "entity_share": (0.3, 0.5, 0.7),
        "title_weight": (5.0, 10.0, 20.0, 40.0),
        "steps": (1, 2, 3),
        "document": (0.0, 0.5, 1.0, 1.5),
        "support": (0.0, 0.35, 0.7),
        "file_name": (0.0, 0.08, 0.15, 0.3),
        "repeat": (0.0, 0.05, 0.15, 0.3),
    }

    def search(self, request: SearchRequest[EvidenceOptions]) -> Findings:
        options = request.options
        engine = _engine_of(request)
        if engine == "stores":
            found = stores_engine.search(request.stores, request.question, request.k, options, request.filters)
        else:
            allowed = request.allowed_chunks()
            with COMPUTING.take() if _is_computed_here(engine, options) else nullcontext():
                found = search(request.stores, request.question, request.k, options, allowed)
        return replace(found, engine=engine)

    def prepare(self, stores: CorpusStores, report: BuildReport | None) -> None:
        load(stores)


def _is_computed_here(engine: str, options: EvidenceOptions) -> bool:
    """Whether a search waits for no store or model: then others gain nothing by running beside it."""
    return engine == "memory" and options.decomposition == "parser"


def _engine_of(request: SearchRequest[EvidenceOptions]) -> str:
    asked = request.options.engine
    if asked == "auto" and request.options.scope == "whole":
        return "memory"  # the stores search a part only
    return choose_engine(request.stores, asked, (chunk_table.KIND, index_arrays.KIND))
