"""Reads the turns of a policy: thought, query and answer between tags.

Source:
    BiG-RAG, section 4.4.2 and appendix D.4. What they leave open is decided here: tags are written exactly as in the
    prompt; a turn is well-formed if it is one ``<think>`` block and then one ``<query>`` or ``<answer>`` block, with
    text in each and none outside. A turn that is not is never corrected: its action is its first complete ``<query>``
    or ``<answer>`` block, if there is one, and its fault lowers the reward.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tetragraph.language.llm_steps.answer import one_line, without_control
from tetragraph.model.episodes import Turn

ACTIONS: Final = ("query", "answer")
LONGEST: Final = 2000
"""Limit of a query and of an answer in characters: a longer one is not carried out."""
_TAG: Final = re.compile(r"<(?P<end>/?)(?P<name>think|query|knowledge|answer)>")
_WELL_FORMED: Final = (["think", "query"], ["think", "answer"])


@dataclass(frozen=True, slots=True)
class _Block:
    name: str
    text: str


def read_turn(number: int, text: str) -> Turn:
    """Read what a policy wrote in a turn; any text is readable.

    Args:
        number: Number of the turn, from 1.
        text: What the policy wrote.
    """
    blocks: list[_Block] = []
    faults = [*_split(text, blocks), *_structure_faults(blocks)]
    thought = next((block.text for block in blocks if block.name == "think"), "")
    action = next((block for block in blocks if block.name in ACTIONS), None)
    content = _content(action.text) if action else ""
    return Turn(
        number,
        text,
        " ".join(without_control(thought).split()),
        content if action and action.name == "query" else "",
        content if action and action.name == "answer" else "",
        faults[0] if faults else "",
    )


def _content(text: str) -> str:
    """Text of a query or an answer as one line; empty if it is too long to be used."""
    return one_line(text) if len(text) <= LONGEST else ""


def _split(text: str, blocks: list[_Block]) -> Iterator[str]:
    """Yield the faults of the tags, and append the complete blocks to a list; a block contains no blocks."""
    opened, start = "", 0
    for tag in _TAG.finditer(text):
        name, is_end = tag["name"], bool(tag["end"])
        if opened and is_end and name == opened:
            blocks.append(_Block(name, text[start : tag.start()]))
            opened, start = "", tag.end()
        elif opened:
            yield f"{tag[0]} stands inside <{opened}>"
        else:
            if text[start : tag.start()].strip():
                yield "there is text outside of the blocks"
            if is_end:
                yield f"{tag[0]} ends no block"
            opened, start = ("" if is_end else name), tag.end()
    if opened:
        yield f"<{opened}> is not closed"
    elif text[start:].strip():
        yield "there is text outside of the blocks"


def _structure_faults(blocks: list[_Block]) -> Iterator[str]:
    names = [block.name for block in blocks]
    if names not in _WELL_FORMED:
        yield f"its blocks are {', '.join(names) or 'none'}, and not one <think> and then one <query> or <answer>"
    for block in blocks:
        if not one_line(block.text):
            yield f"<{block.name}> has no text"
        elif block.name in ACTIONS and len(block.text) > LONGEST:
            yield f"<{block.name}> has {len(block.text)} characters, more than {LONGEST}"
