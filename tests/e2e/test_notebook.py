"""The notebook of Graph Data Science recipes runs unchanged on a corpus of the session's server."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tetragraph.stores.graph import Graph

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebooks" / "graph_data_science.ipynb"


def kept() -> nbformat.NotebookNode:
    notebook: nbformat.NotebookNode = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]  # is not typed
    return notebook


def outputs(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


@pytest.fixture
def executed(anchored: str, environment: Mapping[str, str]) -> nbformat.NotebookNode:
    """The notebook after a run in a process of its own, with the parameters set to the corpus of the tests."""
    notebook = kept()
    (parameters,) = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ())]
    parameters.source = parameters.source.replace('CORPUS = "demo"', f"CORPUS = {anchored!r}")
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute(env=dict(environment))
    return notebook


def test_the_recipes_find_what_the_corpus_is_made_of(
    executed: nbformat.NotebookNode, anchored: str, graph: Graph
) -> None:
    printed = outputs(executed)
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


def test_the_notebook_is_kept_without_the_outputs_of_a_run() -> None:
    cells = [cell for cell in kept().cells if cell.cell_type == "code"]
    assert [(cell.outputs, cell.execution_count) for cell in cells] == [([], None)] * len(cells)
