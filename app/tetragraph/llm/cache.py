"""The reply cache: every reply of every model, by the content of its request."""

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
from tetragraph.host.batches import in_batches
from tetragraph.llm.database import LlmDatabase
from tetragraph.llm.messages import Completion, Request, TokenLogprob, key_of

_BATCH = 500
_FASTEST = 1
_CONTENT = {"model", "messages", "max_tokens", "schema", "logprobs", "temperature"}
_OPTIONAL = {"seed"}


class Replies(Protocol):
    """Store of replies to earlier requests. Safe to share between threads."""

    def claim(self, key: str, deadline: float | None) -> AbstractContextManager[None]:
        """Return a context in which no other thread of this process looks up or sends the request of that key."""

    def get(self, key: str) -> Completion | None:
        """Return the stored reply, marked as cached."""

    def put(self, request: Request, reply: Completion) -> None:
        """Store a reply."""

    def find_keys(self, keys: Sequence[str]) -> set[str]:
        """Return the keys that have a reply."""


class ReplyCache:
    """Replies of one model in the database that all models share."""

    def __init__(self, database: LlmDatabase, model: str) -> None:
        self._database = database
        self._model = model
        self._flights = SingleFlight()

    def claim(self, key: str, deadline: float | None) -> AbstractContextManager[None]:
        return self._flights.claim(key, deadline)

    def get(self, key: str) -> Completion | None:
        rows = self._database.read("SELECT reply FROM replies WHERE key = ?", (key,))
        return read_completion(unpack(rows[0][0]), is_cached=True) if rows else None

    def put(self, request: Request, reply: Completion) -> None:
        store_reply(self._database, CachedReply(request.content(self._model), reply))

    def find_keys(self, keys: Sequence[str]) -> set[str]:
        found: set[str] = set()
        for batch in in_batches(keys, _BATCH):
            places = ", ".join("?" * len(batch))
            statement = f"SELECT key FROM replies WHERE key IN ({places})"  # noqa: S608 - question marks only
            found.update(key for (key,) in self._database.read(statement, batch))
        return found


class NoReplies:
    """Store without replies: every request is sent."""

    def claim(self, key: str, deadline: float | None) -> AbstractContextManager[None]:  # noqa: ARG002 - protocol
        return nullcontext()

    def get(self, key: str) -> None:  # noqa: ARG002 - protocol
        return None

    def put(self, request: Request, reply: Completion) -> None:  # noqa: ARG002 - protocol
        return

    def find_keys(self, keys: Sequence[str]) -> set[str]:  # noqa: ARG002 - protocol
        return set()


class SingleFlight:
    """Keys of the requests in progress in this process, so that threads with the same request wait for one reply."""

    def __init__(self) -> None:
        self._claimed: set[str] = set()
        self._changed = threading.Condition()

    @contextmanager
    def claim(self, key: str, deadline: float | None) -> Iterator[None]:
        """Wait until no other thread claims the key, and claim it while the context is open.

        After waiting, the caller looks for the reply again: if the other thread failed there is none, and the caller
        sends the request itself.

        Raises:
            DeadlineExceeded: another thread claimed the key until the deadline.
        """
        with self._changed:
            left_s = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not self._changed.wait_for(lambda: key not in self._claimed, left_s):
                raise DeadlineExceeded("the deadline passed while another thread was requesting the same reply")
            self._claimed.add(key)
        try:
            yield
        finally:
            with self._changed:
                self._claimed.remove(key)
                self._changed.notify_all()


@dataclass(frozen=True, slots=True)
class CachedReply:
    """Stored reply with its request, as exported and imported.

    Attributes:
        content: Result of :meth:`Request.content`.
        reply: Reply, not marked as cached.
    """

    content: Mapping[str, Any]
    reply: Completion

    @property
    def key(self) -> str:
        """Cache key of the request."""
        return key_of(self.content)

    @property
    def model(self) -> str:
        """Name of the model."""
        return str(self.content["model"])

    def line(self) -> str:
        """Return one line of JSON, the same for the same request and reply."""
        return _to_json({"key": self.key, "call": self.content, "reply": _to_row(self.reply)})

    @classmethod
    def of_line(cls, line: str) -> CachedReply:
        """Read the result of :meth:`line`.

        Raises:
            ValueError, TypeError, KeyError: the line has another form, or its key is not that of its request.
        """
        row = json.loads(line)
        cached = cls(dict(row["call"]), read_completion(row["reply"]))
        if {*cached.content} - _OPTIONAL != _CONTENT or cached.key != row["key"]:
            raise ValueError("its key is not that of its call")
        return cached


def store_reply(database: LlmDatabase, cached: CachedReply) -> bool:
    """Store a reply unless its request has one; returns whether it had none."""
    values = (cached.key, cached.model, pack(cached.reply), pack(cached.content))
    with database.change() as writer:
        return writer.execute("INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?)", values).rowcount > 0


def import_replies(database: LlmDatabase, replies: Iterable[CachedReply]) -> tuple[int, int]:
    """Store replies, all or none; requests that have a reply keep it.

    Returns:
        Number of replies, and number of new ones among them.
    """
    with database.change():
        are_new = [store_reply(database, cached) for cached in replies]
    return len(are_new), sum(are_new)


def export_replies(database: LlmDatabase, model: str | None = None) -> Iterator[CachedReply]:
    """Yield every reply, of one model or of all, in the order of the keys."""
    last = ""
    while rows := database.read(
        "SELECT key, content, reply FROM replies WHERE key > ? AND model = ifnull(?, model) ORDER BY key LIMIT ?",
        (last, model, _BATCH),
    ):
        yield from (CachedReply(unpack(content), read_completion(unpack(reply))) for _, content, reply in rows)
        last = rows[-1][0]


def count(database: LlmDatabase) -> int:
    """Count the replies."""
    rows = database.read("SELECT count(*) FROM replies")
    return int(rows[0][0]) if rows else 0


def forget(database: LlmDatabase) -> int:
    """Delete every reply and return its space to the disk; the usage log stays. Returns the number of replies."""
    with database.change() as writer:
        deleted = writer.execute("DELETE FROM replies").rowcount
    database.shrink()
    return deleted


def pack(value: Completion | Mapping[str, Any]) -> bytes:
    """Compress a reply or the content of a request."""
    return zlib.compress(_to_json(_to_row(value) if isinstance(value, Completion) else value).encode("ascii"), _FASTEST)


def unpack(data: bytes) -> dict[str, Any]:
    """Return the JSON object that :func:`pack` compressed."""
    value: dict[str, Any] = json.loads(zlib.decompress(data))
    return value


def read_completion(row: Mapping[str, Any], *, is_cached: bool = False) -> Completion:
    """Read a reply from a JSON object.

    Raises:
        TypeError, ValueError: the object is not a reply.
    """
    chances = tuple(tuple(TokenLogprob(token, logprob) for token, logprob in place) for place in row["chances"])
    reply = Completion(**{**row, "chances": chances}, is_cached=is_cached)
    if not (isinstance(reply.text, str) and isinstance(reply.input_tokens, int) and isinstance(reply.seconds, float)):
        raise TypeError("its reply has fields of other types")
    return reply


def _to_row(reply: Completion) -> dict[str, Any]:
    row = asdict(reply)
    del row["is_cached"]
    row["chances"] = [[(chance.token, chance.logprob) for chance in place] for place in reply.chances]
    return row


def _to_json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
