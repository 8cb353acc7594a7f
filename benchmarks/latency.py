"""Duration of a search and number of searches per second, without the embedding of the question."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks import data, index, measure
from benchmarks.plan import Plan
from benchmarks.variants import embedded, searches, variants
from tetragraph import Tetragraph

SET = "2wikimultihopqa"
CLIENTS = (1, 4, 16)
LOADED = 400
"""Largest number of questions with several clients, of which only the searches per second are shown."""
EMBEDDING = "embedding of the question"
Figures = dict[str, dict[str, dict[str, float]]]


def measure_latency(plan: Plan) -> Figures:
    """Measure every method on 2Wiki with concurrent clients in one process, after a few questions to warm up.

    A client asks its next question as soon as the last is answered; so with more clients than processors the figures
    include waiting times.
    """
    index.ingest(plan, SET, index.ALL_GRAPHS)
    texts = [question.text for question in data.questions(SET, "dev")[: plan.questions]]
    with Tetragraph.connect(plan.settings) as client:
        model = client.connection.embedder_of(client.connection.stores(SET).record)
        figures = {EMBEDDING: _measure([partial(model.embed_question, text) for text in texts])}
        questions = embedded(client, SET, texts)
        for variant in variants():
            figures[variant.name] = _measure(searches(client, SET, variant, questions))
    return figures


def _measure(work: list[Callable[[], Any]]) -> dict[str, dict[str, float]]:
    return {str(clients): measure.load(work if clients == 1 else work[:LOADED], clients) for clients in CLIENTS}
