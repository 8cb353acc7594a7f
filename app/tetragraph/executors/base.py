"""The interface of executors, and the one that computes in this process."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar, get_args

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

ExecutorName: TypeAlias = Literal["local", "ray"]
NAMES: tuple[str, ...] = get_args(ExecutorName)
"""Names of the executors; the first is the default."""


class Step(ABC, Generic[ItemT, ResultT]):
    """A computation that workers can do, such as embedding; subclasses are frozen dataclasses that can be pickled.

    The result depends on the step and the item alone, to the byte.
    """

    @abstractmethod
    def load(self) -> Callable[[ItemT], ResultT]:
        """Load what the computation needs, and return it; called once in a process."""

    def probe(self) -> dict[str, str]:
        """Properties of the loaded step that must be equal on all machines, such as the hash of a model."""
        return {}


class Executor(Protocol):
    """Computes the items of steps; the caller takes the results in its own order."""

    @property
    def name(self) -> str:
        """Name in settings, options and reports."""

    @property
    def ahead(self) -> int:
        """Number of items that should be begun before the first result is taken; 0 if nothing runs meanwhile."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences of the report on where and how items were computed."""

    def check(self, steps: Sequence[Step[Any, Any]]) -> None:
        """Start the workers, and check that they compute what this process would; called once, before any item.

        Raises:
            MissingDependency: a package of the executor is not installed.
            WorkersUnavailable: workers cannot be reached or started, or differ from this process.
        """

    def begin(self, step: Step[ItemT, ResultT], item: ItemT, here: Callable[[ItemT], ResultT]) -> Callable[[], ResultT]:
        """Begin to compute an item.

        Args:
            step: The computation.
            item: Its argument; can be pickled.
            here: The same computation in this process.

        Returns:
            A function that waits for the result and returns it. It raises the error of the computation, or
            ``ProcessEnded`` if workers end again and again.
        """

    def close(self) -> None:
        """End what :meth:`check` has started."""


class LocalExecutor:
    """Computes in this process, when the result is taken."""

    name = "local"
    ahead = 0
    notes: tuple[str, ...] = ()

    def check(self, steps: Sequence[Step[Any, Any]]) -> None:
        """Check nothing: there are no workers."""

    def begin(
        self,
        step: Step[ItemT, ResultT],  # noqa: ARG002  # the interface
        item: ItemT,
        here: Callable[[ItemT], ResultT],
    ) -> Callable[[], ResultT]:
        return partial(here, item)

    def close(self) -> None:
        """End nothing."""


LOCAL = LocalExecutor()
"""The executor of everything that is not asked to run elsewhere."""


def map_in_order(
    executor: Executor,
    step: Step[ItemT, ResultT],
    items: Iterable[ItemT],
    here: Callable[[Iterable[ItemT]], Iterator[ResultT]],
) -> Iterator[ResultT]:
    """Results of all items, in their order; at most ``executor.ahead`` further items are begun or finished.

    Args:
        executor: Where the items are computed.
        step: The computation.
        items: Its arguments, which come one by one.
        here: The same computation of all items in this process, or in processes of this machine.
    """
    if not executor.ahead:
        yield from here(items)
        return
    begun: deque[Callable[[], ResultT]] = deque()
    for item in items:
        begun.append(executor.begin(step, item, lambda one: next(here([one]))))
        if len(begun) > executor.ahead:
            yield begun.popleft()()
    while begun:
        yield begun.popleft()()
