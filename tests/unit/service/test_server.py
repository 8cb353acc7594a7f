"""Addresses that are refused, log lines, events, and progress that stops a job."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import socket
import subprocess
import sys
from typing import Any, cast

import pytest
import uvicorn
from starlette.datastructures import Headers

from tetragraph.client.remote.transport import read_events, split_lines
from tetragraph.errors import AccessDenied, InvalidInput, JobCancelled
from tetragraph.service.config import ServiceConfig
from tetragraph.service.jobs.progress import JobProgress
from tetragraph.service.logs import JsonLines
from tetragraph.service.middleware import check_origin
from tetragraph.service.server import _Server, _stopped_by_signals, check_address
from tetragraph.service.state import Service


@pytest.mark.parametrize(
    ("config", "keys", "message"),
    [
        (ServiceConfig(host="0.0.0.0"), 0, "needs keys"),
        (ServiceConfig(host="0.0.0.0", is_behind_tls=True), 0, "needs keys"),
        (ServiceConfig(is_behind_tls=True, is_behind_proxy=True), 0, "127.0.0.1 behind a proxy needs keys"),
        (ServiceConfig(host="192.168.1.2"), 1, "unencrypted"),
        (ServiceConfig(host="example.org"), 1, "unencrypted"),
    ],
)
def test_an_address_that_others_reach_is_refused_without_keys_or_tls(
    config: ServiceConfig, keys: int, message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        check_address(config, keys)


@pytest.mark.parametrize(
    ("config", "keys"),
    [
        (ServiceConfig(), 0),
        (ServiceConfig(host="::1"), 0),
        (ServiceConfig(host="localhost"), 3),
        (ServiceConfig(host="0.0.0.0", is_behind_tls=True), 1),
        (ServiceConfig(is_behind_tls=True), 0),
        (ServiceConfig(is_behind_tls=True, is_behind_proxy=True), 1),
    ],
)
def test_loopback_and_encrypted_addresses_are_served(config: ServiceConfig, keys: int) -> None:
    check_address(config, keys)


def test_requests_with_a_public_name_reach_a_server_on_loopback_only_behind_a_proxy() -> None:
    public = Headers({"host": "search.example.org", "origin": "https://search.example.org"})
    check_origin(ServiceConfig(is_behind_tls=True, is_behind_proxy=True), public)
    for config in (ServiceConfig(), ServiceConfig(is_behind_tls=True)):
        with pytest.raises(AccessDenied, match="the name of the host must be localhost"):
            check_origin(config, public)


def test_a_process_whose_threads_still_compute_ends_with_success_and_without_finalisation() -> None:
    program = """
import atexit, logging, threading, time
from tetragraph.service import server
atexit.register(lambda: print("finalised"))
threading.Thread(target=time.sleep, args=(600,)).start()
logging.getLogger().addHandler(logging.StreamHandler())
logging.getLogger().warning("the last line")
print("served")
server.leave()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout == "served\n"
    assert ended.stderr == "the last line\n"


def test_a_second_ctrl_c_still_ends_the_app() -> None:
    events = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "lifespan"
        events.append((await receive())["type"])
        for _ in range(2):
            server.handle_exit(signal.SIGINT, None)
        server._captured_signals.clear()  # which it would repeat
        await send({"type": "lifespan.startup.complete"})
        events.append((await receive())["type"])
        await send({"type": "lifespan.shutdown.complete"})

    server = _server(app)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        asyncio.run(server.serve([listening]))
    assert events == ["lifespan.startup", "lifespan.shutdown"]


def test_the_end_of_the_terminal_stops_a_server_unless_it_is_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    server = _server()
    try:
        with _stopped_by_signals(server):
            signal.raise_signal(signal.SIGHUP)
        assert not server.should_exit
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        with _stopped_by_signals(server):
            signal.raise_signal(signal.SIGHUP)
        assert server.should_exit
    finally:
        assert signal.signal(signal.SIGHUP, before) is signal.SIG_DFL


class _NoService:
    """A service with nothing to stop."""

    def stop(self) -> None:
        """Stop."""


def _server(app: Any = None) -> _Server:
    return _Server(uvicorn.Config(app, log_config=None), cast("Service", _NoService()))


def test_a_log_line_is_one_line_of_json() -> None:
    record = logging.LogRecord("tetragraph", logging.INFO, "", 0, "two\nlines", None, None)
    told = JsonLines().format(record)
    assert "\n" not in told
    assert json.loads(told)["message"] == "two\nlines"


def test_events_are_read_with_comments_ids_and_several_fields() -> None:
    lines = iter(["id: 3", "event: job", 'data: {"a": 1}', "", ": waiting", "", "data: x", ""])
    found = list(read_events(lines))
    assert [(one.name, one.id, one.data) for one in found] == [("job", "3", '{"a": 1}'), ("message", "", "x")]


def test_texts_of_events_may_contain_separators_of_lines() -> None:
    text = "one\u2028two\u0085three\x0cfour"
    sent = f"data: {json.dumps(text, ensure_ascii=False)}\n\n"
    (event,) = read_events(split_lines(iter([sent[:9], sent[9:]])))
    assert json.loads(event.data) == text


def test_progress_is_collected_and_stops_a_job_at_its_next_report() -> None:
    progress = JobProgress()
    progress.start("documents", 3, "documents")
    progress.advance("documents", 2)
    progress.finish("documents")
    progress.start("gain", None, "chunks")
    told = [(one.stage, one.done, one.total, one.is_finished) for one in progress.stages()]
    assert told == [("documents", 2, 3, True), ("gain", 0, None, False)]
    progress.stop(JobCancelled("x"))
    with pytest.raises(JobCancelled):
        progress.advance("gain")
