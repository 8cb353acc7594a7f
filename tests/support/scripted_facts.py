"""A scripted language model that extracts facts, by a rule on the passage of the request.

::

    with ScriptedLlm(extracting) as llm:
        …
"""

from __future__ import annotations

import json
import re
from typing import Any

_PASSAGE = re.compile(r"^<passage ([0-9a-f]{8})>\n(.*?)\n</passage \1>$", re.DOTALL | re.MULTILINE)
_FACT = re.compile(r"(?P<subject>(?:[A-Z]\w*\.? ?)+) (?P<type>[a-z][a-z ]*?) (?P<object>(?:[A-Z0-9]\w*\.? ?)+)\.")
Body = dict[str, Any]


def shown(body: Body) -> str:
    """The passage of a request."""
    found = _PASSAGE.search(body["messages"][1]["content"])
    return found[2] if found else ""


def is_gleaning(body: Body) -> bool:
    """Whether a request is for missing facts."""
    return "overlooked" in body["messages"][0]["content"]


def facts(passage: str) -> list[dict[str, Any]]:
    """A fact for each sentence "Orla Brandt was born in Halvik."."""
    return [
        {
            "description": found[0].rstrip("."),
            "type": found["type"],
            "participants": [
                {"name": found[role], "type": "OTHER", "role": role, "confidence": 8} for role in ("subject", "object")
            ],
            "quote": found[0],
            "confidence": 8,
        }
        for found in _FACT.finditer(passage)
    ]


def extracting(body: Body) -> str:
    """Reply to the first request with all facts of the passage, and to later ones with none."""
    return json.dumps({"facts": [] if is_gleaning(body) else facts(shown(body))})
