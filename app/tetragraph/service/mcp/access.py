"""The corpora that a caller of the MCP server may read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from tetragraph.errors import UnknownCorpus

if TYPE_CHECKING:
    from tetragraph.client.corpus import Corpus
    from tetragraph.client.tetragraph import CorpusSummary, Tetragraph


class Access(Protocol):
    """The corpora that one caller may search."""

    def corpora(self) -> Sequence[CorpusSummary]:
        """Summaries of these corpora, in order of name."""

    def corpus(self, name: str) -> Corpus:
        """One of these corpora.

        Raises:
            UnknownCorpus: there is no such corpus, or the caller has no right to it; both have the same message.
        """


class LocalAccess:
    """Access of the user of this machine: all corpora of a client, or those that are named.

    Args:
        connect: Opens the client; called once, by the first use, so that a server starts without its stores.
        names: Names of the only corpora to serve; all when empty.
    """

    def __init__(self, connect: Callable[[], Tetragraph], names: Sequence[str] = ()) -> None:
        self._connect = connect
        self._names = frozenset(names)
        self._client: Tetragraph | None = None
        self._lock = threading.Lock()

    def corpora(self) -> Sequence[CorpusSummary]:
        """Summaries of the served corpora, in order of name."""
        return [one for one in self._open().corpora() if not self._names or one.name in self._names]

    def corpus(self, name: str) -> Corpus:
        """One of the served corpora.

        Raises:
            UnknownCorpus: there is no such corpus, or it is not served.
        """
        client = self._open()
        if (self._names and name not in self._names) or client.connection.find_stores(name) is None:
            raise unknown_corpus(name, [one.name for one in self.corpora()])
        return client.corpus(name)

    def close(self) -> None:
        """Close the client if it was opened."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _open(self) -> Tetragraph:
        with self._lock:
            if self._client is None:
                self._client = self._connect()
            return self._client


def unknown_corpus(name: str, known: Sequence[str]) -> UnknownCorpus:
    """The error for a corpus that a caller cannot have, with those that it can have."""
    return UnknownCorpus(f"no corpus named {name!r:.100}; there are: {', '.join(known) or 'none yet'}")
