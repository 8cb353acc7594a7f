"""Every reply, kept by the content of its call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from tetragraph.llm.file import LlmFile
from tetragraph.llm.flights import SingleFlight
from tetragraph.llm.kept import CachedReply, completion, pack, unpack
from tetragraph.llm.model import Completion, Request

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

    def __init__(self, file: LlmFile, model: str) -> None:
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


def keep(file: LlmFile, kept: CachedReply) -> bool:
    """Keep a reply unless its call has one; whether it had none."""
    values = (kept.key, kept.model, pack(kept.reply), pack(kept.content))
    with file.change() as writer:
        return writer.execute("INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?)", values).rowcount > 0


def import_replies(file: LlmFile, replies: Iterable[CachedReply]) -> tuple[int, int]:
    """Keep replies, all or none; calls that have one keep theirs.

    Returns:
        How many were given, and how many of them are new.
    """
    with file.change():
        are_new = [keep(file, one) for one in replies]
    return len(are_new), sum(are_new)


def count(file: LlmFile) -> int:
    """How many replies there are."""
    rows = file.read("SELECT count(*) FROM replies")
    return int(rows[0][0]) if rows else 0


def export_replies(file: LlmFile, model: str | None = None) -> Iterator[CachedReply]:
    """Every reply, of a model or of all, in the order of the keys."""
    after = ""
    while rows := file.read(
        "SELECT key, content, reply FROM replies WHERE key > ? AND model = ifnull(?, model) ORDER BY key LIMIT ?",
        (after, model, _AT_ONCE),
    ):
        yield from (CachedReply(unpack(content), completion(unpack(reply))) for _, content, reply in rows)
        after = rows[-1][0]


def forget(file: LlmFile) -> int:
    """Drop every reply and give its room back; the books stay. How many there were."""
    with file.change() as writer:
        dropped = writer.execute("DELETE FROM replies").rowcount
    file.shrink()
    return dropped
