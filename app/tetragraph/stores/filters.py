"""Metadata filters of a search, checked against the keys of the corpus, and their form in Cypher."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tetragraph.errors import UnknownFilter
from tetragraph.model import Filters
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.filter_conditions import conditions

_BOUNDS = ("gt", "gte", "lt", "lte")


def check(stores: CorpusStores, filters: Filters | None) -> None:
    """Check that every key is a metadata key of the corpus and every value is comparable.

    Raises:
        UnknownFilter: a key occurs in no document of the corpus.
        InvalidInput: a value is no text, boolean or finite number, a list is empty, or a bound is unknown.
    """
    known = stores.record.metadata_keys
    for key in filters or {}:
        if key not in known:
            listing = ", ".join(sorted(known)) or "none"
            raise UnknownFilter(
                f"a filter must name a metadata key of the corpus, got {key!r}; those of {stores.name!r} are: {listing}"
            )
    conditions(filters)


def parameters(filters: Filters | None) -> list[dict[str, Any]]:
    """The value of ``$filters`` in query files, from checked filters.

    Each map has the document's property as ``key`` and either ``values``, one of which it must equal, or some of the
    bounds ``gt``, ``gte``, ``lt`` and ``lte``. An absent key is null in Cypher and imposes no condition. Numbers are
    floats, as in the vector store: 3 equals 3.0 and ``True`` is not 1.

    >>> parameters({"year": {"gte": 1999}, "tag": ["a", "b"]})
    [{'key': 'meta_year', 'gte': 1999.0}, {'key': 'meta_tag', 'values': ['a', 'b']}]
    """
    return [{"key": f"meta_{key}"} | _parameter(value) for key, value in (filters or {}).items()]


def allowed_ids(stores: CorpusStores, filters: Filters) -> set[str]:
    """The ids of all chunks that pass the filters.

    Raises:
        UnknownFilter, InvalidInput: see :func:`check`.
    """
    check(stores, filters)
    rows = stores.graph.read("corpus/find_chunk_ids_by_filter", corpus=stores.name, filters=parameters(filters))
    return {row["id"] for row in rows}


def _parameter(value: object) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return {bound: _comparable(value[bound]) for bound in _BOUNDS if bound in value}
    values = [value] if isinstance(value, str) or not isinstance(value, Sequence) else value
    return {"values": [_comparable(item) for item in values]}


def _comparable(value: object) -> object:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
