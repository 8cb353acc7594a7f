"""The installation is complete and starts quickly, as a checkout or as a wheel."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata, resources
from pathlib import Path

import pytest

import tetragraph
from tetragraph import queries

HEAVY = {
    "neo4j", "networkx", "numba", "numpy", "onnxruntime", "openai", "pandas", "pydantic", "qdrant_client",
    "qdrant_edge", "scipy", "spacy", "tokenizers", "torch",
}  # fmt: skip


def run(*arguments: str) -> str:
    """What a new process of this Python prints."""
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True).stdout


def test_importing_the_package_loads_no_library() -> None:
    loaded = set(run("-c", "import tetragraph, sys; print(*sys.modules)").split())
    assert "tetragraph" in loaded
    assert loaded & HEAVY == set()


def test_importing_the_client_loads_no_model_and_no_engine() -> None:
    loaded = set(run("-c", "from tetragraph import Tetragraph; import sys; print(*sys.modules)").split())
    models = {"onnxruntime", "openai", "spacy", "tokenizers", "torch"}
    # pandas is not among them: Neo4j's driver imports it wherever it is installed.
    assert loaded & {"networkx", "numba", "qdrant_edge", *models} == set()


def test_the_public_names_are_sorted_and_exist() -> None:
    assert tetragraph.__all__ == sorted(tetragraph.__all__)
    assert [name for name in tetragraph.__all__ if getattr(tetragraph, name, None) is None] == []


def test_the_command_line_starts_and_tells_the_version() -> None:
    command = Path(sys.executable).with_name("tetragraph")
    told = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    assert metadata.version("tetragraph") in told


def test_every_query_file_is_installed_and_keeps_the_rules() -> None:
    names = list(queries.names())
    assert "corpus/get_corpus" in names
    assert [queries.get(name).name for name in names] == names


@pytest.mark.parametrize(
    "path",
    [
        "evaluate/report/page.html.jinja",
        "export/session_page.html.jinja",
        "export/subgraph_page.html.jinja",
        "export/tree_page.html.jinja",
        "py.typed",
        "samples/README.md",
        "samples/passages.jsonl.gz",
        "samples/questions.jsonl",
        "stores/local/neo4j.lock",
        "language/embedders/bert_base_uncased.json",
        "language/embedders/bert_base_uncased.NOTICE.md",
    ],
)
def test_a_data_file_of_the_package_is_installed(path: str) -> None:
    assert resources.files("tetragraph").joinpath(path).is_file()


def test_the_schema_is_installed() -> None:
    files = sorted(file.name for file in queries.root("schema").iterdir())
    assert files[0].startswith("V0001__")


def test_licence_and_notice_are_installed() -> None:
    files = metadata.files("tetragraph")
    assert files is not None
    assert {"LICENSE", "NOTICE"} <= {file.name for file in files}


def test_each_loader_of_the_entry_points_can_be_loaded() -> None:
    loaders = metadata.entry_points(group="tetragraph.loaders")
    assert ".txt" in loaders.names
    assert all(callable(loader.load()) for loader in loaders)
