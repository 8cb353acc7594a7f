"""Log lines of the commands: what is printed at which level."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import Ended, run_process
from tetragraph.cli import logs


def _status(home: Path, *before: str, **variables: str) -> Ended:
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TETRAGRAPH_HOME": str(home), **variables}
    return run_process(*before, "status", environment=environment, folder=home)


def test_the_flag_stands_before_the_command(tmp_path: Path) -> None:
    assert [_status(tmp_path, flag).returncode for flag in ("-v", "-vv", "--verbose")] == [0, 0, 0]


def test_an_unknown_level_is_refused_with_those_that_exist(tmp_path: Path) -> None:
    ended = _status(tmp_path, TETRAGRAPH_LOG="loud")
    assert ended.returncode == 2
    assert "'warning', 'info' or 'debug', got 'loud'" in ended.stderr


@pytest.mark.parametrize(("count", "level"), [(0, "WARNING"), (1, "INFO"), (2, "DEBUG"), (5, "DEBUG")])
def test_each_flag_lowers_the_level(count: int, level: str) -> None:
    assert logging.getLevelName(logs.level_of(count)) == level


def test_a_library_that_reads_pages_prints_nothing_about_a_page_without_text(tmp_path: Path) -> None:
    page = tmp_path / "template.html"
    page.write_text("{% macro text(key) %}" + "words of a template " * 50, encoding="utf-8")
    program = (
        "import sys; from pathlib import Path; from tetragraph.cli import logs; from tetragraph_loaders import html; "
        "logs.start(); print(len(list(html.load(Path(sys.argv[1]), id_prefix='a'))))"
    )
    ended = subprocess.run([sys.executable, "-c", program, str(page)], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("1\n", "")
