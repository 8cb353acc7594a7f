"""Sessions in Neo4j: searches in several steps, written step by step while they run.

A session has one owner: its creator, or the last process that took it over. Every transaction locks the session, and
writes nothing if the session has another owner by then; so the steps of two processes are never mixed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Any

from tetragraph.errors import InvalidInput, SessionTaken, UnknownCorpus
from tetragraph.host.batches import in_batches
from tetragraph.host.process_names import new_process_name
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
"""Limit of sessions that one transaction deletes: each may have thousands of anchors."""
_EMPTY = AnchorGraph()


@dataclass(slots=True)
class _OwnedSession:
    """A session that this process owns.

    Attributes:
        owner: Name of the owner; a different one each time that the session is taken over.
        number: Number of the last written step; None before the first read or write.
        graph: Graph after that step.
    """

    owner: str
    number: int | None = None
    graph: AnchorGraph = _EMPTY


class SessionStore(SessionReader):
    """The sessions of one corpus; safe to share between threads that work on different sessions.

    Raises (all methods):
        UnknownSession: the corpus has no session of that id; it may have been deleted.
        StoreError: see :class:`Graph`; the transaction was written completely, or not at all.
    """

    def __init__(self, graph: Graph, corpus: str) -> None:
        super().__init__(graph, corpus)
        self._owned: dict[str, _OwnedSession] = {}

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
        """Create a session and own it.

        Its id is a hash of question, settings and the number of earlier sessions with the same.

        Args:
            question: The question.
            retriever: Name of the search method.
            reasoner: Name of the reasoner, for the record.
            options: Options of the search.
            k: Number of hits wanted; each step retrieves at least as many chunks.
            filters: Metadata filters.
            ttl: Time after which it may be pruned; None for never.
            now: Current time, with a time zone.

        Raises:
            UnknownCorpus: there is no such corpus; it may have been dropped.
            InvalidInput: options or filters cannot be stored.
        """
        encoded = {"options": to_json(dict(options)), "filters": to_json(dict(filters))}
        settings = {"retriever": retriever, "reasoner": reasoner, "k": k, **encoded}
        owned = _OwnedSession(new_process_name(), 0)
        return self._create(question, settings, {**settings, **_times(ttl, now)}, owned, lambda _: [])

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
        """Create a session, and own it, with copies of the first steps of another and with their question.

        Args:
            session: Id of the other session.
            at: Number of the last copied step.
            ttl: As in :meth:`create`.
            now: Current time, with a time zone.
            query: Next query, in place of that of the last copied step, which then counts as insufficient.
            retriever: Search method; that of the other session when left out.
            reasoner: Name of the reasoner; that of the other session when left out.
            options: Options of the search; those of the other session when left out.

        Raises:
            InvalidInput: the session has no such step.
        """
        origin, steps = self.load(session)
        if isinstance(at, bool) or not isinstance(at, int) or not 1 <= at <= len(steps):
            raise InvalidInput(f"a fork begins after one of the session's {len(steps)} steps, from 1, got {at!r}")
        copied = _without_last_answer(steps[:at])
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
        owned = _OwnedSession(new_process_name(), at, copied[-1].graph)
        return self._create(copied[-1].question, named, {**settings, **_times(ttl, now)}, owned, copies)

    def take(self, session: str) -> SessionRecord:
        """Take over a session from any other owner; everything else in it stays.

        :meth:`end` releases it, also if the session had ended and nothing was added.
        """
        owned = _OwnedSession(new_process_name())
        return self._write_owner(session, owned, ("anchor_graph/upsert_owner", self._writer(session, owned)))

    def begin(self, session: str, question: str) -> SessionRecord:
        """Ask a follow-up question in a session that has ended, and own the session.

        Raises:
            SessionTaken: it runs: another process was faster, or was interrupted.
        """
        owned = _OwnedSession(new_process_name())
        asked = {**self._writer(session, owned), "question": question}
        return self._write_owner(session, owned, ("anchor_graph/upsert_question", asked))

    def write_step(self, session: str, step: AnchorStep) -> None:
        """Write a step, and the difference of its graph to that of the step before, in one transaction.

        A step with the same number is replaced, if it is the last one.

        Raises:
            SessionTaken: the session has another owner; nothing was written.
            InvalidInput: there is a later step, or the step before is missing or its graph is no part of this graph.
        """
        owned = self._owned.get(session) or _OwnedSession("")
        known = self._graph_before(session, step.number, owned)
        statements = step_statements(self._writer(session, owned), step, known)
        self._write(session, statements, {"owner": owned.owner})
        owned.number, owned.graph = step.number, step.graph

    def end(self, session: str, stopped: Stopped, answer: str, reward: float | None = None) -> SessionRecord:
        """Write the reason of the end and the answer to a session and its last step, and release the session.

        Args:
            session: Id of the session.
            stopped: Reason of the end.
            answer: Answer; empty for none.
            reward: Reward of an episode; None for none.

        Raises:
            SessionTaken: the session has another owner; nothing was written.
        """
        owned = self._owned.get(session) or _OwnedSession("")
        asked = {"stopped": stopped, "answer": answer or None, "reward": reward}
        statement = ("anchor_graph/upsert_end", {**self._writer(session, owned), **asked})
        row = self._write(session, [statement], {**asked, "status": "ended", "owner": None})
        self._owned.pop(session, None)
        return to_record(row)

    def delete(self, session: str) -> None:
        """Delete a session with its steps and anchors; its forks stay."""
        self.get(session)
        self._graph.write("anchor_graph/delete_sessions", corpus=self._corpus, ids=[session])

    def find_expired(self, now: datetime) -> list[str]:
        """Ids of the expired sessions."""
        rows = self._graph.read("anchor_graph/find_expired_sessions", corpus=self._corpus, now=_iso(now))
        return [row["id"] for row in rows]

    def prune(self, now: datetime) -> int:
        """Delete the expired sessions, in several transactions; returns their number."""
        expired = self.find_expired(now)
        for some in in_batches(expired, DELETED_AT_ONCE):
            self._graph.write("anchor_graph/delete_sessions", corpus=self._corpus, ids=some)
        return len(expired)

    def _create(
        self,
        question: str,
        settings: Mapping[str, Any],
        properties: Mapping[str, Any],
        owned: _OwnedSession,
        more: Callable[[Writer], Sequence[Statement]],
    ) -> SessionRecord:
        """Write a new session and further statements, under the first free number."""
        text = to_json(settings)
        series = content_id(self._corpus, question, text)
        number = self._count_alike(series)
        node = {"question": question, "series": series, **properties}
        while True:
            session = content_id(self._corpus, question, text, str(number))
            writer = self._writer(session, owned)
            statements = [("anchor_graph/upsert_session", {**writer, "properties": node}), *more(writer)]
            rows = self._graph.write_all([*statements, (GET, {"corpus": self._corpus, "session": session})])
            if not rows:
                raise UnknownCorpus(f"no corpus {self._corpus!r} for the session: was it dropped?")
            if rows[0]["owner"] == owned.owner:
                self._owned[session] = owned
                return to_record(rows[0])
            number = max(number + 1, self._count_alike(series))

    def _count_alike(self, series: str) -> int:
        found = self._graph.read("anchor_graph/count_sessions_alike", corpus=self._corpus, series=series)
        return int(found[0]["sessions"])

    def _graph_before(self, session: str, number: int, owned: _OwnedSession) -> AnchorGraph:
        """The graph before a step."""
        if owned.number == number - 1:
            return owned.graph
        row = self._first_row(session, self._graph.read(GET, corpus=self._corpus, session=session))
        self._check_state(row, {"owner": owned.owner})
        _, steps = self.load(session)
        if not 1 <= number <= len(steps) + 1 or number < len(steps):
            raise InvalidInput(
                f"a step must be the last one of its session, or the next, got step {number} of session {session}, "
                f"which has {len(steps)}"
            )
        return steps[number - 2].graph if number > 1 else _EMPTY

    def _write_owner(self, session: str, owned: _OwnedSession, statement: Statement) -> SessionRecord:
        row = self._write(session, [statement], {"owner": owned.owner})
        self._owned[session] = owned
        return to_record(row)

    def _write(self, session: str, statements: Sequence[Statement], wanted: Mapping[str, Any]) -> Row:
        """Write in one transaction, and check the session before the end of it.

        The session is compared with its final state, so a transaction with an unacknowledged commit can be repeated.
        """
        read_back = (GET, {"corpus": self._corpus, "session": session})
        row = self._first_row(session, self._graph.write_all([*statements, read_back]))
        self._check_state(row, wanted)
        return row

    def _check_state(self, row: Row, wanted: Mapping[str, Any]) -> None:
        if all(row[key] == value for key, value in wanted.items()):
            return
        owner = (row["owner"] or "").rpartition(" ")[0]
        ended = "was ended by another process" if row["status"] == "ended" else "was interrupted"
        is_now = f"is continued by {owner}" if owner else ended
        raise SessionTaken(
            f"one process at a time writes to a session: session {row['id']} of corpus {self._corpus!r} {is_now}; "
            f"nothing was written: wait for its end, or resume it here, which takes it over"
        )

    def _writer(self, session: str, owned: _OwnedSession) -> Writer:
        return {"corpus": self._corpus, "session": session, "owner": owned.owner}


def _without_last_answer(steps: Sequence[AnchorStep]) -> list[AnchorStep]:
    """Steps whose last question is asked again: it has no answer yet, and those before it keep theirs."""
    own = sum(1 for _ in takewhile(lambda step: step.question == steps[-1].question, reversed(steps)))
    first = len(steps) - own
    return [*steps[:first], *(replace(step, answer="") for step in steps[first:])]


def _times(ttl: timedelta | None, now: datetime) -> dict[str, Any]:
    return {"started": _iso(now), "expires": None if ttl is None else _iso(now + ttl)}


def _iso(time: datetime) -> str:
    """The time in UTC, as a text that sorts like the time."""
    if time.tzinfo is None:
        raise InvalidInput(f"a time must have its zone, got {time!r}")
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
