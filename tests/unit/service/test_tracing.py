"""Spans of requests: their names and attributes, and the trace that they belong to."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from starlette.testclient import TestClient

from tetragraph.service.tracing import TracedApp

TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def http(spans: InMemorySpanExporter) -> TestClient:
    """An app with one route that answers and one that fails."""
    app = FastAPI()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))

    @app.get("/v1/corpora/{corpus}")
    def get(corpus: str) -> str:
        return corpus

    @app.get("/broken")
    def fail() -> str:
        raise RuntimeError

    app.add_middleware(TracedApp, tracer=provider.get_tracer("tetragraph"))
    return TestClient(app, raise_server_exceptions=False)


def only(spans: InMemorySpanExporter) -> ReadableSpan:
    (span,) = spans.get_finished_spans()
    return span


def test_a_request_is_a_span_of_the_trace_of_its_caller(http: TestClient, spans: InMemorySpanExporter) -> None:
    http.get("/v1/corpora/secret?question=secret", headers={"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"})
    span = only(spans)
    assert span.name == "GET /v1/corpora/{corpus}"
    assert span.context is not None
    assert f"{span.context.trace_id:032x}" == TRACE
    assert dict(span.attributes or {}) == {
        "http.request.method": "GET",
        "http.response.status_code": 200,
        "http.route": "/v1/corpora/{corpus}",
        "tetragraph.request_id": "",
    }
    assert "secret" not in span.to_json()


def test_a_request_that_fails_is_marked(http: TestClient, spans: InMemorySpanExporter) -> None:
    http.get("/broken")
    assert only(spans).status.status_code is StatusCode.ERROR


def test_a_path_without_a_route_has_no_name_of_its_own(http: TestClient, spans: InMemorySpanExporter) -> None:
    http.get("/secret")
    assert only(spans).name == "GET unknown"
