"""Searches per second when questions are asked again, and the client gives the results that it has."""

from __future__ import annotations

from functools import partial

from benchmarks import data, index, measure
from benchmarks.plan import Plan
from tetragraph import Settings, Tetragraph

SET = "2wikimultihopqa"
CLIENTS = (1, 16)
MOST = 400
"""Largest number of searches of a measurement."""
ONCE, AGAIN = "each question once", "half of the questions, twice"


def measure_repeated(plan: Plan) -> dict[str, dict[str, float]]:
    """Measure the default method on 2Wiki with different questions, and with half of them, each asked twice."""
    index.ingest(plan, SET, ())
    given = [question.text for question in data.questions(SET, "dev")[: plan.questions]]
    warm_up, texts = given[: measure.WARM_UP], given[measure.WARM_UP :][:MOST]
    half = texts[: len(texts) // 2]
    settings = plan.settings.model_copy(update={"kept_results": Settings.model_fields["kept_results"].default})
    return {
        name: {f"a second, {clients} at once": _measure(settings, warm_up, asked, clients) for clients in CLIENTS}
        for name, asked in ((ONCE, texts), (AGAIN, half + half))
    }


def _measure(settings: Settings, warm_up: list[str], texts: list[str], clients: int) -> float:
    """Searches per second of a client that has searched for nothing but the first texts."""
    with Tetragraph.connect(settings) as client:
        search = client.corpus(SET).search
        for text in warm_up:
            search(text)
        return measure.load([partial(search, text) for text in texts], clients, warm_up=0)["per_s"]
