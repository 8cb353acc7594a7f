"""Tests of ``tetragraph.llm.cache``: replies survive threads, processes and kills; foreign files stay untouched."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from scripted_llm import ScriptedLlm
from tetragraph.errors import DeadlineExceeded, UnusableCache
from tetragraph.llm import LanguageModel, LlmDatabase, Message, Request, cache
from tetragraph.llm.cache import CachedReply, ReplyCache, SingleFlight
from tetragraph.llm.messages import Completion, TokenLogprob
from tetragraph.settings import Settings

START = Callable[..., ScriptedLlm]
WRITER = """
import itertools, sys
from pathlib import Path
from tetragraph.llm import Completion, LlmDatabase, Message, Request
from tetragraph.llm.cache import ReplyCache
replies = ReplyCache(LlmDatabase(Path(sys.argv[1])), "m")
for number in itertools.count():
    request = Request((Message("user", f"{sys.argv[2]} {number}"),), 5)
    replies.put(request, Completion(f"reply {number}"))
    print(request.key("m"), flush=True)
"""


def ask(text: str, max_tokens: int = 20) -> Request:
    return Request((Message("user", text),), max_tokens)


@pytest.fixture
def file(tmp_path: Path) -> LlmDatabase:
    return LlmDatabase(tmp_path / "llm.sqlite")


def test_a_reply_comes_back_as_it_was_marked_as_cached(file: LlmDatabase) -> None:
    reply = Completion(
        "Ünïcode \ud83d", "length", 7, 3, ((TokenLogprob(" Yes", -0.25), TokenLogprob("No", -1.5)),), 1.25, 2, False
    )
    ReplyCache(file, "m").put(ask("?"), reply)
    file.close()
    replies = ReplyCache(LlmDatabase(file.path), "m")
    found = replies.get(ask("?").key("m"))
    assert found is not None
    assert found.is_cached
    assert found == replace(reply, is_cached=True)
    assert replies.get(ask("?").key("another model")) is None
    assert replies.get(ask("?", max_tokens=21).key("m")) is None
    (exported,) = cache.export_replies(file)
    assert exported == CachedReply(ask("?").content("m") | {"messages": [["user", "?"]]}, reply)


def test_known_keys_are_found_in_any_number(file: LlmDatabase) -> None:
    replies = ReplyCache(file, "m")
    assert replies.find_keys(["a"]) == set()
    with file.change():
        for number in range(1200):
            replies.put(ask(str(number)), Completion("."))
    keys = [ask(str(number)).key("m") for number in range(1500)]
    assert replies.find_keys(keys) == set(keys[:1200])
    assert cache.count(file) == 1200
    assert [exported.key for exported in cache.export_replies(file)] == sorted(keys[:1200])


def test_what_a_killed_process_was_told_is_kept_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "llm.sqlite"
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in ("a", "b", "c")]
    printed: list[str] = []
    for place, writer in enumerate(writers):
        assert writer.stdout
        printed += [writer.stdout.readline().strip() for _ in range(20 + 7 * place)]
        writer.send_signal(signal.SIGKILL)
        printed += writer.stdout.read().split()  # including a line that may be cut off
        writer.stdout.close()
        writer.wait()
    whole = [key for key in printed if len(key) == 64]
    assert len(whole) >= 80
    assert ReplyCache(LlmDatabase(path), "m").find_keys(whole) == set(whole)
    ((verdict,),) = LlmDatabase(path).read("PRAGMA integrity_check")
    assert verdict == "ok"


def test_threads_that_ask_the_same_at_once_pay_once(scripted_llm: START, tmp_path: Path) -> None:
    everybody_asks = threading.Barrier(8)
    llm = scripted_llm(lambda body: "One reply.")
    model = LanguageModel.open(llm.settings(Settings(home=tmp_path)))

    def complete(_: int) -> str:
        operation = model.operation("test")
        everybody_asks.wait()
        return operation.complete(ask("the same")).text

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(complete, range(8))) == {"One reply."}
    assert llm.calls == 1
    (total,) = model.totals()
    assert (total.usage.calls, total.usage.cached) == (1, 7)
    model.close()


def test_where_the_first_fails_the_next_asks_itself_and_nobody_waits_past_the_deadline() -> None:
    flights = SingleFlight()
    with pytest.raises(ZeroDivisionError), flights.claim("key", None):
        raise ZeroDivisionError
    with (
        flights.claim("key", None),
        flights.claim("another", None),
        pytest.raises(DeadlineExceeded),
        flights.claim("key", time.monotonic()),
    ):
        pytest.fail("two hold the same key")
    with flights.claim("key", time.monotonic()):
        pass


@pytest.mark.parametrize("content", [b"no database, " * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_told_and_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "llm.sqlite"
    path.write_bytes(content)
    with pytest.raises(UnusableCache, match=r"move it away, or name another with TETRAGRAPH_LLM_CACHE"):
        ReplyCache(LlmDatabase(path), "m").get("key")
    assert path.read_bytes() == content


def test_another_programs_database_is_told_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE replies (key, reply)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(UnusableCache, match="of another program"):
        ReplyCache(LlmDatabase(path), "m").put(ask("?"), Completion("."))
    assert path.read_bytes() == before


def test_a_newer_file_is_told(file: LlmDatabase) -> None:
    ReplyCache(file, "m").put(ask("?"), Completion("."))
    with file.change() as writer:
        writer.execute("PRAGMA user_version = 99")
    file.close()
    with pytest.raises(UnusableCache, match="version 99, written by a newer tetragraph"):
        LlmDatabase(file.path).read("SELECT 1")


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "a file").write_text("", encoding="utf-8")
    with pytest.raises(UnusableCache, match="cannot be used"):
        ReplyCache(LlmDatabase(tmp_path / "a file" / "llm.sqlite"), "m").put(ask("?"), Completion("."))


def test_looking_makes_no_file(file: LlmDatabase) -> None:
    assert ReplyCache(file, "m").get("key") is None
    assert cache.count(file) == file.size_bytes == 0
    assert not file.path.exists()


def test_a_change_that_fails_leaves_nothing(file: LlmDatabase) -> None:
    def fail() -> None:
        with file.change():
            ReplyCache(file, "m").put(ask("?"), Completion("."))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert cache.count(file) == 0


def test_forgetting_gives_the_room_back(file: LlmDatabase) -> None:
    replies = ReplyCache(file, "m")
    with file.change():
        for number in range(300):
            replies.put(ask(str(number)), Completion(ask(str(number)).key("m") * 40))
    before = file.size_bytes
    assert cache.forget(file) == 300
    assert cache.count(file) == 0
    assert file.size_bytes < before / 3
