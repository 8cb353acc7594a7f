"""How long a question takes, the embedding of the question apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import data, index, measure
from benchmarks.local import settings
from tetragraph import Tetragraph, searching

SET = "2wikimultihopqa"
QUESTIONS = 200
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "evidence": ("evidence", {}),
    "gain, engine gds": ("gain", {"engine": "gds"}),
    "gain, engine memory": ("gain", {"engine": "memory"}),
    "dense": ("dense", {}),
    "keyword": ("keyword", {}),
    "fused": ("fused", {}),
}


def measure_search(home: Path) -> dict[str, Any]:
    """Latency of every method on 2Wiki, one client thread, after a warm-up of ten questions."""
    index.ingest(home, SET)
    figures = {}
    with Tetragraph.connect(settings(home)) as client:
        embed = client.connection.embedder("minilm").embed_question
        texts = [question.text for question in data.questions(SET, "dev")[:QUESTIONS]]
        figures["embedding of the question"] = measure.percentiles([_call(embed, text) for text in texts])
        for name, (method, options) in VARIANTS.items():
            asked = [_search(client, SET, method, options, text) for text in texts]
            for warm in asked[:10]:
                warm()
            figures[name] = measure.percentiles(asked)
    return figures


def _call(embed: Callable[[str], Any], text: str) -> Callable[[], Any]:
    return lambda: embed(text)


def _search(client: Tetragraph, name: str, method: str, options: dict[str, Any], text: str) -> Callable[[], Any]:
    """A search as the client does it, with a question that is embedded already."""
    connection = client.connection
    question = connection.question(connection.stores(name), text)
    chosen = searching.find(method)
    settled = searching.make_options(chosen, options)
    return lambda: chosen.run(connection.stores(name), question, 10, None, settled)
