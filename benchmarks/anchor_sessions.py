"""Sessions: the cost of writing one, and the isolation of concurrent ones."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from benchmarks import measure
from tetragraph import Tetragraph
from tetragraph.model.anchors import AnchorStep
from tetragraph.systems.anchor_graph import SessionStore

STEPS = 3
SESSIONS = 50
"""Number of concurrent sessions, and of sessions one after the other."""
WARM_UP = 3
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A stored session, and the steps of its search."""

    session: str
    steps: tuple[AnchorStep, ...]


def measure_sessions(client: Tetragraph, corpus: str, texts: Sequence[str]) -> Figures:
    """Answer questions without a language model, each in a session: one after the other, then concurrently.

    The steps are then written once more without a search, to measure writing alone.
    """
    store = SessionStore(client.connection.stores(corpus).graph, corpus)
    chosen = [texts[number % len(texts)] for number in range(SESSIONS)]

    def keep(text: str) -> StoredSession:
        run = client.corpus(corpus).anchor(text, steps=STEPS, generate=False)
        return StoredSession(run.session.id, tuple(run))

    began = time.perf_counter()
    alone = [keep(text) for text in chosen]
    alone_s, began = time.perf_counter() - began, time.perf_counter()
    with ThreadPoolExecutor(SESSIONS) as threads:
        together = list(threads.map(keep, chosen))
    together_s = time.perf_counter() - began
    figures = {
        "one by one": {**compare(store, alone, alone), **_pace(alone, alone_s)},
        "at once": {**compare(store, together, alone), **_pace(together, together_s)},
        "a step, written": measure_writing(store, [one.steps for one in alone]),
    }
    for one in (*alone, *together):
        store.delete(one.session)
    return figures


def measure_writing(store: SessionStore, walks: Sequence[Sequence[AnchorStep]]) -> Figures:
    """Milliseconds to write a step, and to begin and end a session, for sessions one after the other."""
    for walk in walks[:WARM_UP]:
        _write(store, walk)
    written = [_write(store, walk) for walk in walks]
    steps = [took for _, times, _ in written for took in times]
    return {
        **measure.percentiles(steps),
        "begin_p50_ms": measure.percentiles([begin for begin, _, _ in written])["p50_ms"],
        "end_p50_ms": measure.percentiles([end for _, _, end in written])["p50_ms"],
    }


def _write(store: SessionStore, steps: Sequence[AnchorStep]) -> tuple[float, list[float], float]:
    """Milliseconds to begin a session, write each step, and end the session, which is deleted afterwards."""
    settings: Figures = {"retriever": "evidence", "reasoner": "token_free", "options": {"steps": STEPS}, "k": 1}
    began = time.perf_counter()
    record = store.create(steps[0].question, **settings, filters={}, ttl=None, now=dt.datetime.now(dt.UTC))
    begin_ms = _ms_since(began)
    times: list[float] = []
    for step in steps:
        began = time.perf_counter()
        store.write_step(record.id, step)
        times.append(_ms_since(began))
    began = time.perf_counter()
    store.end(record.id, "steps", "")
    end_ms = _ms_since(began)
    store.delete(record.id)
    return begin_ms, times, end_ms


def compare(store: SessionStore, stored: Sequence[StoredSession], expected: Sequence[StoredSession]) -> Figures:
    """Number of sessions, of those that lost a step, and of those with other steps than a search alone."""
    lost = mixed = 0
    for one, other in zip(stored, expected, strict=True):
        found = [_stored_parts(step) for step in store.load(one.session)[1]]
        lost += len(found) < len(other.steps)
        mixed += len(found) >= len(other.steps) and found != [_stored_parts(step) for step in other.steps]
    sessions = len({one.session for one in stored})
    return {"sessions": sessions, "lost": lost + len(stored) - sessions, "mixed": mixed}


def _stored_parts(step: AnchorStep) -> tuple[Any, ...]:
    """Stored parts of a step, without scores and usage."""
    hits = [(hit.rank, hit.chunk.id) for hit in step.hits]
    return step.number, step.question, step.query, hits, step.graph, step.judgement, step.next_query, step.thought


def _pace(stored: Sequence[StoredSession], took: float) -> Figures:
    steps = sum(len(one.steps) for one in stored)
    return {"steps": steps, "sessions_per_s": round(len(stored) / took, 1), "steps_per_s": round(steps / took, 1)}


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
