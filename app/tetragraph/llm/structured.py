"""Structured output: the JSON schema of a form, a tolerant reader of JSON, and repair requests."""

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
_LOGPROBS = 20
_SHOWN_FAULTS = 3
_FAULT_CHARACTERS = 120
_SHOWN_CHARACTERS = 4_000
_WORD_EDGES = " \t\r\n\"'`*.,:;!?()[]▁ĠĊ“”‘’"
"""Characters that tokenizers and models put around a word."""
_DROPPED_KEYS = frozenset({"$defs", "default", "discriminator", "title"})
_MAX_CHARACTERS = 1_000_000
_MAX_BROKEN_CHARACTERS = 100_000
_MAX_DEPTH = 64
_MAX_REGIONS = 20
_MAX_CUTS = 8
_OPENING = re.compile(r"[{\[]")
_MARK = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[{}\[\],]', re.S)
_CLOSING = {"{": "}", "[": "]"}


def with_schema(request: Request, form: type[BaseModel]) -> Request:
    """Return the request with the schema of a form."""
    return replace(request, schema=strict_schema(form.model_json_schema()))


def read(reply: Completion, form: type[Form]) -> Form:
    """Read the reply as an object of a form.

    The object may be surrounded by prose or a fence, slightly broken, wrapped in a list or another object, or reduced
    to the list that is the form's only field. Of a reply that was cut off, complete elements are used if the form
    allows fewer of them; so a list may lack its end, as with every limit of ``max_tokens``. Prose alone is never an
    object.

    Raises:
        UnusableReply: the reply holds no such object.
    """
    fault = ""
    try:
        for value in find_json(reply.text, is_cut=reply.finish == "length"):
            for shape in _shapes(value, form):
                try:
                    return form.model_validate(shape)
                except ValidationError as error:
                    fault = fault or _describe_faults(error)
    except NoJsonFound as error:
        fault = str(error)
    names = ", ".join(_names(form))
    cut = "it was cut off, a shorter one is needed" if reply.finish == "length" else ""
    reason = "; ".join(filter(None, (fault or "it holds no such object", cut)))
    raise UnusableReply(f"the reply must be a JSON object with {names}, and is not: {reason}", reply.text)


def repair(request: Request, reply: Completion, error: UnusableReply) -> Request:
    """Return a request for the same reply in the right form, with a short description of the fault."""
    return correction_request(request, reply.text, f"{error}.\nAnswer again with that JSON object alone.")


def correction_request(request: Request, reply: str, correction: str) -> Request:
    """Return the request followed by its first reply and a message to the model about it.

    A long reply is truncated. A reply without text is shown as dots, since a turn must not be empty.
    """
    shown = reply if len(reply) <= _SHOWN_CHARACTERS else f"{reply[:_SHOWN_CHARACTERS]} …"
    return request.followed_by(Message("assistant", shown if shown.strip() else "…"), Message("user", correction))


def with_logprobs(request: Request) -> Request:
    """Return the request for one token and its alternatives."""
    return replace(request, max_tokens=1, logprobs=_LOGPROBS)


def probability(reply: Completion, yes: str, no: str) -> float:
    """Return the probability of ``yes`` as the first word, relative to ``no``; sums over all spellings of each.

    Raises:
        UnusableReply: the endpoint returns no probabilities, or neither word is among the likeliest.
    """
    if not any(reply.chances[:1]):
        raise UnusableReply(
            "the endpoint must return the probabilities of tokens (logprobs), and does not; use a step that needs none",
            reply.text,
        )
    mass = {yes.casefold(): 0.0, no.casefold(): 0.0}
    for chance in reply.chances[0]:
        word = chance.token.strip(_WORD_EDGES).casefold()
        if word in mass:
            mass[word] += math.exp(min(chance.logprob, 0.0))
    total = sum(mass.values())
    if not total:
        raise UnusableReply(f"the reply must begin with {yes!r} or {no!r}, and neither is likely", reply.text)
    return mass[yes.casefold()] / total


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the schema of a form to the strict form of OpenAI's protocol.

    Every property is required and no other is allowed, definitions replace the references to them (local servers do not
    follow references), and keys that only pydantic reads are dropped. ``title`` stays at the top, as it names the
    schema.

    Raises:
        InvalidInput: the form contains itself, which cannot be written without references.
    """
    strict = _strict_node(schema, schema.get("$defs", {}), ())
    return {"title": schema["title"], **strict} if "title" in schema else strict


def _strict_node(node: Mapping[str, Any], definitions: Mapping[str, Any], within: tuple[str, ...]) -> dict[str, Any]:
    strict: dict[str, Any] = {}
    for key, value in node.items():
        if key == "$ref":
            name = str(value).rpartition("/")[2]
            if name in within:
                raise InvalidInput(
                    f"a form for replies must not contain itself, {name!r} does; use a list of flat parts"
                )
            strict |= _strict_node(definitions[name], definitions, (*within, name))
        elif key == "properties":
            strict[key] = {name: _strict_node(part, definitions, within) for name, part in value.items()}
            strict |= {"required": list(value), "additionalProperties": False}
        elif key in ("anyOf", "oneOf"):
            strict["anyOf"] = [_strict_node(part, definitions, within) for part in value]
        elif key == "items":
            strict[key] = _strict_node(value, definitions, within)
        elif key not in _DROPPED_KEYS and key not in strict:
            strict[key] = value
    return strict


def _shapes(value: object, form: type[BaseModel]) -> Iterator[dict[str, Any]]:
    """Yield a JSON value as objects of the form: unchanged, unwrapped, or as the form's only list."""
    names = _names(form)
    if isinstance(value, dict):
        inner = next(iter(value.values()), None) if len(value) == 1 else None
        if not value or not names.isdisjoint(value):
            yield value
        elif isinstance(inner, dict) and not names.isdisjoint(inner):
            yield inner
    elif isinstance(value, list):
        lists = [name for name, schema in _properties(form).items() if schema.get("type") == "array"]
        if len(lists) == 1:
            yield {lists[0]: value}
        if len(value) == 1 and isinstance(value[0], dict) and not names.isdisjoint(value[0]):
            yield value[0]


def _properties(form: type[BaseModel]) -> dict[str, Any]:
    properties: dict[str, Any] = form.model_json_schema().get("properties", {})
    return properties


def _names(form: type[BaseModel]) -> KeysView[str]:
    """Names of the form's fields in replies."""
    return _properties(form).keys()


def _describe_faults(error: ValidationError) -> str:
    """List the first faults with their places, without the values."""
    faults = error.errors(include_url=False, include_context=False, include_input=False)[:_SHOWN_FAULTS]
    return "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"[:_FAULT_CHARACTERS] for fault in faults)


class NoJsonFound(ValueError):
    """A text is too long or nested too deep to be searched."""


@dataclass(slots=True)
class _Region:
    """Text from an opening bracket on.

    Attributes:
        text: Text up to the matching bracket, or to the end.
        is_closed: Whether there is a matching bracket.
        cuts: Ends of complete parts, with the brackets that close the text there to valid JSON.
    """

    text: str
    is_closed: bool
    cuts: list[tuple[int, str]] = field(default_factory=list)


def find_json(text: str, *, is_cut: bool = False) -> Iterator[object]:
    """Yield the JSON objects and lists in a text, objects first, each in the order of the text.

    Slightly broken JSON is repaired: single quotes, Python literals, superfluous or missing commas and brackets. Of a
    reply that was cut off, only complete parts are used: elements of an outermost list, and members of objects outside
    lists; the longest part first.

    Raises:
        NoJsonFound: the text is too long or nested too deep to be a reply.
    """
    if len(text) > _MAX_CHARACTERS:
        raise NoJsonFound(f"it must be shorter than {_MAX_CHARACTERS:,} characters, and has {len(text):,}")
    reply = text.rpartition("</think>")[2]  # end of the reasoning block of reasoning models
    regions = list(_regions(reply))[:_MAX_REGIONS]
    for region in sorted(regions, key=lambda region: region.text[0] == "["):
        if is_cut and not region.is_closed:
            closed = (region.text[:end] + brackets for end, brackets in region.cuts[: -_MAX_CUTS - 1 : -1])
            yield from (value for part in closed if (value := _parse(part)))
        elif (value := _parse(region.text)) is not None:
            yield value


def _parse(text: str) -> object:
    """Parse a text in brackets, repairing it if necessary; None if that fails."""
    import json_repair  # imported here, as only users of a language model need it

    try:
        return json.loads(text)
    except ValueError:
        if len(text) > _MAX_BROKEN_CHARACTERS:
            return None
    return json_repair.loads(text, skip_json_loads=True) or None


def _regions(text: str) -> Iterator[_Region]:
    """Yield the outermost bracketed regions; quotes between them are ignored, as prose has apostrophes and inches."""
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
            if len(still_open) > _MAX_DEPTH:
                raise NoJsonFound(f"it must be nested at most {_MAX_DEPTH} deep, and is deeper")
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
    """Whether the text may be cut here: inside an element of a list, a part would pass for the whole element."""
    lists = still_open.count("]")
    return lists == 0 or (lists == 1 and still_open[-1] == "]")
