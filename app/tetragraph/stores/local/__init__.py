"""A full Neo4j with Graph Data Science and Browser, run from jars on a Java from a wheel: no Docker, no installer."""

from tetragraph.stores.local.browser_files import write as write_browser_kit
from tetragraph.stores.local.preflight import PreflightFinding, inspect
from tetragraph.stores.local.server import LocalServer, find, has_data, start, stop
from tetragraph.stores.local.status import LocalStatus, status

__all__ = [
    "LocalServer",
    "LocalStatus",
    "PreflightFinding",
    "find",
    "has_data",
    "inspect",
    "start",
    "status",
    "stop",
    "write_browser_kit",
]
