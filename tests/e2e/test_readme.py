"""Every command and every line of Python in README runs, on the handbook of a small company."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scripted_llm import ScriptedLlm
from tetragraph import Settings
from tetragraph.cli import app
from tetragraph.samples import questions

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CORPUS = "handbook"
HANDBOOK = {
    "teams.md": "# Travel team\n\nAda Byron leads the Travel team. The Travel team wrote the Travel Policy in 2021.\n",
    "policy.md": "# Travel Policy\n\nThe Travel Policy was written by the Travel team. Trains are preferred.\n",
    "people.md": "# Ada Byron\n\nAda Byron joined Halvik Works in 2019. Ada Byron lives in Old Port.\n",
    "offices.md": "# Old Port\n\nOld Port has an office of Halvik Works. The Travel team works in Old Port.\n",
    "minutes.jsonl": '{"id": "m1", "title": "Minutes", "text": "The Travel team met in Old Port.", "year": 2021}\n',
}
QUESTION = {"id": "q1", "question": "Who leads the team that wrote the travel policy?"}
REPLY = {
    "quotes": [{"passage": 1, "words": "Ada Byron leads the Travel team"}],
    "sufficient": True,
    "answer": "Ada Byron",
}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


LINES = [line for block in blocks("console") for line in re.findall(r"^\$ (.*)$", block, re.MULTILINE)]


@pytest.fixture
def handbook(
    server_settings: Settings,
    corpus_name: str,
    scripted_llm: Callable[..., ScriptedLlm],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """Name of a corpus that is not there yet, with its documents and questions in the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for name, text in HANDBOOK.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    gold = ["docs/teams.md", "docs/policy.md"]
    (tmp_path / "questions.jsonl").write_text(json.dumps({**QUESTION, "supporting": gold}), encoding="utf-8")
    llm = scripted_llm(lambda body: json.dumps(REPLY))
    for name, value in {
        "NEO4J_URI": str(server_settings.neo4j_uri),
        "NEO4J_USERNAME": server_settings.neo4j_user,
        "NEO4J_PASSWORD": server_settings.neo4j_password.get_secret_value(),
        "TETRAGRAPH_HOME": str(server_settings.home),
        "TETRAGRAPH_CACHE": str(server_settings.cache),
        "OPENAI_BASE_URL": llm.base_url,
        "OPENAI_API_KEY": "sk-none",
        "TETRAGRAPH_LLM": "scripted",
    }.items():
        monkeypatch.setenv(name, value)
    return corpus_name


def test_every_line_is_a_command_of_tetragraph_or_the_demo() -> None:
    assert len(LINES) > 12
    assert [line for line in LINES if not line.startswith("tetragraph ")] == ["make demo"]
    assert "\t@$(bin)/tetragraph demo" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_commands_run_in_their_order(handbook: str, tmp_path: Path) -> None:
    run = 0
    for command in [part for line in LINES for part in line.split(" && ")]:
        words = [handbook if word == CORPUS else word for word in shlex.split(command, comments=True)]
        if words[0] == "tetragraph":
            done = CliRunner().invoke(app, words[1:])
            codes = {0, 4} if words[1] == "doctor" else {0}  # 4: projections of an older generation may be left
            assert done.exit_code in codes, f"{command}\n{done.output}"
            run += 1
    assert run >= len(LINES)
    assert (tmp_path / "handbook.graphml").is_file()
    assert (tmp_path / "evaluation" / "manifest.json").is_file()


def test_the_lines_of_python_run(
    handbook: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start, api = (text.replace(f'"{CORPUS}"', f'"{handbook}"') for text in blocks("python"))
    together = start + "".join(f"    {line}" for line in api.splitlines(keepends=True))
    exec(together, {})  # noqa: S102 - README's own words
    assert "Ada Byron" in capsys.readouterr().out
    assert (tmp_path / "why.html").is_file()


def test_the_installation_names_extras_of_the_project() -> None:
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    install = README.split("## Install")[1].split("\n## ")[0]
    named = {name for names in re.findall(r"tetragraph\[([\w,]+)\]", install) for name in names.split(",")}
    named |= set(re.findall(r"`(\w+)` (?:reads|writes|exports|serves)", install))
    assert {"local", "docs", "eval", "analytics", "server", "mcp"} == named
    assert all(re.search(rf"^{name} = \[", pyproject, re.MULTILINE) for name in named)


def test_the_demo_asks_the_question_that_is_shown() -> None:
    (shown,) = [block for block in blocks("console") if "make demo" in block]
    assert any(one.question in shown and one.answers[0] in shown for one in questions()[:3])
