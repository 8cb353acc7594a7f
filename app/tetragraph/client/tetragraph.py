"""The synchronous client: a connection to the stores, and the corpora in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput
from tetragraph.host.addresses import hide_credentials
from tetragraph.model import CORPUS_NAME
from tetragraph.progress import NoProgress, Progress
from tetragraph.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tetragraph.archive.report import BackupReport, UpgradeReport
    from tetragraph.client.corpus import Corpus
    from tetragraph.client.policies import Policies
    from tetragraph.doctor import HealthReport
    from tetragraph.indexing.vector_copy import Side, VectorCopy
    from tetragraph.stores.vectors import Kind


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """Name, embedder and size of a corpus; an item of ``Tetragraph.corpora``.

    Attributes:
        name: Name of the corpus.
        created: Time at which the corpus was created, in ISO 8601.
        embedder: Name of the embedding model.
        dimension: Dimension of its vectors.
        generation: Number of the published generation, from which searches answer; 0 before the first one.
        state: ``complete``; or ``changing`` while a process changes the corpus, and ``interrupted`` where one ended
            before it published its change, which the same command completes.
        documents: Number of documents in the stores. This and the next two include a change that is not published.
        chunks: Number of chunks.
        entities: Number of entities.
    """

    name: str
    created: str
    embedder: str
    dimension: int
    generation: int
    state: Literal["complete", "changing", "interrupted"]
    documents: int
    chunks: int
    entities: int


class Tetragraph:
    """A connection to Neo4j and Qdrant: create it with :meth:`connect`, and use it as a context manager.

    Thread-safe.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    @classmethod
    def connect(
        cls, settings: Settings | str | None = None, *, api_key: str | None = None, progress: Progress | None = None
    ) -> Tetragraph:
        """Connect to a service, to the servers that the settings name, or else to local stores, and apply the schema.

        Without ``NEO4J_URI`` a local Neo4j server is started, unless it is running already; it keeps running until
        ``tetragraph down``. Without ``QDRANT_URL`` Qdrant's engine runs in this process. A client of a service has the
        same methods; its first call, not this one, sends a request.

        Args:
            settings: Servers, models and limits, read from the environment when left out; or the address of a service
                that ``tetragraph serve`` runs, such as ``http://127.0.0.1:8424``.
            api_key: Key of the service; None for a service without keys.
            progress: Receives downloads and the start of Neo4j; silent when left out.

        Raises:
            InvalidInput: the address or a setting is not valid, or a key is given without an address.
            StoreUnavailable, StoreDenied: the server does not answer, or refuses user or password.
            LocalStoreError: the local Neo4j cannot be installed or started; the message gives the reason.
            MissingDependency: the local stores need ``pip install 'tetragraph[local]'``.
            MigrationError: the schema of the database is not that of this version.
        """
        if isinstance(settings, str):
            from tetragraph.client.remote.tetragraph import RemoteTetragraph
            from tetragraph.client.remote.transport import Transport

            return RemoteTetragraph(Transport(settings, api_key))
        if api_key is not None:
            raise InvalidInput("a key belongs to a service: give its address, too, as the first argument")
        if settings is not None and not isinstance(settings, Settings):
            raise InvalidInput(
                f"settings must be Settings(…), the address of a service or None, got {type(settings).__name__}"
            )
        return cls(Connection.open(settings or Settings(), progress or NoProgress()))

    def __repr__(self) -> str:
        settings = self.connection.settings
        return f"Tetragraph({hide_credentials(settings.neo4j_uri or str(settings.home))!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections. A local Neo4j keeps running."""
        self.connection.close()

    def corpus(self, name: str) -> Corpus:
        """The corpus with a name, which need not exist yet: the first ingest creates it.

        Raises:
            InvalidInput: the name is not 1 to 63 lower-case letters, digits, dots, dashes and underscores, starting
                with a letter or digit.
        """
        from tetragraph.client.corpus import Corpus  # imports every system, which `corpora` does not need

        check_corpus_name(name)
        return Corpus(self.connection, name)

    @property
    def policies(self) -> Policies:
        """The policies of the home, which choose the steps of a search in several steps."""
        from tetragraph.client.policies import Policies

        return Policies(self.connection)

    def doctor(
        self,
        *,
        repair: bool = False,
        delete: bool = False,
        corpus: str | None = None,
        progress: Progress | None = None,
    ) -> HealthReport:
        """Check this installation and its corpora, repair faults if requested, and report all findings.

        Args:
            repair: Repair the faults, and check again; otherwise nothing is changed.
            delete: With ``repair``, also make repairs that delete data, such as vectors of chunks that do not exist.
            corpus: Name of the only corpus to check; all when left out.
            progress: Receives the stages of repairs; silent when left out.

        Raises:
            CorpusBusy: ``corpus`` is to be repaired, and another process is changing it.
            InvalidInput: ``delete`` is given without ``repair``.
            UnknownCorpus: there is no corpus of that name.
        """
        from tetragraph import doctor  # imports the build code of every graph, which a search does not need

        if delete and not repair:
            raise InvalidInput("delete allows a repair to delete data, got it without repair: give both, or none")
        installation = () if corpus is not None else tuple(doctor.check_installation(self.connection.settings))
        if repair:
            findings = doctor.repair_connected(
                self.connection, corpus, delete=delete, progress=progress or NoProgress()
            ).findings
        else:
            findings = tuple(doctor.check(self.connection, corpus))
        return doctor.HealthReport((*installation, *findings))

    def copy_vectors(
        self, to: Side, *, corpus: str | None = None, progress: Progress | None = None
    ) -> list[VectorCopy]:
        """Copy vectors between Qdrant's engine in this process and the server of ``QDRANT_URL``; embeds nothing.

        Nothing is deleted on either side; points that the other side has are left as they are.

        Args:
            to: ``"server"`` copies from the engine to the server, ``"local"`` from the server to the engine.
            corpus: Name of the only corpus; all when left out.
            progress: Receives the number of copied vectors; silent when left out.

        Raises:
            InvalidInput: ``to`` is neither, or there is no ``QDRANT_URL``.
            UnknownCorpus: there is no corpus of that name.
            CorpusBusy: another process is changing a corpus.
            MissingDependency: the engine is not installed.
        """
        from tetragraph.indexing import vector_copy

        names = [corpus] if corpus is not None else [one.name for one in self.corpora()]
        return vector_copy.copy_vectors(self.connection, to, names, progress or NoProgress())

    def claim_vectors(self, corpus: str) -> list[Kind]:
        """Mark the collections of a corpus on a Qdrant server as those of this Neo4j, after that was moved or restored.

        Collections of another database are refused otherwise, as two databases on one server would overwrite each
        other's vectors.

        Returns:
            The kinds of its collections.

        Raises:
            InvalidInput: there is no ``QDRANT_URL``.
            UnknownCorpus: there is no corpus of that name.
        """
        from tetragraph.indexing import vector_copy

        return vector_copy.claim_vectors(self.connection, corpus)

    def restore(self, path: str | Path, *, name: str | None = None, progress: Progress | None = None) -> BackupReport:
        """Restore a corpus from a file of :meth:`Corpus.backup`, on this or another machine or on servers.

        The file is checked completely before anything is written, and what was written is read back and compared with
        it. Until then no list shows the corpus and no search finds it. A restore that was killed can be run again, or
        deleted with :meth:`Corpus.drop`.

        Args:
            path: Path of the file.
            name: Name of the restored corpus; that of the saved one when left out.
            progress: Receives the number of rows; silent when left out.

        Raises:
            InvalidInput: there is no such file, or there is a corpus of that name.
            UnusableBackup: the file is damaged, or of a newer version; nothing was written.
            CorpusBusy: another process restores it.
            StoreError: a store failed, or was changed by something else; the same call begins again.
        """
        from pathlib import Path

        from tetragraph.archive.restore import restore_backup

        return restore_backup(self.connection, Path(path), name, progress or NoProgress())

    @staticmethod
    def verify_backup(path: str | Path) -> BackupReport:
        """Check a file of :meth:`Corpus.backup` completely; needs no store and no connection.

        Args:
            path: Path of the file.

        Raises:
            InvalidInput: there is no such file.
            UnusableBackup: it is no backup, damaged, or of a newer version.
        """
        from pathlib import Path

        from tetragraph.archive.reading import verify_backup

        return verify_backup(Path(path))

    @staticmethod
    def check_upgrade(settings: Settings | None = None, *, backups: Sequence[str | Path] = ()) -> UpgradeReport:
        """Find what this version would migrate in the stores of an earlier one; changes nothing.

        The report lists the migrations that the next connection applies, corpora that have to be ingested, built or
        completed, and formats and schemas of backups; one that cannot be used is a step, too. A local Neo4j with data
        is started if necessary.

        Args:
            settings: Settings of the stores; those of the environment when left out.
            backups: Paths of backups that are checked, too.

        Raises:
            MigrationError: the database is newer than this version, or has another history.
            StoreUnavailable: it does not answer.
        """
        from tetragraph.archive.upgrade import check_upgrade

        return check_upgrade(settings or Settings(), backups)

    def corpora(self) -> list[CorpusSummary]:
        """All corpora of the database with their sizes, in order of name."""
        return [self._summarise(**row) for row in self.connection.graph.read("corpus/find_corpora")]

    def _summarise(self, *, name: str, is_published: bool, **row: Any) -> CorpusSummary:
        from tetragraph.indexing.lease import find_holder

        if is_published:
            return CorpusSummary(name=name, state="complete", **row)
        holder = find_holder(self.connection.graph, name)
        return CorpusSummary(name=name, state="changing" if holder and holder.is_alive else "interrupted", **row)


def check_corpus_name(name: str) -> None:
    """Raise unless a text is a valid name of a corpus."""
    if not isinstance(name, str) or not CORPUS_NAME.fullmatch(name):
        raise InvalidInput(
            f"a corpus name must be 1 to 63 of a-z, 0-9, dot, dash and underscore, beginning with a letter or "
            f"digit, got {name!r}"
        )
