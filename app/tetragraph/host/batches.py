"""Items in batches, and files in blocks, for what handles a part at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, Final, TypeVar

ItemT = TypeVar("ItemT")
_BLOCK: Final = 1 << 20


def in_batches(items: Iterable[ItemT], size: int) -> Iterator[list[ItemT]]:
    """Yield the items in lists of ``size``, of which the last may be shorter; each is read when it is asked for."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


def read_blocks(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a stream in blocks of at most a megabyte."""
    while block := stream.read(_BLOCK):
        yield block
