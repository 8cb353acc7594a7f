"""What a client of a service sends, what it refuses before, and what it does not send twice."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tetragraph import AsyncTetragraph, Corpus, Document, Tetragraph
from tetragraph.client.remote import transport, waiting
from tetragraph.client.remote.batches import batches
from tetragraph.client.remote.inspection import COUNTS
from tetragraph.client.remote.requests import DocumentForm, IngestRequest
from tetragraph.client.remote.sessions import RemoteSession
from tetragraph.client.remote.values import encode
from tetragraph.errors import (
    InvalidInput,
    ServiceError,
    ServiceUnavailable,
    StoreUnavailable,
    UnknownSession,
    UnknownTheme,
)
from tetragraph.model import Unreadable


class _Recorder(BaseHTTPRequestHandler):
    seen: list[str | None]

    def do_GET(self) -> None:
        self.seen.append(self.headers["Authorization"])
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"[]")

    def log_message(self, *_: object) -> None:
        """Keep standard error clean."""


@pytest.fixture
def recorder() -> Iterator[tuple[str, list[str | None]]]:
    """Address of a server that has no corpus, and the keys that it receives."""
    seen: list[str | None] = []
    with _serving(type("Handler", (_Recorder,), {"seen": seen})) as address:
        yield address, seen


@contextmanager
def _serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Address of a server that handles requests until the end of the context."""
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_blanks_around_a_key_are_ignored(recorder: tuple[str, list[str | None]]) -> None:
    address, seen = recorder
    with Tetragraph.connect(address, api_key=" tg_secret\r\n") as client:
        assert client.corpora() == []
    assert seen == ["Bearer tg_secret"]


@pytest.mark.usefixtures("dead_proxy")
def test_no_proxy_stands_before_a_service_of_this_machine(recorder: tuple[str, list[str | None]]) -> None:
    address, seen = recorder
    with Tetragraph.connect(address, api_key="tg_secret") as client:
        assert client.corpora() == []
    assert seen == ["Bearer tg_secret"]


@pytest.mark.parametrize("key", ["tg_sec\nret", "tg_secrët", "tg sec", "", "\n"])
def test_a_key_with_other_characters_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(InvalidInput, match="api_key must be visible ASCII") as told:
        Tetragraph.connect("http://127.0.0.1:9", api_key=key)
    assert "tg" not in str(told.value)


class _Lost(BaseHTTPRequestHandler):
    """Begins an answer of which the connection is lost, or ends it without any answer."""

    seen: list[str]

    def do_GET(self) -> None:
        self.seen.append(self.path)
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"node": ')

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.seen.append(self.path)

    def log_message(self, *_: object) -> None:
        """Keep standard error clean."""


@pytest.fixture
def lost() -> Iterator[tuple[Corpus, list[str]]]:
    """A corpus of a server whose answers do not arrive, and the paths that it is asked for."""
    seen: list[str] = []
    with (
        _serving(type("Handler", (_Lost,), {"seen": seen})) as address,
        Tetragraph.connect(address) as client,
    ):
        yield client.corpus("handbook"), seen


def test_a_question_is_not_asked_again_after_a_lost_connection(lost: tuple[Corpus, list[str]]) -> None:
    corpus, seen = lost
    with pytest.raises(ServiceUnavailable):
        corpus.ask("Who?")
    assert seen == ["/v1/corpora/handbook/ask"]


def test_an_export_that_breaks_off_is_not_repeated_and_leaves_no_file(
    lost: tuple[Corpus, list[str]], tmp_path: Path
) -> None:
    corpus, seen = lost
    with pytest.raises(ServiceUnavailable):
        corpus.export(tmp_path / "graph.jsonl")
    assert seen == ["/v1/corpora/handbook/graph?form=jsonl"]
    assert list(tmp_path.iterdir()) == []


class _Busy(_Recorder):
    """Refuses requests as busy until the third, which it answers with an empty graph."""

    def do_GET(self) -> None:
        self.seen.append(self.path)
        busy = len(self.seen) < 3
        problem = {"type": "", "title": "", "status": 429, "detail": "busy", "error": "ServiceBusy", "remedy": ""}
        self.send_response(429 if busy else 200)
        self.send_header("Retry-After", "0")
        self.send_header(COUNTS, json.dumps({"nodes": {"Chunk": 1}, "relationships": {}}))
        self.end_headers()
        self.wfile.write(json.dumps(problem).encode() if busy else b"{}")


def test_an_export_that_a_busy_service_refuses_is_asked_for_again(tmp_path: Path) -> None:
    seen: list[str | None] = []
    with (
        _serving(type("Handler", (_Busy,), {"seen": seen})) as address,
        Tetragraph.connect(address) as client,
    ):
        report = client.corpus("handbook").export(tmp_path / "graph.jsonl")
    assert (len(seen), report.nodes) == (3, {"Chunk": 1})
    assert (tmp_path / "graph.jsonl").read_text() == "{}"


class _BusyStream(_Busy):
    """Refuses questions as busy until the third, to which it has no answer."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()


@pytest.mark.parametrize("ask", [lambda corpus: corpus.ask_stream("Who?"), lambda corpus: corpus.anchor("Who?")])
def test_a_stream_that_a_busy_service_refuses_is_asked_for_again_at_the_call(ask: Callable[[Corpus], object]) -> None:
    seen: list[str | None] = []
    with (
        _serving(type("Handler", (_BusyStream,), {"seen": seen})) as address,
        Tetragraph.connect(address) as client,
    ):
        try:
            ask(client.corpus("handbook"))
        except ServiceUnavailable as early:
            assert "ended early" in str(early)  # noqa: PT017  # a session would be the first event
    assert len(seen) == 3


def test_a_stream_for_asyncio_sends_nothing_before_it_is_read() -> None:
    seen: list[str] = []

    async def use(address: str) -> None:
        async with await AsyncTetragraph.connect(address) as client:
            stream = client.corpus("handbook").ask_stream("Who?")
            assert seen == []
            with pytest.raises(ServiceUnavailable):
                await stream.answer()
        assert len(seen) == 1

    with _serving(type("Handler", (_Lost,), {"seen": seen})) as address:
        asyncio.run(use(address))


def test_an_address_with_a_path_is_refused() -> None:
    Tetragraph.connect("http://127.0.0.1:9/").close()
    with pytest.raises(InvalidInput, match="must have no path, query or fragment, got"):
        Tetragraph.connect("http://127.0.0.1:9/v1/")


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("http://[::1", "must be valid, got"),
        ("http://host:port", "must be valid, got"),
        ("http://xn--a", "must be valid, got"),
        ("https://", "must name a host, got"),
        ("http://:8424", "must name a host, got"),
        ("http://host?x=1", "must have no path, query or fragment, got"),
        ("http://host?", "must have no path, query or fragment, got"),
        ("http://host#top", "must have no path, query or fragment, got"),
        ("host:8424", "must begin with http"),
    ],
)
def test_an_address_that_no_service_has_is_refused(address: str, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        Tetragraph.connect(address)


def test_messages_do_not_show_a_password_of_the_address() -> None:
    with pytest.raises(InvalidInput, match=r"got 'http://…@host/v1'") as refused:
        Tetragraph.connect("http://ida:secret@host/v1")
    with Tetragraph.connect("http://ida:secret@127.0.0.1:9") as client:
        assert repr(client) == "Tetragraph('http://…@127.0.0.1:9')"
        with pytest.raises(ServiceUnavailable) as absent:
            client.corpora()
    assert "secret" not in f"{refused.value} {absent.value}"


def test_a_closed_client_says_that_it_was_closed() -> None:
    client = Tetragraph.connect("http://127.0.0.1:9")
    client.close()
    with pytest.raises(ServiceError, match=r"the client of .* was closed: connect again"):
        client.corpora()
    with pytest.raises(ServiceError, match="was closed"):
        client.corpus("handbook").ask_stream("Who?")


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("options.walk", {"walk": float("nan")}),
        ("options.level_weights", {"level_weights": [0.1, float("inf")]}),
        ("filters.year.gte", {"filters": {"year": {"gte": float("-inf")}}}),
    ],
)
def test_a_number_that_json_has_not_is_refused_before_sending(name: str, asked: dict[str, Any]) -> None:
    with (
        Tetragraph.connect("http://127.0.0.1:9") as client,
        pytest.raises(InvalidInput, match=f"{name} must be a finite number, got (nan|inf|-inf)"),
    ):
        client.corpus("x").search("Who?", **asked)


class _Odd(BaseHTTPRequestHandler):
    """Answers every request with the same text."""

    text: str

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.text.encode())

    do_POST = do_DELETE = do_GET  # noqa: N815  # names that the handler looks for

    def log_message(self, *_: object) -> None:
        """Keep standard error clean."""


@contextmanager
def _answered(text: str) -> Iterator[Corpus]:
    """A corpus of a server that answers every request with a text."""
    with (
        _serving(type("Handler", (_Odd,), {"text": text})) as address,
        Tetragraph.connect(address) as client,
    ):
        yield client.corpus("handbook")


REQUESTS: dict[str, Callable[[Corpus], object]] = {
    "search": lambda corpus: corpus.search("Who?"),
    "drop": lambda corpus: corpus.drop(),
    "prune": lambda corpus: corpus.sessions.prune(),
    "export": lambda corpus: corpus.export("graph.jsonl"),
}


@pytest.mark.parametrize("text", ["", "<html>", "[]", '{"strange": 1}'])
@pytest.mark.parametrize("name", REQUESTS)
def test_an_answer_of_another_form_is_an_error_of_the_service(
    name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with _answered(text) as corpus, pytest.raises(ServiceError, match="in another form than this version reads"):
        REQUESTS[name](corpus)
    assert list(tmp_path.iterdir()) == []


def test_the_result_of_a_job_of_another_form_is_an_error_of_the_service() -> None:
    job = {"id": "1", "corpus": "handbook", "kind": "delete", "status": "done", "created": "", "sequence": 1}
    with (
        _answered(json.dumps({**job, "result": {"strange": 1}})) as corpus,
        pytest.raises(ServiceError, match="in another form than this version reads"),
    ):
        corpus.delete("a")


@pytest.mark.parametrize("name", ["piece", "answer", "problem"])
@pytest.mark.parametrize("data", ["[", '{"strange": 1}'])
def test_an_event_of_another_form_is_an_error_of_the_service(name: str, data: str) -> None:
    with (
        _answered(f"event: {name}\ndata: {data}\n\n") as corpus,
        pytest.raises(ServiceError, match="in another form than this version reads"),
    ):
        corpus.ask_stream("Who?").answer  # noqa: B018  # reading it reads the events


def test_a_stream_that_ends_before_its_session_is_an_error_of_the_service() -> None:
    with (
        _answered("event: end\ndata: {}\n\n") as corpus,
        pytest.raises(ServiceError, match="ended the stream without a session"),
    ):
        corpus.anchor("Who?")


def test_a_run_that_ends_with_an_error_names_its_session() -> None:
    problem = {"type": "", "title": "", "status": 503, "detail": "gone", "error": "StoreUnavailable", "remedy": ""}
    events = f'event: session\ndata: {{"id": "s1"}}\n\nevent: problem\ndata: {json.dumps(problem)}\n\n'
    with _answered(events) as corpus:
        run = corpus.anchor("Who?")
        with pytest.raises(StoreUnavailable, match="gone"):
            next(run)
        with pytest.raises(InvalidInput, match="has no answer: resume session s1, or ask again"):
            run.answer  # noqa: B018  # reading it asks for the rest of the stream


def test_documents_are_divided_among_requests_that_are_as_large_as_a_service_accepts() -> None:
    given = [Document(name, name, "Halvik \u3042\u2028 " * 20, metadata={"note": 'an "aside"'}) for name in "abcde"]
    empty = len(encode(IngestRequest(documents=())))
    skipped: list[Unreadable] = []

    def sizes(most: int) -> list[int]:
        found = batches(iter(given), skipped, most - empty)
        return [len(encode(IngestRequest(documents=batch))) for batch in found]

    forms = tuple(map(DocumentForm.of, given))
    one, pair = (len(encode(IngestRequest(documents=forms[:count]))) for count in (1, 2))
    assert sizes(pair) == [pair, pair, one]
    assert sizes(pair - 1) == sizes(one) == [one] * 5
    assert skipped == []
    assert sizes(empty + 10) == [empty]
    assert [one.source for one in skipped] == list("abcde")
    assert skipped[0].reason.startswith("a document must have at most 10 bytes in a request to this service, this one")


def test_a_client_that_stops_waiting_names_the_job_and_where_to_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PATIENCE_S", -1.0)
    job = {"id": "j1", "corpus": "handbook", "kind": "delete", "status": "queued", "created": "", "sequence": 1}
    with _answered(json.dumps(job)) as corpus, pytest.raises(ServiceUnavailable) as lost:
        corpus.delete("a")
    (note,) = lost.value.__notes__
    assert "the job j1 goes on" in note
    assert "/v1/corpora/handbook/jobs/j1 shows how it ends; the same call would add another job" in note


class _Redirecting(_Odd):
    """Redirects every request to a page for signing in."""

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.send_response(302)
        self.send_header("Location", "https://ida:secret@sso.example.org/login?back=1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_DELETE = do_GET  # noqa: N815  # names that the handler looks for


@pytest.mark.parametrize(
    "call",
    [
        lambda corpus: RemoteSession(corpus._transport, "handbook", "s1").delete(),
        lambda corpus: RemoteSession(corpus._transport, "handbook", "s1").export(),
        lambda corpus: corpus.ask_stream("Who?"),
        lambda corpus: corpus.export("graph.jsonl"),
    ],
    ids=["delete", "export of a session", "stream", "export"],
)
def test_a_redirect_is_an_error_that_names_where_it_leads(
    call: Callable[[Corpus], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(transport, "BUSY_TRIES", 1)
    told = r"redirects to https://sso\.example\.org/login: give that address"
    with (
        _serving(_Redirecting) as address,
        Tetragraph.connect(address) as client,
        pytest.raises(ServiceUnavailable, match=told),
    ):
        call(client.corpus("handbook"))
    assert list(tmp_path.iterdir()) == []


NAMED: dict[str, tuple[type[Exception], Callable[[Corpus, Any], object]]] = {
    "theme": (UnknownTheme, lambda corpus, name: corpus.theme(name)),
    "session": (UnknownSession, lambda corpus, name: corpus.session(name)),
    "role": (InvalidInput, lambda corpus, name: corpus.entities.by_role(name)),
}


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\ud800", 5])
@pytest.mark.parametrize("thing", NAMED)
def test_a_name_that_is_no_part_of_a_path_is_not_sent(thing: str, name: object) -> None:
    expected, call = NAMED[thing]
    with _answered("{}") as corpus, pytest.raises(expected, match=f"a {thing} must be .*, got"):
        call(corpus, name)


@pytest.mark.parametrize("name", ["", "..", "group/", 5])
def test_a_statement_without_a_name_is_not_sent(name: Any) -> None:
    with _answered("{}") as corpus, pytest.raises(InvalidInput, match="name must be the name of a statement, got"):
        corpus.analytics.run(name)


SPLIT: dict[str, Callable[[Corpus], object]] = {
    "build must be a sequence of names, got 'gain'": lambda corpus: corpus.ingest([], build="gain"),
    "methods must be a list of names or a mapping, got the text 'dense'": lambda corpus: corpus.evaluate([], "dense"),
    "a document must be named by its id, each id an argument of its own, got": lambda corpus: corpus.delete(
        ["a"]  # type: ignore[arg-type]  # a list of ids
    ),
}


@pytest.mark.parametrize("message", SPLIT)
def test_one_value_in_place_of_several_is_refused_before_sending(message: str) -> None:
    with Tetragraph.connect("http://127.0.0.1:9") as client, pytest.raises(InvalidInput, match=message):
        SPLIT[message](client.corpus("handbook"))
