"""Calls of a faulty language model: accounting of results, accuracy of estimates, and latency of the cache."""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.plan import Plan

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))

from pydantic import BaseModel

import scripted_faults as faults
from scripted_llm import ScriptedLlm
from tetragraph import samples
from tetragraph.errors import LlmError
from tetragraph.llm import LanguageModel, LlmDatabase, Message, Operation, Request, cache, structured
from tetragraph.settings import Settings

CALLS = 1000
SHARE = 0.1
_HITS = 2000
_CALIBRATION = 10
_FAULTS: dict[str, faults.Fault] = {
    "429 with Retry-After": faults.busy(0.01),
    "500": faults.SERVER_ERROR,
    "hang": faults.hanging(3.0),
    "slow": faults.slow(0.002),
    "cut": faults.cut(),
    "broken JSON": faults.BROKEN_JSON,
    "prose round JSON": faults.PROSE,
    "wrong schema": faults.WRONG_SCHEMA,
    "empty choices": faults.EMPTY_CHOICES,
    "refusal": faults.REFUSAL,
    "unicode": faults.LONE_SURROGATE,
    "huge answer": faults.huge(2_000_000),
}


class _Verdict(BaseModel):
    score: int
    adds: str


def measure_llm_calls(_plan: Plan) -> dict[str, Any]:
    """Measure a thousand calls for each fault, of which every tenth is faulty; then estimates and cache hits."""
    requests = _requests(CALLS)
    answered = {name: _run(requests, fault) for name, fault in _FAULTS.items()}
    return {**answered, **_estimates(requests), "cache hit": _hits(requests)}


def _requests(count: int) -> list[Request]:
    with gzip.open(samples.passages(), "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in file]
    system = Message("system", "You compare two texts; answer with a JSON object of score and adds.")
    return [
        Request(
            (system, Message("user", f"Pair {place}\n{texts[place % len(texts)]}\n{texts[-place % len(texts)]}")),
            max_tokens=100,
            expected_tokens=25,
        )
        for place in range(count)
    ]


def _answer(_body: faults.Body) -> str:
    return '{"score": 3, "adds": "who founded the school and when, and that it was moved to another town"}'


def _settings(llm: ScriptedLlm, home: str, **changes: Any) -> Settings:
    prices = {"scripted": (1.0, 2.0)}
    return llm.settings(Settings(home=Path(home)), llm_concurrency=8, llm_prices=prices, llm_timeout_s=1.0, **changes)


def _run(requests: list[Request], fault: faults.Fault) -> dict[str, int]:
    """``lost`` counts calls without result or error, ``repeated`` requests sent again despite a cached reply."""
    with ScriptedLlm(_answer) as llm, tempfile.TemporaryDirectory() as home:
        drawn = faults.sometimes(SHARE, [fault])
        faulty: list[str] = []

        def plan(call: faults.Call) -> faults.Fault | None:
            found = drawn(call)
            faulty.extend([call.key] * (found is not None))
            return found

        llm.faults = plan
        model = LanguageModel.open(_settings(llm, home))
        operation = model.operation("benchmark", corpus="c")
        results = list(operation.map(lambda request: _result(operation, request), requests))
        before = llm.calls
        errors = results.count(None)
        llm.faults = faults.at({})
        again = model.operation("again", corpus="c")
        list(again.map(lambda request: _result(again, request), requests))
        booked = sum(total.usage.calls for total in model.totals("c"))
        model.close()
        kept = cache.count(LlmDatabase.of(_settings(llm, home)))
        return {
            "calls": operation.usage.calls,
            "faults": len(faulty),
            "requests": before,
            "results": len(results) - errors,
            "errors": errors,
            "lost": len(requests) - len(results),
            "repeated": booked - kept - operation.usage.failed - again.usage.failed,
        }


def _result(operation: Operation, request: Request) -> _Verdict | None:
    try:
        return operation.structured(request, _Verdict)
    except LlmError:
        return None


def _estimates(requests: list[Request]) -> dict[str, Any]:
    with ScriptedLlm(_answer) as llm, tempfile.TemporaryDirectory() as home:
        model = LanguageModel.open(_settings(llm, home))
        asked = [structured.with_schema(request, _Verdict) for request in requests]
        first = model.estimate(asked[_CALIBRATION:])
        handful = model.operation("handful")
        list(handful.map(handful.complete, asked[:_CALIBRATION]))
        learnt = model.estimate(asked)
        run = model.operation("run")
        began = time.monotonic()
        list(run.map(run.complete, asked))
        took = time.monotonic() - began
        spent = run.usage
        model.close()
        return {
            f"estimate {name}": {
                "calls": told.calls,
                "tokens": told.input_tokens + told.output_tokens,
                "actual": spent.tokens,
                "tokens_off": round((told.input_tokens + told.output_tokens) / spent.tokens - 1, 4),
                "money_off": round((told.cost or 0.0) / spent.cost - 1, 4),
                "seconds_off": None if told.seconds is None else round(told.seconds / took - 1, 3),
            }
            for name, told in (("before any call", first), (f"after {_CALIBRATION} calls", learnt))
        }


def _hits(requests: list[Request]) -> dict[str, float]:
    with ScriptedLlm(_answer) as llm, tempfile.TemporaryDirectory() as home:
        model = LanguageModel.open(_settings(llm, home))
        operation = model.operation("hits")
        list(operation.map(operation.complete, requests[:100]))
        wall, cpu = time.perf_counter(), time.process_time()
        for number in range(_HITS):
            operation.complete(requests[number % 100])
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        model.close()
    return {"hit_ms": round(wall * 1000 / _HITS, 4), "hit_cpu_ms": round(cpu * 1000 / _HITS, 4)}
