"""Configurations of desktop clients: an entry is added, and nothing that is there is lost."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from tetragraph import Settings
from tetragraph.errors import InvalidInput
from tetragraph.service.mcp import clients

ENTRY = {"command": "python", "args": ["-m", "tetragraph", "mcp"]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "mcp.json"


def test_a_missing_file_is_created_with_its_folder(file: Path) -> None:
    change = clients.plan(file, "mcpServers", "tetragraph", ENTRY)
    assert not file.parent.exists()
    change.write()
    assert json.loads(file.read_text(encoding="utf-8")) == {"mcpServers": {"tetragraph": ENTRY}}
    assert file.stat().st_mode & 0o077 == 0


def test_all_else_in_the_file_stays(file: Path) -> None:
    file.parent.mkdir()
    before = {"theme": "dunkel–blau", "mcpServers": {"files": {"command": "x"}}, "z": [1, {"a": None}]}
    file.write_text(json.dumps(before), encoding="utf-8")
    change = clients.plan(file, "mcpServers", "tetragraph", ENTRY)
    assert '+    "tetragraph": {' in change.difference
    change.write()
    after = json.loads(file.read_text(encoding="utf-8"))
    assert after["mcpServers"].pop("tetragraph") == ENTRY
    assert after == before
    assert list(after) == list(before)


def test_the_same_entry_changes_nothing(file: Path) -> None:
    clients.plan(file, "servers", "tetragraph", ENTRY).write()
    assert not clients.plan(file, "servers", "tetragraph", ENTRY).is_needed


def test_another_server_of_that_name_is_kept_unless_it_is_to_be_replaced(file: Path) -> None:
    clients.plan(file, "servers", "tetragraph", {"command": "other"}).write()
    with pytest.raises(InvalidInput, match="--replace"):
        clients.plan(file, "servers", "tetragraph", ENTRY)
    clients.plan(file, "servers", "tetragraph", ENTRY, replace=True).write()
    assert json.loads(file.read_text(encoding="utf-8"))["servers"]["tetragraph"] == ENTRY


@pytest.mark.parametrize("text", ['{"a": 1, // note\n}', "[]", '{"servers": []}', "\x00"])
def test_a_file_of_another_form_is_left_alone(file: Path, text: str) -> None:
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput):
        clients.plan(file, "servers", "tetragraph", ENTRY)
    assert file.read_text(encoding="utf-8") == text


def test_a_file_that_changed_meanwhile_is_left_alone(file: Path) -> None:
    change = clients.plan(file, "servers", "tetragraph", ENTRY)
    file.parent.mkdir()
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(InvalidInput, match="has been changed"):
        change.write()
    assert file.read_text(encoding="utf-8") == "{}"


def test_a_link_to_the_file_stays_a_link(file: Path, tmp_path: Path) -> None:
    file.parent.mkdir()
    own = tmp_path / "own.json"
    own.write_text("{}", encoding="utf-8")
    file.symlink_to(own)
    clients.plan(file, "servers", "tetragraph", ENTRY).write()
    assert file.is_symlink()
    assert "tetragraph" in own.read_text(encoding="utf-8")


def test_an_entry_has_the_settings_and_no_secret(tmp_path: Path) -> None:
    home = tmp_path / "jürgen"
    settings = Settings(home=home, neo4j_uri="bolt://db:7687", neo4j_password=SecretStr("hidden"), llm_retries=2)
    entry = clients.server_entry(clients.find_client("vscode"), ["--corpus", "a"], settings)
    assert entry["type"] == "stdio"
    assert entry["command"] == sys.executable
    assert entry["args"] == ["-m", "tetragraph", "mcp", "--corpus", "a"]
    variables = entry["env"]
    assert variables["TETRAGRAPH_HOME"] == str(home)
    assert variables["TETRAGRAPH_NEO4J_URI"] == "bolt://db:7687"
    assert variables["TETRAGRAPH_LLM_RETRIES"] == "2"
    assert "hidden" not in json.dumps(entry)
    assert clients.withheld(settings) == ["TETRAGRAPH_NEO4J_PASSWORD"]


@pytest.mark.parametrize(
    ("name", "platform", "place"),
    [
        ("claude-desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("claude-desktop", "linux", ".config/Claude/claude_desktop_config.json"),
        ("cursor", "darwin", ".cursor/mcp.json"),
    ],
)
def test_each_client_has_its_file(name: str, platform: str, place: str) -> None:
    assert clients.find_client(name).file(Path("/home/ada"), platform) == Path("/home/ada") / place


def test_an_unknown_client_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(InvalidInput, match="claude-desktop, claude-code, cursor, vscode"):
        clients.find_client("notepad")
