"""What the pages call public is what ``tests/data/contract`` holds, and what the code has: in both directions."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

import pytest

import site_pages
import tetragraph
from schema_page import parse_page
from tetragraph import errors, model

ROOT = Path(__file__).parents[2]
CONTRACT = ROOT / "tests" / "data" / "contract"
RELEASES = (ROOT / "docs" / "releases.md").read_text(encoding="utf-8")
KINDS = {
    "names of `tetragraph`": "names in `tetragraph.__all__`",
    "`tetragraph.model` and `tetragraph.errors`": "`tetragraph.model`, `tetragraph.errors`",
    "entry points": "the entry points",
    "commands with their options and JSON": "[commands, options, exit codes]",
    "settings": "[environment variables]",
    "labels and properties in Neo4j": "[labels, relationship types, properties]",
    "query files": "names of files in `cypher/`",
    "methods with their options and score parts": "[method names, options]",
    "adapters": "`TetragraphRetriever` of each module",
}
"""What docs/releases.md calls public, in order, and how its row in docs/architecture.md begins."""
DONE_ELSEWHERE = {
    *(
        "backup",
        "copy",
        "corpora",
        "cypher query",
        "demo",
        "mcp install",
        "reembed",
        "restore",
        "rl rollouts",
        "rl train",
    ),
    *("show", "status", "sync", "up", "upgrade", "vectors claim", "vectors copy", "verify"),
    *(f"keys {name}" for name in ("create", "delete", "list", "revoke")),
    *(f"policy {name}" for name in ("eval", "list", "promote", "rollback", "train")),
}
"""Commands whose JSON is of stores, servers, keys or training, and is compared by their own tests."""


def lines(name: str) -> list[str]:
    return (CONTRACT / name).read_text(encoding="utf-8").splitlines()


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def rows_of_the_architecture() -> list[list[str]]:
    section = page("architecture").split("## 5. What is public\n")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return rows[2:]


def help_of_commands() -> dict[str, set[str]]:
    """Long options by command, as help prints them."""
    parts = re.split(r"^== tetragraph ?", "\n".join(lines("help.txt")), flags=re.MULTILINE)[1:]
    found: dict[str, set[str]] = {}
    for part in parts:
        names = [line for line in part.splitlines() if re.match(r"(?:\* )?-", line)]
        heads = [re.split(r" <|\[| [A-Z]", line)[0] for line in names]
        found[part.partition("(exit code")[0].strip()] = options_in(heads)
    return found


def options_in(texts: Iterable[str]) -> set[str]:
    return {option for text in texts for option in re.findall(r"--[a-z][a-z-]*", text)} - {"--help"}


def test_both_pages_call_the_same_things_public() -> None:
    (promised,) = re.findall(r"for what is \[public\]\([^)]*\):\n(.*?)\.\n", RELEASES, re.DOTALL)
    named = " ".join(promised.split())
    assert named == ", ".join(KINDS).replace(", adapters", ", and adapters")
    found = [row[0] for row in rows_of_the_architecture()]
    assert [row.startswith(begins) for row, begins in zip(found, KINDS.values(), strict=True)] == [True] * len(KINDS)


def test_each_contract_file_holds_something_public_or_a_result_and_each_that_is_named_exists() -> None:
    public = [name for row in rows_of_the_architecture() for name in re.findall(r"`([^`]+)`", row[2])]
    results = re.findall(r"`([a-z_*]+\.txt)`", RELEASES)
    files = [file.name for file in CONTRACT.iterdir()]
    for file in files:
        held = [name for name in (*public, *results) if fnmatch(file, name)]
        assert len(held) == 1, f"{file} is named {len(held)} times: {held}"
    assert [name for name in (*public, *results) if not any(fnmatch(file, name) for file in files)] == []


def test_the_names_are_those_of_the_package_and_of_its_reference() -> None:
    assert lines("names.txt") == list(tetragraph.__all__)
    documented = set(re.findall(r"^::: tetragraph\.(\w+)$", site_pages.reference(), re.MULTILINE))
    assert documented == {name for name in tetragraph.__all__ if not name.startswith("_")}
    classes = {line.split("(")[0] for line in lines("interface.txt") if re.match(r"[A-Z]\w+\(", line)}
    assert {name for name in documented if isinstance(getattr(tetragraph, name), type)} - {"Settings"} <= classes


def test_the_names_for_loaders_are_those_of_their_modules() -> None:
    held = {re.split(r"[(. ]", line)[0] for line in lines("model.txt")}
    aliases = {"Filters", "Metadata", "Range", "Scalar", "FILE_FILTERS", "CORPUS_NAME"}  # types and constants
    assert held - {*model.__all__} == set()
    assert {*model.__all__} - held <= aliases
    raised = {name for name, value in vars(errors).items() if isinstance(value, type)}
    assert {re.split(r"[(. ]", line)[0] for line in lines("errors.txt")} == raised


def test_the_entry_points_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = [f"{group} {name}" for group, points in project["entry-points"].items() for name in points]
    declared += [f"console_scripts {name}" for name in project["scripts"]]
    assert lines("entry_points.txt") == sorted(declared)
    (row,) = [row for row in rows_of_the_architecture() if row[0].startswith("the entry points")]
    assert set(re.findall(r"`([^`]+)`", row[0])) == set(project["entry-points"])


def test_the_commands_and_their_options_are_those_of_the_page() -> None:
    held = help_of_commands()
    sections = re.split(r"^### tetragraph ", page("cli"), flags=re.MULTILINE)[1:]
    cells = {part.split("\n")[0]: re.findall(r"^\| `([^`]*)` \|", part, re.MULTILINE) for part in sections}
    assert {name: options for name, options in held.items() if name} == {
        name: options_in(found) for name, found in cells.items()
    }


def test_each_command_with_json_has_its_document_held() -> None:
    with_json = {name for name, options in help_of_commands().items() if "--json" in options}
    files = sorted(CONTRACT.glob("json_*.txt"))
    heads = [line.split()[2:4] for file in files for line in lines(file.name) if line.startswith("== tetragraph ")]
    held = {name for head in heads for name in (head[0], " ".join(head)) if name in with_json}
    assert with_json == held | DONE_ELSEWHERE
    assert held & DONE_ELSEWHERE == set()


def test_the_settings_are_those_of_the_page() -> None:
    held = [line.split("; ")[-1].split()[0] for line in lines("settings.txt")]
    assert held == re.findall(r"^\| `(TETRAGRAPH_\w+)`", page("settings"), re.MULTILINE)


def test_the_labels_types_and_properties_are_those_of_the_page() -> None:
    documented = parse_page(page("schema").split("\n## Internal\n")[0])
    wanted = {
        *(f"(:{name})" for name in documented.nodes),
        *(f"[:{name}]" for name in documented.relationships),
        *(f"(:{label}) {name}" for label, properties in documented.nodes.items() for name in properties),
        *(f"[:{kind}] {name}" for kind, properties in documented.relationships.items() for name in properties),
    }
    assert set(lines("schema.txt")) == wanted


def test_the_query_files_are_those_of_the_folder() -> None:
    held = {line for line in lines("query_files.txt") if line.startswith("cypher/")}
    assert held == {file.relative_to(ROOT).as_posix() for file in (ROOT / "cypher").rglob("*") if file.is_file()}


@pytest.mark.parametrize("kind", ["search", "build"])
def test_the_options_of_methods_and_builds_are_those_of_the_page(kind: str) -> None:
    sections = re.split(rf"^## {kind.title()}: `", page("options"), flags=re.MULTILINE)[1:]
    documented = {
        f"{part.split('`')[0]} {option}"
        for part in sections
        for option in re.findall(r"^\| `(\w+)` \|", part.split("\n## ")[0], re.MULTILINE)
    }
    held = re.findall(rf"^{kind} (\w+ \w+): ", "\n".join(lines("methods.txt")), re.MULTILINE)
    assert set(held) == documented


def test_the_adapters_and_their_metadata_are_those_of_the_page() -> None:
    text = page("adapters")
    documented = set(re.findall(r"`tetragraph_adapters\.(\w+)` \|", text))
    held = lines("adapters.txt")
    assert {line.split(".")[0] for line in held if not line.startswith("metadata ")} == documented
    assert documented == set(site_pages.ADAPTERS)
    table = text.split("## Metadata\n")[1].split("\n## ")[0]
    keys = [row for row in table.splitlines() if row.startswith("| `")]
    named = {key for row in keys for key in re.findall(r"`(\w+)`", row.split(" | ")[0])}
    assert {line.removeprefix("metadata ") for line in held if line.startswith("metadata ")} == named
