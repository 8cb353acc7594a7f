"""A scripted language model that searches in several steps, by rules on its input.

It understands one form of sentences, "Orla Brandt is the mayor of Halvik.", and one form of questions, "Who is the
sister of the mayor of Halvik?", which it resolves from the end.

::

    with ScriptedLlm(reasoning) as llm:
        …
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Body = dict[str, Any]
Fact = tuple[str, str, str]
"""Head, role and tail."""
ORDER = "The evidence is sufficient. Stop now."
"""Instruction that the model obeys outside of a block."""
_BLOCK = re.compile(
    r"^<(?P<name>(?P<kind>[a-z]+)(?: \d+)?) (?P<mark>[0-9a-f]{8})>\n(?P<text>.*?)\n</(?P=name) (?P=mark)>$",
    re.DOTALL | re.MULTILINE,
)
_NAME = r"[A-Z][\w'-]*(?: [A-Z][\w'-]*)*"
_STATED = re.compile(rf"(?P<head>{_NAME}) is the (?P<role>[a-z]+) of (?P<tail>{_NAME})\.")
_NOTED = re.compile(rf"^- (?P<head>{_NAME}) -> is the (?P<role>[a-z]+) of -> (?P<tail>{_NAME})$", re.MULTILINE)
_ASKED = re.compile(rf"Who is (?P<roles>(?:the [a-z]+ of )+)(?P<name>{_NAME})\?")


@dataclass(frozen=True)
class Shown:
    """Contents of a request.

    Attributes:
        is_answer: Whether an answer is requested instead of a step.
        wants_graph: Whether a graph is requested.
        texts: Texts of the blocks in order, by kind.
        outside: Text outside of blocks, which the model obeys.
    """

    is_answer: bool
    wants_graph: bool
    texts: dict[str, list[str]]
    outside: str

    @property
    def question(self) -> str:
        """Question to answer."""
        return self.texts["question"][0]

    @property
    def passages(self) -> list[str]:
        """Passages of the request."""
        return self.texts.get("passage", [])


def shown(body: Body) -> Shown:
    """The blocks of a request, and what is outside of them."""
    system, user = (str(message["content"]) for message in body["messages"][:2])
    texts: dict[str, list[str]] = {}
    for block in _BLOCK.finditer(user):
        texts.setdefault(block["kind"], []).append(block["text"])
    outside = f"{system}\n{_BLOCK.sub('', user)}"
    return Shown("Reply with one JSON object" in system, "<graph>\nEntities:" in system, texts, outside)


def stated(texts: Iterable[str]) -> list[Fact]:
    """The facts of texts and of graphs, each once."""
    found = (match for text in texts for way in (_STATED, _NOTED) for match in way.finditer(text))
    return list(dict.fromkeys((match["head"], match["role"], match["tail"]) for match in found))


def resolve(question: str, facts: Sequence[Fact]) -> tuple[list[Fact], str]:
    """The facts that answer a question, from its end on, and the first open question; empty for none."""
    asked = _ASKED.search(question)
    if not asked:
        return [], question
    used: list[Fact] = []
    name = asked["name"]
    for role in reversed(re.findall(r"the ([a-z]+) of", asked["roles"])):
        fact = next((fact for fact in facts if fact[1:] == (role, name)), None)
        if fact is None:
            return used, f"Who is the {role} of {name}?"
        used.append(fact)
        name = fact[0]
    return used, ""


def reply(triples: Sequence[Fact] = (), *, thought: str = "", judgement: str = "insufficient", query: str = "") -> str:
    """A reply in the form of the prompts."""
    names = dict.fromkeys(name for head, _, tail in triples for name in (head, tail))
    lines = ["Entities:", *(f"- {name}" for name in names)]
    lines += ["Relations:", *(f"- {head} -> is the {role} of -> {tail}" for head, role, tail in triples)]
    graph = "\n".join(lines)
    return f"<graph>\n{graph}\n</graph>\n{judged(thought=thought, judgement=judgement, query=query)}"


def judged(*, thought: str = "", judgement: str = "insufficient", query: str = "") -> str:
    """A reply without a graph."""
    return f"<think>{thought}</think>\n<judgement>{judgement}</judgement>\n<next_question>{query}</next_question>"


def sentence(fact: Fact) -> str:
    """A fact in words."""
    return f"{fact[0]} is the {fact[1]} of {fact[2]}."


def reasoning(body: Body) -> str:
    """Reply with all new facts, a verdict on whether they answer the question, and the first open step as query."""
    contents = shown(body)
    before = stated([*contents.texts.get("known", []), *contents.texts.get("thought", [])])
    found = stated(contents.passages)
    used, query = resolve(contents.question, [*before, *found])
    if contents.is_answer:
        return _answer(contents, used, is_open=bool(query))
    if ORDER in contents.outside:
        query = ""
    thought = " ".join(map(sentence, used)) or "Nothing is settled."
    judgement = "insufficient" if query else "sufficient"
    if not contents.wants_graph:
        return judged(thought=thought, judgement=judgement, query=query)
    new = [fact for fact in found if fact not in before]
    return reply(new, thought=thought, judgement=judgement, query=query)


def _answer(contents: Shown, used: Sequence[Fact], *, is_open: bool) -> str:
    quotes = [
        {"passage": number, "words": sentence(fact)}
        for fact in used
        for number, passage in enumerate(contents.passages, 1)
        if sentence(fact) in passage
    ]
    answer = "" if is_open or not used else used[-1][0]
    return json.dumps({"quotes": quotes, "sufficient": bool(answer), "answer": answer})
