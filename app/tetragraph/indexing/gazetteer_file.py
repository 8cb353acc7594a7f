"""Reads a gazetteer: a CSV or JSON Lines file with a row for each known entity."""

from __future__ import annotations

import re
from pathlib import Path

from tetragraph.errors import InvalidInput
from tetragraph.indexing.row_file import listed, read_rows
from tetragraph.language.lexicon.gazetteer import Gazetteer, KnownEntity
from tetragraph.language.lexicon.names import normalise_name

_WHAT = "a gazetteer"
_TYPE = re.compile(r"[A-Z][A-Z_]{0,39}")


def read_gazetteer(path: str | Path) -> Gazetteer:
    """The known entities of a file with the columns ``name``, ``type`` and ``aliases``; in any order of rows.

    In a table several aliases have ``|`` between them, in JSON Lines they are a list. Types are written in capitals.

    Raises:
        InvalidInput: the file cannot be read or is empty, a row has no name or has another column, a name or alias
            belongs to two entities, or a type is no word.
    """
    found: dict[str, KnownEntity] = {}
    for place, row in read_rows(path, _WHAT, ("name", "type", "aliases")):
        name = row.get("name")
        aliases = listed(row.get("aliases"))
        kind = row.get("type", "")
        if not isinstance(name, str) or not all(isinstance(one, str) for one in aliases):
            raise InvalidInput(f"a known entity must have a name, and aliases as text, {place} has not: fill it in")
        if not isinstance(kind, str) or (kind and not _TYPE.fullmatch(kind.upper())):
            raise InvalidInput(f"the type of a known entity must be a word such as PERSON, {place} has {kind!r:.100}")
        key = normalise_name(name)
        if key in found:
            raise InvalidInput(f"a known entity must have one row, {place} repeats {name!r}: join the rows")
        others = sorted({str(one) for one in aliases if normalise_name(str(one)) != key})
        found[key] = KnownEntity(name, kind.upper(), tuple(others))
    if not found:
        raise InvalidInput(f"{_WHAT} must have a row for each known entity, {str(path)!r} has none")
    return Gazetteer(tuple(found[key] for key in sorted(found)))
