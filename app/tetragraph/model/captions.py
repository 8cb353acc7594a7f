"""Captions of nodes and relationships, from their properties."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

Properties = Mapping[str, Any]
NAMES = ("title", "name", "question", "query", "description", "text")
"""Properties that name a node, in order of preference."""
PHRASES = ("phrase", "role", "level")
"""Properties that name a relationship, in order of preference."""


def as_text(value: Any) -> str:
    """Format a plain value: texts unchanged, other values as in JSON, ``NaN`` and ``INF`` as in XML."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"
    return json.dumps(value, ensure_ascii=False)


def caption(properties: Properties, otherwise: str) -> str:
    """Return the caption of a node: its title, name, question …; ``otherwise`` if it has none."""
    return next((as_text(properties[name]) for name in NAMES if properties.get(name)), otherwise)


def phrase(properties: Properties, otherwise: str) -> str:
    """Return the caption of a relationship: its phrase, role or level; ``otherwise`` if it has none."""
    return next((as_text(properties[name]) for name in PHRASES if properties.get(name)), otherwise)
