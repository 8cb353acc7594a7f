"""Refused requests as errors of the protocol.

A request beyond a limit, or without a valid key, does not reach the MCP server. Clients show their model the words of
an error of the protocol, and not those of any other body with a status of 400 or more.
"""

from __future__ import annotations

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from mcp.types import INTERNAL_ERROR

from tetragraph.errors import TetragraphError
from tetragraph.service import problems


def show_refusal(path: str, request: Request, error: TetragraphError) -> Response | None:
    """The response to a refused request: its status and headers are those of the problem; None at another path.

    Args:
        path: Path of the MCP server.
        request: The request, whose body was not read: the error has no id.
        error: Reason of the refusal.
    """
    if request.method != "POST" or request.url.path.rstrip("/") != path:
        return None
    problem, headers = problems.problem_of(error, request.state.request_id), problems.headers_of(error)
    wait_s = headers.get("Retry-After")
    remedy = f"Repeat the call in {wait_s} s." if wait_s else problem.remedy
    told = {"code": INTERNAL_ERROR, "message": f"{problem.detail}\n{remedy}", "data": problem.model_dump()}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": told}, problem.status, headers)
