"""Splits a reply that updates an anchor graph into its parts, in all usual markups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Literal, TypeAlias

from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.llm_steps.answer import one_line, without_control
from tetragraph.llm.structured import NoJsonFound, find_json

Section: TypeAlias = Literal["graph", "think", "judgement", "next_question"]
Verdict: TypeAlias = Literal["sufficient", "insufficient"]
_LONGEST: Final = 1_000_000
"""Largest number of characters of a reply that are read."""
_LONGEST_QUERY: Final = 300
_LONGEST_JUDGEMENT: Final = 300
_WORDS: Final[Mapping[str, Section]] = {
    **dict.fromkeys(("graph", "knowledge graph", "updated graph"), "graph"),
    **dict.fromkeys(("think", "thinking", "thought", "reasoning"), "think"),
    **dict.fromkeys(("judgement", "judgment"), "judgement"),
    **dict.fromkeys(("next question", "next query", "follow up question"), "next_question"),
}
"""Names of the parts in replies of models."""
_NAMES: Final = {name.replace(" ", ""): section for name, section in _WORDS.items()}
_ANY: Final = "|".join(name.replace(" ", "[ _-]?") for name in sorted(_WORDS, key=len, reverse=True))
_TAG: Final = re.compile(rf"<\s{{0,3}}(?P<close>/?)\s{{0,3}}(?P<name>{_ANY})\s{{0,3}}>", re.IGNORECASE)
_MARK: Final = re.compile(r"<(?P<close>/?)(?P<name>[a-z]+(?: \d{1,4})? [0-9a-f]{8})>")
"""Begin and end of a block of a prompt (see :func:`~tetragraph.language.prompts.fence`)."""
_LABEL: Final = re.compile(
    rf"^[ \t#*_>-]{{0,8}}(?:(?P<name>{_ANY})(?:[*_ \t]{{0,4}}:[*_]{{0,3}}|[*_ \t]{{0,4}}$)"
    r"|(?=entities[*_ \t]{0,4}:))",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that begins with the name of a part and a colon, or is that name; ``Entities:`` also begins a graph."""
_BULLET: Final = re.compile(r"^(?:[-*•]+|\(?\d{1,3}[.)])\s+")
_ROUND: Final = " \t\"'`*_“”‘’<>[]"
_NOTHING: Final = frozenset({"", "none", "n a", "na", "null", "nothing", "no", "empty", "not needed", "not applicable"})
_NEGATIVE: Final = re.compile(
    r"\b(?:in|un)-?sufficient(?:ly)?\b|\b(?:not|never|hardly|cannot|\w+n['’]t)\b[\w\s,]{0,30}?\b(?:sufficient|enough)\b"
    r"|\bsufficient\W{1,4}(?:no|false)\b",
    re.IGNORECASE,
)
_POSITIVE: Final = re.compile(r"\bsufficient(?:ly)?\b|\benough\b", re.IGNORECASE)
_YES: Final = re.compile(r"\W*(?:yes|true)\b", re.IGNORECASE)
_NO: Final = re.compile(r"\W*(?:no|false)\b", re.IGNORECASE)


def split_sections(text: str) -> dict[Section, Any]:
    """Split a reply into its parts, each as text or as JSON value.

    A part lies between tags, in any case and order; one without a closing tag ends where another begins. Tags inside a
    closed part belong to its text, so that quotations in a thought are not taken for parts; blocks of the prompt that
    the reply repeats are ignored. Parts without tags may begin a line with their name and a colon, or be members of a
    JSON object. If a part occurs several times, the last one that is not empty counts, as a repetition is a revision.
    """
    cleaned = _without_blocks(without_control(text[:_LONGEST]))
    found: dict[Section, Any] = {}
    outside: list[str] = []
    for name, content in _split_tagged(cleaned):
        if name is None:
            outside.append(content)
        elif content.strip() or name not in found:
            found[name] = content
    rest = "\n".join(outside)
    for name, content in _split_labelled(rest):
        if name not in found or not str(found[name]).strip():
            found[name] = content
    return found or _members(rest)


def parse_judgement(value: object) -> Verdict | None:
    """Interpret a judgement, in any case and wording; None if it states neither verdict, or both."""
    if isinstance(value, bool):
        return "sufficient" if value else "insufficient"
    text = one_line(str(value)[:_LONGEST_JUDGEMENT])
    negative = _NEGATIVE.search(text)
    positive = _POSITIVE.search(_NEGATIVE.sub(" ", text))
    if negative and (not positive or not text[: negative.start()].strip(_ROUND)):
        return None if _is_template(text) else "insufficient"
    if positive:
        return None if negative else "sufficient"
    return "sufficient" if _YES.match(text) else "insufficient" if _NO.match(text) else None


def parse_query(value: object) -> str:
    """The first of the next queries, in one line; empty if the value states in any wording that there is none."""
    first = value[0] if isinstance(value, list) and value else value
    lines = (_BULLET.sub("", _LABEL.sub("", line.strip(), count=1).strip()) for line in str(first).splitlines())
    line = one_line(next(filter(normalise_name, lines), "")).strip(_ROUND)[:_LONGEST_QUERY].strip()
    return "" if normalise_name(line) in _NOTHING else line


def _is_template(text: str) -> bool:
    """Whether the reply copies both words of the instructions."""
    return re.search(r"\binsufficient\s*(?:/|\||or)\s*sufficient\b", text, re.IGNORECASE) is not None


def _without_blocks(text: str) -> str:
    """The reply without blocks of the prompt that it repeats."""
    marks = list(_MARK.finditer(text))
    closed = {mark["name"]: mark.start() for mark in marks if mark["close"]}
    pieces, place, still_open = [], 0, ""
    for mark in marks:
        name = mark["name"]
        if not still_open and not mark["close"] and closed.get(name, -1) > mark.start():
            pieces.append(text[place : mark.start()])
            still_open = name
        elif mark["close"] and name == still_open:
            place, still_open = mark.end(), ""
    return "".join([*pieces, text[place:]])


@dataclass(frozen=True, slots=True)
class _Tag:
    """A tag of a part, with its place."""

    section: Section
    is_closing: bool
    start: int
    end: int


def _split_tagged(text: str) -> Iterator[tuple[Section | None, str]]:
    """Parts between tags, and the text outside of them with None, in order."""
    tags = [_Tag(_section(tag["name"]), bool(tag["close"]), *tag.span()) for tag in _TAG.finditer(text)]
    place = number = 0
    while number < len(tags):
        tag = tags[number]
        number += 1
        if tag.is_closing:
            # Templates of reasoning models contain the opening tag of the thought; the reply has only the closing one.
            yield ("think" if tag.section == "think" and not place else None), text[place : tag.start]
            place = tag.end
            continue
        yield None, text[place : tag.start]
        ending = _find_end(tags, number, tag.section)
        place = tags[ending].start if ending < len(tags) else len(text)
        yield tag.section, text[tag.end : place]
        number = ending
    yield None, text[place:]


def _find_end(tags: Sequence[_Tag], number: int, section: Section) -> int:
    """Number of the tag that ends a part: its closing tag, unless the part opens again before, otherwise the next."""
    for place in range(number, len(tags)):
        if tags[place].section == section:
            return place if tags[place].is_closing else number
    return number


def _section(name: str) -> Section:
    return _NAMES[re.sub("[ _-]", "", name.lower())]


def _split_labelled(text: str) -> Iterator[tuple[Section, str]]:
    """Parts that begin with their name and a colon."""
    starts: list[tuple[Section, int, int]] = []
    for label in _LABEL.finditer(text):
        section = _section(label["name"]) if label["name"] else "graph"
        if label["name"] or not starts or starts[-1][0] != "graph":
            starts.append((section, *label.span()))
    for (section, _, start), (_, end, _) in pairwise([*starts, ("graph", len(text), len(text))]):
        yield section, text[start:end]


def _members(text: str) -> dict[Section, Any]:
    """Parts of the first JSON object that has any."""
    try:
        objects = [found for found in find_json(text) if isinstance(found, dict)]
    except NoJsonFound:
        return {}
    for found in objects:
        keys = {str(key): _NAMES.get(re.sub("[ _-]", "", str(key).lower())) for key in found}
        parts: dict[Section, Any] = {section: found[key] for key, section in keys.items() if section}
        if not {"entities", "relations", "triples"}.isdisjoint(keys):
            parts.setdefault("graph", found)
        if parts:
            return parts
    return {}
