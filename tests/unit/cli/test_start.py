"""The start of the command line: packages that take long to import wait for a command that needs them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tetragraph.systems import names
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS

SLOW = frozenset({"jinja2", "neo4j", "numba", "numpy", "openai", "pandas", "qdrant_client", "scipy", "spacy"})


def _imported_by(code: str) -> frozenset[str]:
    """The slow packages that a process imports while it runs code."""
    program = f"import sys\n{code}\nprint('', *sys.modules)"
    ended = subprocess.run(
        [sys.executable, "-c", program], env=dict(os.environ), capture_output=True, text=True, check=True
    )
    return SLOW & set(ended.stdout.rpartition("\n ")[2].split() or ended.stdout.split())


def _command(*arguments: str) -> str:
    return (
        f"from tetragraph.cli import main\nsys.argv = {['tetragraph', *arguments]!r}\n"
        "try:\n    main()\nexcept SystemExit:\n    pass"
    )


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("search", "--help"), ("sessions", "--help")])
def test_help_imports_no_slow_package(arguments: tuple[str, ...]) -> None:
    assert _imported_by(_command(*arguments)) == set()


def test_connecting_imports_neither_language_tools_nor_numeric_packages() -> None:
    assert _imported_by("import tetragraph.client.tetragraph") <= {"neo4j", "numpy", "pandas"}


def test_help_names_the_registered_systems_in_their_order() -> None:
    assert list(RETRIEVERS) == names.METHODS
    assert list(BUILD_TARGETS) == names.BUILDS
    assert [name for name, one in RETRIEVERS.items() if one.tuning_grid] == names.TUNED
