"""The notebooks run unchanged on corpora of the session's server."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

import anchored_world
from environments import user_environment
from scripted_faults import Body
from scripted_llm import Reply, ScriptedLlm
from tetragraph import Settings, Tetragraph
from tetragraph.stores.graph import Graph

TOOLS = ["ask", "corpora", "entity", "explain", "facts", "search", "session", "themes"]
NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"
RECIPES, FIRST_STEPS, GRAPHS = "graph_data_science", "first_steps", "five_graphs"
COMPARISON, AGENT = "compare_methods", "agent"


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


@pytest.mark.slow
def test_the_recipes_name_the_command_that_builds_a_missing_tree(
    server_settings: Settings, corpus_name: str, environment: Mapping[str, str]
) -> None:
    with Tetragraph.connect(server_settings) as client:
        client.corpus(corpus_name).ingest(anchored_world.documents(), build=("gain",))
    with pytest.raises(CellExecutionError, match=f"has no encoding tree: run `tetragraph build tree -c {corpus_name}`"):
        execute(RECIPES, corpus_name, environment)


@pytest.fixture
def place(anchored_settings: Settings) -> Mapping[str, str]:
    """The environment in which the corpus of the module was ingested, with its vectors."""
    return user_environment(anchored_settings, COLUMNS="100")


def pages_of(printed: list[nbformat.NotebookNode]) -> list[str]:
    """What a notebook shows in place of a representation: tables, with pictures below them."""
    assert [output for output in printed if output.output_type == "error" or output.get("name") == "stderr"] == []
    pages = [output.data["text/html"] for output in printed if "text/html" in output.get("data", {})]
    assert {page[:7] for page in pages} == {"<table>"}
    return pages


def test_the_first_steps_show_tables_with_pictures(corpus_name: str, environment: Mapping[str, str]) -> None:
    counts, evidence, explanation, answer = pages_of(outputs(execute(FIRST_STEPS, corpus_name, environment)))
    assert "<svg " not in counts
    assert all("<svg " in page for page in (evidence, explanation, answer))
    assert "Jens Arild" in evidence
    assert "<caption>Jens Arild (extractive)" in answer


@pytest.mark.slow
def test_each_of_the_five_graphs_is_drawn(anchored: str, place: Mapping[str, str]) -> None:
    printed = outputs(execute(GRAPHS, anchored, place))
    counts, *pages = pages_of(printed)
    assert "<svg " not in counts
    assert all(page.count("<svg ") == 1 for page in pages)
    evidence, part, gain, gains, tree, theme, facts, session, answer = pages
    for page, labels in (
        (evidence, ("Question 1", "Chunk", "Entity")),
        (part, ("Chunk", "Entity")),
        (gain, ("Question 1", "Chunk")),
        (gains, ("Chunk",)),
        (theme, ("Community", "Chunk", "Entity")),
        (facts, ("Relation 5", "Entity")),
        (session, ("Anchor",)),
        (answer, ("Question 1", "Chunk", "Answer 1")),
    ):
        assert [label for label in labels if f">{label}" not in page] == []
    assert "INFO_GAIN: " in gain
    assert tree.count("<rect ") == 1 + 3 + 12
    found: dict[str, Any] = ast.literal_eval(printed[-1].data["text/plain"])
    assert (found["hits"], found["themes"], found["answer"]) == (4, 3, "Jens Arild")
    assert found["gains"] > 0


@pytest.mark.slow
def test_methods_are_compared_on_questions(anchored: str, place: Mapping[str, str]) -> None:
    printed = outputs(execute(COMPARISON, anchored, place))
    report, options = pages_of(printed)
    for page in (report, options):
        assert page.startswith(f"<table><caption>6 questions on {anchored}</caption>")
        assert "against" in page
    assert (report.count("<rect "), options.count("<rect ")) == (2 * 8, 2 * 3)
    scores: dict[str, float] = ast.literal_eval(printed[-1].data["text/plain"])
    assert len(scores) == 8
    assert 0 < scores["dense"] < scores["evidence"] <= 1


@pytest.mark.slow
def test_an_agent_calls_the_tools_of_the_server_and_answers_from_what_they_found(
    anchored: str, place: Mapping[str, str], scripted_llm: Callable[..., ScriptedLlm]
) -> None:
    asked = {"corpus": anchored, "question": anchored_world.QUESTION, "k": 5}

    def reply(body: Body) -> str | Reply:
        last = body["messages"][-1]
        if last["role"] != "tool":
            return Reply("", calls=[("search", asked)])
        named = re.search(r"(\w+ \w+) is the teacher of Ida Brandt", last["content"])
        return f"{named[1]} [1]" if named else "Not found."

    llm = scripted_llm(reply)
    endpoint = {"OPENAI_BASE_URL": llm.base_url, "OPENAI_API_KEY": "a-key-of-tests", "TETRAGRAPH_LLM": llm.model}
    printed = outputs(execute(AGENT, anchored, {**place, **endpoint}))
    assert [output for output in printed if output.output_type == "error"] == []
    found: dict[str, Any] = ast.literal_eval(printed[-1].data["text/plain"])
    assert found["tools"] == TOOLS
    assert (found["called"], found["answer"]) == ([("search", asked)], "Jens Arild [1]")
    first, second = llm.requests
    assert [one["function"]["name"] for one in first["tools"]] == [one["function"]["name"] for one in second["tools"]]
    assert anchored_world.QUESTION in first["messages"][0]["content"]


@pytest.mark.slow
def test_without_an_endpoint_the_tools_are_shown_and_the_agent_says_why_it_is_absent(
    anchored: str, place: Mapping[str, str]
) -> None:
    printed = outputs(execute(AGENT, anchored, place))
    assert [output for output in printed if output.output_type == "error"] == []
    said = "".join(output.text for output in printed if output.get("name") == "stdout")
    assert said.startswith("OPENAI_BASE_URL is not set")
    found: dict[str, Any] = ast.literal_eval(printed[-1].data["text/plain"])
    assert found == {"tools": TOOLS, "called": [], "answer": None}
    assert "Halvik" in printed[1].data["text/plain"]


@pytest.mark.parametrize("name", sorted(file.stem for file in NOTEBOOKS.glob("*.ipynb")))
def test_a_notebook_is_kept_without_the_outputs_of_a_run(name: str) -> None:
    cells = [cell for cell in kept(name).cells if cell.cell_type == "code"]
    assert [(cell.outputs, cell.execution_count) for cell in cells] == [([], None)] * len(cells)
