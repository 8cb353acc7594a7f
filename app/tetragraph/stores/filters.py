"""Filters of a search, checked against the metadata keys of the corpus, and their form in Cypher."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tetragraph.errors import InvalidInput, UnknownFilter
from tetragraph.model import FILE_FILTERS, HIDDEN_DOCUMENTS, Filters
from tetragraph.model.characters import spellings
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.filter_conditions import BOUNDS, NOT, conditions, has_days, values_of

_WILDCARDS = re.compile(r"(\*\*/|\*\*|\*|\?)")
_REGULAR = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
MAX_WILDCARDS = 8
"""Largest number of wildcards of a pattern; the time of a comparison grows with their number."""
_EXAMPLES = dict(zip(FILE_FILTERS, ("'docs/guide' or 'docs/**/*.md'", "'pdf'", "'de'"), strict=True))
"""Examples of the filters on files, for messages."""
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ].*)?"
"""A day, with or without a time of it, as a regular expression."""
_ROW = "(?::[0-9]+)?"
"""The line of a row behind its file, as a regular expression."""


def check(stores: CorpusStores, filters: Filters | None) -> None:
    """Check that every key is a metadata key of the corpus or a filter on files, and every value is comparable.

    Raises:
        UnknownFilter: a key occurs in no document of the corpus.
        InvalidInput: a value is no text, boolean or finite number, a list is empty, a bound is unknown or neither a
            number nor a day, or a filter on files is no text.
    """
    check_mapping(filters)
    known = stores.record.metadata_keys
    for key in filters or {}:
        if key not in known and key not in FILE_FILTERS and key != HIDDEN_DOCUMENTS:
            listing = ", ".join(sorted(known)) or "none"
            raise UnknownFilter(
                f"a filter must name a metadata key of the corpus, or {' or '.join(FILE_FILTERS)}, got {key!r}; those "
                f"of {stores.name!r} are: {listing}"
            )
    conditions(filters)
    parameters(filters)


def check_mapping(filters: object) -> None:
    """Raise if filters are neither absent nor a mapping.

    Raises:
        InvalidInput: they are something else.
    """
    if filters is not None and not isinstance(filters, Mapping):
        raise InvalidInput(f"filters must map metadata keys to values, like {{'year': 1999}}, got {filters!r:.200}")


def needs_graph(filters: Filters | None) -> bool:
    """Whether a filter is one that the vector store cannot decide: on documents, on their files, or of days."""
    others = (*FILE_FILTERS, HIDDEN_DOCUMENTS)
    return any(key in others or has_days(wanted) for key, wanted in (filters or {}).items())


def parameters(filters: Filters | None) -> list[dict[str, Any]]:
    """The value of ``$filters`` in query files, from checked filters.

    Each map has the document's property as ``key`` and either ``values``, one of which it must equal, or some of the
    bounds ``gt``, ``gte``, ``lt`` and ``lte``, of ``form``, a regular expression of the texts that can be compared with
    bounds that are days, and of ``without``, values none of which it must equal; or, for filters on files, ``patterns``
    or ``without_patterns``, regular expressions for the document's source; or ``hidden``, a map with the ids of
    documents that are left out. An absent key is null in Cypher and imposes no condition. Numbers are
    floats, as in the vector store: 3 equals 3.0 and ``True`` is not 1.

    >>> parameters({"year": {"gte": 1999}, "tag": ["a", "b"]})
    [{'key': 'meta_year', 'gte': 1999.0}, {'key': 'meta_tag', 'values': ['a', 'b']}]
    """
    return [_condition(key, wanted) for key, wanted in (filters or {}).items()]


def _condition(key: str, wanted: Any) -> dict[str, Any]:
    if key == HIDDEN_DOCUMENTS:
        return {"hidden": dict.fromkeys(wanted, True)}
    return _file_parameter(key, wanted) if key in FILE_FILTERS else {"key": f"meta_{key}"} | _parameter(key, wanted)


def allowed_ids(stores: CorpusStores, filters: Filters) -> set[str]:
    """The ids of all chunks that pass the filters.

    Raises:
        UnknownFilter, InvalidInput: see :func:`check`.
    """
    check(stores, filters)
    rows = stores.graph.read("corpus/find_chunk_ids_by_filter", corpus=stores.name, filters=parameters(filters))
    return {row["id"] for row in rows}


def _parameter(key: str, wanted: object) -> dict[str, Any]:
    if not isinstance(wanted, Mapping):
        return {"values": [_comparable(item) for item in values_of(key, wanted)]}
    is_of_days = has_days(wanted)
    found: dict[str, Any] = {"form": _DAY} if is_of_days else {}
    for bound in BOUNDS:
        if bound in wanted:
            found[bound] = _day_bound(bound, wanted[bound]) if is_of_days else _comparable(wanted[bound])
    if NOT in wanted:
        found["without"] = [_comparable(item) for item in values_of(key, wanted[NOT])]
    return found


def _day_bound(bound: str, day: str) -> str:
    """The text with which days are compared: before all times of a day, or behind them for ``gt`` and ``lte``.

    >>> "2024-05-31T10:00" <= _day_bound("lte", "2024-05-31") < "2024-06-01"
    True
    """
    return f"{day}~" if bound in ("gt", "lte") else day


def _comparable(value: object) -> object:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _file_parameter(key: str, wanted: object) -> dict[str, Any]:
    r"""The parameter of a filter on files.

    >>> _file_parameter("@suffix", ["pdf", ".md"])
    {'patterns': ['(?is).*\\.(?:pdf)(?:\\.gz)?(?::[0-9]+)?', '(?is).*\\.(?:md)(?:\\.gz)?(?::[0-9]+)?']}

    Raises:
        InvalidInput: it is neither a text nor a list of texts nor a map with these under ``ne``.
    """
    is_excluding = isinstance(wanted, Mapping) and list(wanted) == [NOT]
    texts = values_of(key, wanted[NOT] if isinstance(wanted, Mapping) and is_excluding else wanted)
    if wrong := [one for one in texts if not isinstance(one, str) or not one.strip("./")]:
        example = _EXAMPLES[key]
        raise InvalidInput(
            f"the filter on {key!r} must be a text such as {example}, a list of these, or {{{NOT!r}: …}} with one of "
            f"both, got {wrong[0]!r:.200}"
        )
    if key == FILE_FILTERS[2]:
        return {"key": "language", "without" if is_excluding else "values": [one.lower() for one in texts]}
    if wild := [one for one in texts if len(_WILDCARDS.findall(one)) > MAX_WILDCARDS]:
        raise InvalidInput(
            f"the filter on {key!r} may have {MAX_WILDCARDS} wildcards, got {wild[0]!r:.200}: name a folder instead"
        )
    make = _source_pattern if key == FILE_FILTERS[0] else _suffix_pattern
    patterns = [make(spelling) for text in texts for spelling in spellings(text)]
    return {"without_patterns" if is_excluding else "patterns": patterns}


def _source_pattern(text: str) -> str:
    """Regular expression of the sources that a path or pattern names.

    A path names the file and everything below the folder. A pattern without a slash is one of names of files; ``*``
    and ``?`` do not match a slash, ``**`` does.
    """
    regular = "".join(_REGULAR.get(part, re.escape(part)) for part in _parts(text.rstrip("/")))
    if not _WILDCARDS.search(text):
        return f"(?s){regular}(?:/.*)?{_ROW}"
    return f"(?s){'' if '/' in text else '(?:.*/)?'}{regular}{_ROW}"


def _parts(pattern: str) -> Iterator[str]:
    return filter(None, _WILDCARDS.split(pattern))


def _suffix_pattern(text: str) -> str:
    return rf"(?is).*\.(?:{re.escape(text.lstrip('.'))})(?:\.gz)?{_ROW}"
