"""A real Neo4j with Graph Data Science and Browser, run from jars on a Java from a wheel: no Docker, no installer."""

from tetragraph.stores.local.server import LocalServer, find, start, stop

__all__ = ["LocalServer", "find", "start", "stop"]
