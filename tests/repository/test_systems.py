"""Code outside ``systems/`` does not branch on the name of a system."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS

APP = Path(__file__).parents[2] / "app" / "tetragraph"
NAMES = frozenset({*RETRIEVERS, *BUILD_TARGETS})
JSON_KEYS = {"cli/demo.py": 1}
"""Mappings whose key is a field of printed JSON that has the name of a system."""
MODULES = sorted(file for file in APP.rglob("*.py") if "systems" not in file.relative_to(APP).parts)


def branches(source: str) -> Iterator[int]:
    """Lines that compare with the name of a system, or hold a mapping or a set of such names."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare():
                found = [node.left, *node.comparators]
                found += [item for one in found if isinstance(one, ast.Tuple | ast.List | ast.Set) for item in one.elts]
            case ast.Dict():
                found = [key for key in node.keys if key is not None]
            case ast.Set():
                found = node.elts
            case ast.Subscript():
                found = [node.slice]
            case ast.MatchValue():
                found = [node.value]
            case _:
                continue
        if any(isinstance(one, ast.Constant) and one.value in NAMES for one in found):
            yield node.lineno


@pytest.mark.parametrize("module", MODULES, ids=lambda file: str(file.relative_to(APP)))
def test_no_module_outside_systems_branches_on_the_name_of_a_system(module: Path) -> None:
    name = module.relative_to(APP).as_posix()
    found = list(branches(module.read_text(encoding="utf-8")))
    if len(found) > JSON_KEYS.get(name, 0):
        pytest.fail(f"{name}, lines {found}: use a member of systems/base.py")


@pytest.mark.parametrize(
    "line",
    [
        'if method == "anchor": pass',
        'if graph in ("gain", "tree"): pass',
        'MEANINGS = {"evidence": 1}',
        'trace["anchor"]',
        'match graph:\n    case "tree": pass',
    ],
)
def test_a_branch_is_found(line: str) -> None:
    assert list(branches(line))
