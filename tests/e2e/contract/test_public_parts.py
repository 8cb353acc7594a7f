"""What is public beside Python names, settings and commands: entry points, methods, the schema, adapters."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from contract import Contract
from contract_api import fields_of
from tetragraph import Chunk, Evidence, Hit
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS
from tetragraph_adapters.searcher import metadata_of

ROOT = Path(__file__).parents[3]
ADAPTERS = ("haystack", "langchain", "llama_index", "neo4j_graphrag")
CLASS = "TetragraphRetriever"


def test_the_entry_points_are_the_stored_ones(contract: Contract) -> None:
    found = metadata.distribution("tetragraph").entry_points
    contract.check("entry_points.txt", sorted(f"{one.group} {one.name}" for one in found), is_measured=False)


def test_methods_with_their_options_and_score_parts_are_the_stored_ones(contract: Contract) -> None:
    lines: list[str] = []
    for name, one in RETRIEVERS.items():
        lines += [f"search {name}: {', '.join(one.score_parts) or 'no parts of its own'}"]
        lines += _options(f"search {name}", one.search_options)
    for name, target in BUILD_TARGETS.items():
        lines += [f"build {name}", *(_options(f"build {name}", target.build_options) if target.build_options else ())]
    contract.check("methods.txt", lines, is_measured=False)


def test_labels_types_and_properties_are_the_stored_ones(contract: Contract) -> None:
    sections: list[dict[str, Any]] = tomllib.loads((ROOT / "schema/descriptions.toml").read_text("utf-8"))["section"]
    lines = [
        line
        for section in sections
        if section["name"] != "Internal"
        for part, form in (("nodes", "(:{})"), ("relationships", "[:{}]"))
        for kind, about in section.get(part, {}).items()
        for line in (form.format(kind), *(f"{form.format(kind)} {name}" for name in about.get("properties", {})))
    ]
    contract.check("schema.txt", lines, is_measured=False)


def test_the_adapters_and_their_metadata_are_the_stored_ones(contract: Contract) -> None:
    hit = Hit(1, 1.0, Chunk("c", "d", "", "", "Text.", 0, 0, 5, 1))
    keys = [f"metadata {key}" for key in sorted(metadata_of(Evidence("?", "dense", (hit,)))[0])]
    contract.check("adapters.txt", [*(line for name in ADAPTERS for line in _public(name)), *keys], is_measured=False)


def _options(prefix: str, options: type) -> list[str]:
    return [f"{prefix} {line.partition('.')[2]}" for line in fields_of(options)]


def _public(module: str) -> Iterator[str]:
    """The class of an adapter with its fields and methods, from the source: its framework need not be installed."""
    source = (ROOT / "adapters/tetragraph_adapters" / f"{module}.py").read_text(encoding="utf-8")
    (found,) = [one for one in ast.parse(source).body if isinstance(one, ast.ClassDef) and one.name == CLASS]
    yield f"{module}.{CLASS}({', '.join(map(ast.unparse, found.bases))})"
    for one in found.body:
        if isinstance(one, ast.AnnAssign):
            yield f"{module}.{CLASS}.{ast.unparse(one)}"
        elif isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and (one.name == "__init__" or one.name[0] != "_"):
            given = f" -> {ast.unparse(one.returns)}" if one.returns else ""
            yield f"{module}.{CLASS}.{one.name}({ast.unparse(one.args)}){given}"
