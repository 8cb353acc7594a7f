"""Replies in a file of JSON lines, to repeat an experiment from it for nothing."""

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


def write(kept: Iterable[CachedReply], path: Path) -> int:
    """Write replies, a line each; compressed where the name ends in ``.gz``, with the same bytes each time.

    Returns:
        How many.

    Raises:
        InvalidInput: the file cannot be written.
    """
    count = 0
    try:
        with _opened_to_write(path) as file:
            for one in kept:
                file.write(f"{one.line()}\n".encode("ascii"))
                count += 1
    except OSError as error:
        raise InvalidInput(f"the recording cannot be written: {error}") from error
    return count


def read(path: Path) -> Iterator[CachedReply]:
    """Replies of a file, one after the other.

    Raises:
        InvalidInput: the file cannot be read, or a line of it is no reply; names the line.
    """
    number = 0
    try:
        with gzip.open(path) if path.suffix == _GZ else path.open("rb") as file:
            for line in file:
                number += 1
                yield CachedReply.of_line(line.decode("utf-8"))
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInput(f"the recording {str(path)!r} cannot be read after line {number}: {error}") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InvalidInput(
            f"line {number} of the recording {str(path)!r} must be a reply as `tetragraph llm export` writes it, and "
            f"is not: {type(error).__name__}: {error}"
        ) from error


class Recording:
    """Answers from a file alone: the replies and the transport of a model that is not there.

    Raises:
        InvalidInput: the file cannot be read, is empty, or has replies of several models.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._replies: dict[str, Completion] = {}
        models: set[str] = set()
        for kept in read(path):
            self._replies.setdefault(kept.key, replace(kept.reply, is_cached=True))
            models.add(kept.model)
        if len(models) != 1:
            raise InvalidInput(
                f"a recording that is replayed must have replies of one model, {str(path)!r} has those of "
                f"{', '.join(sorted(models)) or 'none'}; `tetragraph llm export --model` writes those of one"
            )
        self.model = models.pop()

    @property
    def notes(self) -> tuple[str, ...]:
        """Nothing is known of how replies were asked for."""
        return ()

    def claimed(self, key: str, deadline: float | None) -> AbstractContextManager[None]:  # noqa: ARG002 - protocol
        """Nobody needs to wait."""
        return nullcontext()

    def get(self, key: str) -> Completion:
        """The recorded reply.

        Raises:
            NotRecorded: there is none.
        """
        found = self._replies.get(key)
        if found is None:
            self._lack()
        return found

    def put(self, request: Request, reply: Completion) -> NoReturn:  # noqa: ARG002 - protocol
        """Nothing is kept: whatever is missing was refused before."""
        self._lack()

    def known(self, keys: Sequence[str]) -> set[str]:
        """Those of the keys that have a reply."""
        return self._replies.keys() & set(keys)

    def send(self, request: Request, deadline: float | None) -> Completion:  # noqa: ARG002 - protocol
        """The recorded reply."""
        return self.get(request.key(self.model))

    def stream(self, request: Request, deadline: float | None) -> Generator[str, None, Completion]:
        """The recorded reply as one piece."""
        reply = self.send(request, deadline)
        yield reply.text
        return reply

    def _lack(self) -> NoReturn:
        raise NotRecorded(
            f"the recording {str(self._path)!r} (of model {self.model!r}, {len(self._replies):,} replies) has no reply "
            "to this call: its text, prompt or parameters are not those of the recording; run the same as it was "
            "recorded, or ask the model itself and record that with `tetragraph llm export`"
        )


@contextmanager
def _opened_to_write(path: Path) -> Iterator[IO[bytes]]:
    with path.open("wb") as raw:
        if path.suffix != _GZ:
            yield raw
            return
        with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed, io.BufferedWriter(packed) as file:
            yield file
