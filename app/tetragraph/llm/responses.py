"""Parses and validates the responses of an endpoint, whole or streamed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

from tetragraph.errors import UnusableReply
from tetragraph.llm.cost import CHARACTERS
from tetragraph.llm.dialect import replace_surrogates
from tetragraph.llm.endpoint import Refusal
from tetragraph.llm.messages import Completion, Request, TokenLogprob
from tetragraph.llm.retries import TransientFailure

_MAX_BYTES = 8_000_000
_BYTES_PER_TOKEN = 1_000
_BYTES_PER_LOGPROB = 200
_SHOWN_BYTES = 2_000


def limit_size(blocks: Iterable[bytes], request: Request) -> Iterator[bytes]:
    """Yield the blocks of a response, up to the largest size that a reply to the request can need.

    Raises:
        UnusableReply: the response is larger; it is not stored.
    """
    largest = _MAX_BYTES + request.max_tokens * (_BYTES_PER_TOKEN + request.logprobs * _BYTES_PER_LOGPROB)
    size = 0
    for block in blocks:
        size += len(block)
        if size > largest:
            beginning = replace_surrogates(block[:_SHOWN_BYTES].decode("utf-8", "replace"))
            raise UnusableReply(
                f"a reply to this request must be shorter than {largest:,} bytes, and is not", beginning
            )
        yield block


def read_frames(blocks: Iterable[bytes]) -> Iterator[object]:
    """Yield the JSON values of a stream of server-sent events, or of the one response of an endpoint without streams.

    Raises:
        TransientFailure: a value is not JSON.
    """
    waiting, rest = iter(blocks), b""
    for block in waiting:
        rest += block
        if rest.lstrip()[:1] in (b"{", b"[", b"<"):  # no event begins like this
            rest += b"".join(waiting)
            yield parse_json(rest)
            return
        *lines, rest = rest.split(b"\n")
        for line in lines:
            data = line.removeprefix(b"data:").strip()
            if data == b"[DONE]":
                return
            if line.startswith(b"data:") and data:
                yield parse_json(data)


def parse_json(content: bytes) -> object:
    """Parse JSON.

    Raises:
        TransientFailure: the content is not JSON.
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        beginning = replace_surrogates(content[:80].decode("utf-8", "replace"))
    raise TransientFailure(
        f"the endpoint must answer with JSON, and answered {beginning!r}; its address mostly ends in /v1"
    )


class PartialResponse:
    """Reply while it arrives: one frame of a whole response, or many of a stream.

    Attributes:
        text: Text received so far.
        finish: Reason for the end; empty before it.
    """

    def __init__(self, request: Request, address_setting: str) -> None:
        self._request = request
        self._address_setting = address_setting
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
        """Add a frame; returns its text.

        Raises:
            TransientFailure: the frame violates the protocol.
            Refusal: the frame is an error.
        """
        if not isinstance(frame, dict):
            raise TransientFailure(
                f"the endpoint must answer with a JSON object, and did not; check {self._address_setting}"
            )
        if frame.get("error"):
            raise _error(frame["error"])
        self._usage = _part(frame, "usage") or self._usage
        choices = frame.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        message = _part(choice, "delta") or _part(choice, "message")
        self._refusal += str(message.get("refusal") or "")
        self._has_content = self._has_content or message.get("content") is not None
        self._chances += _chances(_part(choice, "logprobs").get("content"))
        self.finish = str(choice.get("finish_reason") or self.finish or ("stop" if "message" in choice else ""))
        text = replace_surrogates(_text(message.get("content")))
        self._pieces.append(text)
        return text

    @property
    def tokens(self) -> tuple[int, int] | None:
        """Input and output tokens counted by the endpoint; None if it counted none."""
        input_tokens, output_tokens = self._usage.get("prompt_tokens"), self._usage.get("completion_tokens")
        if isinstance(input_tokens, int) and isinstance(output_tokens, int):
            return input_tokens, output_tokens
        return None

    def check(self) -> None:
        """Check that the reply is complete and usable.

        Raises:
            TransientFailure: the reply broke off, or has no choice, or one without content, as from overloaded
                endpoints.
            UnusableReply: the model refused, was stopped, or wrote no text.
        """
        if self._refusal:
            raise UnusableReply("the model must answer, and refuses", replace_surrogates(self._refusal))
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
            raise UnusableReply(f"the model spent all {limit} tokens without any text; it needs more of them", "")
        raise UnusableReply("the reply must have a text, and is empty", self.text)

    def completion(self, seconds: float, tries: int, failed_tokens: tuple[int, int]) -> Completion:
        """Return the reply; its tokens include those of failed attempts."""
        text, counted = self.text, self.tokens
        estimated = _estimate(self._request.characters), _estimate(len(text))
        tokens = counted or estimated
        return Completion(
            text,
            self.finish or "stop",
            tokens[0] + failed_tokens[0],
            tokens[1] + failed_tokens[1],
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
    """Text of a string, or of a list of parts with texts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _error(error: object) -> Refusal:
    """Convert an error that arrived in place of a reply, without an HTTP status."""
    fields = error if isinstance(error, dict) else {}
    code = fields.get("code")
    status = code if isinstance(code, int) and 400 <= code < 600 else 500
    return Refusal(status, str(fields.get("message") or error), str(code or ""))


def _chances(tokens: object) -> list[tuple[TokenLogprob, ...]]:
    """Likeliest tokens for each token; the token itself if the endpoint returns no others."""
    entries = [token for token in tokens if isinstance(token, dict)] if isinstance(tokens, list) else []
    places = []
    for token in entries:
        top = token.get("top_logprobs") or [token]
        candidates = [
            TokenLogprob(replace_surrogates(str(entry.get("token"))), entry["logprob"])
            for entry in top
            if _has_logprob(entry)
        ]
        places.append(tuple(sorted(candidates, key=lambda chance: -chance.logprob)))
    return places


def _has_logprob(token: object) -> bool:
    return isinstance(token, dict) and isinstance(token.get("logprob"), int | float)
