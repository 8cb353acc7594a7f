"""Base class of search results: an immutable sequence of items."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

Found = TypeVar("Found")


class Results(Sequence[Found]):
    """A sequence of what was found, best first, which says where it keeps it."""

    __slots__ = ()

    @property
    @abstractmethod
    def _found(self) -> tuple[Found, ...]:
        """Items of the sequence."""

    @overload
    def __getitem__(self, index: int) -> Found: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Found]: ...
    def __getitem__(self, index: int | slice) -> Found | Sequence[Found]:
        return self._found[index]

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Found]:
        return iter(self._found)
