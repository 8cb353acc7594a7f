"""Sessions in Neo4j: searches in several steps, written step by step while they run.

A session has one writer: the one that made it, or the newest that took it. Every transaction locks the session and does
nothing where it is another's by then; so what two processes find for one session is never mixed.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from tetragraph.errors import InvalidInput, SessionTaken, UnknownCorpus
from tetragraph.model import Filters, content_id
from tetragraph.model.anchors import (
    AnchorGraph,
    AnchorStep,
    SessionRecord,
    Stopped,
)
from tetragraph.stores.graph import Graph, Row, Statement
from tetragraph.systems.anchor_graph.session_reader import GET, SessionReader, to_record
from tetragraph.systems.anchor_graph.session_writer import Writer, step_statements, to_json

DELETED_AT_ONCE = 20
"""Sessions of one transaction: each may have thousands of anchors."""
_EMPTY = AnchorGraph()


@dataclass(slots=True)
class _OwnedSession:
    """A session that is written to.

    Attributes:
        owner: Says whose the session is; another each time that it is taken.
        number: Of the last step that is known to be written; None before anything was read or written.
        graph: After that step.
    """

    owner: str
    number: int | None = None
    graph: AnchorGraph = _EMPTY


class SessionStore(SessionReader):
    """The sessions of one corpus; safe to share between threads that work on different sessions.

    Raises (all methods):
        UnknownSession: the corpus has no session of that id, or no longer.
        StoreError: see :class:`Graph`; what was being written happened as a whole, or not at all.
    """

    def __init__(self, graph: Graph, corpus: str) -> None:
        super().__init__(graph, corpus)
        self._held: dict[str, _OwnedSession] = {}

    def create(
        self,
        question: str,
        *,
        retriever: str,
        reasoner: str,
        options: Mapping[str, Any],
        k: int,
        filters: Filters,
        ttl: timedelta | None,
        now: datetime,
    ) -> SessionRecord:
        """Begin a session and own it. Its id tells question, settings and how many such sessions there were before.

        Args:
            question: Which is to be answered.
            retriever: The search method.
            reasoner: For records.
            options: Of the search.
            k: How many passages each step retrieves.
            filters: Metadata that documents must have.
            ttl: After what time it may be pruned; None for never.
            now: The time, with its zone.

        Raises:
            UnknownCorpus: there is no such corpus, or no longer.
            InvalidInput: options or filters cannot be kept.
        """
        kept = {"options": to_json(dict(options)), "filters": to_json(dict(filters))}
        settings = {"retriever": retriever, "reasoner": reasoner, "k": k, **kept}
        held = _OwnedSession(_new_owner(), 0)
        return self._make(question, settings, {**settings, **_times(ttl, now)}, held, lambda _: [])

    def fork(
        self,
        session: str,
        at: int,
        *,
        ttl: timedelta | None,
        now: datetime,
        query: str = "",
        retriever: str = "",
        reasoner: str = "",
        options: Mapping[str, Any] | None = None,
    ) -> SessionRecord:
        """Begin a session, and own it, with copies of another's first steps and the question that they are of.

        Args:
            session: Id of the other.
            at: Number of the last step that is copied.
            ttl: As in :meth:`create`.
            now: Likewise.
            query: What to search for next in place of what the last step asks; the step is insufficient then.
            retriever: Another search method; so are the following another reasoner and options of the search.
            reasoner: See there.
            options: See there.

        Raises:
            InvalidInput: the session has no such step.
        """
        origin, steps = self.load(session)
        if isinstance(at, bool) or not isinstance(at, int) or not 1 <= at <= len(steps):
            raise InvalidInput(f"a fork begins behind one of the session's {len(steps)} steps, from 1, got {at!r}")
        copied = list(steps[:at])
        if query:
            copied[-1] = replace(copied[-1], next_query=query, judgement="insufficient")
        settings = {
            "retriever": retriever or origin.retriever,
            "reasoner": reasoner or origin.reasoner,
            "k": origin.k,
            "options": to_json(dict(origin.options if options is None else options)),
            "filters": to_json(dict(origin.filters)),
        }
        source = {"origin": session, "at": at}

        def copies(writer: Writer) -> list[Statement]:
            graphs = (_EMPTY, *(step.graph for step in copied))
            written = (step_statements(writer, step, known) for step, known in zip(copied, graphs, strict=False))
            return [("anchor_graph/link_fork", {**writer, **source}), *(one for some in written for one in some)]

        named = {**settings, **source, "query": query}
        held = _OwnedSession(_new_owner(), at, copied[-1].graph)
        return self._make(copied[-1].question, named, {**settings, **_times(ttl, now)}, held, copies)

    def take(self, session: str) -> SessionRecord:
        """Own a session from now on, whoever did before; the rest of it stays as it is.

        To be given back by :meth:`end`, also where the session had ended and nothing was added.
        """
        held = _OwnedSession(_new_owner())
        return self._own(session, held, ("anchor_graph/upsert_owner", self._writer(session, held)))

    def begin(self, session: str, question: str) -> SessionRecord:
        """Ask a follow-up question in a session that has ended, and own the session.

        Raises:
            SessionTaken: it runs: somebody else was quicker, or was interrupted.
        """
        held = _OwnedSession(_new_owner())
        asked = {**self._writer(session, held), "question": question}
        return self._own(session, held, ("anchor_graph/upsert_question", asked))

    def write_step(self, session: str, step: AnchorStep) -> None:
        """Write a step, and the difference of its graph to that of the step before, in one transaction.

        A step of the same number is replaced, if it is the last one.

        Raises:
            SessionTaken: the session is another's by now; nothing was written.
            InvalidInput: a later step is there, or the one before is not, or its graph is not a part of this one's.
        """
        held = self._held.get(session) or _OwnedSession("")
        known = self._graph_before(session, step.number, held)
        statements = step_statements(self._writer(session, held), step, known)
        self._write(session, statements, {"owner": held.owner})
        held.number, held.graph = step.number, step.graph

    def end(self, session: str, stopped: Stopped, answer: str) -> SessionRecord:
        """Say why a session ended, and its answer, also at its last step; give the session back.

        Raises:
            SessionTaken: the session is another's by now; nothing was written.
        """
        held = self._held.get(session) or _OwnedSession("")
        asked = {"stopped": stopped, "answer": answer or None}
        statement = ("anchor_graph/upsert_end", {**self._writer(session, held), **asked})
        row = self._write(session, [statement], {**asked, "status": "ended", "owner": None})
        self._held.pop(session, None)
        return to_record(row)

    def delete(self, session: str) -> None:
        """Delete a session with its steps and anchors; forks of it stay."""
        self.get(session)
        self._graph.write("anchor_graph/delete_sessions", corpus=self._corpus, ids=[session])

    def expired(self, now: datetime) -> list[str]:
        """Ids of the sessions whose time is over."""
        rows = self._graph.read("anchor_graph/find_expired_sessions", corpus=self._corpus, now=_iso(now))
        return [row["id"] for row in rows]

    def prune(self, now: datetime) -> int:
        """Delete the sessions whose time is over, in steps, and tell how many."""
        expired = self.expired(now)
        for first in range(0, len(expired), DELETED_AT_ONCE):
            some = expired[first : first + DELETED_AT_ONCE]
            self._graph.write("anchor_graph/delete_sessions", corpus=self._corpus, ids=some)
        return len(expired)

    def _make(
        self,
        question: str,
        settings: Mapping[str, Any],
        properties: Mapping[str, Any],
        held: _OwnedSession,
        more: Callable[[Writer], Sequence[Statement]],
    ) -> SessionRecord:
        """Make a session with all that belongs to it, under the first number that is free."""
        told = to_json(settings)
        series = content_id(self._corpus, question, told)
        number = self._count_alike(series)
        node = {"question": question, "series": series, **properties}
        while True:
            session = content_id(self._corpus, question, told, str(number))
            writer = self._writer(session, held)
            statements = [("anchor_graph/upsert_session", {**writer, "properties": node}), *more(writer)]
            rows = self._graph.write_all([*statements, (GET, {"corpus": self._corpus, "session": session})])
            if not rows:
                raise UnknownCorpus(f"no corpus {self._corpus!r} to keep a session with: was it dropped?")
            if rows[0]["owner"] == held.owner:
                self._held[session] = held
                return to_record(rows[0])
            number = max(number + 1, self._count_alike(series))

    def _count_alike(self, series: str) -> int:
        found = self._graph.read("anchor_graph/count_sessions_alike", corpus=self._corpus, series=series)
        return int(found[0]["sessions"])

    def _graph_before(self, session: str, number: int, held: _OwnedSession) -> AnchorGraph:
        """The graph that a step began with."""
        if held.number == number - 1:
            return held.graph
        row = self._known(session, self._graph.read(GET, corpus=self._corpus, session=session))
        self._check_is(row, {"owner": held.owner})
        _, steps = self.load(session)
        if not 1 <= number <= len(steps) + 1 or number < len(steps):
            raise InvalidInput(
                f"a step must be the last one of its session, or the next, got step {number} of session {session}, "
                f"which has {len(steps)}"
            )
        return steps[number - 2].graph if number > 1 else _EMPTY

    def _own(self, session: str, held: _OwnedSession, statement: Statement) -> SessionRecord:
        row = self._write(session, [statement], {"owner": held.owner})
        self._held[session] = held
        return to_record(row)

    def _write(self, session: str, statements: Sequence[Statement], wanted: Mapping[str, Any]) -> Row:
        """Write in one transaction, and see before it ends that the session is as it should be then.

        Read back as it is, a transaction whose end was not acknowledged can be repeated: what it did was done.
        """
        look = (GET, {"corpus": self._corpus, "session": session})
        row = self._known(session, self._graph.write_all([*statements, look]))
        self._check_is(row, wanted)
        return row

    def _check_is(self, row: Row, wanted: Mapping[str, Any]) -> None:
        if all(row[key] == value for key, value in wanted.items()):
            return
        owner = f"{row['owner']} goes on with it" if row["owner"] else "another one has ended it"
        raise SessionTaken(
            f"one process at a time writes to a session, and of session {row['id']} of corpus {self._corpus!r} "
            f"{owner}: nothing was written; wait for its end, or resume it here, which takes it over"
        )

    def _writer(self, session: str, held: _OwnedSession) -> Writer:
        return {"corpus": self._corpus, "session": session, "owner": held.owner}


def _new_owner() -> str:
    return f"{socket.gethostname()} pid {os.getpid()} {secrets.token_hex(4)}"


def _times(ttl: timedelta | None, now: datetime) -> dict[str, Any]:
    return {"started": _iso(now), "expires": None if ttl is None else _iso(now + ttl)}


def _iso(time: datetime) -> str:
    """The time in UTC, as texts that sort like times."""
    if time.tzinfo is None:
        raise InvalidInput(f"a time must have its zone, got {time!r}")
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
