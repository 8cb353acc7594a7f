"""A set of the collections of a corpus."""

from __future__ import annotations

from tetragraph.stores.vector_sets import VectorSet
from tetragraph.stores.vectors import VectorStore


def test_a_set_can_do_what_a_store_can() -> None:
    methods = {name for name in vars(VectorStore) if not name.startswith("_")}
    assert methods <= vars(VectorSet).keys()
