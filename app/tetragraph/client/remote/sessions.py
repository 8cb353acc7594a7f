"""Sessions and streamed answers of a service."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from datetime import timedelta

from tetragraph.answering.sessions import AnchorRun, Session, Sessions, check_ttl
from tetragraph.client.remote.replies import read_reply
from tetragraph.client.remote.requests import BudgetForm, FollowUpRequest, ForkRequest, ResumeRequest
from tetragraph.client.remote.transport import ServerEvent, Transport, form, parse, segment
from tetragraph.client.remote.values import Form, PieceForm, PrunedForm, SessionForm
from tetragraph.errors import ServiceError, UnknownSession
from tetragraph.model.anchors import AnchorGraph, AnchorStep, SessionRecord
from tetragraph.model.answers import Answer
from tetragraph.model.usage import UNLIMITED, Budget


class RemoteSession(Session):
    """A session of a corpus of a service; obtained from ``Corpus.session``."""

    def __init__(self, transport: Transport, corpus: str, session: str) -> None:
        self._transport = transport
        self._sessions = f"/v1/corpora/{corpus}/sessions"
        self._corpus = corpus
        self._path = f"{self._sessions}/{_segment(session)}"
        self.id = session

    @property
    def record(self) -> SessionRecord:
        """Current question, state and options of the session."""
        found: SessionRecord = self._transport.get(SessionRecord, self._path)
        return found

    @property
    def steps(self) -> tuple[AnchorStep, ...]:
        """Steps so far, each with the graph after it."""
        found: tuple[AnchorStep, ...] = self._transport.get(tuple[AnchorStep, ...], f"{self._path}/steps")
        return found

    @property
    def graph(self) -> AnchorGraph:
        """Graph after the last step; empty before the first."""
        found: AnchorGraph = self._transport.get(AnchorGraph, f"{self._path}/graph")
        return found

    def resume(self, *, budget: Budget = UNLIMITED) -> AnchorRun:
        """Take over a session, continue it, and answer its question; see :meth:`Session.resume`."""
        return self._continue("resume", ResumeRequest(budget=BudgetForm.of(budget)))

    def ask(self, question: str, *, budget: Budget = UNLIMITED) -> AnchorRun:
        """Ask a follow-up question; see :meth:`Session.ask`."""
        return self._continue("ask", form(FollowUpRequest, question=question, budget=BudgetForm.of(budget)))

    def fork(
        self,
        at: int,
        *,
        query: str = "",
        retriever: str = "",
        ttl: timedelta | None = None,
        budget: Budget = UNLIMITED,
    ) -> AnchorRun:
        """Start a new session with copies of the first steps of this one; see :meth:`Session.fork`."""
        ttl_s = seconds_of(ttl)
        return self._continue(
            "fork",
            form(ForkRequest, at=at, query=query, retriever=retriever, ttl_s=ttl_s, budget=BudgetForm.of(budget)),
        )

    def export(self, form: str = "json") -> str:
        """The session as the text of a file; see :meth:`Session.export`."""
        return self._transport.send("GET", f"{self._path}/export", parameters={"form": form}).text

    def delete(self) -> None:
        """Delete the session with its steps and anchors; forks of it stay."""
        self._transport.send("DELETE", self._path)

    def _continue(self, what: str, body: Form) -> AnchorRun:
        return start_run(self._transport, self._corpus, f"{self._path}/{what}", body)


class RemoteSessions(Sessions):
    """The sessions of a corpus of a service; obtained from ``Corpus.sessions``."""

    def __init__(self, transport: Transport, corpus: str) -> None:
        self._transport = transport
        self._corpus = corpus
        self._path = f"/v1/corpora/{corpus}/sessions"

    def get(self, session: str) -> Session:
        """Find a session by its id or a unique prefix of it; see :meth:`Sessions.get`."""
        found: SessionRecord = self._transport.get(SessionRecord, f"{self._path}/{_segment(session)}")
        return RemoteSession(self._transport, self._corpus, found.id)

    def newest(self, limit: int = 20) -> list[SessionRecord]:
        """Records of the most recently started sessions, newest first; at most 1,000."""
        found: list[SessionRecord] = self._transport.get(list[SessionRecord], self._path, limit=limit)
        return found

    def prune(self) -> int:
        """Delete the sessions whose time to live is over, and return their number."""
        found: PrunedForm = read_reply(PrunedForm, self._transport.send("POST", f"{self._path}/prune").content)
        return found.pruned


def start_run(transport: Transport, corpus: str, path: str, body: Form) -> AnchorRun:
    """Start a search in several steps; returns when its session exists.

    Raises:
        ServiceError: the stream ends without a session, or begins with something else.
    """
    events = transport.stream("POST", path, body=body)
    first = next(events, None)
    if first is None:
        raise ServiceError("the service ended the stream without a session")
    session: SessionForm = parse(SessionForm, first)
    return AnchorRun(RemoteSession(transport, corpus, session.id), _steps(events))


def pieces(events: Iterator[ServerEvent]) -> Generator[str, None, Answer]:
    """The pieces of an answer's text, and then the answer."""
    for event in events:
        if event.name == "answer":
            return _answer(event)
        yield parse(PieceForm, event).text
    raise ServiceError("the service ended the stream without an answer")


def seconds_of(ttl: timedelta | None) -> float | None:
    """Seconds of a time to live.

    Raises:
        InvalidInput: see :func:`check_ttl`.
    """
    check_ttl(ttl)
    return None if ttl is None else ttl.total_seconds()


def _segment(session: str) -> str:
    begins = "a session must be named by its id, or by a beginning that no other has"
    return segment(session, UnknownSession(f"{begins}, got {session!r}"))


def _steps(events: Iterator[ServerEvent]) -> Generator[AnchorStep, None, Answer]:
    for event in events:
        if event.name == "answer":
            return _answer(event)
        yield parse(AnchorStep, event)
    raise ServiceError("the service ended the stream without an answer")


def _answer(event: ServerEvent) -> Answer:
    found: Answer = parse(Answer, event)
    return found
