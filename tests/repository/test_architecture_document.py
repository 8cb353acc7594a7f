"""docs/architecture.md names the packages, systems and members that the code has."""

from __future__ import annotations

import re
from pathlib import Path

from tetragraph.systems import base
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS

ROOT = Path(__file__).parents[2]
APP = ROOT / "app" / "tetragraph"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The names in each cell of the tables of a section, row by row."""
    section = PAGE.split(f". {heading}\n")[1].split("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return [[" ".join(re.findall(r"`([^`]+)`", cell)) for cell in line] for line in lines]


def test_the_table_of_packages_is_that_of_the_folder() -> None:
    named = {name for row in rows("The house") for name in row[0].split() if row[0]}
    packages = {f"{one.name}/" for one in APP.iterdir() if (one / "__init__.py").is_file() or one.name == "samples"}
    modules = {one.name for one in APP.glob("*.py")} - {"__init__.py", "__main__.py"}
    assert named == packages | modules


def test_the_members_of_each_class_are_those_of_the_interface() -> None:
    for row in rows("The interface of a system"):
        owner = getattr(base, row[0], None)
        if owner is not None and len(row) == 3:
            named = set(re.findall(r"\b[a-z_]+(?=\(| |$)", f"{row[1]} {row[2]}"))
            members = {name for name in {*vars(owner), *owner.__annotations__} if not name.startswith("_")}
            assert members <= named, row[0]


def test_every_registered_system_is_in_the_table() -> None:
    named = {name for row in rows("The interface of a system") for name in row[0].split()}
    assert {*RETRIEVERS, *BUILD_TARGETS} <= named
    folders = {one.name for one in (APP / "systems").iterdir() if (one / "system.py").is_file()}
    assert folders <= named
