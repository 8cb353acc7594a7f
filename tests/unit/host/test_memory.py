"""Memory of the machine and of a container."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tetragraph.host import memory


def test_it_is_that_of_the_machine_or_less_in_a_container(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(memory, "_LIMITS", (limit,))
    machine = memory.usable_memory_mb()
    assert machine == os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    limit.write_text("max\n", encoding="ascii")
    assert memory.usable_memory_mb() == machine
    limit.write_text(f"{100 * 2**20}\n", encoding="ascii")
    assert memory.usable_memory_mb() == 100


def test_a_system_that_does_not_say_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sysconf")
    assert memory.usable_memory_mb() == 0
