"""A command that is killed at any time is completed by the same command."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import neo4j
import numpy as np
import pytest
from benchmarks.kill_commands import measure_command
from benchmarks.killed_world import Bench, commands

from tetragraph import Settings

KILLED = ("delete", "session")
"""Commands that are killed once; ``python -m benchmarks.kill_commands`` kills all, many times."""


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
