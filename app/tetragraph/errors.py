"""Every exception tetragraph raises on purpose.

::

    TetragraphError
    ├── InvalidInput (ValueError)          an argument breaks a documented rule
    │   ├── UnknownMethod                  no search method of that name
    │   ├── UnknownFilter                  no document of the corpus has that metadata key
    │   └── UnreadableDocument             a source cannot be turned into a document
    ├── NotFound (LookupError)
    │   ├── UnknownCorpus                  no corpus of that name in this database
    │   ├── UnknownDocument                the corpus has no such document
    │   ├── UnknownChunk                   the corpus has no such chunk
    │   ├── UnknownTheme                   the corpus' encoding tree has no such theme
    │   ├── UnknownEntity                  the corpus' bipartite graph has no such entity
    │   └── UnknownSession                 the corpus has no such session
    ├── CorpusBusy                         another process is changing the corpus
    ├── SessionTaken                       another process has gone on with the session
    ├── NotBuilt                           the corpus lacks the graph that was asked for
    ├── DidNotConverge (ArithmeticError)   an iteration stopped before its tolerance
    ├── MissingDependency (ImportError)    an optional package is needed; says which to install
    ├── UnsupportedSystem                  tetragraph does not run on this operating system
    ├── ProcessEnded                       a process that did part of the work ended before it was done
    ├── EmbedderError
    │   ├── EmbedderMismatch               the corpus was embedded with another model or dimension
    │   ├── EmbedderUnavailable (ConnectionError)  the model's endpoint is away or refuses
    │   └── EmbeddingFailed                the model gave no usable vector
    ├── LlmError                           a language model
    │   ├── LlmNotConfigured               none is set, and the step needs one
    │   ├── LlmUnavailable (ConnectionError)  the endpoint is away, or fails again and again
    │   ├── LlmRefused                     the endpoint refuses the request: key, model, length, schema
    │   ├── UnusableReply                  the reply is not what was asked for; carries it as it came
    │   ├── BudgetExhausted                the next call could cost more tokens or money than is left
    │   ├── DeadlineExceeded (TimeoutError)  the operation has taken as long as it may
    │   ├── NotRecorded                    a replayed file lacks the call
    │   └── UnusableCache                  the file of replies is damaged, foreign or not writable
    ├── QueryFileError                     a .cypher file breaks the rules of the house
    ├── MigrationError                     schema and database disagree
    └── StoreError
        ├── StoreUnavailable (ConnectionError)  cannot be reached, or went away
        ├── StoreDenied (PermissionError)       wrong user or password, or not allowed
        ├── StoreBusy                      another process holds the vector directory
        ├── StoreOutOfMemory (MemoryError) the database ran out of transaction or heap memory
        ├── QueryFailed                    the database refused a statement
        └── LocalStoreError                the local Neo4j
            ├── JavaNotFound               no Java 21 or 25
            ├── DownloadFailed             a jar could not be fetched or verified
            ├── PortInUse
            ├── StartFailed                with the reason from the server's log
            └── CorruptHome                the data folder cannot be used as it is

A message says what is wrong, the rule, the value that was given and what to do.
"""


class TetragraphError(Exception):
    """Base of every error raised on purpose; ``except TetragraphError`` catches them all."""


class InvalidInput(TetragraphError, ValueError):
    """An argument breaks a documented rule; nothing was written."""


class UnknownMethod(InvalidInput):
    """The search method does not exist; the message lists those that do."""


class UnknownFilter(InvalidInput):
    """No document of the corpus carries that metadata key; the message lists the known keys."""


class UnreadableDocument(InvalidInput):
    """A source cannot be turned into a document; ingest skips it and reports the reason."""


class NotFound(TetragraphError, LookupError):
    """A named thing does not exist."""


class UnknownCorpus(NotFound):
    """No corpus of that name in this database."""


class UnknownDocument(NotFound):
    """The corpus has no document with that id."""


class UnknownChunk(NotFound):
    """The corpus has no chunk with that id."""


class UnknownTheme(NotFound):
    """The encoding tree has no theme with that id, or several whose ids begin like that."""


class UnknownEntity(NotFound):
    """No entity has that id or name, or a name means several; the message lists names that are alike, or these."""


class UnknownSession(NotFound):
    """No session of the corpus has that id, or several have ids that begin like that; it may have expired."""


class CorpusBusy(TetragraphError):
    """Another process is changing the corpus; the message names it."""


class SessionTaken(TetragraphError):
    """Another process has gone on with the session: what this one found meanwhile was not written."""


class NotBuilt(TetragraphError):
    """The corpus lacks the graph that the method needs; the message names the command that makes it."""


class DidNotConverge(TetragraphError, ArithmeticError):
    """An iteration reached its limit before its tolerance; carries what was reached."""


class MissingDependency(TetragraphError, ImportError):
    """An optional package is not installed; the message is the command that installs it."""


class UnsupportedSystem(TetragraphError):
    """The operating system lacks what tetragraph needs; the message says which do not."""


class ProcessEnded(TetragraphError):
    """A process that did part of the work ended before it was done; running it again goes on where it stopped."""


class EmbedderError(TetragraphError):
    """Base of what goes wrong with embeddings."""


class EmbedderMismatch(EmbedderError):
    """The corpus was embedded with another model or dimension; the message says how to re-embed."""


class EmbedderUnavailable(EmbedderError, ConnectionError):
    """The model's endpoint does not answer, or refuses; an ingest stops there, and the next one goes on."""


class EmbeddingFailed(EmbedderError):
    """The model returned no vector, a vector of another size, or NaN."""


class LlmError(TetragraphError):
    """Base of what goes wrong with a language model.

    Attributes:
        tries: How often the endpoint was asked in vain; 0 where it was not asked.
        tokens: In and out, of these tries, as far as the endpoint told.
    """

    tries: int = 0
    tokens: tuple[int, int] = (0, 0)


class LlmNotConfigured(LlmError):
    """A step needs a language model and none is set; the message says how to set one, or to go without."""


class LlmUnavailable(LlmError, ConnectionError):
    """The model's endpoint does not answer, or fails again and again; what was answered before is kept."""


class LlmRefused(LlmError):
    """The model's endpoint refuses the request: a wrong key, an unknown model, too long a text."""


class UnusableReply(LlmError):
    """A reply that is empty, a refusal, cut off or not of the form that was asked for, also when asked again.

    Attributes:
        raw: The reply as it came.
    """

    def __init__(self, message: str, raw: str) -> None:
        super().__init__(message)
        self.raw = raw


class BudgetExhausted(LlmError):
    """The next call could cost more than is left of the budget; what was answered before is kept."""


class DeadlineExceeded(LlmError, TimeoutError):
    """An operation has taken as long as it may; what was answered before is kept."""


class NotRecorded(LlmError):
    """A call is not in the file that is replayed: prompt, model or input are not those of the recording."""


class UnusableCache(LlmError):
    """The file of replies is damaged, another program's, held or not writable; the message says what to do."""


class QueryFileError(TetragraphError):
    """A .cypher file breaks the rules of CONTRIBUTING; carries ``file:line``."""


class MigrationError(TetragraphError):
    """The schema files and the database disagree."""


class StoreError(TetragraphError):
    """Base of what goes wrong in Neo4j or Qdrant. Driver exceptions never leave ``stores/``."""


class StoreUnavailable(StoreError, ConnectionError):
    """The store cannot be reached, or went away; the client works again when it is back."""


class StoreDenied(StoreError, PermissionError):
    """Wrong user or password, or the account may not do this."""


class StoreBusy(StoreError):
    """Another process holds the Qdrant Edge directory; the message names it and the ways out."""


class StoreOutOfMemory(StoreError, MemoryError):
    """The database ran out of transaction or heap memory; the message says which setting to raise."""


class QueryFailed(StoreError):
    """The database refused a statement; the message names the query file and the database's reason."""


class LocalStoreError(StoreError):
    """Base of what goes wrong with the Neo4j that tetragraph runs itself."""


class JavaNotFound(LocalStoreError):
    """No Java 21 or 25; the message lists what was tried."""


class DownloadFailed(LocalStoreError):
    """A jar could not be fetched, or its bytes are not those of the lock file."""


class PortInUse(LocalStoreError):
    """A port that was asked for is taken."""


class StartFailed(LocalStoreError):
    """The server did not start; the message carries the reason from its log."""


class CorruptHome(LocalStoreError):
    """The data folder cannot be used as it is; the message says what is wrong and what to do."""
