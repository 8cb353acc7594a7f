"""Responses of the routes: results of the library as JSON, encoded once and not checked again."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from tetragraph.client.remote.values import encode


def reply(value: Any, kind: Any = None, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """The response with a value.

    Args:
        value: A result of the library or a form.
        kind: Its type where that is not its class.
        status: Status of the response.
        headers: Further headers.
    """
    return Response(encode(value, kind), status, headers, "application/json")
