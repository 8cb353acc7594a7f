"""Replies of a form: the schema that asks for it, and a patient reading of what comes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from tetragraph.errors import UnusableReply
from tetragraph.llm.model import Completion, Message, Request

Form = TypeVar("Form", bound=BaseModel)
_CHANCES = 20


def with_schema(request: Request, form: type[BaseModel]) -> Request:
    """The request with the schema of a form."""
    return replace(request, schema=form.model_json_schema())


def read(reply: Completion, form: type[Form]) -> Form:
    """The reply as an object of a form.

    Raises:
        UnusableReply: it is none.
    """
    found = json_repair.loads(reply.text)
    try:
        return form.model_validate(found)
    except ValidationError as error:
        raise UnusableReply(f"the reply must be {form.__name__}, and is not: {error}", reply.text) from error


def repair(request: Request, reply: Completion, error: UnusableReply) -> Request:
    """A request for the same reply in the right form."""
    return request.followed_by(
        Message("assistant", reply.text), Message("user", f"{error}\nAnswer again with that JSON object alone.")
    )


def with_chances(request: Request) -> Request:
    """The request for one token and its alternatives."""
    return replace(request, max_tokens=1, logprobs=_CHANCES)


def probability(reply: Completion, yes: str, no: str) -> float:
    """How much likelier the reply begins with ``yes`` than with ``no``.

    Raises:
        UnusableReply: nothing is known of either.
    """
    mass = {yes.casefold(): 0.0, no.casefold(): 0.0}
    for chance in reply.chances[0] if reply.chances else ():
        word = chance.token.strip().casefold()
        if word in mass:
            mass[word] += math.exp(chance.logprob)
    total = sum(mass.values())
    if not total:
        raise UnusableReply(f"the reply must tell how likely {yes!r} and {no!r} are, and does not", reply.text)
    return mass[yes.casefold()] / total
