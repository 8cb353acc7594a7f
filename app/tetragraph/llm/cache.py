"""Every reply, kept by the content of its call."""

from __future__ import annotations

import json
import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from tetragraph.errors import DeadlineExceeded
from tetragraph.llm.database import LlmDatabase
from tetragraph.llm.messages import Completion, Request, TokenLogprob, key_of

_AT_ONCE = 500


class Replies(Protocol):
    """Where earlier replies are. Safe to share between threads."""

    def claimed(self, key: str, deadline: float | None) -> AbstractContextManager[None]:
        """While it is open nobody else of this process looks for that reply or pays for it."""

    def get(self, key: str) -> Completion | None:
        """The reply that was kept, marked as cached."""

    def put(self, request: Request, reply: Completion) -> None:
        """Keep a reply."""

    def known(self, keys: Sequence[str]) -> set[str]:
        """Those of the keys that have a reply."""


class ReplyCache:
    """Replies of one model in the file that all models share."""

    def __init__(self, file: LlmDatabase, model: str) -> None:
        self._file = file
        self._model = model
        self._flights = SingleFlight()

    def claimed(self, key: str, deadline: float | None) -> AbstractContextManager[None]:
        return self._flights.claimed(key, deadline)

    def get(self, key: str) -> Completion | None:
        rows = self._file.read("SELECT reply FROM replies WHERE key = ?", (key,))
        return completion(unpack(rows[0][0]), is_cached=True) if rows else None

    def put(self, request: Request, reply: Completion) -> None:
        keep(self._file, CachedReply(request.content(self._model), reply))

    def known(self, keys: Sequence[str]) -> set[str]:
        found: set[str] = set()
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            places = ", ".join("?" * len(some))
            statement = f"SELECT key FROM replies WHERE key IN ({places})"  # noqa: S608 - question marks alone
            found.update(key for (key,) in self._file.read(statement, some))
        return found


class NoReplies:
    """Keeps nothing: every call is asked anew."""

    def claimed(self, key: str, deadline: float | None) -> AbstractContextManager[None]:  # noqa: ARG002 - protocol
        return nullcontext()

    def get(self, key: str) -> None:  # noqa: ARG002 - protocol
        return None

    def put(self, request: Request, reply: Completion) -> None:  # noqa: ARG002 - protocol
        return

    def known(self, keys: Sequence[str]) -> set[str]:  # noqa: ARG002 - protocol
        return set()


def keep(file: LlmDatabase, kept: CachedReply) -> bool:
    """Keep a reply unless its call has one; whether it had none."""
    values = (kept.key, kept.model, pack(kept.reply), pack(kept.content))
    with file.change() as writer:
        return writer.execute("INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?)", values).rowcount > 0


def import_replies(file: LlmDatabase, replies: Iterable[CachedReply]) -> tuple[int, int]:
    """Keep replies, all or none; calls that have one keep theirs.

    Returns:
        How many were given, and how many of them are new.
    """
    with file.change():
        are_new = [keep(file, one) for one in replies]
    return len(are_new), sum(are_new)


def count(file: LlmDatabase) -> int:
    """How many replies there are."""
    rows = file.read("SELECT count(*) FROM replies")
    return int(rows[0][0]) if rows else 0


def export_replies(file: LlmDatabase, model: str | None = None) -> Iterator[CachedReply]:
    """Every reply, of a model or of all, in the order of the keys."""
    after = ""
    while rows := file.read(
        "SELECT key, content, reply FROM replies WHERE key > ? AND model = ifnull(?, model) ORDER BY key LIMIT ?",
        (after, model, _AT_ONCE),
    ):
        yield from (CachedReply(unpack(content), completion(unpack(reply))) for _, content, reply in rows)
        after = rows[-1][0]


def forget(file: LlmDatabase) -> int:
    """Drop every reply and give its room back; the books stay. How many there were."""
    with file.change() as writer:
        dropped = writer.execute("DELETE FROM replies").rowcount
    file.shrink()
    return dropped


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


class SingleFlight:
    """Keys of the calls that are under way in this process."""

    def __init__(self) -> None:
        self._held: set[str] = set()
        self._changed = threading.Condition()

    @contextmanager
    def claimed(self, key: str, deadline: float | None) -> Iterator[None]:
        """Wait until nobody else holds the key, and hold it.

        Whoever waited looks for the reply again: where the other failed there is none, and this thread asks itself.

        Raises:
            DeadlineExceeded: another held it until then.
        """
        with self._changed:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not self._changed.wait_for(lambda: key not in self._held, left):
                raise DeadlineExceeded("the deadline passed while another thread was asking for the same reply")
            self._held.add(key)
        try:
            yield
        finally:
            with self._changed:
                self._held.remove(key)
                self._changed.notify_all()
