"""Tests of ``tetragraph.llm.database``: a database of an earlier version is read and continued."""

from __future__ import annotations

import json
import sqlite3
import zlib
from pathlib import Path

from tetragraph.llm import LanguageModel, LlmDatabase, Message, Request, cache, status
from tetragraph.llm.cache import ReplyCache
from tetragraph.llm.messages import Completion, TokenLogprob
from tetragraph.model.usage import Total, Usage
from tetragraph.settings import Settings

FIRST_SCHEMA = """
CREATE TABLE replies (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, reply BLOB NOT NULL, content BLOB NOT NULL
);
CREATE TABLE entries (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, corpus TEXT NOT NULL, operation TEXT NOT NULL, model TEXT NOT NULL,
    characters INTEGER NOT NULL, is_counted INTEGER NOT NULL,
    calls INTEGER NOT NULL, cached INTEGER NOT NULL, failed INTEGER NOT NULL, retries INTEGER NOT NULL,
    repairs INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    cost REAL NOT NULL, seconds REAL NOT NULL
);
CREATE INDEX answered ON entries (model, id) WHERE calls > failed;
CREATE TABLE totals (
    corpus TEXT NOT NULL, operation TEXT NOT NULL, model TEXT NOT NULL,
    calls INTEGER NOT NULL, cached INTEGER NOT NULL, failed INTEGER NOT NULL, retries INTEGER NOT NULL,
    repairs INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    cost REAL NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (corpus, operation, model)
) WITHOUT ROWID;
CREATE TRIGGER add_up AFTER INSERT ON entries BEGIN
    INSERT INTO totals VALUES (
        new.corpus, new.operation, new.model, new.calls, new.cached, new.failed, new.retries, new.repairs,
        new.input_tokens, new.output_tokens, new.cost, new.seconds
    ) ON CONFLICT DO UPDATE SET
        calls = calls + excluded.calls, cached = cached + excluded.cached, failed = failed + excluded.failed,
        retries = retries + excluded.retries, repairs = repairs + excluded.repairs,
        input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens,
        cost = cost + excluded.cost, seconds = seconds + excluded.seconds;
END;
PRAGMA application_id = 1952928368;
PRAGMA user_version = 1;
"""
"""Statements of the first version, which this test repeats: a change of the schema must not go unnoticed."""
KEY = "e59580ca0116c4329b11b107aca89038df080c084392b199c5cb54c1c79c55b3"
REQUEST = Request((Message("system", "Be brief."), Message("user", "Wer schrieb „Faust“?")), 20, prompt="a prompt")
REPLY = {
    "chances": [[[" Goethe", -0.25], ["Marlowe", -1.5]]],
    "finish": "stop",
    "input_tokens": 12,
    "is_counted": True,
    "output_tokens": 4,
    "seconds": 0.25,
    "text": "Goethe",
    "tries": 2,
}
CONTENT = {
    "logprobs": 0,
    "max_tokens": 20,
    "messages": [["system", "Be brief."], ["user", "Wer schrieb „Faust“?"]],
    "model": "m",
    "schema": None,
    "temperature": 0.0,
}
USAGE = (1, 0, 0, 1, 0, 12, 4, 0.5, 0.25)


def first_version(path: Path) -> None:
    """Write a database as the first version did: a reply, and the entries of two operations."""
    written = sqlite3.connect(path)
    written.executescript(FIRST_SCHEMA)
    reply, content = (zlib.compress(json.dumps(row, sort_keys=True).encode("ascii")) for row in (REPLY, CONTENT))
    written.execute("INSERT INTO replies VALUES (?, 'm', ?, ?)", (KEY, reply, content))
    for operation in ("ask", "ask", "build gain"):
        entry = ("2026-11-20T10:00:00.000+00:00", "c", operation, "m", 100, 1, *USAGE)
        written.execute(f"INSERT INTO entries VALUES (NULL{', ?' * len(entry)})", entry)  # noqa: S608 - question marks
    written.commit()
    written.close()


def test_replies_and_totals_of_the_first_version_are_read(tmp_path: Path) -> None:
    path = tmp_path / "llm.sqlite"
    first_version(path)
    database = LlmDatabase(path)
    assert REQUEST.key("m") == KEY
    reply = ReplyCache(database, "m").get(KEY)
    chances = ((TokenLogprob(" Goethe", -0.25), TokenLogprob("Marlowe", -1.5)),)
    assert reply == Completion("Goethe", "stop", 12, 4, chances, 0.25, 2, is_counted=True, is_cached=True)
    (exported,) = cache.export_replies(database)
    assert (exported.key, exported.model, exported.content) == (KEY, "m", CONTENT)
    database.close()
    one = Usage(*USAGE)
    found = status(Settings(home=tmp_path))
    assert found.totals == (Total("ask", "c", "m", one + one), Total("build gain", "c", "m", one))
    assert (found.replies, found.usage) == (1, one + one + one)


def test_a_database_of_the_first_version_is_continued(tmp_path: Path) -> None:
    first_version(tmp_path / "llm.sqlite")
    model = LanguageModel.open(Settings(home=tmp_path, llm="m", llm_base_url="http://127.0.0.1:9/v1"))
    operation = model.operation("ask", corpus="c")
    assert operation.complete(REQUEST).text == "Goethe"
    assert operation.usage == Usage(cached=1)
    model.close()
    (asked, _) = model.totals("c")
    assert (asked.usage.calls, asked.usage.cached, asked.usage.tokens) == (2, 1, 32)
    schema = {
        (row[0], " ".join(row[1].split()))
        for row in LlmDatabase(tmp_path / "llm.sqlite").read(
            "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
        )
    }
    LlmDatabase(tmp_path / "new.sqlite").shrink()
    assert schema == {
        (row[0], " ".join(row[1].split()))
        for row in LlmDatabase(tmp_path / "new.sqlite").read(
            "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
        )
    }
