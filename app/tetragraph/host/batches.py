"""Items in batches, for what handles many at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

ItemT = TypeVar("ItemT")


def in_batches(items: Iterable[ItemT], size: int) -> Iterator[list[ItemT]]:
    """Yield the items in lists of ``size``, of which the last may be shorter; each is read when it is asked for."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch
