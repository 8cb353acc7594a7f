"""The commands and their help."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import typer
from typer.testing import CliRunner

from contract import Contract
from tetragraph.cli import app

_FRAME = re.compile(r"[─-╿]+")


def test_the_help_of_every_command_is_the_stored_one(contract: Contract, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "TERMINAL_WIDTH"):
        monkeypatch.setenv(name, "500")
    lines: list[str] = []
    for names in [(), *_commands(typer.main.get_command(app), ())]:
        done = CliRunner().invoke(app, [*names, "--help"], env={"NO_COLOR": "1", "TERM": "dumb"})
        lines += [f"== tetragraph {' '.join(names)}".rstrip() + f" (exit code {done.exit_code})"]
        lines += list(_sentences(done.output))
    contract.check("help.txt", lines, is_measured=False)


def _commands(command: object, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words that name each command and group, in alphabetical order."""
    for name, one in sorted(getattr(command, "commands", {}).items()):
        yield (*names, name)
        yield from _commands(one, (*names, name))


def _sentences(text: str) -> Iterator[str]:
    """Lines of a help page without frames, colours and runs of blanks, which are of the library that draws them."""
    for line in text.splitlines():
        words = " ".join(_FRAME.sub(" ", re.sub(r"\x1b\[[0-9;]*m", "", line)).split())
        if words:
            yield words
