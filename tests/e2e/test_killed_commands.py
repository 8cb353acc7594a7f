"""A command that is killed at any time is completed by the same command."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import neo4j
import numpy as np
import pytest
from benchmarks.kill_commands import measure_command
from benchmarks.killed_world import Bench, commands

from command_line import Cli
from tetragraph import Document, Settings, Tetragraph

KILLED = ("session", "delete")
"""Commands that are killed once; ``python -m benchmarks.kill_commands`` kills all, many times."""


@pytest.mark.slow
@pytest.mark.parametrize("name", KILLED)
def test_a_killed_command_is_completed_by_the_same_command(
    server_settings: Settings,
    environment: Mapping[str, str],
    driver: neo4j.Driver,
    tmp_path: Path,
    corpus_name: str,
    name: str,
) -> None:
    bench = Bench(server_settings, environment, driver, tmp_path, corpus_name)
    found = measure_command(bench, commands()[name], 1, np.random.default_rng(5))
    assert found["equal to undisturbed"] == found["kills"] == 1


WAITING = (
    "import time; from tetragraph.archive.writing import BackupWriter; "
    "BackupWriter.finish = lambda *_: (print('all rows', flush=True), time.sleep(300)); "
    "from tetragraph.cli import main; main()"
)
"""The command line, which waits before it completes the file of a backup."""


@pytest.mark.parametrize("end", [pytest.param(signal.SIGTERM, marks=pytest.mark.slow), signal.SIGKILL])
@pytest.mark.parametrize("command", ["backup", "copy"])
def test_no_file_of_a_command_that_is_ended_stays(
    client: Tetragraph,
    server_settings: Settings,
    environment: Mapping[str, str],
    cli: Cli,
    tmp_path: Path,
    corpus_name: str,
    command: str,
    end: signal.Signals,
) -> None:
    client.corpus(corpus_name).ingest([Document(id="a", title="Quay", text="The quay of Halvik is long.")], build=())
    client.close()  # another process would wait for its vectors
    backups = tmp_path / "backups"
    lines = {name: environment[name] for name in environment if name.startswith(("NEO4J", "TETRAGRAPH"))}
    (tmp_path / "same.env").write_text("".join(f"{name}={lines[name]}\n" for name in lines), encoding="utf-8")
    arguments, folder = {
        "backup": (["backup", str(backups / "a.tetragraph"), "-c", corpus_name], backups),
        "copy": (
            ["copy", corpus_name, "--to", str(tmp_path / "same.env"), "--as", f"{corpus_name}.b"],
            server_settings.cache / "copies",
        ),
    }[command]
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING, *arguments, "--json"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "all rows\n"
    (part,) = folder.rglob("*.part")
    process.send_signal(end)
    _, error = process.communicate(timeout=120)
    if end == signal.SIGTERM:
        assert error == "terminated: what was written stays; the same command goes on from there\n"
        assert process.returncode == 143
        assert not part.exists()
    done = cli(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["corpus"]
    assert [path.name for path in folder.iterdir()] == ["a.tetragraph" if command == "backup" else "lock"]
