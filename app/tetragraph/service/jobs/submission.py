"""Adds jobs: their ids, idempotency, and the documents that they need."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Callable
from typing import Any, Final

from tetragraph.client.remote.jobs import Kind
from tetragraph.errors import InvalidInput, ServiceBusy, UnknownJob
from tetragraph.model import content_id
from tetragraph.service.jobs.runner import JobRunner
from tetragraph.service.jobs.spool import Spool
from tetragraph.service.jobs.store import JobRecord

MOST_WAITING: Final = 100
"""Largest number of unfinished jobs of one corpus."""
_IDEMPOTENCY = re.compile(r"[\x21-\x7e]{1,200}")


class Submissions:
    """Adds jobs to the queue; thread-safe.

    Args:
        runner: Runs them.
        spool: Keeps their documents.
    """

    def __init__(self, runner: JobRunner, spool: Spool) -> None:
        self._runner = runner
        self._spool = spool

    def add(
        self,
        corpus: str,
        kind: Kind,
        request: dict[str, Any],
        *,
        caller: str,
        idempotency: str | None = None,
        store: Callable[[Spool, str], str] | None = None,
    ) -> JobRecord:
        """Add a job, or return the one that an earlier request with the same idempotency key added.

        Args:
            corpus: Name of the corpus.
            kind: What the job does.
            request: The request as types of JSON, without the texts of documents.
            caller: Id of the key.
            idempotency: Idempotency key of the request; keys of different callers and corpora are independent.
            store: Stores the documents of the job in the spool, and returns the hash of their content.

        Raises:
            InvalidInput: the idempotency key breaks its rule or belongs to another request, or a document breaks its
                rule; no job was added.
            ServiceBusy: too many jobs of the corpus wait, and no earlier request added this one.
        """
        job = self._identify(corpus, caller, idempotency)
        waiting = self._runner.store.unfinished().counts.get(corpus, 0)
        if waiting >= MOST_WAITING and not self._is_stored(corpus, job):
            raise ServiceBusy(f"{waiting} jobs of corpus {corpus!r} wait: wait until they have ended", 30.0)
        content = store(self._spool, job) if store else ""
        digest = f"{hashlib.sha256(json.dumps([kind, request], sort_keys=True).encode()).hexdigest()}-{content}"
        place = {"receiver": self._spool.server, "spool": str(self._spool.folder)} if content else {}
        record = self._runner.store.add(corpus, job, kind, request, digest=digest, caller=caller, **place)
        if record.has_ended or record.content != content:
            self._spool.remove(job, content)
        if record.digest != digest:
            raise InvalidInput(
                "an Idempotency-Key must belong to one request, got one that was sent with another request before: "
                "use a new one"
            )
        self._runner.wake()
        return record

    def _is_stored(self, corpus: str, job: str) -> bool:
        try:
            self._runner.store.get(corpus, job)
        except UnknownJob:
            return False
        return True

    def _identify(self, corpus: str, caller: str, idempotency: str | None) -> str:
        if idempotency is None:
            return secrets.token_hex(8)
        if not _IDEMPOTENCY.fullmatch(idempotency):
            raise InvalidInput(
                f"an Idempotency-Key must be 1 to 200 visible ASCII characters, got {idempotency!r:.220}"
            )
        return content_id(corpus, caller, idempotency)
