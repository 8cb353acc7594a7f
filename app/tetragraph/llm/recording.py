"""Recordings: replies in a file of JSON lines, which repeat an experiment without cost."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import IO, NoReturn

from tetragraph.errors import InvalidInput, NotRecorded
from tetragraph.llm.cache import CachedReply
from tetragraph.llm.messages import Completion, Request

PREFIX = "replay:"
_GZ = ".gz"


def write(replies: Iterable[CachedReply], path: Path) -> int:
    """Write replies, one line each; compressed if the name ends in ``.gz``, with the same bytes each time.

    Returns:
        Number of replies.

    Raises:
        InvalidInput: the file cannot be written.
    """
    count = 0
    try:
        with _open_for_writing(path) as file:
            for reply in replies:
                file.write(f"{reply.line()}\n".encode("ascii"))
                count += 1
    except OSError as error:
        raise InvalidInput(f"the recording cannot be written: {error}") from error
    return count


def read(path: Path) -> Iterator[CachedReply]:
    """Yield the replies of a file.

    Raises:
        InvalidInput: the file cannot be read, or a line is not a reply; the message has its number.
    """
    number = 0
    try:
        with gzip.open(path) if path.suffix == _GZ else path.open("rb") as file:
            for line in file:
                number += 1
                yield CachedReply.of_line(line.decode("utf-8"))
    except (OSError, EOFError, zlib.error) as error:
        place = f" after line {number}" if number else ""
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(f"the recording {str(path)!r} cannot be read{place}: {reason}") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InvalidInput(
            f"line {number} of the recording {str(path)!r} must be a reply as `tetragraph llm export` writes it, and "
            f"is not: {type(error).__name__}: {error}"
        ) from error


class Recording:
    """Replies and transport of a model that is replayed from a file.

    Raises:
        InvalidInput: the file cannot be read, is empty, or has replies of several models.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._replies: dict[str, Completion] = {}
        models: set[str] = set()
        for cached in read(path):
            self._replies.setdefault(cached.key, replace(cached.reply, is_cached=True))
            models.add(cached.model)
        if len(models) != 1:
            raise InvalidInput(
                f"a recording that is replayed must have replies of one model, {str(path)!r} has those of "
                f"{', '.join(sorted(models)) or 'none'}; `tetragraph llm export --model` writes those of one"
            )
        self.model = models.pop()

    @property
    def notes(self) -> tuple[str, ...]:
        """Empty: a recording does not store how structured output was requested."""
        return ()

    def claim(self, key: str, deadline: float | None) -> AbstractContextManager[None]:  # noqa: ARG002 - protocol
        """Return an empty context: nothing has to wait."""
        return nullcontext()

    def get(self, key: str) -> Completion:
        """Return the recorded reply.

        Raises:
            NotRecorded: the recording lacks it.
        """
        reply = self._replies.get(key)
        if reply is None:
            self._raise_not_recorded()
        return reply

    def put(self, request: Request, reply: Completion) -> NoReturn:  # noqa: ARG002 - protocol
        """Raise :class:`NotRecorded`: a recording takes no replies."""
        self._raise_not_recorded()

    def find_keys(self, keys: Sequence[str]) -> set[str]:
        """Return the keys that have a reply."""
        return self._replies.keys() & set(keys)

    def send(self, request: Request, deadline: float | None) -> Completion:  # noqa: ARG002 - protocol
        """Return the recorded reply."""
        return self.get(request.key(self.model))

    def stream(self, request: Request, deadline: float | None) -> Generator[str, None, Completion]:
        """Yield the recorded reply as one piece."""
        reply = self.send(request, deadline)
        yield reply.text
        return reply

    def _raise_not_recorded(self) -> NoReturn:
        raise NotRecorded(
            f"the recording {str(self._path)!r} (of model {self.model!r}, {len(self._replies):,} replies) has no reply "
            "to this call: its text, prompt or parameters are not those of the recording; repeat the recorded run, or "
            "use the model itself and record that with `tetragraph llm export`"
        )


@contextmanager
def _open_for_writing(path: Path) -> Iterator[IO[bytes]]:
    with path.open("wb") as raw:
        if path.suffix != _GZ:
            yield raw
            return
        with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as compressed, io.BufferedWriter(compressed) as file:
            yield file
