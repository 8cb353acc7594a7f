"""Rules that a document must meet to be stored; checked before anything is written."""

from __future__ import annotations

import math

from tetragraph.model import Document
from tetragraph.stores.points import RESERVED

_INTEGERS = range(-(2**63), 2**63)
"""Range of integers that Neo4j stores."""


def find_fault(document: Document) -> str:
    """The reason in words why a document cannot be stored; empty if it can.

    >>> find_fault(Document("a", "A", "Text", metadata={"id": 3}))
    "metadata may not use the names corpus, id, sha256, got 'id': rename the field"
    """
    if not document.text.strip():
        return "a document must have text, this one has none"
    for key, value in document.metadata.items():
        if key in RESERVED:
            return f"metadata may not use the names {', '.join(sorted(RESERVED))}, got {key!r}: rename the field"
        if not isinstance(value, str | int | float | bool):
            return f"metadata must be texts, numbers and booleans, got {type(value).__name__} for {key!r}"
        if isinstance(value, int) and value not in _INTEGERS:
            return f"an integer must fit into 64 bits, got {value} for {key!r}: give it as a text"
        if isinstance(value, float) and not math.isfinite(value):
            return f"a number must be finite, got {value} for {key!r}"
    return ""
