"""Traces of requests in OpenTelemetry: a span for each request, and inside it one for each search or answer.

Spans have no names of corpora, no keys and no texts. The variables of OpenTelemetry say where they are sent, such as
``OTEL_EXPORTER_OTLP_ENDPOINT``.
"""

from __future__ import annotations

from typing import Final

from opentelemetry import propagate, trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tetragraph.version import __version__

_FAULT: Final = 500
_UNKNOWN: Final = "unknown"


def make_provider() -> TracerProvider:
    """A provider that sends spans in the background over OTLP; ``shutdown`` sends the last ones."""
    own = Resource({SERVICE_NAME: "tetragraph", SERVICE_VERSION: __version__})
    provider = TracerProvider(resource=own.merge(OTELResourceDetector().detect()))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


class TracedApp:
    """Middleware that makes a span of each request, as part of the trace that ``traceparent`` names.

    Args:
        app: The app inside.
        tracer: Makes the spans.
    """

    def __init__(self, app: ASGIApp, tracer: trace.Tracer) -> None:
        self._app = app
        self._tracer = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        parent = propagate.extract(Headers(scope=scope))
        with self._tracer.start_as_current_span(scope["method"], parent, trace.SpanKind.SERVER) as span:

            async def noting_send(message: Message) -> None:
                if message["type"] == "http.response.start":
                    status: int = message["status"]
                    span.set_attribute("http.response.status_code", status)
                    if status >= _FAULT:
                        span.set_status(trace.StatusCode.ERROR)
                await send(message)

            try:
                await self._app(scope, receive, noting_send)
            finally:
                route = getattr(scope.get("route"), "path", _UNKNOWN)
                span.update_name(f"{scope['method']} {route}")
                span.set_attributes({"http.request.method": scope["method"], "http.route": route})
                span.set_attribute("tetragraph.request_id", scope.get("state", {}).get("request_id", ""))
