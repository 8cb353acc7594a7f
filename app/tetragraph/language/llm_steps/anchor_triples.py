"""Parses entities and triples from the graph that a model writes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from tetragraph.language.lexicon.names import normalise_name, without_qualifier
from tetragraph.language.llm_steps.answer import one_line
from tetragraph.llm.structured import NoJsonFound, find_json

Entity: TypeAlias = tuple[str, tuple[str, ...]]
"""Name and attributes of an entity."""
TripleText: TypeAlias = tuple[str, str, str]
"""Head, phrase and tail of a triple."""
MOST: Final = 1_000
"""Largest number of lines of a reply that are read; further ones are only counted."""
_LONGEST_LINE: Final = 1_000
_LONGEST_NAME: Final = 200
_MOST_ATTRIBUTES: Final = 20
_HEADING: Final = re.compile(
    r"^[\s#*_>-]{0,8}(?:key\s)?(?:(?P<entities>entit(?:y|ies)|nodes?|vertices)|relation(?:ship)?s?|edges|triples|facts)"
    r"(?:\s?\(\d+\))?(?:[*_\s]{0,4}:[*_]{0,3}|[*_\s]*$)\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_INLINE: Final = re.compile(r"[;,.][^\S\n]*(?=relation(?:ship)?s[^\S\n]?:)", re.IGNORECASE)
"""Separator before a second heading in a line, as in equation 6."""
_BULLET: Final = re.compile(r"^(?:(?:[-*•–+]+|\(?\d{1,5}[.):]|[tvr]\d{1,4}[.):])\s*)(?=\S)", re.IGNORECASE)
_ARROW: Final = re.compile(r"\s*-+\[\s*(?=[^\]]{1,200}\]\s*[-–]+>)|\s*\]?\s*(?:[-–]+>|=+>|[→⟶➔➜⇒])\s*\[?|\s+-{2,}\s*")
_DASHES: Final = re.compile(r"\s+-{2,}\s*|\s*-{2,}\s+|\s+[—–]\s+|\t+")
_PIPE: Final = re.compile(r"\s*\|\s*")
_COMMA: Final = re.compile(r"\s*[,;]\s*")
_TUPLE: Final = re.compile(r"^[(<\[](?P<inner>[^()<>\[\]]*)[)>\]][.,;]?$")
_ATTRIBUTES: Final = re.compile(
    r"^(?P<name>.+?)[\s(\[{:|–—-]*\b(?:attributes?|properties)\s*[:=]\s*(?P<inner>.*?)[\s)\]}]*$", re.IGNORECASE
)
_BRACKET: Final = re.compile(r"^(?P<name>[^(]+?)\s*\((?P<inner>[^()]*[,;:][^()]*)\)[.]?$")
_SEPARATOR: Final = re.compile(r"\s*[;,](?!\s?\d{3,4}\b)\s*")
_LISTED: Final = {
    "entities": re.compile(r"\s*[;,]\s*(?![^()]*\))"),
    "triples": re.compile(r"\s*;\s*(?![^()\[\]]*[)\]])"),
}
"""Separators of the items of one line, not inside brackets."""
_ROUND: Final = " \t\"'`*_“”‘’[]<>{}"
_NOTHING: Final = frozenset({"none", "n a", "nothing", "unknown", "not specified", "not mentioned", "null"})
_COLUMNS: Final = frozenset({"head", "entity", "subject", "source", "entity 1", "head entity", "relation", "attribute"})
"""Headings of table columns, and placeholders of a copied instruction."""
_HEADS: Final = ("head", "source", "subject", "from", "entity1")
_PHRASES: Final = ("phrase", "relation", "relationship", "predicate", "type", "label")
_TAILS: Final = ("tail", "target", "object", "to", "entity2")
_ENTITIES: Final = ("entities", "nodes", "vertices", "anchors")
_RELATIONS: Final = ("relations", "relationships", "triples", "edges", "facts")


@dataclass(slots=True)
class GraphText:
    """Entities and triples of a reply.

    Attributes:
        entities: Entities in the order of the reply, as written.
        triples: Triples in the order of the reply, as written.
        junk: Number of lines that are neither.
        left_out: Number of lines after the first ``MOST``.
    """

    entities: list[Entity] = field(default_factory=list)
    triples: list[TripleText] = field(default_factory=list)
    junk: int = 0
    left_out: int = 0


def read_graph(value: object) -> GraphText:
    """Parse the entities and triples of the graph in a reply, in all usual notations.

    Lines may begin with dashes, numbers or neither; attributes are in brackets, or missing; head, phrase and tail are
    separated by arrows, bars or dashes, or are in brackets with commas. Instead of lines there may be JSON. Lines that
    are neither entity nor triple are skipped and counted.

    Args:
        value: Text without control characters, or a JSON value.
    """
    found = GraphText()
    parsed = value if not isinstance(value, str) else _json(value)
    if parsed is None:
        _read_lines(str(value), found)
    else:
        _read_json(parsed, found)
    bare = {normalise_name(end) for head, _, tail in found.triples for end in (head, tail)}
    found.entities = [_use_triple_name(entity, bare) for entity in found.entities]
    return found


def _use_triple_name(entity: Entity, ends: set[str]) -> Entity:
    """An entity with its name in the triples: "Anna Lund (keeper)" becomes "Anna Lund" if they contain that."""
    name, attributes = entity
    bare = without_qualifier(name)
    if bare == name or normalise_name(name) in ends or normalise_name(bare) not in ends:
        return entity
    return bare, (*attributes, name[len(bare) :].strip(" ()"))


def _read_lines(text: str, found: GraphText) -> None:
    kind = ""
    for number, raw in enumerate(_INLINE.sub("\n", text).splitlines()):
        if number >= MOST:
            found.left_out += bool(raw.strip())
            continue
        heading = _HEADING.match(raw[:_LONGEST_LINE])
        if heading:
            kind = "entities" if heading["entities"] else "triples"
            for items in _split_items(heading["rest"], kind):
                _read_line(items, kind, found)
        else:
            _read_line(raw, kind, found)


def _split_items(rest: str, kind: str) -> list[str]:
    """Items in the line of a heading."""
    return [part for part in _LISTED[kind].split(rest) if part]


def _read_line(raw: str, kind: str, found: GraphText) -> None:
    line = raw.replace("**", "").strip()
    if not line or line.startswith("```") or normalise_name(line) in _NOTHING:
        return
    if len(line) > _LONGEST_LINE:
        found.junk += 1
        return
    is_bulleted = _BULLET.match(line) is not None
    bare = _BULLET.sub("", line)
    triples = list(_triples(bare, is_sure=kind != "entities"))
    if triples:
        found.triples += triples
    elif kind == "triples" or not (kind or is_bulleted):
        found.junk += 1
    else:
        _add_entity(bare, found)


def _triples(line: str, *, is_sure: bool) -> Iterator[TripleText]:
    """Triples of a line; a chain of arrows is several."""
    inner = _TUPLE.match(line)
    parts = _parts(inner["inner"], _COMMA) if inner else []
    if len(parts) != 3:
        separators = (_ARROW, _PIPE, _DASHES) if is_sure else (_ARROW,)
        parts = next((parts for separator in separators if len(parts := _parts(line, separator)) >= 3), [])
    if len(parts) % 2 and all(map(_is_name, parts)):
        for place in range(0, len(parts) - 2, 2):
            yield parts[place], parts[place + 1], parts[place + 2]


def _parts(line: str, between: re.Pattern[str]) -> list[str]:
    return [_name(part) for part in between.split(line.strip("| ") if between is _PIPE else line)]


def _add_entity(line: str, found: GraphText) -> None:
    split = _ATTRIBUTES.match(line) or _BRACKET.match(line)
    name = _name(split["name"] if split else line)
    if _is_name(name):
        found.entities.append((name, _attributes(_SEPARATOR.split(split["inner"]) if split else ())))
    else:
        found.junk += 1


def _attributes(value: Iterable[object]) -> tuple[str, ...]:
    names = (_name(one) for one in value)
    return tuple(dict.fromkeys(name for name in names if name and normalise_name(name) not in _NOTHING))[
        :_MOST_ATTRIBUTES
    ]


def _name(value: object) -> str:
    """A name or phrase without quotation marks and brackets around it; empty if there is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    name = one_line(str(value)).strip(_ROUND).rstrip(".,;").rstrip(_ROUND)
    return name if normalise_name(name) else ""


def _is_name(name: str) -> bool:
    return 0 < len(name) <= _LONGEST_NAME and normalise_name(name) not in _COLUMNS | _NOTHING


def _json(text: str) -> Any:
    """Value of a text that is JSON; None for other texts."""
    bare = text.strip().removeprefix("```json").strip("`\n ")
    if not re.match(r"\{|\[\s*[\[{\"]", bare) or re.match(r"\[\s*\"[^\"]*\"\s*\]\s*[-=→]", bare):
        return None
    try:
        return next(iter(find_json(bare)), None)
    except NoJsonFound:
        return None


def _read_json(value: object, found: GraphText) -> None:
    """Read an object of entities and relations, or a list of either."""
    if isinstance(value, Mapping):
        entities, relations = _member(value, _ENTITIES), _member(value, _RELATIONS)
        if isinstance(entities, Mapping):
            entities = [{"name": name, "attributes": value} for name, value in entities.items()]
    else:
        entities, relations = [], value
    for kind, rows in (("entities", entities), ("triples", relations)):
        if isinstance(rows, str):
            _read_lines(f"{kind}:\n{rows}", found)
            continue
        items = rows if isinstance(rows, Sequence) else []
        found.left_out += max(0, len(items) - MOST)
        for row in items[:MOST]:
            _read_row(row, kind, found)


def _read_row(row: object, kind: str, found: GraphText) -> None:
    if isinstance(row, str):
        _read_line(row, kind, found)
        return
    if isinstance(row, Mapping):
        parts = [_name(_member(row, names)) for names in (_HEADS, _PHRASES, _TAILS)]
    else:
        parts = [_name(part) for part in row] if isinstance(row, Sequence) else []
    if kind == "triples" and len(parts) == 3 and all(map(_is_name, parts)):
        found.triples.append((parts[0], parts[1], parts[2]))
    elif isinstance(row, Mapping) and _is_name(name := _name(_member(row, ("name", "entity", "id")))):
        value = _member(row, ("attributes", "properties", "description"))
        items = _SEPARATOR.split(value) if isinstance(value, str) else value if isinstance(value, Sequence) else ()
        found.entities.append((name, _attributes(items)))
    else:
        found.junk += 1


def _member(value: Mapping[Any, Any], names: Sequence[str]) -> Any:
    """Value of the first of some names that is a member; None if there is none."""
    lowered = {re.sub("[ _-]", "", str(key).lower()): value for key, value in value.items()}
    return next((lowered[name] for name in names if name in lowered), None)
