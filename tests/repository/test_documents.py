"""Licence, changelog and the list of commands agree with the project."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
APACHE_2_0 = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"


def test_the_licence_is_the_text_of_apache_2_0() -> None:
    assert hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest() == APACHE_2_0


def test_the_changelog_tells_of_this_version() -> None:
    assert PYPROJECT["project"]["version"] in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_each_command_that_contributing_names_is_a_target_of_make() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    named = re.findall(r"(?:`|\$ )make ([a-z]+)\b", CONTRIBUTING)
    assert {"test", "lint", "bench"} <= set(named) <= set(targets)


def test_contributing_explains_every_field_of_a_query_header() -> None:
    used = {
        field
        for file in (ROOT / "cypher").rglob("*.cypher")
        for field in re.findall(r"^// ([A-Z][a-z]+)\s", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    explained = set(re.findall(r"^\| `([A-Z][a-z]+)` \|", CONTRIBUTING, re.MULTILINE))
    assert {"Params", "Returns", "Access"} <= used <= explained


def test_contributing_draws_the_layers_that_are_checked() -> None:
    contracts = PYPROJECT["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    drawn = re.findall(r"^    (\w+(?:, \w+)*)$", CONTRIBUTING, re.MULTILINE)
    assert [re.findall(r"\w+", layer) for layer in layers] == [line.split(", ") for line in drawn]


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))], ids=lambda page: page.name
)
def test_every_file_that_a_page_links_to_exists(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
