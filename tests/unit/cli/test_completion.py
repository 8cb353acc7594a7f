"""The command without arguments, and completion in shells."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from command_line import Ended, run_process


def _run(home: Path, *arguments: str, **variables: str) -> Ended:
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "dumb", **variables}
    return run_process(*arguments, environment=environment, folder=home)


@pytest.mark.parametrize(("arguments", "listed"), [((), "corpora"), (("schema",), "validate")])
def test_without_a_command_help_is_printed_and_no_empty_error(
    tmp_path: Path, arguments: tuple[str, ...], listed: str
) -> None:
    ended = _run(tmp_path, *arguments)
    assert (ended.returncode, ended.stderr) == (2, "")
    assert listed in ended.stdout


@pytest.mark.parametrize(
    ("shell", "words"),
    [
        ("bash", "complete -o default -F _tetragraph_completion tetragraph"),
        ("zsh", "#compdef tetragraph"),
        ("fish", "complete --command tetragraph"),
    ],
)
def test_the_script_of_each_shell_is_printed(tmp_path: Path, shell: str, words: str) -> None:
    ended = _run(tmp_path, _TETRAGRAPH_COMPLETE=f"source_{shell}")
    assert ended.returncode == 0
    assert words in ended.stdout


@pytest.mark.parametrize(
    ("variables", "completed"),
    [
        ({"_TETRAGRAPH_COMPLETE": "complete_bash", "COMP_WORDS": "tetragraph cor", "COMP_CWORD": "1"}, "corpora"),
        ({"_TETRAGRAPH_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "tetragraph cor"}, '"corpora":"List'),
        (
            {
                "_TETRAGRAPH_COMPLETE": "complete_fish",
                "_TYPER_COMPLETE_FISH_ACTION": "get-args",
                "_TYPER_COMPLETE_ARGS": "tetragraph cor",
            },
            "corpora\tList the corpora.",
        ),
        (
            {"_TETRAGRAPH_COMPLETE": "complete_bash", "COMP_WORDS": "tetragraph tree --the", "COMP_CWORD": "2"},
            "--theme",
        ),
    ],
)
def test_a_started_word_is_completed(tmp_path: Path, variables: dict[str, str], completed: str) -> None:
    ended = _run(tmp_path, **variables)
    assert completed in ended.stdout
    assert ended.stderr == ""
