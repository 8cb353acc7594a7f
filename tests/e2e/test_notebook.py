"""The notebooks run unchanged on corpora of the session's server."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tetragraph.stores.graph import Graph

NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"
RECIPES, FIRST_STEPS = "graph_data_science", "first_steps"


def kept(name: str) -> nbformat.NotebookNode:
    notebook: nbformat.NotebookNode = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)  # type: ignore[no-untyped-call]  # is not typed
    return notebook


def outputs(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def execute(name: str, corpus: str, environment: Mapping[str, str]) -> nbformat.NotebookNode:
    """A notebook after a run in a process of its own, on a corpus of the tests."""
    notebook = kept(name)
    (parameters,) = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ())]
    parameters.source = re.sub(r'CORPUS = ".*"', f"CORPUS = {corpus!r}", parameters.source)
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute(env=dict(environment))
    return notebook


def test_the_recipes_find_what_the_corpus_is_made_of(
    anchored: str, environment: Mapping[str, str], graph: Graph
) -> None:
    printed = outputs(execute(RECIPES, anchored, environment))
    assert [output for output in printed if output.output_type == "error" or output.get("name") == "stderr"] == []
    found: dict[str, Any] = ast.literal_eval(printed[-1].data["text/plain"])
    by_place = found["measures"]
    assert (found["entities"], found["chunks"], found["themes"]) == (12, 12, 3)
    assert found["most_central"] == "Halvik"
    assert 0 < found["agreement"]["adjusted_rand"] < found["agreement"]["mutual_information"] < 1
    for measure, better, worse in (
        ("modularity, gain graph", "Leiden on the gain graph", "encoding tree"),
        ("entropy saved, affinity graph", "encoding tree", "Leiden on the gain graph"),
    ):
        assert 0 < by_place[measure][worse] < by_place[measure][better] < 1
    assert found["most_alike"] == ["halvik", "sund-county", pytest.approx(2 / 3)]
    assert found["projections_left"] == graph.read("gds/find_projections", prefix=f"notebook-{anchored}-") == []


def test_the_first_steps_show_tables_and_a_drawing(corpus_name: str, environment: Mapping[str, str]) -> None:
    printed = outputs(execute(FIRST_STEPS, corpus_name, environment))
    assert [output for output in printed if output.output_type == "error"] == []
    pages = [output.data["text/html"] for output in printed if "text/html" in output.get("data", {})]
    assert [page[:7] for page in pages] == ["<table>"] * 8
    assert "Jens Arild" in pages[1]
    assert "<svg " in pages[6]
    scores: dict[str, float] = ast.literal_eval(printed[-1].data["text/plain"])
    assert 0 <= scores["dense"] <= scores["evidence"] == 1


@pytest.mark.parametrize("name", [RECIPES, FIRST_STEPS])
def test_a_notebook_is_kept_without_the_outputs_of_a_run(name: str) -> None:
    cells = [cell for cell in kept(name).cells if cell.cell_type == "code"]
    assert [(cell.outputs, cell.execution_count) for cell in cells] == [([], None)] * len(cells)
