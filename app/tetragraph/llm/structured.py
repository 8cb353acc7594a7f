"""Replies of a form: the schema that asks for it, and a patient reading of what comes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, KeysView, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from tetragraph.errors import InvalidInput, UnusableReply
from tetragraph.llm.messages import Completion, Message, Request

Form = TypeVar("Form", bound=BaseModel)
_CHANCES = 20
_FAULTS = 3
_FAULT = 120
_SHOWN = 4_000
_ROUND_WORDS = " \t\r\n\"'`*.,:;!?()[]▁ĠĊ“”‘’"
"""What tokenizers and models put round a word."""


def with_schema(request: Request, form: type[BaseModel]) -> Request:
    """The request with the schema of a form."""
    return replace(request, schema=strict_schema(form.model_json_schema()))


def read(reply: Completion, form: type[Form]) -> Form:
    """The reply as an object of a form.

    It may stand among prose or in a fence, be slightly broken, lie in a list or object of its own, or be the list
    that is the form's only field. Of a reply that was cut off complete elements are kept where the form allows fewer
    of them; so a list may lack its end, as with every limit of ``max_tokens``. Prose alone is never an object.

    Raises:
        UnusableReply: it is none.
    """
    fault = ""
    try:
        for found in find_json(reply.text, is_cut=reply.finish == "length"):
            for shape in _shapes(found, form):
                try:
                    return form.model_validate(shape)
                except ValidationError as error:
                    fault = fault or _faults(error)
    except NoJsonFound as error:
        fault = str(error)
    wanted = ", ".join(_names(form))
    cut = "it was cut off, a shorter one is needed" if reply.finish == "length" else ""
    said = "; ".join(filter(None, (fault or "it holds no such object", cut)))
    raise UnusableReply(f"the reply must be a JSON object with {wanted}, and is not: {said}", reply.text)


def repair(request: Request, reply: Completion, error: UnusableReply) -> Request:
    """A request for the same reply in the right form; says in few words what is wrong."""
    return correction_request(request, reply.text, f"{error}.\nAnswer again with that JSON object alone.")


def correction_request(request: Request, said: str, told: str) -> Request:
    """The same request once more, after what was said to it and what the model is told about that.

    Of a long reply the beginning is shown. One without text is shown as dots, since a turn must not be empty.
    """
    shown = said if len(said) <= _SHOWN else f"{said[:_SHOWN]} …"
    return request.followed_by(Message("assistant", shown if shown.strip() else "…"), Message("user", told))


def with_logprobs(request: Request) -> Request:
    """The request for one token and its alternatives."""
    return replace(request, max_tokens=1, logprobs=_CHANCES)


def probability(reply: Completion, yes: str, no: str) -> float:
    """How much likelier the reply begins with ``yes`` than with ``no``, all ways of writing them added up.

    Raises:
        UnusableReply: the endpoint tells no probabilities, or neither word is among the likeliest.
    """
    if not any(reply.chances[:1]):
        raise UnusableReply(
            "the endpoint must tell the probabilities of tokens (logprobs), and does not; use a step that needs none",
            reply.text,
        )
    mass = {yes.casefold(): 0.0, no.casefold(): 0.0}
    for chance in reply.chances[0]:
        word = chance.token.strip(_ROUND_WORDS).casefold()
        if word in mass:
            mass[word] += math.exp(min(chance.logprob, 0.0))
    total = sum(mass.values())
    if not total:
        raise UnusableReply(f"the reply must begin with {yes!r} or {no!r}, and neither is likely", reply.text)
    return mass[yes.casefold()] / total


def _shapes(found: object, form: type[BaseModel]) -> Iterator[dict[str, Any]]:
    """What was found as an object of the form: as it is, out of what it was put into, or with a name for its list."""
    names = _names(form)
    if isinstance(found, dict):
        inner = next(iter(found.values()), None) if len(found) == 1 else None
        if not found or not names.isdisjoint(found):
            yield found
        elif isinstance(inner, dict) and not names.isdisjoint(inner):
            yield inner
    elif isinstance(found, list):
        lists = [name for name, field in _properties(form).items() if field.get("type") == "array"]
        if len(lists) == 1:
            yield {lists[0]: found}
        if len(found) == 1 and isinstance(found[0], dict) and not names.isdisjoint(found[0]):
            yield found[0]


def _properties(form: type[BaseModel]) -> dict[str, Any]:
    properties: dict[str, Any] = form.model_json_schema().get("properties", {})
    return properties


def _names(form: type[BaseModel]) -> KeysView[str]:
    """Names of the form's fields, as replies have them."""
    return _properties(form).keys()


def _faults(error: ValidationError) -> str:
    """The first things that are wrong, each with its place, without the values."""
    listed = error.errors(include_url=False, include_context=False, include_input=False)
    shown = [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"[:_FAULT] for fault in listed[:_FAULTS]]
    return "; ".join(shown)


_LONGEST = 1_000_000
_LONGEST_BROKEN = 100_000
_DEEPEST = 64
_REGIONS = 20
_CUTS = 8
_OPENING = re.compile(r"[{\[]")
_MARK = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[{}\[\],]', re.S)
_CLOSING = {"{": "}", "[": "]"}


class NoJsonFound(ValueError):
    """A text that is not even looked at: too long, or too deep."""


@dataclass(slots=True)
class _Region:
    """What an opening bracket holds.

    Attributes:
        text: From that bracket to the one that closes it, or to the end.
        is_closed: Whether there is one.
        cuts: Where a complete part ends, with the brackets that are open there; closed, it is JSON again.
    """

    text: str
    is_closed: bool
    cuts: list[tuple[int, str]] = field(default_factory=list)


def find_json(text: str, *, is_cut: bool = False) -> Iterator[object]:
    """Objects and lists of a text, objects first, each in the order of the text.

    What is not quite JSON is mended: single quotes, Python's literals, commas and brackets that are too many or
    missing. Of a reply that was cut off only complete parts are taken: elements of an outermost list, and members of
    objects that lie in no list; the most first.

    Raises:
        Unreadable: the text is too long or nested too deep to be a reply.
    """
    if len(text) > _LONGEST:
        raise NoJsonFound(f"it must be shorter than {_LONGEST:,} characters, and has {len(text):,}")
    said = text.rpartition("</think>")[2]  # how models that think aloud end that
    regions = list(_regions(said))[:_REGIONS]
    for region in sorted(regions, key=lambda region: region.text[0] == "["):
        if is_cut and not region.is_closed:
            closed = (region.text[:end] + brackets for end, brackets in region.cuts[: -_CUTS - 1 : -1])
            yield from (found for part in closed if (found := _parsed(part)))
        elif (found := _parsed(region.text)) is not None:
            yield found


def _parsed(text: str) -> object:
    """What a text in brackets holds; None where nothing can be made of it."""
    import json_repair  # here and not above: it is needed by those alone who ask a model

    try:
        return json.loads(text)
    except ValueError:
        if len(text) > _LONGEST_BROKEN:
            return None
    return json_repair.loads(text, skip_json_loads=True) or None


def _regions(text: str) -> Iterator[_Region]:
    """The outermost brackets; between them quotes mean nothing, as prose has apostrophes and inches."""
    start = 0
    while opening := _OPENING.search(text, start):
        region = _region(text, opening.start())
        yield region
        start = opening.start() + len(region.text)


def _region(text: str, start: int) -> _Region:
    still_open: list[str] = []
    cuts: list[tuple[int, str]] = []
    for mark in _MARK.finditer(text, start):
        sign, end = mark[0], mark.end()
        if sign in _CLOSING:
            still_open.append(_CLOSING[sign])
            if len(still_open) > _DEEPEST:
                raise NoJsonFound(f"it must be nested at most {_DEEPEST} deep, and is deeper")
            continue
        if sign in ("}", "]"):
            still_open.pop()
            if not still_open:
                return _Region(text[start:end], is_closed=True)
        if sign in ("}", "]", ",") and _ends_part(still_open):
            place = mark.start() if sign == "," else end
            cuts.append((place - start, "".join(reversed(still_open))))
    return _Region(text[start:], is_closed=False, cuts=cuts)


def _ends_part(still_open: list[str]) -> bool:
    """Whether what ended last is complete in itself: a part of an element would pass for the whole of it."""
    lists = still_open.count("]")
    return lists == 0 or (lists == 1 and still_open[-1] == "]")


_DROPPED = frozenset({"$defs", "default", "discriminator", "title"})


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a form in the strict form of OpenAI's protocol.

    Every property is required and no other is allowed, definitions are put in where they are meant (local servers do
    not follow references), what only pydantic reads is left out. ``title`` stays at the top, as it names the schema.

    Raises:
        InvalidInput: the form holds itself, which cannot be written without references.
    """
    made = _strict(schema, schema.get("$defs", {}), ())
    return {"title": schema["title"], **made} if "title" in schema else made


def _strict(node: Mapping[str, Any], definitions: Mapping[str, Any], within: tuple[str, ...]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in node.items():
        if key == "$ref":
            name = str(value).rpartition("/")[2]
            if name in within:
                raise InvalidInput(f"a form for replies must not hold itself, {name!r} does; use a list of flat parts")
            made |= _strict(definitions[name], definitions, (*within, name))
        elif key == "properties":
            made[key] = {name: _strict(one, definitions, within) for name, one in value.items()}
            made |= {"required": list(value), "additionalProperties": False}
        elif key in ("anyOf", "oneOf"):
            made["anyOf"] = [_strict(one, definitions, within) for one in value]
        elif key == "items":
            made[key] = _strict(value, definitions, within)
        elif key not in _DROPPED and key not in made:
            made[key] = value
    return made
