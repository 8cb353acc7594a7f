"""JSON schemas as endpoints want them that keep replies to a schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tetragraph.errors import InvalidInput

_DROPPED = frozenset({"$defs", "default", "discriminator", "title"})


def strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a form in the strict form of OpenAI's protocol.

    Every property is required and no other is allowed, definitions are put in where they are meant (local servers do
    not follow references), what only pydantic reads is left out. ``title`` stays at the top, as it names the schema.

    Raises:
        InvalidInput: the form holds itself, which cannot be written without references.
    """
    made = _strict(schema, schema.get("$defs", {}), ())
    return {"title": schema["title"], **made} if "title" in schema else made


def _strict(node: Mapping[str, Any], definitions: Mapping[str, Any], within: tuple[str, ...]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in node.items():
        if key == "$ref":
            name = str(value).rpartition("/")[2]
            if name in within:
                raise InvalidInput(f"a form for replies must not hold itself, {name!r} does; use a list of flat parts")
            made |= _strict(definitions[name], definitions, (*within, name))
        elif key == "properties":
            made[key] = {name: _strict(one, definitions, within) for name, one in value.items()}
            made |= {"required": list(value), "additionalProperties": False}
        elif key in ("anyOf", "oneOf"):
            made["anyOf"] = [_strict(one, definitions, within) for one in value]
        elif key == "items":
            made[key] = _strict(value, definitions, within)
        elif key not in _DROPPED and key not in made:
            made[key] = value
    return made
