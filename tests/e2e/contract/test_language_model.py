"""Requests to a language model and their cached replies: keys, costs, and the file that holds both."""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import contract_replies
from contract import Contract, printed
from contract_questions import QUESTIONS
from scripted_llm import ScriptedLlm

QUESTION = QUESTIONS[0]
MODEL = ("--llm", "scripted")
REPLIES = "replies.jsonl"
STEPS: tuple[tuple[str, ...], ...] = (
    ("build", "gain", "--judge", "llm", "--estimate", *MODEL),
    ("build", "gain", "--judge", "llm", *MODEL),
    ("build", "gain", "--judge", "score", *MODEL),
    ("build", "gain", "--judge", "binary", *MODEL),
    ("build", "gain", "--judge", "same", "-o", "neighbours=2", *MODEL),
    ("build", "bipartite", "-o", "extractor=llm", *MODEL),
    ("build", "tree", "-o", "names=llm", *MODEL),
    ("search", QUESTION, "-k", "1", "-m", "gain", "-o", "rerank=llm", *MODEL),
    ("search", QUESTION, "-k", "1", "-m", "tree", "-o", "expansion=self_query", *MODEL),
    ("search", QUESTION, "-k", "1", "-m", "bipartite", "-o", "query_entities=llm", "-o", "decomposition=llm", *MODEL),
    ("search", QUESTION, "-k", "1", "-m", "evidence", "-o", "decomposition=llm", *MODEL),
    ("facts", QUESTION, "-k", "1", "-o", "query_entities=llm", *MODEL),
    ("ask", QUESTION, "-k", "1", *MODEL),
    ("ask", QUESTION, "-k", "1", "--iterations", "2", *MODEL),
    ("anchor", QUESTION, "-k", "1", "--steps", "2", "--documents", "1", "--reasoner", "llm", *MODEL),
    ("ask", QUESTION, "-k", "1", "--budget-tokens", "1", "--llm", "scripted", "-m", "dense"),
    ("ask", QUESTION, "-k", "1", *MODEL),
)
ABOUT_REPLIES: tuple[tuple[str, ...], ...] = (
    ("llm", "status", *MODEL),
    ("llm", "export", REPLIES),
    ("llm", "forget", "--yes"),
    ("llm", "import", REPLIES),
    ("llm", "import", REPLIES),
    ("llm", "check", *MODEL),
    ("llm", "status", *MODEL),
)


@pytest.fixture
def with_model(command: Any, place: Any) -> Iterator[tuple[str, Any]]:
    """Name of a corpus of the small world, and the command line where a scripted model is set."""
    name = f"contract-{uuid.uuid4().hex[:12]}"
    for key in [key for key, shown in place.names.items() if shown.startswith("session ")]:
        del place.names[key]
    place.names[name] = "asking"
    with ScriptedLlm(contract_replies.reply) as llm:
        place.names[llm.base_url] = "endpoint"
        variables = {
            "TETRAGRAPH_LLM_BASE_URL": llm.base_url,
            "TETRAGRAPH_LLM_API_KEY": "a-key-of-tests",
            "TETRAGRAPH_LLM_CACHE": str(place.folder / "replies.sqlite"),
            "TETRAGRAPH_LLM_CONCURRENCY": "1",
            "TETRAGRAPH_LLM_PRICES": '{"scripted": [1.0, 2.0]}',
        }
        yield name, lambda *arguments: command(*arguments, "--json", **variables)
        command("delete", name, "--yes")


def test_steps_with_a_model_its_replies_and_their_file_are_the_stored_ones(
    contract: Contract, place: Any, with_model: tuple[str, Any]
) -> None:
    name, run = with_model
    assert run("ingest", "world.jsonl", "-c", name).code == 0
    lines: list[str] = []
    for arguments in STEPS:
        lines += printed(run(*arguments, "-c", name), arguments)
    books: list[str] = []
    for arguments in ABOUT_REPLIES:
        books += printed(run(*arguments), arguments)
    contract.check("json_llm.txt", books)
    contract.check("calls.txt", _calls(place.folder / REPLIES))
    contract.check("reply_file.txt", _schema(place.folder / "replies.sqlite"))
    replayed = ("search", QUESTION, "-k", "1", "-m", "gain", "-o", "rerank=llm", "--llm", f"replay:{REPLIES}")
    lines += printed(run(*replayed, "-c", name), replayed)
    contract.check("json_with_a_model.txt", lines)


def _calls(file: Path) -> list[str]:
    """A line for each kept call: its key, its limits, how its prompt begins, and how long prompt and reply are."""
    lines = []
    for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        call, reply = row["call"], row["reply"]
        prompts = [content for _, content in call["messages"]]
        limits = {name: call[name] for name in sorted(call) if name not in ("messages", "schema")}
        about = [limits, [len(text) for text in prompts], prompts[0].strip()[:60].rsplit(" ", 1)[0], len(reply["text"])]
        lines.append(f"{row['key']} {json.dumps(about, ensure_ascii=False)}")
    return sorted(lines)


def _schema(file: Path) -> list[str]:
    """Statements that make the file, and the pragmas by which it is known."""
    with sqlite3.connect(file) as opened:
        lines = [
            f"{name}: {opened.execute(f'PRAGMA {name}').fetchone()[0]}" for name in ("application_id", "user_version")
        ]
        rows = opened.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()
    opened.close()
    return lines + [f"{kind} {name}: {' '.join((sql or '').split())}" for kind, name, sql in rows]
