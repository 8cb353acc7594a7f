"""A reply with the call that it belongs to, as bytes and as a line of text."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tetragraph.llm.model import Completion, TokenLogprob, key_of

_FAST = 1


@dataclass(frozen=True, slots=True)
class CachedReply:
    """What is exported and imported.

    Attributes:
        content: Of the call, see :meth:`Request.content`.
        reply: Not marked as cached.
    """

    content: Mapping[str, Any]
    reply: Completion

    @property
    def key(self) -> str:
        """Of the call."""
        return key_of(self.content)

    @property
    def model(self) -> str:
        """Which was asked."""
        return str(self.content["model"])

    def line(self) -> str:
        """One line of JSON, the same for the same call and reply."""
        return _written({"key": self.key, "call": self.content, "reply": _plain(self.reply)})

    @classmethod
    def of_line(cls, line: str) -> CachedReply:
        """What :meth:`line` wrote.

        Raises:
            ValueError, TypeError, KeyError: it is no such line, or its key is not that of its call.
        """
        row = json.loads(line)
        kept = cls(dict(row["call"]), completion(row["reply"]))
        if {*kept.content} != _CONTENT or kept.key != row["key"]:
            raise ValueError("its key is not that of its call")
        return kept


_CONTENT = {"model", "messages", "max_tokens", "schema", "logprobs", "temperature"}


def pack(value: Completion | Mapping[str, Any]) -> bytes:
    """A reply or the content of a call, compressed."""
    return zlib.compress(_written(_plain(value) if isinstance(value, Completion) else value).encode("ascii"), _FAST)


def unpack(data: bytes) -> dict[str, Any]:
    """What :func:`pack` was given, as JSON knows it."""
    found: dict[str, Any] = json.loads(zlib.decompress(data))
    return found


def completion(row: Mapping[str, Any], *, is_cached: bool = False) -> Completion:
    """A reply from what JSON knows of it.

    Raises:
        TypeError, ValueError: it is none.
    """
    chances = tuple(tuple(TokenLogprob(token, logprob) for token, logprob in place) for place in row["chances"])
    reply = Completion(**{**row, "chances": chances}, is_cached=is_cached)
    if not (isinstance(reply.text, str) and isinstance(reply.input_tokens, int) and isinstance(reply.seconds, float)):
        raise TypeError("its reply is none")
    return reply


def _plain(reply: Completion) -> dict[str, Any]:
    row = asdict(reply)
    del row["is_cached"]
    row["chances"] = [[(chance.token, chance.logprob) for chance in place] for place in reply.chances]
    return row


def _written(value: Mapping[str, Any]) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
