"""A part of a graph with texts that are hard to escape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tetragraph.model.subgraphs import LinkKey, NodeKey, Subgraph

HOSTILE = "</script><script>window.harmed = true</script><img src=x onerror='window.harmed = true'>"
AWKWARD = 'a\x00b\x1b \r\n\t "quoted" & <tag> 𝄞 \u2028 \ufffe'
FIRST, SECOND = NodeKey("Chunk", "c%\x001"), NodeKey("Chunk", "c%\x012")
ENTITY = NodeKey("Entity", "e1")


@pytest.fixture
def subgraph() -> Subgraph:
    """Three nodes, and between two of them two relationships of one type."""
    nodes: dict[NodeKey, Mapping[str, Any]] = {
        FIRST: {"title": HOSTILE, "text": AWKWARD, "tokens": 3, "meta_year": 1856, "meta_tags": ["a", "b"]},
        SECOND: {"title": "Second", "text": "", "tokens": 4, "meta_year": "unknown", "meta_part": 2.5, "none": None},
        ENTITY: {"name": "Jens Arild", "known": True, "notes": []},
    }
    links: dict[LinkKey, Mapping[str, Any]] = {
        LinkKey("INFO_GAIN", FIRST, SECOND): {"gain": 1, "level": "novel"},
        LinkKey("INFO_GAIN", SECOND, FIRST): {"gain": 0.25, "level": "minor"},
        LinkKey("MENTIONS", FIRST, ENTITY): {"count": 2},
    }
    return Subgraph("world", nodes, links)
