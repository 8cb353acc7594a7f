"""``tetragraph llm`` and ``tetragraph status`` with a scripted model."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from command_line import Cli, run_here
from environments import numeric_environment
from scripted_llm import ScriptedLlm
from tetragraph import Settings
from tetragraph.llm import LanguageModel, Message, Request

KEY = "sk-canary-77aa"


@pytest.fixture
def server(scripted_llm: Callable[..., ScriptedLlm]) -> ScriptedLlm:
    return scripted_llm(lambda body: "Yes.")


@pytest.fixture
def cli(server: ScriptedLlm, tmp_path: Path) -> Cli:
    """Runs ``tetragraph`` with a home of its own and the scripted model."""
    home = str(tmp_path)
    environment = {**numeric_environment(), "PATH": "", "HOME": home, "TETRAGRAPH_HOME": home, "COLUMNS": "100"}
    environment |= {"TETRAGRAPH_CACHE": str(tmp_path / "cache"), "TETRAGRAPH_LLM": "scripted"}
    environment |= {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": KEY, "TETRAGRAPH_LLM_RETRIES": "0"}
    return partial(run_here, environment=environment, folder=tmp_path)


def test_replies_are_told_of_recorded_and_replayed(cli: Cli, server: ScriptedLlm, tmp_path: Path) -> None:
    request, file = Request((Message("user", "Is it so?"),), 5), tmp_path / "replies.jsonl"
    model = LanguageModel.open(server.settings(Settings(home=tmp_path)))
    model.operation("ask", corpus="c").complete(request)
    model.close()
    told = json.loads(cli("status", "--json").stdout)["llm"]
    assert [(total["operation"], total["usage"]["calls"]) for total in told["totals"]] == [("ask", 1)]
    assert "1 replies written" in cli("llm", "export", str(file)).stdout
    replayed = LanguageModel.open(Settings(home=tmp_path / "elsewhere", llm=f"replay:{file}"))
    assert replayed.operation("ask").complete(request).text == "Yes."
    replayed.close()
    assert "1 replies read, 0 of them new" in cli("llm", "import", str(file)).stdout
    assert server.calls == 1


def test_what_cannot_be_done_is_told_without_the_key(cli: Cli, server: ScriptedLlm, tmp_path: Path) -> None:
    failed = cli("llm", "check", "--llm", "another")
    assert failed.returncode == 1
    assert "does not exist" in failed.stderr
    (tmp_path / "llm.sqlite").unlink()
    (tmp_path / "llm.sqlite").write_text("no database at all " * 50, encoding="utf-8")
    broken = cli("status")
    assert broken.returncode == 1
    assert "TETRAGRAPH_LLM_CACHE" in broken.stderr
    assert KEY not in failed.stderr + failed.stdout + broken.stderr
