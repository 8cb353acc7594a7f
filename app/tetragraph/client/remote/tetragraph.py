"""The client of a service: corpora over HTTP, with the methods of the local client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, cast

from tetragraph.client.remote.transport import Transport
from tetragraph.client.tetragraph import CorpusSummary, Tetragraph, check_corpus_name
from tetragraph.errors import NotServed
from tetragraph.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tetragraph.archive.report import BackupReport, UpgradeReport
    from tetragraph.client.corpus import Corpus
    from tetragraph.client.policies import Policies
    from tetragraph.connection import Connection
    from tetragraph.doctor import HealthReport
    from tetragraph.indexing.vector_copy import Side, VectorCopy
    from tetragraph.settings import Settings
    from tetragraph.stores.vectors import Kind


class RemoteTetragraph(Tetragraph):
    """A connection to a service; obtained from ``Tetragraph.connect("http://…")``. Thread-safe.

    Methods that change data wait until the job of the service has ended. Those that need the stores themselves raise
    :class:`~tetragraph.errors.NotServed`.

    Raises (all methods):
        ServiceUnavailable: nothing answers at the address.
        ServiceError: the answer has another form than that of this version.
        AccessDenied: the key is missing, not valid, or lacks the right.
        ServiceBusy: the service stays busy although the request was repeated.
    """

    def __init__(self, transport: Transport) -> None:
        super().__init__(cast("Connection", NoConnection()))
        self._transport = transport

    def __repr__(self) -> str:
        return f"Tetragraph({self._transport.address!r})"

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def corpus(self, name: str) -> Corpus:
        """The corpus with a name, which need not exist yet; see :meth:`Tetragraph.corpus`."""
        from tetragraph.client.remote.corpus import RemoteCorpus

        check_corpus_name(name)
        return RemoteCorpus(self._transport, name)

    def corpora(self) -> list[CorpusSummary]:
        """The corpora on which the key has a right, in order of name."""
        found: list[CorpusSummary] = self._transport.get(list[CorpusSummary], "/v1/corpora")
        return found

    @property
    def policies(self) -> Policies:
        """Not served: policies belong to the home of the service."""
        not_served("policies")

    def doctor(
        self,
        *,
        repair: bool = False,
        delete: bool = False,
        corpus: str | None = None,
        progress: Progress | None = None,
    ) -> HealthReport:
        """Not served: run ``tetragraph doctor`` beside the stores."""
        not_served("doctor", repair, delete, corpus, progress)

    def copy_vectors(
        self, to: Side, *, corpus: str | None = None, progress: Progress | None = None
    ) -> list[VectorCopy]:
        """Not served: run ``tetragraph vectors`` beside the stores."""
        not_served("copy_vectors", to, corpus, progress)

    def restore(self, path: str | Path, *, name: str | None = None, progress: Progress | None = None) -> BackupReport:
        """Not served: run ``tetragraph restore`` beside the stores."""
        not_served("restore", path, name, progress)

    @staticmethod
    def check_upgrade(settings: Settings | None = None, *, backups: Sequence[str | Path] = ()) -> UpgradeReport:
        """Not served: run ``tetragraph upgrade --check`` beside the stores."""
        not_served("check_upgrade", settings, backups)

    def claim_vectors(self, corpus: str) -> list[Kind]:
        """Not served: run ``tetragraph vectors`` beside the stores."""
        not_served("claim_vectors", corpus)


class NoConnection:
    """Stands for the connection to the stores, which a remote client does not have."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        not_served("a connection to the stores")


def not_served(name: str, *_: object) -> NoReturn:
    """Raise the error of a call that the service does not offer."""
    raise NotServed(f"a service does not offer {name}: use a local client, `Tetragraph.connect()` without an address")
