"""The key of a language model is only in requests: not in stores, files, output or errors."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import neo4j
import pytest
from pydantic import SecretStr

from command_line import Cli, run_here, run_process
from scripted_faults import Body, Call, Fault, failing
from scripted_gain import by_chance, judging
from scripted_llm import Reply, ScriptedLlm
from tetragraph import Document, Settings, Tetragraph, errors
from tetragraph.model.usage import Budget

KEY = "sk-canary-7c1f09d2e5"
ECHO = Fault("tells the key", 401, '{"error": {"message": "Incorrect API key provided: {authorization}"}}')
ECHO_AND_FAIL = Fault("fails and tells the key", 500, "upstream said {authorization}")


def fitting(body: Body) -> str | Reply:
    """An answer of the form that is asked for, whatever it is."""
    asked = body.get("response_format", {}).get("json_schema")
    if not asked:
        return "Yes"
    if "judgements" in asked["schema"]["properties"]:
        return judging(by_chance)(body)
    return json.dumps(_instance(asked["schema"], asked["schema"].get("$defs", {})))


def _instance(schema: Mapping[str, Any], named: Mapping[str, Any]) -> Any:
    if "$ref" in schema:
        return _instance(named[schema["$ref"].rsplit("/", 1)[1]], named)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: _instance(part, named) for name, part in schema["properties"].items()}
        case "array":
            return [_instance(schema["items"], named)]
        case "integer" | "number":
            return 1
        case "boolean":
            return True
        case _:
            return "Old Port"


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(fitting) as llm:
        yield llm


def files_below(*folders: Path) -> Iterator[Path]:
    for folder in folders:
        yield from (file for file in folder.rglob("*") if file.is_file())


def test_a_key_is_nowhere_after_commands_that_fail_and_commands_that_do_not(
    llm: ScriptedLlm,
    environment: Mapping[str, str],
    server_settings: Settings,
    driver: neo4j.Driver,
    corpus_name: str,
    world_file: Path,
    tmp_path: Path,
) -> None:
    spoken = dict(environment) | {
        "TETRAGRAPH_LLM": llm.model,
        "TETRAGRAPH_LLM_BASE_URL": llm.base_url,
        "TETRAGRAPH_LLM_API_KEY": KEY,
        "TETRAGRAPH_LLM_PAUSE_S": "0.001",
        "TETRAGRAPH_LLM_RETRIES": "1",
        "OPENAI_LOG": "debug",
    }
    said: list[str] = []

    def run(*arguments: str, how: Cli = run_here) -> int:
        done = how(*arguments, environment=spoken, folder=tmp_path)
        said.append(done.stdout + done.stderr)
        return done.returncode

    def run_alone(*arguments: str) -> int:  # the package `openai` reads OPENAI_LOG when it is imported
        return run(*arguments, how=run_process)

    question = "Where was the founder of the Reyer Academy a teacher?"
    build = ("build", "gain", "-c", corpus_name, "--judge", "levels")
    assert run("ingest", str(world_file), "-c", corpus_name) == 0
    for fault in (ECHO, ECHO_AND_FAIL):
        llm.faults = lambda call, fault=fault: fault if call.number % 3 == 2 else None  # type: ignore[misc]
        assert run_alone(*build) == 1, said[-1]
    llm.faults = lambda call: None
    assert run(*build, "--estimate") == 0
    assert run(*build) == 0, said[-1]
    assert run_alone("ask", question, "-c", corpus_name, "--json") == 0, said[-1]
    assert run("ask", question, "-c", corpus_name, "-m", "gain", "--stream", "--iterations", "2") == 0, said[-1]
    apart = ("-c", corpus_name, "-o", "decomposition=llm")
    assert run("search", question, *apart) == 0, said[-1]
    assert "language model: 1 calls" in said[-1]
    assert run("search", "Who wrote Low Tide?", *apart, "--budget-tokens", "5") == 1
    assert "--budget-tokens" in said[-1]
    llm.faults = lambda call: ECHO
    assert run("ask", "Who wrote Low Tide?", "-c", corpus_name) == 1
    assert run("llm", "status", "--json") == 0
    assert run("llm", "export", str(tmp_path / "replies.jsonl")) == 0
    assert run("status", "--json") == 0
    assert run("doctor", "--json") in (0, 4)

    assert llm.calls > 10
    assert not [text for text in said if KEY in text]
    assert (tmp_path / "replies.jsonl").stat().st_size > 0
    read = [*files_below(server_settings.home, server_settings.cache), tmp_path / "replies.jsonl"]
    assert any(file.name == "llm.sqlite" for file in read)
    assert not [file for file in read if KEY.encode() in file.read_bytes()]
    rows = driver.execute_query("MATCH (n {corpus: $corpus}) RETURN properties(n) AS found", corpus=corpus_name).records
    assert len(rows) > 20
    assert KEY not in repr(rows)
    links = "MATCH ({corpus: $corpus})-[r]->() RETURN properties(r) AS found"
    assert KEY not in repr(driver.execute_query(links, corpus=corpus_name).records)


def test_results_and_errors_do_not_hold_the_key(
    llm: ScriptedLlm,
    server_settings: Settings,
    corpus_name: str,
    world: list[Document],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    results: list[object] = []
    told: list[str] = []
    settings = llm.settings(server_settings, llm_api_key=SecretStr(KEY), llm_retries=0)
    with Tetragraph.connect(settings) as client:
        corpus = client.corpus(corpus_name)
        results.append(corpus.ingest(world))
        asks: list[Callable[[], object]] = [
            lambda: corpus.build("gain", judge="levels", budget=Budget(tokens=100_000)),
            lambda: corpus.build("bipartite", extractor="llm"),
            lambda: corpus.build("tree", names="llm"),
            lambda: corpus.search("Who built the harbour of Halvik?", method="tree", expansion="self_query"),
            lambda: corpus.search("Who built the harbour of Halvik?", decomposition="llm"),
            lambda: corpus.ask("Who built the harbour of Halvik?", method="bipartite"),
        ]
        for ask in asks:
            for fault in (ECHO, ECHO_AND_FAIL, failing(429, f"no more for {KEY}")):
                llm.faults = _always(fault)
                with pytest.raises(errors.LlmError) as caught:
                    ask()
                told += traceback.format_exception(caught.value)
                told.append(repr(caught.value.__dict__))
            llm.faults = lambda call: None
            results.append(ask())
        told += [repr(client.connection.settings), repr(vars(client.connection)), repr(vars(client.connection.llm))]

    assert len(results) == len(asks) + 1
    assert not [result for result in results if KEY in repr(result)]
    assert not [line for line in told if KEY in line]
    assert KEY not in caplog.text


def _always(fault: Fault) -> Callable[[Call], Fault]:
    return lambda call: fault
