"""docs/cli.md lists every command with the help that the program prints."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tetragraph.cli import app

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "cli_document.py"))
PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
COMMANDS = list(SCRIPT["commands"]())


def section(command: str) -> str:
    return re.split(r"^### ", PAGE.split(f"### tetragraph {command}\n")[1], flags=re.MULTILINE)[0]


def test_the_reference_is_that_of_the_program() -> None:
    assert SCRIPT["update_page"](PAGE) == PAGE, "run `python scripts/cli_document.py`, and look at the difference"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_that_help_prints_is_in_the_section_of_its_command(command: str) -> None:
    printed = CliRunner().invoke(app, [*command.split(), "--help"], env={"COLUMNS": "200"}).stdout
    options = set(re.findall(r"^│ \*?\s+(--[a-z-]+|-[a-z]\b)", printed, re.MULTILINE)) - {"--help"}
    assert options <= set(re.findall(r"(?<=[`\s])(--[a-z-]+|-[a-z])\b", section(command)))


def test_every_command_but_a_group_has_an_example() -> None:
    for command, one in SCRIPT["commands"]().items():
        if not hasattr(one, "commands"):
            assert section(command).count(f"\ntetragraph {command}") >= 2, command
