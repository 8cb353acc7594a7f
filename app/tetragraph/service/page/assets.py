"""Scripts and styles of the page; their addresses contain a hash of their content, so browsers keep them."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from importlib import resources
from typing import Final

from fastapi import Request
from starlette.responses import PlainTextResponse, Response

from tetragraph.service.page.gate import ASSETS

FILES: Final = {
    "htmx.min.js": ("tetragraph.service.page", "assets/htmx.min.js"),
    "hx-sse.min.js": ("tetragraph.service.page", "assets/hx-sse.min.js"),
    "page.css": ("tetragraph.service.page", "assets/page.css"),
    "page.js": ("tetragraph.service.page", "assets/page.js"),
    "session.js": ("tetragraph.service.page", "assets/session.js"),
    "cytoscape.min.js": ("tetragraph.export", "cytoscape.min.js"),
    "picture.js": ("tetragraph.export", "picture.js"),
}
"""Package and path of every file; those of exported pages are the same."""
_TYPES: Final = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
_YEAR = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the page.

    Attributes:
        content: Its bytes.
        version: Beginning of their SHA-256.
        type: Media type.
    """

    content: bytes
    version: str
    type: str


@functools.cache
def load(name: str) -> Asset:
    """Read a file of :data:`FILES`."""
    package, path = FILES[name]
    content = resources.files(package).joinpath(path).read_bytes()
    return Asset(content, hashlib.sha256(content).hexdigest()[:12], _TYPES[name.rsplit(".", 1)[1]])


def address_of(name: str) -> str:
    """Address of a file."""
    return f"{ASSETS}{name}?v={load(name).version}"


async def serve(request: Request) -> Response:
    """Answer with a file; only the names of :data:`FILES` exist."""
    name = request.path_params["name"]
    if name not in FILES:
        return PlainTextResponse("There is no such file.", 404)
    asset = load(name)
    is_named = request.query_params.get("v") == asset.version  # another version is that of another server
    return Response(asset.content, media_type=asset.type, headers={"Cache-Control": _YEAR} if is_named else {})
