"""Runs the command line with arguments and environment, and returns exit code and output."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tetragraph.cli import main, output

Ended = subprocess.CompletedProcess[str]
Cli = Callable[..., Ended]
"""Runs ``tetragraph`` with the given arguments."""


def run_process(*arguments: str | Path, environment: Mapping[str, str], folder: Path, **variables: str) -> Ended:
    """Run ``tetragraph`` in a process of its own.

    Args:
        arguments: Arguments of the command line.
        environment: The usual environment variables.
        folder: Working directory.
        variables: Further environment variables, which take precedence.
    """
    command = [sys.executable, "-m", "tetragraph", *map(str, arguments)]
    return subprocess.run(
        command,
        env={**environment, **variables},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def run_here(*arguments: str | Path, environment: Mapping[str, str], folder: Path, **variables: str) -> Ended:
    """Run ``tetragraph`` in this process, from its entry point on, as in a process of its own.

    This saves the start of a process and loading its models, which is most of the time of a short command.
    """
    environment = {**environment, **variables}
    command = ["tetragraph", *map(str, arguments)]
    printed, complained = _stream(), _stream()
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ.keys() - environment.keys():
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.chdir(folder)
        for console in (output.out, output.err):
            patch.setattr(console, "width", int(environment.get("COLUMNS", output.UNLIMITED_COLUMNS)))
        patch.setattr(sys, "argv", command)
        for name, stream in {"stdin": _stream(), "stdout": printed, "stderr": complained}.items():
            patch.setattr(sys, name, stream)
        with pytest.raises(SystemExit) as ended:
            main()
    code = ended.value.code
    assert isinstance(code, int)
    return Ended(command, code, _text(printed), _text(complained))


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
