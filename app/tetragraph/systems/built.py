"""Errors of a corpus that lacks a graph."""

from __future__ import annotations

from tetragraph.errors import NotBuilt
from tetragraph.stores.corpus import CorpusStores


def not_built(stores: CorpusStores, graph: str, name: str) -> NotBuilt:
    """The error of who needs a graph that the corpus lacks.

    Args:
        stores: The corpus.
        graph: What ``tetragraph build`` calls it.
        name: What people call it.
    """
    return NotBuilt(
        f"corpus {stores.name!r} has no complete {name}: `tetragraph build {graph} -c {stores.name}` makes it"
    )


def check_built(stores: CorpusStores, graph: str, name: str) -> None:
    """Refuse a corpus without a graph; arguments as for :func:`not_built`."""
    if graph not in stores.record.graphs:
        raise not_built(stores, graph, name)
