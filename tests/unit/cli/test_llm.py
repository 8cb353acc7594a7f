"""``tetragraph llm``: status, export, import and deletion of replies, without any store."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scripted_llm import ScriptedLlm
from tetragraph.cli import app
from tetragraph.cli.llm_options import read_budget, settings_for
from tetragraph.errors import InvalidInput, LlmNotConfigured
from tetragraph.llm import LanguageModel, Message, Request
from tetragraph.model.usage import Budget
from tetragraph.settings import Settings

Run = Callable[..., Result]


@pytest.fixture
def server(scripted_llm: Callable[..., ScriptedLlm], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScriptedLlm:
    """A model that the environment names, and that was asked three questions."""
    server = scripted_llm(lambda body: "Yes.")
    monkeypatch.setenv("TETRAGRAPH_HOME", str(tmp_path))
    monkeypatch.setenv("TETRAGRAPH_LLM", "scripted")
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    monkeypatch.setenv("TETRAGRAPH_LLM_PRICES", '{"scripted": [1000, 1000]}')
    monkeypatch.setenv("COLUMNS", "140")
    model = LanguageModel.open(Settings())
    operation = model.operation("build gain", corpus="handbook")
    for text in ("one", "two", "three", "three"):
        operation.complete(Request((Message("user", text),), 5))
    model.close()
    return server


@pytest.fixture
def run() -> Run:
    """Runs a command; an error of ours goes through."""

    def invoke(*arguments: str, answer: str = "") -> Result:
        return CliRunner().invoke(app, ["llm", *arguments], input=answer, catch_exceptions=False)

    return invoke


def test_status_tells_model_endpoint_and_what_each_operation_cost(server: ScriptedLlm, run: Run) -> None:
    told = json.loads(run("status", "--json").stdout)
    assert (told["model"], told["endpoint"], told["replies"]) == ("scripted", server.base_url, 3)
    (total,) = told["totals"]
    assert (total["operation"], total["corpus"]) == ("build gain", "handbook")
    assert total["usage"] == told["usage"]
    assert (told["usage"]["calls"], told["usage"]["cached"]) == (3, 1)
    assert told["usage"]["cost"] == pytest.approx((server.input_tokens + server.output_tokens) / 1000)
    shown = run("status").stdout
    assert all(word in shown for word in ("build", "gain")), "a narrow terminal breaks the column between them"
    assert f"{told['usage']['cost']:.4f}" in shown
    assert "sk-canary" not in shown + json.dumps(told)
    assert server.calls == 3


def test_status_of_nothing_names_what_to_set(run: Run) -> None:
    shown = run("status").stdout
    assert "none; TETRAGRAPH_LLM or --llm names one" in shown
    assert json.loads(run("status", "--llm", "replay:x", "--json").stdout)["model"] == "replay:x"


def test_a_check_shows_what_is_offered(server: ScriptedLlm, run: Run) -> None:
    told = json.loads(run("check", "--json").stdout)
    assert (told["model"], told["streams"], told["structured"]) == ("scripted", True, None)
    assert "no: the reply could not be read" in run("check").stdout
    assert json.loads(run("status", "--json").stdout)["replies"] == 3
    with pytest.raises(LlmNotConfigured):
        run("check", "--llm", "")


def test_replies_are_exported_forgotten_and_imported(server: ScriptedLlm, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl.gz"
    assert json.loads(run("export", str(file), "--json").stdout)["replies"] == 3
    assert "0 replies written" in run("export", str(tmp_path / "none.jsonl"), "--model", "another").stdout
    assert run("forget", answer="n\n").exit_code == 1
    assert json.loads(run("status", "--json").stdout)["replies"] == 3
    assert "3 replies deleted" in run("forget", "--yes").stdout
    after = json.loads(run("status", "--json").stdout)
    assert (after["replies"], after["usage"]["calls"]) == (0, 3)
    assert json.loads(run("import", str(file), "--json").stdout) == {"file": str(file), "replies": 3, "new": 3}
    assert "3 replies read, 0 of them new" in run("import", str(file)).stdout
    (tmp_path / "bad.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="line 1 of the recording"):
        run("import", str(tmp_path / "bad.jsonl"))


def test_a_command_line_stands_in_for_the_environment(server: ScriptedLlm) -> None:
    assert settings_for(None).llm == "scripted"
    assert settings_for("replay:x").llm == "replay:x"
    assert read_budget(5, 0.5, None) == Budget(5, 0.5)
    with pytest.raises(InvalidInput, match="deadline_s must be a number above 0"):
        read_budget(None, None, 0.0)
