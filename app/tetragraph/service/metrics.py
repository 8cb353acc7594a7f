"""Figures of the service in the format of Prometheus; labels have no names of corpora, keys or questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from tetragraph.model.usage import Usage
from tetragraph.service.lanes import Lane

BUCKETS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60)


class Metrics:
    """The figures of one server.

    Args:
        lanes: Threads whose queues are reported.
        paid: Returns the usage of all paid calls of the language model so far, whoever caused them.
    """

    def __init__(self, lanes: Sequence[Lane], paid: Callable[[], Usage]) -> None:
        self.registry = CollectorRegistry()
        own: dict[str, Any] = {"namespace": "tetragraph", "registry": self.registry}
        self.requests = Counter("requests", "Requests by route and status.", ("method", "route", "status"), **own)
        self.seconds = Histogram(
            "request_seconds", "Seconds of a request until its first byte.", ("route",), buckets=BUCKETS, **own
        )
        self.active = Gauge("requests_active", "Requests and streams in progress.", **own)
        self.searches = Histogram(
            "search_seconds", "Seconds of a search or answer, by method.", ("call", "method"), buckets=BUCKETS, **own
        )
        self.jobs = Counter("jobs", "Jobs that ended, by kind and status.", ("kind", "status"), **own)
        self.stages = Histogram(
            "job_stage_seconds", "Seconds of a stage of a job.", ("stage",), buckets=(0.1, 1, 10, 60, 600), **own
        )
        self.checks = Gauge("check_up", "Whether a check of /readyz passed the last time.", ("check",), **own)
        self.refused = Counter("refused", "Refused requests, by reason.", ("reason",), **own)
        self.registry.register(_Lanes(lanes))
        self.registry.register(_Tokens(paid))

    def text(self) -> bytes:
        """All figures."""
        return generate_latest(self.registry)


class _Lanes(Collector):
    """Queues of the lanes at the time of the reading."""

    def __init__(self, lanes: Sequence[Lane]) -> None:
        self._lanes = lanes

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Waiting and running calls of each lane."""
        waiting = GaugeMetricFamily("tetragraph_queue_waiting", "Calls that wait for a thread.", labels=["lane"])
        running = GaugeMetricFamily("tetragraph_queue_running", "Calls that a thread computes.", labels=["lane"])
        for lane in self._lanes:
            waiting.add_metric([lane.name], lane.waiting)
            running.add_metric([lane.name], lane.running)
        yield waiting
        yield running


class _Tokens(Collector):
    """Tokens of the language model at the time of the reading."""

    def __init__(self, paid: Callable[[], Usage]) -> None:
        self._paid = paid

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Tokens of prompts and of replies."""
        usage = self._paid()
        tokens = CounterMetricFamily("tetragraph_llm_tokens", "Tokens of language models.", labels=["direction"])
        tokens.add_metric(["in"], usage.input_tokens)
        tokens.add_metric(["out"], usage.output_tokens)
        yield tokens
