"""Measures searches and answers by method."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from tetragraph.service.state import Service
from tetragraph.systems.registry import RETRIEVERS


@contextmanager
def measured(service: Service, call: str, method: str) -> Iterator[None]:
    """Measure the time of a block, and make a span of it.

    Args:
        service: State of the server.
        call: What is called: ``search``, ``facts``, ``ask`` or ``anchor``.
        method: Search method; one that does not exist is counted as ``unknown``.
    """
    known = method if method in RETRIEVERS else "unknown"
    began = time.perf_counter()
    try:
        with service.span(f"{call} {known}"):
            yield
    finally:
        service.metrics.searches.labels(call, known).observe(time.perf_counter() - began)
