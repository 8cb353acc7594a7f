"""The Python client: a connection to the stores, and the corpora in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from tetragraph.client.corpus import Corpus
from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput
from tetragraph.model import CORPUS_NAME
from tetragraph.progress import NoProgress, Progress
from tetragraph.settings import Settings

if TYPE_CHECKING:
    from tetragraph.doctor import HealthReport


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """A corpus as ``Tetragraph.corpora`` lists it."""

    name: str
    created: str
    embedder: str
    dimension: int
    generation: int
    documents: int
    chunks: int
    entities: int


class Tetragraph:
    """A connection to Neo4j and Qdrant; make it with :meth:`connect`, use it as a context manager.

    Safe to share between threads.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    @classmethod
    def connect(cls, settings: Settings | None = None, *, progress: Progress | None = None) -> Self:
        """Connect to the servers that the environment names, else to the local ones.

        Without ``NEO4J_URI`` a real Neo4j is started on this machine, if it does not run yet; it keeps running until
        ``tetragraph down``. Without ``QDRANT_URL`` Qdrant's engine runs in this process. The schema is applied.

        Args:
            settings: Read from the environment when left out.
            progress: Told of downloads and of the start; silent when left out.

        Raises:
            StoreUnavailable, StoreDenied: the server does not answer, or refuses user or password.
            LocalStoreError: the local Neo4j cannot be had; the message says why.
            MissingDependency: the local stores need ``pip install 'tetragraph[local]'``.
            MigrationError: the database's schema is not the one of this version.
        """
        return cls(Connection.open(settings or Settings(), progress or NoProgress()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections. A local Neo4j keeps running."""
        self.connection.close()

    def corpus(self, name: str) -> Corpus:
        """A handle on a corpus; it need not exist yet, the first ingest makes it.

        Raises:
            InvalidInput: the name is not 1 to 63 lower-case letters, digits, dots, dashes, underscores.
        """
        if not isinstance(name, str) or not CORPUS_NAME.fullmatch(name):
            raise InvalidInput(
                f"a corpus name must be 1 to 63 of a-z, 0-9, dot, dash and underscore, beginning with a letter or "
                f"digit, got {name!r}"
            )
        return Corpus(self.connection, name)

    def doctor(
        self,
        *,
        repair: bool = False,
        delete: bool = False,
        corpus: str | None = None,
        progress: Progress | None = None,
    ) -> HealthReport:
        """What is wrong with this installation and its corpora, and what is left of it after a repair.

        Args:
            repair: Mend what was found, and look again; without it nothing is changed.
            delete: With ``repair``: also what deletes something, such as vectors of chunks that are gone.
            corpus: Look at this corpus alone.
            progress: Told of what is embedded and built; silent when left out.

        Raises:
            CorpusBusy: a repair of this corpus was asked for, and somebody changes it.
            InvalidInput: ``delete`` without ``repair``.
            UnknownCorpus: there is no corpus of that name.
        """
        from tetragraph import doctor  # here and not above: it knows every build, which a search need not load

        if delete and not repair:
            raise InvalidInput("delete says that a repair may delete, got it without repair: give both, or none")
        around = () if corpus is not None else tuple(doctor.check_installation(self.connection.settings))
        if repair:
            found = doctor.repair_connected(
                self.connection, corpus, delete=delete, progress=progress or NoProgress()
            ).findings
        else:
            found = tuple(doctor.check(self.connection, corpus))
        return doctor.HealthReport((*around, *found))

    def corpora(self) -> list[CorpusSummary]:
        """Every corpus of the database with its size, in order of name."""
        return [CorpusSummary(**row) for row in self.connection.graph.read("corpus/find_corpora")]
