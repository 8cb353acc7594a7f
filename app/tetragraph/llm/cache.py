"""Every reply, kept by the content of its call."""

from __future__ import annotations

from dataclasses import replace

from tetragraph.llm.model import Completion, Request


class ReplyCache:
    """Replies by key."""

    def __init__(self) -> None:
        self._kept: dict[str, Completion] = {}

    def get(self, key: str) -> Completion | None:
        """The reply that was kept, marked so."""
        kept = self._kept.get(key)
        return replace(kept, is_cached=True) if kept else None

    def put(self, key: str, request: Request, reply: Completion) -> None:
        """Keep a reply."""
        self._kept[key] = reply
