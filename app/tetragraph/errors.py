"""All exceptions that tetragraph raises deliberately.

::

    TetragraphError
    ├── InvalidInput (ValueError)          an argument breaks a documented rule
    │   ├── UnknownMethod                  no search method of that name
    │   ├── UnknownFilter                  no document of the corpus has that metadata key
    │   ├── UnreadableDocument             a source cannot be turned into a document
    │   └── UnusableBackup                 a backup is damaged, of a newer version, or lacks its base
    ├── NotFound (LookupError)
    │   ├── UnknownCorpus                  no corpus of that name in this database
    │   ├── UnknownDocument                the corpus has no such document
    │   ├── UnknownChunk                   the corpus has no such chunk
    │   ├── UnknownTheme                   the corpus' encoding tree has no such theme
    │   ├── UnknownEntity                  the corpus' bipartite graph has no such entity
    │   ├── UnknownSession                 the corpus has no such session
    │   └── UnknownJob                     the corpus has no such job of the service
    ├── CorpusBusy                         another process is changing the corpus
    ├── SessionTaken                       another process has continued the session
    ├── NotBuilt                           the corpus lacks the graph that the call needs
    ├── DidNotConverge (ArithmeticError)   an iteration stopped before its tolerance
    ├── MissingDependency (ImportError)    an optional package is missing; the message names the command
    ├── UnsupportedSystem                  tetragraph does not run on this operating system
    ├── ProcessEnded                       a worker process ended before its work was complete
    ├── WorkersUnavailable (ConnectionError)  workers of a cluster cannot be reached, or compute something else
    ├── EmbedderError
    │   ├── EmbedderMismatch               the corpus was embedded with another model or dimension
    │   ├── EmbedderUnavailable (ConnectionError)  the model's endpoint is unreachable or refuses requests
    │   └── EmbeddingFailed                the model returned no usable vector
    ├── LlmError                           a language model call failed
    │   ├── LlmNotConfigured               none is configured, and the step needs one
    │   ├── LlmUnavailable (ConnectionError)  the endpoint is unreachable, or fails repeatedly
    │   ├── LlmRefused                     the endpoint refuses the request: key, model, length, schema
    │   ├── UnusableReply                  the reply lacks the required form; carries the reply
    │   ├── BudgetExhausted                the next call could cost more tokens or money than is left
    │   ├── DeadlineExceeded (TimeoutError)  the operation has reached its deadline
    │   ├── NotRecorded                    the replayed recording lacks the call
    │   └── UnusableCache                  the file of replies is damaged, foreign or not writable
    ├── ServiceError                       the HTTP service, or a call to it
    │   ├── ServiceUnavailable (ConnectionError)  nothing answers at the address
    │   ├── AccessDenied (PermissionError)  no key, a wrong one, or one without the right
    │   ├── ServiceBusy                    the queue is full or a limit of the key is reached; carries the pause
    │   ├── RequestTooLarge                the request is longer than the service accepts
    │   ├── JobCancelled                   the job was cancelled
    │   └── NotServed                      the service does not offer the call
    ├── QueryFileError                     a .cypher file breaks the rules of CONTRIBUTING
    ├── MigrationError                     schema and database disagree
    └── StoreError
        ├── StoreUnavailable (ConnectionError)  cannot be reached, or the connection was lost
        ├── StoreDenied (PermissionError)       wrong user or password, or not allowed
        ├── StoreBusy                      another process holds the vector directory
        ├── StoreOutOfMemory (MemoryError) the database ran out of transaction or heap memory
        ├── QueryFailed                    the database refused a statement
        └── LocalStoreError                the local Neo4j
            ├── JavaNotFound               no Java 21 or 25
            ├── DownloadFailed             a jar could not be fetched or verified
            ├── PortInUse
            ├── StartFailed                with the reason from the server's log
            └── CorruptHome                the data folder is unusable

A message states the fault, the rule, the value and the remedy.
"""

from typing import Literal


class TetragraphError(Exception):
    """Base class of all deliberate errors; ``except TetragraphError`` catches them all."""


class InvalidInput(TetragraphError, ValueError):
    """An argument breaks a documented rule; nothing was written."""


class UnknownMethod(InvalidInput):
    """The search method does not exist; the message lists those that do."""


class UnknownFilter(InvalidInput):
    """No document of the corpus carries that metadata key; the message lists the known keys."""


class UnreadableDocument(InvalidInput):
    """A source cannot be turned into a document; ingest skips it and reports the reason."""


class UnusableBackup(InvalidInput):
    """A file is no backup, damaged, of a newer version or without its base; nothing was restored.

    Attributes:
        reason: ``damaged``, also for a file that is no backup; ``newer`` for a newer format or schema; ``no base`` for
            an incremental backup whose base is not beside it.
    """

    def __init__(self, message: str, *, reason: Literal["damaged", "newer", "no base"] = "damaged") -> None:
        super().__init__(message)
        self.reason = reason


class NotFound(TetragraphError, LookupError):
    """A named thing does not exist."""


class UnknownCorpus(NotFound):
    """No corpus of that name in this database."""


class UnknownDocument(NotFound):
    """The corpus has no document with that id."""


class UnknownChunk(NotFound):
    """The corpus has no chunk with that id."""


class UnknownTheme(NotFound):
    """The encoding tree has no theme with that id, or several whose ids begin with it."""


class UnknownEntity(NotFound):
    """No entity has that id or name, or several have the name; the message lists similar names, or those entities."""


class UnknownSession(NotFound):
    """No session of the corpus has that id, or several ids begin with it; the session may have expired."""


class UnknownJob(NotFound):
    """The corpus has no job with that id; finished jobs are deleted after a time."""


class UnknownPolicy(NotFound):
    """There is no policy of that name, or no such version, or none of its versions is promoted."""


class CorpusBusy(TetragraphError):
    """Another process is changing the corpus; the message names it."""


class SessionTaken(TetragraphError):
    """Another process has continued the session; later results of this process were not written."""


class NotBuilt(TetragraphError):
    """The corpus lacks the graph that the method needs; the message names the command that builds it."""


class DidNotConverge(TetragraphError, ArithmeticError):
    """An iteration reached its limit before its tolerance; the message names the value it reached."""


class MissingDependency(TetragraphError, ImportError):
    """An optional package is not installed; the message is the command that installs it."""


class UnsupportedSystem(TetragraphError):
    """The operating system lacks what tetragraph needs; the message names the unsupported systems."""


class ProcessEnded(TetragraphError):
    """A worker process ended before its work was complete; a repeated call continues where it stopped."""


class WorkersUnavailable(TetragraphError, ConnectionError):
    """Workers of a cluster cannot be reached or started, or compute other bytes than this process would."""


class EmbedderError(TetragraphError):
    """Base class of errors of embeddings."""


class EmbedderMismatch(EmbedderError):
    """The corpus was embedded with another model or dimension; the message explains how to re-embed."""


class EmbedderUnavailable(EmbedderError, ConnectionError):
    """The model's endpoint does not answer, or refuses requests; the ingest stops, and the next one continues it."""


class EmbeddingFailed(EmbedderError):
    """The model returned no vector, a vector of another size, or NaN."""


class LlmError(TetragraphError):
    """Base class of errors of language models.

    Attributes:
        tries: Number of failed requests to the endpoint; 0 if none was sent.
        tokens: Input and output tokens of these requests, as far as the endpoint reported them.
    """

    tries: int = 0
    tokens: tuple[int, int] = (0, 0)


class LlmNotConfigured(LlmError):
    """A step needs a language model and none is configured; the message explains how to set one, or do without."""


class LlmUnavailable(LlmError, ConnectionError):
    """The model's endpoint does not answer, or fails repeatedly; earlier replies stay in the cache."""


class LlmRefused(LlmError):
    """The model's endpoint refuses the request: a wrong key, an unknown model, too long a text."""


class UnusableReply(LlmError):
    """A reply that is empty, a refusal, truncated or not of the required form, even after a correction request.

    Attributes:
        raw: The reply as received.
    """

    def __init__(self, message: str, raw: str) -> None:
        super().__init__(message)
        self.raw = raw


class BudgetExhausted(LlmError):
    """The next call could cost more than is left of the budget; earlier replies stay in the cache."""


class DeadlineExceeded(LlmError, TimeoutError):
    """An operation has reached its deadline; earlier replies stay in the cache."""


class NotRecorded(LlmError):
    """A call is missing in the replayed recording: prompt, model or input differ from those recorded."""


class UnusableCache(LlmError):
    """The file of replies is damaged, of another program, locked or not writable; the message names the remedy."""


class ServiceError(TetragraphError):
    """Base class of errors of the HTTP service and of calls to it."""


class ServiceUnavailable(ServiceError, ConnectionError):
    """Nothing answers at the address of the service, or the connection was lost."""


class AccessDenied(ServiceError, PermissionError):
    """The request has no valid key, or its key lacks the right; a corpus without any right is an unknown one."""


class ServiceBusy(ServiceError):
    """The service accepts no further request now: its queue is full, or a limit of the key is reached.

    Attributes:
        retry_after_s: Seconds after which the request can be repeated.
    """

    def __init__(self, message: str, retry_after_s: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class RequestTooLarge(ServiceError):
    """The request, or a file of it when unpacked, is longer than the service accepts; nothing was written."""


class JobCancelled(ServiceError):
    """The job was cancelled; what it had written stays, and the same change continues from there."""


class NotServed(ServiceError):
    """The service does not offer the call; it works with a local client only."""


class QueryFileError(TetragraphError):
    """A .cypher file breaks the rules of CONTRIBUTING; the message contains ``file:line``."""


class MigrationError(TetragraphError):
    """The schema files and the database disagree."""


class StoreError(TetragraphError):
    """Base class of errors of Neo4j and Qdrant. Driver exceptions never leave ``stores/``."""


class StoreUnavailable(StoreError, ConnectionError):
    """The store cannot be reached, or the connection was lost; the client works again when the store is back."""


class StoreDenied(StoreError, PermissionError):
    """Wrong user or password, or the account lacks the permission."""


class StoreBusy(StoreError):
    """Another process uses the Qdrant Edge directory; the message names it and the remedies."""


class StoreOutOfMemory(StoreError, MemoryError):
    """The database ran out of transaction or heap memory; the message names the setting to raise."""


class QueryFailed(StoreError):
    """The database refused a statement; the message names the query file and the database's reason."""


class LocalStoreError(StoreError):
    """Base class of errors of the Neo4j that tetragraph runs itself."""


class JavaNotFound(LocalStoreError):
    """No Java 21 or 25; the message lists the places searched."""


class DownloadFailed(LocalStoreError):
    """A jar could not be downloaded, or its bytes differ from those of the lock file."""


class PortInUse(LocalStoreError):
    """A requested port is in use."""


class StartFailed(LocalStoreError):
    """The server did not start; the message contains the reason from its log."""


class CorruptHome(LocalStoreError):
    """The data folder is unusable; the message names the fault and the remedy."""
