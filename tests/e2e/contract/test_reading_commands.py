"""JSON and exit codes of the commands that do not change a corpus."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contract import Contract, document, printed, words
from contract_questions import METHODS, QUESTIONS

QUESTION = QUESTIONS[0]
GROUPS: dict[str, list[list[str]]] = {
    "search": [["search", QUESTION, "-k", "2", "-m", method] for method in METHODS]
    + [["search", QUESTION, "-k", "2", "-f", "year>=1903", "-m", "gain", "-o", "engine=memory"]],
    "explain": [["explain", QUESTION, "--rank", "1", "-m", method] for method in METHODS],
    "ask": [["ask", one, "-k", "2"] for one in (*QUESTIONS[:2], "Who?")] + [["ask", QUESTION, "-k", "2", "-m", "gain"]],
    "facts": [["facts", QUESTION, "-k", "2"], ["facts", QUESTION, "-k", "2", "-o", "ranking=paper"]],
    "entity": [["entity", "Mina Holt"], ["entity", "Mina Holt", "--between", "Halvik"], ["entity", "Nobody"]],
    "export": [["export", "written.graphml"], ["export", "written.jsonl"], ["export", "written.jsonl"]],
    "doctor": [["doctor"]],
    "cypher": [["cypher", "run", "find_chunks_without_facts"], ["cypher", "run", "nothing"]],
}
WRONG = (
    ["nonsense"],
    ["search"],
    ["search", "Who?"],
    ["search", "Who?", "-c", "no-such-corpus"],
    ["search", "Who?", "-c", "{corpus}", "-m", "magic"],
    ["search", "Who?", "-c", "{corpus}", "-f", "colour=red"],
    ["search", "Who?", "-c", "{corpus}", "-o", "colour=red"],
    ["search", "Who?", "-c", "{corpus}", "-k", "0"],
    ["search", "", "-c", "{corpus}"],
    ["search", "Who?", "-c", "{corpus}", "-m", "gain", "-o", "restart=7"],
    ["search", "Who?", "-c", "{corpus}", "-m", "gain", "-o", "rerank=llm"],
    ["search", "Who?", "-c", "{corpus}", "-m", "fused", "-o", "of=magic"],
    ["search", "Who?", "-c", "{corpus}", "-m", "anchor", "-o", "retriever=anchor"],
    ["search", "Who?", "-c", "{corpus}", "-m", "tree", "-o", "mode=none"],
    ["search", "Who?", "-c", "{corpus}", "-m", "bipartite", "-o", "ranking=none"],
    ["build", "magic", "-c", "{corpus}"],
    ["build", "gain", "-c", "{corpus}", "-o", "colour=red"],
    ["build", "gain", "-c", "{corpus}", "--judge", "llm"],
    ["build", "tree", "-c", "{corpus}", "-o", "height=0"],
    ["build", "bipartite", "-c", "{corpus}", "-o", "extractor=magic"],
    ["ingest", "no-such-folder", "-c", "x"],
    ["ingest", "world.jsonl", "-c", "NOT GOOD"],
    ["ingest", "world.jsonl", "-c", "{corpus}", "--build", "magic"],
    ["ingest", "world.jsonl", "-c", "{corpus}", "--embedder", "minilm"],
    ["delete", "{corpus}", "--document", "nothing"],
    ["sessions", "show", "0123", "-c", "{corpus}"],
    ["tree", "{corpus}", "--theme", "0123"],
    ["eval"],
    ["export", "written.xls", "-c", "{corpus}"],
    ["llm", "check"],
)


@pytest.mark.parametrize("name", sorted(GROUPS))
def test_json_of_a_command_is_the_stored_one(contract: Contract, command: Any, corpus_of_all: str, name: str) -> None:
    lines = []
    for arguments in GROUPS[name]:
        lines += printed(command(*arguments, "-c", corpus_of_all, "--json"), arguments)
    contract.check(f"json_{name}.txt", lines)


def test_json_of_commands_without_a_corpus_is_the_stored_one(
    contract: Contract, command: Any, corpus_of_all: str
) -> None:
    lines = []
    for arguments in (
        ["schema", "apply"],
        ["schema", "validate"],
        ["cypher", "list"],
        ["browser", "kit"],
        ["down"],
        ["llm", "status"],
    ):
        lines += printed(command(*arguments, "--json"), arguments)
    shown = ["cypher", "show", "find_chunks_without_facts", "--json"]
    lines += printed(command(*shown), shown)
    lines += printed(command("tree", corpus_of_all, "--json"), ["tree"])
    contract.check("json_others.txt", lines)


def test_a_corpus_is_listed_as_it_is_stored(contract: Contract, command: Any, corpus_of_all: str) -> None:
    listed = json.loads(command("corpora", "--json").out)
    contract.check("json_corpora.txt", document([one for one in listed if one["name"] == "<corpus>"]))


def test_keys_of_the_status_are_the_stored_ones(contract: Contract, command: Any) -> None:
    found = json.loads(command("status", "--json").out)
    lines = [f"{key}: {_kind(value)}" for key, value in found.items()]
    contract.check("json_status.txt", lines)


def test_messages_of_wrong_command_lines_are_the_stored_ones(
    contract: Contract, command: Any, corpus_of_all: str
) -> None:
    lines = []
    for arguments in WRONG:
        done = command(*(one.replace("{corpus}", corpus_of_all) for one in arguments))
        lines += [f"== tetragraph {' '.join(arguments)} (exit code {done.code})", words(done.out + done.err)]
    contract.check("errors_of_commands.txt", lines)


def _kind(value: Any) -> str:
    return f"{{{', '.join(value)}}}" if isinstance(value, dict) else type(value).__name__
