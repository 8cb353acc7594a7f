"""Reads what an endpoint answers, whole or in the pieces of a stream, and trusts none of it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

from tetragraph.errors import UnusableReply
from tetragraph.llm.cost import CHARACTERS
from tetragraph.llm.dialect import whole
from tetragraph.llm.endpoint import Refusal
from tetragraph.llm.messages import Completion, Request, TokenLogprob
from tetragraph.llm.retries import TransientFailure

_LARGEST = 8_000_000
_BYTES_PER_TOKEN = 1_000
_BYTES_PER_CHANCE = 200
_RAW = 2_000


def bounded(blocks: Iterable[bytes], request: Request) -> Iterator[bytes]:
    """The blocks of a reply, up to what a reply of the request can need.

    Raises:
        UnusableReply: there is more; what came is not kept.
    """
    largest = _LARGEST + request.max_tokens * (_BYTES_PER_TOKEN + request.logprobs * _BYTES_PER_CHANCE)
    size = 0
    for block in blocks:
        size += len(block)
        if size > largest:
            began = whole(block[:_RAW].decode("utf-8", "replace"))
            raise UnusableReply(f"a reply to this request must be shorter than {largest:,} bytes, and is not", began)
        yield block


def frames(blocks: Iterable[bytes]) -> Iterator[object]:
    """What a stream of server-sent events holds; of an endpoint that does not stream, the one whole reply.

    Raises:
        TransientFailure: it is not JSON.
    """
    waiting, rest = iter(blocks), b""
    for block in waiting:
        rest += block
        if rest.lstrip()[:1] in (b"{", b"[", b"<"):  # no event begins like this
            rest += b"".join(waiting)
            yield parsed(rest)
            return
        *lines, rest = rest.split(b"\n")
        for line in lines:
            data = line.removeprefix(b"data:").strip()
            if data == b"[DONE]":
                return
            if line.startswith(b"data:") and data:
                yield parsed(data)


def parsed(content: bytes) -> object:
    """JSON that has to be there.

    Raises:
        TransientFailure: it is not.
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        began = whole(content[:80].decode("utf-8", "replace"))
    raise TransientFailure(
        f"the endpoint must answer with JSON, and answered {began!r}; its address mostly ends in /v1"
    )


class PartialResponse:
    """A reply while it comes in: one frame of a whole reply, or many of a stream.

    Attributes:
        text: What came so far.
        finish: Why it ended; empty until it has.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        self._pieces: list[str] = []
        self._refusal = ""
        self._chances: list[tuple[TokenLogprob, ...]] = []
        self._usage: dict[str, Any] = {}
        self._has_content = False
        self.finish = ""

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def add(self, frame: object) -> str:
        """Take in a frame; returns the text that it adds.

        Raises:
            TransientFailure: it is not of the protocol.
            Refusal: it is an error.
        """
        if not isinstance(frame, dict):
            raise TransientFailure("the endpoint must answer with a JSON object, and did not; check OPENAI_BASE_URL")
        if frame.get("error"):
            raise _error(frame["error"])
        self._usage = _part(frame, "usage") or self._usage
        choices = frame.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        said = _part(choice, "delta") or _part(choice, "message")
        self._refusal += str(said.get("refusal") or "")
        self._has_content = self._has_content or said.get("content") is not None
        self._chances += _chances(_part(choice, "logprobs").get("content"))
        self.finish = str(choice.get("finish_reason") or self.finish or ("stop" if "message" in choice else ""))
        text = whole(_text(said.get("content")))
        self._pieces.append(text)
        return text

    @property
    def tokens(self) -> tuple[int, int] | None:
        """In and out, as the endpoint counted them; None where it did not."""
        given, answered = self._usage.get("prompt_tokens"), self._usage.get("completion_tokens")
        return (given, answered) if isinstance(given, int) and isinstance(answered, int) else None

    def check(self) -> None:
        """See that it is a reply.

        Raises:
            TransientFailure: it broke off, or holds no choice, or one without content, as overloaded
                endpoints do.
            UnusableReply: the model refuses, was stopped, or said nothing.
        """
        if self._refusal:
            raise UnusableReply("the model must answer, and refuses", whole(self._refusal))
        if self.finish == "content_filter":
            raise UnusableReply("the endpoint's content filter stopped the reply", self.text)
        if not self._has_content and self.finish != "length":
            raise TransientFailure("the reply must have a text, and has none", raw="")
        if not self.finish:
            raise TransientFailure("the reply ended in the middle")
        if self.text.strip() or self._chances:
            return
        if self.finish == "length":
            limit = self._request.max_tokens
            raise UnusableReply(f"the model spent all {limit} tokens and said nothing; it needs more of them", "")
        raise UnusableReply("the reply must have a text, and is empty", self.text)

    def completion(self, seconds: float, tries: int, in_vain: tuple[int, int]) -> Completion:
        """The reply, with the tokens of tries in vain added to its own."""
        text, counted = self.text, self.tokens
        estimated = _estimate(self._request.characters), _estimate(len(text))
        tokens = counted or estimated
        return Completion(
            text,
            self.finish or "stop",
            tokens[0] + in_vain[0],
            tokens[1] + in_vain[1],
            tuple(self._chances),
            seconds,
            tries,
            is_counted=counted is not None,
        )


def _estimate(characters: int) -> int:
    return math.ceil(characters / CHARACTERS)


def _part(frame: dict[str, Any], name: str) -> dict[str, Any]:
    found = frame.get(name)
    return found if isinstance(found, dict) else {}


def _text(content: object) -> str:
    """Of a text, or of a list of parts with texts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _error(error: object) -> Refusal:
    """An error that came in place of a reply, without the status of one."""
    told = error if isinstance(error, dict) else {}
    code = told.get("code")
    status = code if isinstance(code, int) and 400 <= code < 600 else 500
    return Refusal(status, str(told.get("message") or error), str(code or ""))


def _chances(tokens: object) -> list[tuple[TokenLogprob, ...]]:
    """For each token the likeliest ones; the token itself where the endpoint tells no others."""
    listed = [token for token in tokens if isinstance(token, dict)] if isinstance(tokens, list) else []
    places = []
    for token in listed:
        top = token.get("top_logprobs") or [token]
        found = [TokenLogprob(whole(str(one.get("token"))), one["logprob"]) for one in top if _has_chance(one)]
        places.append(tuple(sorted(found, key=lambda chance: -chance.logprob)))
    return places


def _has_chance(token: object) -> bool:
    return isinstance(token, dict) and isinstance(token.get("logprob"), int | float)
