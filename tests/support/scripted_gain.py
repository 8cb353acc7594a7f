"""A scripted language model that answers the prompts of the gain judges, by a rule on the passages of the request.

::

    with ScriptedLlm(judging(lambda base, other: 0.7)) as llm:
        …
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

from scripted_llm import Reply

_BLOCK = re.compile(r"^<(base|passage (\d+)) ([0-9a-f]{8})>\n(.*?)\n</\1 \3>$", re.DOTALL | re.MULTILINE)
_LEVELS = ("redundant", "minor", "significant", "novel")
Body = dict[str, Any]
Rule = Callable[[str, str], float]
"""Gain, 0 to 1, of a passage for a reader of a base."""


def shown(body: Body) -> tuple[str, list[str]]:
    """The base and the numbered passages of a request."""
    blocks = _BLOCK.findall(body["messages"][1]["content"])
    texts = [text for _, _, _, text in blocks]
    assert [number for _, number, _, _ in blocks] in ([str(n) for n in range(1, 3)], _numbers(len(blocks)))
    return texts[0], texts[1:]


def _numbers(count: int) -> list[str]:
    return ["", *(str(number) for number in range(1, count))]


def pairs(body: Body) -> list[tuple[str, str]]:
    """Pairs of a base and a passage that a request asks about."""
    base, others = shown(body)
    return [(base, other) for other in others]


def way(body: Body) -> str:
    """Kind of judgement that a request asks for."""
    asked = body["messages"][1]["content"]
    if asked.endswith("Yes or No?"):
        return "same"
    return "levels" if "the level of each" in asked else "binary" if asked.endswith("0 or 1.") else "score"


def entry(kind: str, number: int, gain: float) -> dict[str, Any]:
    """Entry of a reply for one passage."""
    if kind == "levels":
        return {"passage": number, "level": _LEVELS[min(int(gain * 4), 3)]}
    return {"passage": number, "gain": round(gain) if kind == "binary" else round(gain, 2)}


def judging(rule: Rule) -> Callable[[Body], str | Reply]:
    """Answer every gain prompt in its own format, by a rule."""

    def answer(body: Body) -> str | Reply:
        kind = way(body)
        found = [rule(base, other) for base, other in pairs(body)]
        if kind == "same":
            return Reply(
                "No" if found[0] > 0.5 else "Yes", chances=[{"No": found[0] * 0.9, " yes": (1 - found[0]) * 0.9}]
            )
        return json.dumps({"judgements": [entry(kind, number, gain) for number, gain in enumerate(found, 1)]})

    return answer


def by_chance(base: str, other: str) -> float:
    """A gain strictly between 0 and 1 that depends on the two texts alone."""
    return (int.from_bytes(hashlib.sha256(f"{base}\n{other}".encode()).digest()[:4]) + 1) / (2**32 + 2)
