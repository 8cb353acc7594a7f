"""Writes a graph as JSON Lines: one node or relationship per line, nodes first.

::

    {"kind": "node", "label": …, "id": …, "properties": {…}}
    {"kind": "relationship", "type": …, "start": {"label": …, "id": …}, "end": {…}, "properties": {…}}
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from tetragraph.export.contents import Contents


def write(contents: Contents, file: Path) -> None:
    """Write the file, in UTF-8; numbers that JSON cannot represent (not a number, infinite) are null."""
    with file.open("w", encoding="utf-8", newline="\n") as lines:
        for node, properties in contents.each_node():
            lines.write(_line({"kind": "node", **node._asdict(), "properties": _to_json_value(properties)}))
        for link, properties in contents.each_link():
            ends = {"start": link.start._asdict(), "end": link.end._asdict()}
            lines.write(
                _line({"kind": "relationship", "type": link.type, **ends, "properties": _to_json_value(properties)})
            )


def _line(tree: dict[str, Any]) -> str:
    return json.dumps(tree, ensure_ascii=False, allow_nan=False) + "\n"


def _to_json_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _to_json_value(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_to_json_value(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
