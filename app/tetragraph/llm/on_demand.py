"""An operation that begins when somebody first asks for it: most searches and builds ask no model."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from tetragraph.llm.operation import Operation
from tetragraph.model.usage import NOTHING, Usage


class LazyOperation:
    """Call it for the operation, the same each time. Safe to share between threads."""

    def __init__(self, begin: Callable[[], Operation]) -> None:
        self._begin = begin
        self._begun: Operation | None = None
        self._guard = threading.Lock()

    def __call__(self) -> Operation:
        """The operation.

        Raises:
            LlmNotConfigured: no model is set.
        """
        with self._guard:
            if self._begun is None:
                self._begun = self._begin()
            return self._begun

    @property
    def usage(self) -> Usage:
        """What it has cost so far; nothing where nobody asked."""
        return self._begun.usage if self._begun else NOTHING

    @property
    def notes(self) -> tuple[str, ...]:
        """Said in words: in which ways its replies are less sure than they could be."""
        return self._begun.notes if self._begun else ()

    @property
    def record(self) -> dict[str, Any]:
        """For manifests: an entry ``llm`` of the model and the prompts, or none where nobody asked."""
        return {"llm": self._begun.record} if self._begun else {}
