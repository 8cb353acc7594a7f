"""Measures searches and answers by method."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tetragraph.model.usage import Usage
from tetragraph.service.state import Service
from tetragraph.systems.registry import RETRIEVERS


@contextmanager
def measured(service: Service, call: str, method: str) -> Iterator[Callable[[Usage], None]]:
    """Measure the time of a block, and make a span of it; yields a function that counts the usage of its result.

    Args:
        service: State of the server.
        call: What is called: ``search``, ``facts``, ``ask`` or ``anchor``.
        method: Search method; one that does not exist is counted as ``unknown``.
    """
    known = method if method in RETRIEVERS else "unknown"
    began = time.perf_counter()
    try:
        with service.span(f"{call} {known}"):
            yield service.metrics.count_usage
    finally:
        service.metrics.searches.labels(call, known).observe(time.perf_counter() - began)
