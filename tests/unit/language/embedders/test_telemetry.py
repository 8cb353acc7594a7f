"""A sentence model leaves no trace of its runtime's reports to its maker."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
from tetragraph.language.embedders import load_embedder
from tetragraph.settings import Settings

load_embedder("minilm", Settings()).embed(["text"])
"""


def test_the_runtime_writes_no_device_id(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", PROGRAM], env=environment, check=True, timeout=120)
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == []
