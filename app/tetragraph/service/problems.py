"""Errors as problem details (RFC 9457): our class, the fault in words, the remedy, and the id of the request."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import compile_path

from tetragraph import errors
from tetragraph.client.remote.values import Problem
from tetragraph.service.keys import unknown_corpus

logger = logging.getLogger("tetragraph")
MEDIA_TYPE: Final = "application/problem+json"
SHOWN_FAULTS = 20


class _UnsupportedType(errors.InvalidInput):
    """A body of another type than the route reads."""


class _Unauthenticated(errors.AccessDenied):
    """A request without a valid key."""


class _TooMany(errors.ServiceBusy):
    """A request beyond a limit of its key."""


class _TooSlow(errors.ServiceBusy):
    """A request whose body does not arrive."""


_CORRECT: Final = "Correct the value that the message names; nothing was written."
_REPEAT: Final = "Repeat the request after the seconds of the header Retry-After."
# The class of an error, its status, and the remedy in terms of the service. The first class that fits applies.
_KINDS: Final[tuple[tuple[type[errors.TetragraphError], int, str], ...]] = (
    (_UnsupportedType, 415, _CORRECT),
    (_Unauthenticated, 401, "Send a valid key as `Authorization: Bearer <key>`."),
    (_TooMany, 429, _REPEAT),
    (_TooSlow, 408, _REPEAT),
    (errors.UnreadableDocument, 422, "Send a file of a format that GET /v1 lists, or its text as JSON."),
    (errors.UnknownMethod, 422, "GET /v1 lists the search methods."),
    (errors.UnknownFilter, 422, "Filter on a key that the message lists, or leave the filter out."),
    (errors.InvalidInput, 422, _CORRECT),
    (errors.UnknownCorpus, 404, "GET /v1/corpora lists the corpora of this key; the first ingest creates one."),
    (errors.NotFound, 404, "Correct the id; the list of such things shows those that exist."),
    (errors.CorpusBusy, 409, "Wait until the other change has ended, and repeat the request."),
    (errors.SessionTaken, 409, "Read the session: another request has continued it."),
    (errors.NotBuilt, 409, "POST /v1/corpora/{corpus}/builds builds the graph that the message names."),
    (errors.EmbedderMismatch, 409, "Leave the embedder out; `tetragraph reembed` changes that of a corpus."),
    (errors.MissingDependency, 501, "The operator must install the package that the message names."),
    (errors.LlmNotConfigured, 501, "Send generate=false, or let the operator configure a language model."),
    (errors.NotServed, 501, "Use a local client: `Tetragraph.connect()` without an address."),
    (errors.BudgetExhausted, 402, "Raise the budget and repeat the request: replies so far are cached."),
    (errors.DeadlineExceeded, 504, "Raise the deadline and repeat the request: replies so far are cached."),
    (errors.LlmUnavailable, 503, "Repeat the request later: replies so far are cached."),
    (errors.LlmError, 502, "Repeat the request; the operator finds the reply of the model in the log."),
    (errors.EmbedderUnavailable, 503, "Repeat the request later."),
    (errors.ServiceBusy, 503, _REPEAT),
    (errors.RequestTooLarge, 413, "Send fewer or smaller documents at a time."),
    (errors.AccessDenied, 403, "Use a key with the right (`tetragraph keys create`), or the address asked for."),
    (errors.StoreError, 503, "Repeat the request later; the operator finds the reason in the log."),
    (errors.WorkersUnavailable, 503, "Repeat the request later; the operator finds the reason in the log."),
    (errors.ProcessEnded, 503, "Repeat the request; it continues where it stopped."),
)
_OTHER = (500, "Report the id of the request to the operator, who finds the reason in the log.")
_OTHER_JOB = "Report the id of the job to the operator, who finds the reason in the log."
_SECRET: Final = (
    errors.StoreError,
    errors.LlmError,
    errors.EmbedderError,
    errors.MigrationError,
    errors.WorkersUnavailable,
)
"""Errors whose messages have addresses of the operator's servers."""
_TOLD: Final = (errors.LlmNotConfigured, errors.BudgetExhausted, errors.DeadlineExceeded, errors.EmbedderMismatch)
"""Errors among these whose messages have none."""


def status_of(error: errors.TetragraphError) -> int:
    """Status of an error."""
    return _kind(error)[0]


def unsupported_type(given: str) -> errors.InvalidInput:
    """The error of a request whose body is no JSON, with status 415."""
    return _UnsupportedType(f"the body must be JSON, `Content-Type: application/json`, got {given[:100]!r}")


def unauthenticated(error: errors.AccessDenied) -> errors.AccessDenied:
    """The error of a request without a valid key, with status 401."""
    return _Unauthenticated(str(error))


def too_many(message: str, retry_after_s: float) -> errors.ServiceBusy:
    """The error of a request beyond a limit of its key, with status 429."""
    return _TooMany(message, retry_after_s)


def too_slow(wait_s: float) -> errors.ServiceBusy:
    """The error of a request whose body does not arrive, with status 408."""
    return _TooSlow(f"the next part of a body must arrive within {wait_s:g} s, this one did not", 1.0)


def problem_of(error: errors.TetragraphError, request_id: str = "") -> Problem:
    """The problem details of an error of a request, or of a job, which has no id of a request."""
    status, remedy = _kind(error)
    if not request_id and _kind(error) == _OTHER:
        remedy = _OTHER_JOB
    kind = _public_class(error)
    title = "The service failed." if kind is errors.TetragraphError else (kind.__doc__ or "").split("\n")[0]
    return Problem(
        type=f"urn:tetragraph:error:{kind.__name__}",
        title=title,
        status=status,
        detail=_detail(error),
        error=kind.__name__,
        remedy=remedy,
        request_id=request_id,
    )


def respond(error: errors.TetragraphError, request_id: str = "") -> JSONResponse:
    """The response for an error."""
    problem = problem_of(error, request_id)
    return JSONResponse(problem.model_dump(), problem.status, headers_of(error), MEDIA_TYPE)


def headers_of(error: errors.TetragraphError) -> dict[str, str]:
    """Headers of the response for an error: when to repeat the request, or how to send a key."""
    status = status_of(error)
    if isinstance(error, errors.ServiceBusy):
        return {"Retry-After": str(max(1, math.ceil(error.retry_after_s)))}
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        return {"Retry-After": "2"}
    return {"WWW-Authenticate": 'Bearer realm="tetragraph"'} if status == HTTPStatus.UNAUTHORIZED else {}


def install(app: FastAPI) -> None:
    """Turn every error of the app into a problem."""
    app.add_exception_handler(errors.TetragraphError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, on_http_error)


def invalid_request(faults: list[Any]) -> errors.InvalidInput:
    """The error of a request whose parameters or body break a rule; without the values, which may be long."""
    told = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in faults[:SHOWN_FAULTS]]
    return errors.InvalidInput(f"the request breaks a rule: {'; '.join(told)}")


def public(error: errors.TetragraphError, corpus: str) -> errors.TetragraphError:
    """The error as a caller about a corpus may see it: the client's error of an unknown corpus lists all others."""
    return unknown_corpus(corpus) if isinstance(error, errors.UnknownCorpus) else error


def log_failure(error: errors.TetragraphError, request_id: str) -> None:
    """Log an error that is a fault of the service, with what its caller is not told."""
    if status_of(error) >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, errors.ServiceBusy):
        logger.error("request %s failed: %s: %s", request_id, type(error).__name__, error)


async def _on_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, errors.TetragraphError)  # noqa: S101  # the class it is registered for
    error = public(error, corpus_of(request))
    request_id = request_id_of(request.scope)
    log_failure(error, request_id)
    return respond(error, request_id)


async def _on_invalid_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101  # the class it is registered for
    return respond(invalid_request(list(error.errors())), request_id_of(request.scope))


def http_problem(error: HTTPException, request_id: str) -> Problem:
    """The problem details of an error of the framework, such as an unknown path."""
    return Problem(
        type="about:blank",
        title=HTTPStatus(error.status_code).phrase,
        status=error.status_code,
        detail=str(error.detail),
        error="NotFound" if error.status_code == HTTPStatus.NOT_FOUND else "InvalidInput",
        remedy="GET /openapi.json describes all paths, methods and bodies.",
        request_id=request_id,
    )


async def on_http_error(request: Request, error: Exception) -> JSONResponse:
    """The response for an error of the framework."""
    assert isinstance(error, HTTPException)  # noqa: S101  # the class it is registered for
    if isinstance(error.__cause__, (UnicodeDecodeError, RecursionError)):
        fault = errors.InvalidInput("the body must be JSON in UTF-8, nested as deeply as its schema, it is not")
        return respond(fault, request_id_of(request.scope))
    problem = http_problem(error, request_id_of(request.scope))
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(sorted(_methods_of_path(request))) or headers.get("Allow", "")
    return JSONResponse(problem.model_dump(), error.status_code, headers, MEDIA_TYPE)


def _methods_of_path(request: Request) -> set[str]:
    """Methods that the OpenAPI document has for a path; the framework names those of one route only.

    Of several paths that fit, that with the fewest parameters is meant.
    """
    paths: Mapping[str, Mapping[str, Any]] = request.app.openapi()["paths"]
    fitting = [path for path in paths if compile_path(path)[0].match(request.url.path)]
    return {method.upper() for method in paths[min(fitting, key=_count_parameters)]} if fitting else set()


def _count_parameters(path: str) -> int:
    return path.count("{")


def corpus_of(request: Request) -> str:
    """Name of the corpus in the path of a request; empty for none."""
    found: str = request.path_params.get("corpus", "")
    return found


def request_id_of(scope: Mapping[str, Any]) -> str:
    """Id of a request; empty outside the service's middleware."""
    found: str = scope.get("state", {}).get("request_id", "")
    return found


def _kind(error: errors.TetragraphError) -> tuple[int, str]:
    return next(((status, remedy) for cls, status, remedy in _KINDS if isinstance(error, cls)), _OTHER)


def _public_class(error: errors.TetragraphError) -> type[errors.TetragraphError]:
    return next(cls for cls in type(error).__mro__ if cls.__module__ == errors.__name__)


def _detail(error: errors.TetragraphError) -> str:
    if isinstance(error, _SECRET) and not isinstance(error, _TOLD):
        return (_public_class(error).__doc__ or "").split(";")[0].split("\n")[0].rstrip(".")
    return "\n".join([str(error), *getattr(error, "__notes__", [])])
