"""Every dependency is bounded, used, and justified in CONTRIBUTING.md."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
GROUPS = {"always": PROJECT["dependencies"], **{name: lines for name, lines in EXTRAS.items() if name != "all"}}
SHIPPED = sorted({line for name, lines in GROUPS.items() if name != "dev" for line in lines})
BESIDE = [file.stem for folder in ("scripts", "tests/support") for file in (ROOT / folder).glob("*.py")]


def name_of(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return found[0]


ADAPTERS = {
    "haystack-ai": "haystack",
    "langchain-core": "langchain_core",
    "llama-index-core": "llama_index",
    "neo4j-graphrag": "neo4j_graphrag",
}
"""Packages of frameworks, each the only one of its extra, and their modules."""
FOUND_BY_OTHERS = {"httptools", "lxml-html-clean", "neo4j-rust-ext", "websockets"}
"""Packages that another dependency imports where they are installed."""
SEPARATE = {*ADAPTERS, *map(name_of, EXTRAS["rl"])}
"""Packages that are not in the environment of developers, as they are too large or exclude others."""
NOT_IN_ALL = {"all", "dev", "ocr"}
"""Extras that the extra all lacks besides those; OCR is 222 MB."""
ONLY_IN_TESTS = "langchain_tests"
"""Module that `scripts/adapter_tests.py` installs."""
ONLY_IN_TRAINING = {"jax", "optax"}
"""Modules that `scripts/head_training.py` needs, which is run when weights are fitted anew."""
OWN = {
    ONLY_IN_TESTS,
    *ONLY_IN_TRAINING,
    "tetragraph",
    "tetragraph_adapters",
    "tetragraph_loaders",
    "benchmarks",
    *BESIDE,
}
GROUP_ROW = re.compile(r"\| \*\*`?([\w-]+)`?\*\* \|")
DEPENDENCY_ROW = re.compile(r"\| `([\w.-]+)` \| (\S.*) \|")


def table_of_contributing() -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for line in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines():
        if group := GROUP_ROW.match(line):
            rows = groups.setdefault(group[1], [])
        elif groups and (row := DEPENDENCY_ROW.fullmatch(line)):
            rows.append(row[1])
    return groups


def test_contributing_gives_a_reason_for_each_dependency_and_for_nothing_else() -> None:
    assert table_of_contributing() == {group: [name_of(line) for line in lines] for group, lines in GROUPS.items()}


@pytest.mark.parametrize("group", GROUPS)
def test_dependencies_are_sorted_and_named_once(group: str) -> None:
    names = [name_of(line) for line in GROUPS[group]]
    assert names == sorted(set(names))


@pytest.mark.parametrize("requirement", sorted({line for lines in GROUPS.values() for line in lines}))
def test_a_dependency_has_a_lower_bound_or_a_pin(requirement: str) -> None:
    assert re.fullmatch(r"[\w.-]+(>=[\d.]+(,<[\d.]+)?|==[\d.]+(\.\*)?)", requirement)


@pytest.fixture(scope="module")
def distributions() -> Mapping[str, list[str]]:
    """The distributions of each module that can be imported."""
    return packages_distributions()


@pytest.fixture(scope="module")
def sources() -> str:
    """Text of all modules that are shipped."""
    return "\n".join(
        file.read_text(encoding="utf-8")
        for top in ("app", "loaders", "adapters")
        for file in (ROOT / top).rglob("*.py")
    )


@pytest.mark.parametrize("requirement", SHIPPED)
def test_a_dependency_that_users_install_is_imported_somewhere(
    requirement: str, distributions: Mapping[str, list[str]], sources: str
) -> None:
    if name_of(requirement) in FOUND_BY_OTHERS:
        assert version(name_of(requirement))  # raises where it is not installed
        return
    modules = [module for module, owners in distributions.items() if canonical(requirement) in map(canonical, owners)]
    if name_of(requirement) in SEPARATE:
        modules = [ADAPTERS.get(name_of(requirement), name_of(requirement))]
    assert modules, f"{requirement} is not installed"
    assert any(re.search(rf"\b(import|from) {module}\b|[\"']{module}[\"'.]", sources) for module in modules)


@pytest.mark.parametrize(
    ("tops", "groups"), [(("app", "loaders", "adapters"), set(GROUPS) - {"dev"}), (("tests", "scripts"), set(GROUPS))]
)
def test_what_is_imported_is_a_dependency(
    tops: tuple[str, ...], groups: set[str], distributions: Mapping[str, list[str]]
) -> None:
    declared = {canonical(line) for group in groups for line in GROUPS[group]}
    foreign = {module for top in tops for module in imported(ROOT / top)} - OWN - sys.stdlib_module_names
    separate = {module: [name] for name, module in ADAPTERS.items()}
    owners = {module: distributions.get(module, separate.get(module, [module])) for module in foreign}
    assert {module for module in foreign if declared.isdisjoint(map(canonical, owners[module]))} == set()


def imported(folder: Path) -> Iterator[str]:
    """First part of the name of every module that the files below ``folder`` import, anywhere in them."""
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.partition(".")[0]


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name_of(name)).lower()


def test_the_extra_all_is_the_sum_of_what_a_user_may_want() -> None:
    wanted = [name for name in EXTRAS if name not in NOT_IN_ALL and SEPARATE.isdisjoint(map(name_of, EXTRAS[name]))]
    assert EXTRAS["all"] == [f"tetragraph[{','.join(wanted)}]"]
