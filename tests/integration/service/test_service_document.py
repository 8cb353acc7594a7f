"""The examples of docs/service.md run against a service, in their order."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tetragraph import Tetragraph
from tetragraph.service.keys import KeyStore

PAGE = (Path(__file__).parents[3] / "docs" / "service.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"<!-- run -->\n```(bash|python|javascript)\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = {
    "bash": ("bash", "-euc"),
    "python": (sys.executable, "-c"),
    "javascript": ("node", "--input-type=module", "--eval"),
}
PATIENCE_S = 120


@pytest.fixture
def handbook(opened: Tetragraph) -> Iterator[tuple[str, str]]:
    """Name of a corpus that does not exist yet, and a key for it."""
    name, keys = f"handbook-{uuid.uuid4().hex[:12]}", KeyStore(opened.connection.graph)
    key, record = keys.create(["search", "ingest"], [name])
    yield name, key
    keys.revoke(record.id)
    keys.delete(record.id)
    opened.corpus(name).drop()


def test_the_examples_run(
    pytestconfig: pytest.Config, opened: Tetragraph, address: str, handbook: tuple[str, str], tmp_path: Path
) -> None:
    if shutil.which("node") is None:
        reason = "no Node.js, with which the example in JavaScript runs: install the package `nodejs`"
        (pytest.fail if pytestconfig.getoption("--require-browser") else pytest.skip)(reason)
    name, key = handbook
    (tmp_path / "leave.md").write_text("# Leave\n\nLeave is granted by Mia Lund.", encoding="utf-8")
    printed = []
    for kind, text in EXAMPLES:
        code = text.replace("http://127.0.0.1:8424", address).replace("handbook", name)
        command = [*COMMANDS[kind], code]
        done = subprocess.run(
            command, env={**os.environ, "KEY": key}, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert '"status":4' not in done.stdout, done.stdout
        printed.append(done.stdout)
        wait(opened, name)
    assert [kind for kind, _ in EXAMPLES] == ["bash", "bash", "python", "javascript", "python"]
    assert printed[0].count('"kind":"ingest"') >= 2
    assert "Anna Berg" in printed[1]
    assert "event: answer" in printed[1]
    assert "Carl Holm" in printed[2]
    assert "Anna Berg" in printed[3]
    assert "event: answer" in printed[3]
    assert "Anna Berg" in printed[4]


def wait(opened: Tetragraph, corpus: str) -> None:
    """Wait until no job of the corpus is left."""
    end = time.monotonic() + PATIENCE_S
    graph = opened.connection.graph
    while any(row["corpus"] == corpus for row in graph.read("service/find_unfinished_jobs")):
        assert time.monotonic() < end, "a job has not ended"
        time.sleep(0.1)
