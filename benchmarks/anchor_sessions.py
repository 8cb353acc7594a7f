"""Sessions: what it costs to write one, and whether many at once are kept apart."""

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
"""Side by side; as many are made one after the other."""
WARM_UP = 3
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kept:
    """A session that was made, and the steps that its search gave."""

    session: str
    steps: tuple[AnchorStep, ...]


def measure_sessions(client: Tetragraph, corpus: str, texts: Sequence[str]) -> Figures:
    """Questions that are searched for and answered without a model, each in a session: one by one, then all at once.

    Then the steps are written once more by themselves, so that nothing but the writing is timed.
    """
    store = SessionStore(client.connection.stores(corpus).graph, corpus)
    chosen = [texts[number % len(texts)] for number in range(SESSIONS)]

    def keep(text: str) -> Kept:
        run = client.corpus(corpus).anchor(text, steps=STEPS, generate=False)
        return Kept(run.session.id, tuple(run))

    began = time.perf_counter()
    alone = [keep(text) for text in chosen]
    alone_s, began = time.perf_counter() - began, time.perf_counter()
    with ThreadPoolExecutor(SESSIONS) as threads:
        together = list(threads.map(keep, chosen))
    together_s = time.perf_counter() - began
    figures = {
        "one by one": {**compare(store, alone, alone), **_pace(alone, alone_s)},
        "at once": {**compare(store, together, alone), **_pace(together, together_s)},
        "a step, written": writing(store, [one.steps for one in alone]),
    }
    for one in (*alone, *together):
        store.delete(one.session)
    return figures


def writing(store: SessionStore, walks: Sequence[Sequence[AnchorStep]]) -> Figures:
    """Milliseconds to write a step, over sessions one after the other, and to begin and end a session."""
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
    """Milliseconds to begin a session, write each step, and end it; it is deleted afterwards."""
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


def compare(store: SessionStore, kept: Sequence[Kept], expected: Sequence[Kept]) -> Figures:
    """How many sessions there are, and how many lost a step, or have other steps than a search by itself makes."""
    lost = mixed = 0
    for one, other in zip(kept, expected, strict=True):
        found = [_told(step) for step in store.load(one.session)[1]]
        lost += len(found) < len(other.steps)
        mixed += len(found) >= len(other.steps) and found != [_told(step) for step in other.steps]
    sessions = len({one.session for one in kept})
    return {"sessions": sessions, "lost": lost + len(kept) - sessions, "mixed": mixed}


def _told(step: AnchorStep) -> tuple[Any, ...]:
    """What is kept of a step, but for scores and what it cost."""
    hits = [(hit.rank, hit.chunk.id) for hit in step.hits]
    return step.number, step.question, step.query, hits, step.graph, step.judgement, step.next_query, step.thought


def _pace(kept: Sequence[Kept], took: float) -> Figures:
    steps = sum(len(one.steps) for one in kept)
    return {"steps": steps, "sessions_per_s": round(len(kept) / took, 1), "steps_per_s": round(steps / took, 1)}


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
