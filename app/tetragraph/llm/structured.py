"""Replies of a form: the schema that asks for it, and a patient reading of what comes."""

from __future__ import annotations

import math
from collections.abc import Iterator, KeysView
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from tetragraph.errors import UnusableReply
from tetragraph.llm import reading, schemas
from tetragraph.llm.model import Completion, Message, Request

Form = TypeVar("Form", bound=BaseModel)
_CHANCES = 20
_FAULTS = 3
_FAULT = 120
_SHOWN = 4_000
_ROUND_WORDS = " \t\r\n\"'`*.,:;!?()[]▁ĠĊ“”‘’"
"""What tokenizers and models put round a word."""


def with_schema(request: Request, form: type[BaseModel]) -> Request:
    """The request with the schema of a form."""
    return replace(request, schema=schemas.strict(form.model_json_schema()))


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
        for found in reading.candidates(reply.text, is_cut=reply.finish == "length"):
            for shape in _shapes(found, form):
                try:
                    return form.model_validate(shape)
                except ValidationError as error:
                    fault = fault or _faults(error)
    except reading.NoJsonFound as error:
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
