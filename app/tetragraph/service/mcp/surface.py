"""The MCP server at ``/mcp`` of the service: stateless streamable HTTP with the keys and threads of the service."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from functools import partial
from typing import Any, Final, TypeVar, cast

from fastapi import FastAPI
from mcp.server.mcpserver import Context
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.routing import Route

from tetragraph.client.corpus import Corpus
from tetragraph.client.tetragraph import CorpusSummary
from tetragraph.errors import TetragraphError, UnknownCorpus
from tetragraph.service import problems
from tetragraph.service.access import PlainRoute
from tetragraph.service.keys import authorise, unknown_corpus
from tetragraph.service.lanes import Lane
from tetragraph.service.mcp.access import Access
from tetragraph.service.mcp.arguments import Asked
from tetragraph.service.mcp.refusals import show_refusal
from tetragraph.service.mcp.server import create_server
from tetragraph.service.measured import measured
from tetragraph.service.state import Service, caller_of, service_of

PATH: Final = "/mcp"
LONGEST_NAME: Final = 100
"""Characters of the name of a corpus that a request may note; those of corpora have 63 at most."""
_ANSWERS: Final = ("ask", "session")
"""Tools that may wait for a language model."""
_SEARCHES: Final = {
    "search": ("search", ""),
    "explain": ("search", ""),
    "ask": ("ask", ""),
    "facts": ("facts", "bipartite"),
    "session": ("anchor", "anchor"),
}
"""Tools that search, with the call and the method by which they are measured; empty for that of the arguments."""
ResultT = TypeVar("ResultT")


class CallerAccess:
    """Access of the holder of a key, who sent a request.

    Args:
        service: State of the server.
        request: The request; it notes the corpus for the audit log.
    """

    def __init__(self, service: Service, request: Request) -> None:
        self._service = service
        self._request = request
        self._caller = caller_of(request)

    def corpora(self) -> Sequence[CorpusSummary]:
        """Summaries of the corpora that the caller may search."""
        return [one for one in self._service.client.corpora() if self._caller.may(one.name, "search")]

    def corpus(self, name: str) -> Corpus:
        """A corpus that the caller may search.

        Raises:
            UnknownCorpus: there is no such corpus, or the caller has no right to it.
            AccessDenied: the caller may change it and not search it.
        """
        self._request.state.corpus = name[:LONGEST_NAME]
        authorise(self._caller, name, "search")
        if self._service.client.connection.find_stores(name) is None:
            raise unknown_corpus(name)
        return self._service.corpus(name)


def mount(app: FastAPI) -> AbstractAsyncContextManager[Any]:
    """Add the server to the app of the service; returns what is entered while the app runs.

    Every request carries its key, so nothing is remembered between two requests. The service checks ``Host`` and
    ``Origin`` of a server without keys; with keys, a page of another origin has none to send.
    """
    service = service_of(app)

    def access_of(context: Context) -> Access:
        return CallerAccess(service, _request_of(context))

    async def run(asked: Asked, call: Callable[[], ResultT], /) -> ResultT:
        _note(asked)
        try:
            with _measured(service, asked):
                return await _lane_of(service, asked).run(call)
        except TetragraphError as error:
            raise _public(error) from error

    server = create_server(access_of, run)
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        max_request_body_size=service.config.body_bytes,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    app.router.routes.extend(
        PlainRoute(one.path, one.endpoint, methods=one.methods) if isinstance(one, Route) else one
        for one in inner.routes
    )
    service.refusals.append(partial(show_refusal, PATH))
    return server.session_manager.run()


def _request_of(context: Context) -> Request:
    request: Any = context.request_context.request
    return cast("Request", request)


def _lane_of(service: Service, asked: Asked) -> Lane:
    """The threads for what a client asks for."""
    return service.lane_of(None) if asked.tool in _ANSWERS else service.compute


def _measured(service: Service, asked: Asked) -> AbstractContextManager[None]:
    """A context that measures what a client asks for if that is a search or an answer."""
    call, method = _SEARCHES.get(asked.tool, ("", ""))
    is_search = call and asked.arguments["question"].strip()
    return measured(service, call, method or asked.arguments["method"]) if is_search else nullcontext()


def _note(asked: Asked) -> None:
    """Note the tool and its question for the audit log."""
    state = _request_of(asked.context).state
    if asked.tool:
        state.tool = asked.tool
    if question := asked.arguments.get("question"):
        state.text = question


def _public(error: TetragraphError) -> TetragraphError:
    """An error without what only the operator may know: addresses of stores, and the corpora of others."""
    if isinstance(error, UnknownCorpus):
        return UnknownCorpus("there is no corpus of that name")
    detail = problems.problem_of(error).detail
    return error if str(error) in detail else TetragraphError(detail)
