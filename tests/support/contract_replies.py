"""A scripted language model for every prompt, whose replies depend on the request alone."""

from __future__ import annotations

import json
import re
from typing import Any

import scripted_anchors
import scripted_facts
import scripted_gain
from scripted_llm import Reply

Body = dict[str, Any]
_PROMPTS = (
    ("names of themes", "You name the themes"),
    ("order", "Put the numbers of all passages in order"),
    ("names", "You mark what a question names"),
    ("steps", "You plan how to look up the answer"),
    ("passage", "You write the passage of an encyclopedia"),
    ("answer", "Reply with one JSON object and nothing else. It has, in this order"),
    ("facts", '"facts"'),
    ("anchors", "<judgement>"),
)
_COUNT = re.compile(r"^Put the (\d+) passages|^The numbered themes, (\d+) in all", re.MULTILINE)


def reply(body: Body) -> str | Reply:
    """A reply in the form that a prompt requests."""
    system = str(body["messages"][0]["content"])
    if len(body["messages"]) == 1:  # request of `llm check`
        return '{"colour": "green"}' if "colour" in system else "Yes"
    match next((kind for kind, words in _PROMPTS if words in system), "gain"):
        case "facts":
            return scripted_facts.extracting(body)
        case "anchors":
            return scripted_anchors.reasoning(body)
        case "gain":
            return scripted_gain.judging(scripted_gain.by_chance)(body)
        case "passage":
            return "Halvik is a town in the north. Its harbour was built by Orla Brandt."
        case kind:
            return json.dumps(_object(kind, _count(body)))


def _object(kind: str, count: int) -> dict[str, Any]:
    match kind:
        case "names of themes":
            return {"names": [{"theme": one, "name": f"Theme number {one}"} for one in range(1, count + 1)]}
        case "order":
            return {"order": list(range(count, 0, -1))}
        case "names":
            return {"names": ["Halvik"]}
        case "steps":
            asked = ("Who was born in Halvik?", "person"), ("Who taught #1?", "teacher")
            return {"steps": [{"question": question, "answer": answer} for question, answer in asked]}
    return {"quotes": [], "sufficient": False, "answer": "", "follow_up": "Who founded the Reyer Academy?"}


def _count(body: Body) -> int:
    found = _COUNT.search(str(body["messages"][1]["content"]))
    return int(found[1] or found[2]) if found else 0
