"""The papers' tables are measured on a small set, and shown beside the published figures."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks import readme
from benchmarks.papers import anchor, bipartite, gain, part, published, tables, tree
from benchmarks.plan import Plan

from tetragraph import samples
from tetragraph.settings import Settings

SET = "musique"
STAGES = (8, 4)


@pytest.fixture
def plan(tmp_path: Path, server_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Plan:
    """One set of 24 passages and two questions; every piece measures this set alone."""
    folder = tmp_path / "data" / SET
    folder.mkdir(parents=True)
    (tmp_path / "data" / "README.md").touch()
    with gzip.open(samples.passages(), "rt", encoding="utf-8") as lines:
        passages = [json.loads(line) for line in lines][:24]
    questions = [
        {"id": f"q{place}", "question": f"Who was {passages[place]['title']}?", "answers": [passages[place]["title"]]}
        | {"supporting": [passages[place]["id"], passages[place + 1]["id"]]}
        for place in (2, 9)
    ]
    for name, rows in (("corpus", passages), ("dev", questions)):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    monkeypatch.setenv("TETRAGRAPH_DATA", str(tmp_path / "data"))
    for module in (gain, tree, anchor):
        monkeypatch.setattr(module, "SETS", (SET,))
    monkeypatch.setattr(gain, "STAGES", STAGES)
    monkeypatch.setattr(gain, "PAPER_ALPHA", {SET: 0.3})
    monkeypatch.setattr(bipartite, "SET", SET)
    monkeypatch.setattr(bipartite, "SPLIT", "dev")
    monkeypatch.setattr(Plan, "settings", server_settings)
    return Plan(tmp_path, 2, ())


@pytest.mark.slow
def test_every_table_of_the_papers_is_measured_on_a_small_set(plan: Plan) -> None:
    figures = part.measure_papers(plan)
    check_edges(figures["growth"][SET])
    found = figures["gain"][SET]
    assert list(found["ablation"]) == [*published.ABLATION, "default"]
    assert found["alpha"]["0.0"]["R@10"] <= found["alpha"]["0.5"]["R@10"], "without a walk only the seeds are found"
    assert figures["anchor"][SET]["GraphAnchor"]["found"] >= figures["anchor"][SET]["Vanilla RAG"]["found"]
    results: dict[str, Any] = {"machine": "a machine", "papers": figures}
    for name in tables.TABLES:
        lines = readme.fill(f"<!-- figures: {name} -->\n<!-- end of figures -->", results).splitlines()
        assert len(lines) > 4, name
        assert len({line.count("|") for line in lines if line.startswith("|")}) <= 1, "all rows have the same columns"


def check_edges(modes: dict[str, Any]) -> None:
    """The paper's graph has five edges for each chunk, ours more; both grow with every batch."""
    assert [row["edges"] for row in modes["paper"].values()] == [5 * STAGES[0], 5 * sum(STAGES)]
    for paper, default in zip(modes["paper"].values(), modes["tetragraph"].values(), strict=True):
        assert default["edges"] > paper["edges"]
    assert [row["gold_there"] for row in modes["paper"].values()][-1] == 100.0
