"""Tables for the documents: cells, bold figures, and rows of the results that they are made of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks import (
    anchor_tables,
    answer_tables,
    graph_tables,
    languages,
    other_sets,
    readme,
    report,
    shapes,
    text_tables,
)
from benchmarks import recall as recall_part
from benchmarks.peers import tables as peers

RUNS = ("fixed loop", "policy")


def recalls(value: float) -> dict[str, float]:
    return {"R@2": value, "R@5": value + 1, "R@10": value + 2}


def shape_rows(low: float) -> dict[str, Any]:
    """What ``measure_shapes`` returns, with the lower bound of every interval."""
    rows: dict[str, Any] = {}
    for name in shapes.SETS:
        for shape in shapes.SHAPES:
            rows |= {f"{name}, {shape}, {run}": recalls(50.0) for run in shapes.METHODS}
            rows[f"{name}, {shape}, evidence"] = recalls(60.0) | {
                "ahead at 5": 10.0,
                "low at 5": low,
                "high at 5": 15.0,
            }
    return rows


def test_a_difference_is_bold_where_its_interval_leaves_out_0() -> None:
    assert report.difference(2.8, 1.6, 4.1) == "**+2.8 (1.6 to 4.1)**"
    assert report.difference(-2.8, -4.1, -1.6) == "**-2.8 (-4.1 to -1.6)**"
    assert report.difference(0.2, -0.3, 0.7) == "+0.2 (-0.3 to 0.7)"


@pytest.mark.parametrize(
    ("low", "cell"), [(2.0, "51.0 → 61.0, **+10.0 (2.0 to 15.0)**"), (-2.0, "51.0 → 61.0, +10.0 (-2.0 to 15.0)")]
)
def test_every_shape_has_a_row_with_both_methods_and_their_difference(low: float, cell: str) -> None:
    lines = text_tables.shapes({"shapes": shape_rows(low)})
    assert lines[2:] == [f"| {shape} | {cell} | {cell} |" for shape in shapes.SHAPES]


def test_the_best_method_of_another_set_is_bold() -> None:
    rows = {
        f"{name}, {run}": {"R@5": 50.0, "nDCG@10": 40.0 + (run == "gain")}
        for name in other_sets.SETS
        for run in other_sets.METHODS
    }
    lines = text_tables.other_sets({"other_sets": rows})
    assert lines[0].startswith("| R@5 / nDCG@10 | Cranfield | XQuAD English |")
    assert {line.split(" | ")[0]: line.split(" | ")[1] for line in lines[2:]} == {
        f"| `{run}`": "**50.0 / 41.0**" if run == "gain" else "50.0 / 40.0" for run in other_sets.METHODS
    }
    assert set(text_tables.KINDS) == set(other_sets.SETS)


def test_languages_have_their_mean_and_the_lowest_of_their_pairs() -> None:
    pairs = [pair for group in languages.pairs().values() for pair in group]
    rows = {pair: dict.fromkeys(languages.METHODS, 90.0) for pair in pairs}
    rows["en → zh"]["evidence"] = 79.0
    lines = text_tables.languages({"languages": rows})
    assert lines[0] == "| nDCG@10: mean (lowest) | own language | English → others | others → English |"
    assert lines[-1] == "| `evidence` | 90.0 (90.0, ar → ar) | 89.0 (79.0, en → zh) | 90.0 (90.0, ar → en) |"


def peer(system: str, name: str, embedder: str = "bge-small", **changes: Any) -> dict[str, Any]:
    run = {"set": name, "system": system, "commit": "0123456789", "notes": [], "embedder": {"name": embedder}}
    return {**run, "questions": 100, "passages": 1890, "recall": recalls(40.0), **changes}


def test_other_systems_stand_beside_our_methods_on_the_same_set_with_day_machine_and_version() -> None:
    theirs = {
        "date": "2030-01-02",
        "machine": "another machine",
        "runs": {
            "1": peer("First", "musique_train"),
            "2": peer("First", "musique_train", "minilm"),
            "3": peer("First", "2wikimultihopqa", passages=6119),
            "4": peer("Second", "musique_train", notes=["without a step"]),
        },
    }
    recall = {"2wikimultihopqa, evidence": recalls(80.0), "2wikimultihopqa, dense": recalls(30.0)}
    lines = peers.rows({"shapes": shape_rows(0.0), "recall": recall}, theirs)
    heads = "musique_train, 100 questions of 1,890 chunks | 2wikimultihopqa, 100 questions of 6,119 chunks"
    assert lines[0] == f"| R@2 / R@5 / R@10 | {heads} |"
    assert lines[2:8] == [
        "| `evidence` | 60.0 / 61.0 / 62.0 | 80.0 / 81.0 / 82.0 |",
        "| `dense` | 50.0 / 51.0 / 52.0 | 30.0 / 31.0 / 32.0 |",
        "| `keyword` | 50.0 / 51.0 / 52.0 |  |",
        "| First, bge-small | 40.0 / 41.0 / 42.0 | 40.0 / 41.0 / 42.0 |",
        "| First, minilm | 40.0 / 41.0 / 42.0 |  |",
        "| Second, bge-small | 40.0 / 41.0 / 42.0 |  |",
    ]
    told = "First at 0123456; Second at 0123456, without a step."
    assert lines[-1] == f"The other systems were measured on 2030-01-02: another machine. {told}"


def test_the_newest_results_of_other_systems_count(tmp_path: Path) -> None:
    assert peers.rows({}, peers.newest(tmp_path)) == []
    for day in ("2030-01-02", "2029-12-31"):
        (tmp_path / f"peers-{day}.json").write_text(json.dumps({"date": day, "runs": {}}), encoding="utf-8")
    assert peers.newest(tmp_path)["date"] == "2030-01-02"


def test_our_rows_beside_other_systems_are_measured_with_the_same_options_by_both_parts() -> None:
    assert all(recall_part.METHODS[method] == shapes.METHODS[method] for method in peers.OURS)


def anchor_results() -> dict[str, Any]:
    row = recalls(60.0)
    change = {f"R@{k}_{one}": value for k in (5, 10) for one, value in (("more", 5), ("low", 1 - k / 6), ("high", 9))}
    runs = {"1 step": row, **dict.fromkeys(("2 steps", "3 steps", "4 steps", "4 steps without a graph"), row | change)}

    def both(first: Any, second: Any) -> dict[str, Any]:
        return {"a": {"dense": {"4 steps": first, "4 steps without a graph": second}}}

    found = {f"up_to_{number}": 50.0 + number for number in range(1, 5)}
    ended = {"ended_at_1": 1, "ended_at_2": 1, "ended_at_3": 2, "ended_at_4": 0}
    return {
        "recall": {"a": {"dense": runs}},
        "found": both(found, found),
        "read before": both(found, dict.fromkeys(found, 9.5)),
        "steps": both({"mean": 2, **ended}, {"mean": 2, **ended, "ended_at_4": 4}),
    }


def test_steps_show_recall_by_step_and_how_searches_with_and_without_a_graph_end() -> None:
    results = {"anchor": anchor_results()}
    recall = "61.0 / 62.0"
    assert anchor_tables.steps(results)[2] == (
        f"| a, `dense` | {recall} | {recall} | {recall} | {recall} | **+5.0 (0.2 to 9.0)** | +5.0 (-0.7 to 9.0) |"
    )
    by_step = "51.0 / 52.0 / 53.0 / 54.0"
    assert anchor_tables.graph(results)[2] == f"| a, `dense` | {by_step} | {by_step} | 54 | 9.5 |"
    assert anchor_tables.ends(results)[2] == ("| a, `dense` | 25.0 / 25.0 / 50.0 / 0.0 | 12.5 / 12.5 / 25.0 / 50.0 |")


def test_a_policy_has_rows_of_recall_and_times_beside_the_fixed_loop() -> None:
    pairs = {f"{one}, {run}": value for one, value in (("R@5", 78.3), ("searches", 2.6)) for run in RUNS}
    times = {f"p{cut}, {run}, ms": cut for run in RUNS for cut in (50, 95)}
    figures = {
        "a, seed 0": {"questions": 565, **pairs, "more": 2.09, "low": 1.05, "high": 3.16},
        "a training": {"s": 11.0},
        "a, time": times,
    }
    lines = anchor_tables.policy({"search_policy": figures})
    assert lines[2] == "| a, seed 0 | 565 | 78.3 → 78.3 | **+2.1 (1.1 to 3.2)** | 2.6 → 2.6 |"
    assert lines[6:] == ["| a, time | 50 | 95 | 50 | 95 |", "", "A training on recorded searches takes 11 s."]


def test_answers_and_calls_of_a_language_model() -> None:
    surest = {f"EM of the surest {share}%": float(share) for share in (10, 25, 50, 75, 100)}
    row = {"questions": 500, "EM": 40.0, "F1": 50.0, "comparisons, EM": None, "ECE": 0.0615, **surest}
    lines = answer_tables.answers({"answers": {"a": row}})
    assert lines[2] == "| a | 500 | 50.0 | 10.0 | 25.0 | 50.0 | 75.0 | 100.0 |  | 0.061 |"
    calls = {"calls": 1000, "faults": 9, "requests": 1106, "results": 993, "errors": 7, "lost": 0, "repeated": 0}
    estimate = {"calls": 990, "tokens_off": 0.123, "money_off": -0.0163, "seconds_off": None}
    figures = {"cut": calls, "estimate before": estimate, "cache hit": {"hit_ms": 0.0444, "hit_cpu_ms": 0.04}}
    lines = answer_tables.llm({"llm": figures})
    assert lines[2] == "| cut | 1,106 | 993 | 7 | 0 | 0 |"
    assert "| estimate before | +12.3 | -1.6 |  |" in lines
    assert lines[-1] == "A cached reply takes 0.0444 ms."


def test_merges_are_added_up_over_the_rules() -> None:
    counts = {"drawn": 40, "right_drawn": 38, "right_still_made": 38, "wrong_known": 8, "wrong_still_made": 4}
    figures = {"2wikimultihopqa": {"names": 9}, "acronym": {"merges": 60, **counts}, "similar": {"merges": 5, **counts}}
    lines = graph_tables.merges({"merges": figures})
    assert lines[2] == "| `acronym` | 60 | 40 | 38 | 8 | 4 |"
    assert lines[-1] == "Of the 80 that were drawn, 76 are right."


def test_costs_of_the_graphs_and_complexity_of_questions() -> None:
    facts = {
        "build": {"passages": 6119, "s": 209.0, "relations": 47388, "entities": 63712, "aliases": 2618},
        "update": {"passages": 60, "delete_s": 19.7, "ingest_s": 22.2, "as_before": True},
        **{f"musique_train, {source}": recalls(62.0) for source in graph_tables.SOURCES},
    }
    assert graph_tables.bipartite({"bipartite": facts})[3] == "| 60 documents deleted | 60 | 19.7 |  |  |  |"
    recalled = graph_tables.bipartite_recall({"bipartite": facts})
    assert recalled[2:] == ["| parser | 62.0 | 63.0 | 64.0 |", "| recorded triples | 62.0 | 63.0 | 64.0 |"]
    shares = {"questions": 500, "simple": 0.17, "moderate": 0.648, "complex": 0.182}
    complexity = {"a, paper": shares, "a, tetragraph": shares, "type of the answer": {"questions": 140}}
    lines = graph_tables.complexity({"complexity": complexity})
    assert lines[2:] == ["| a | 500 | 17.0 / 64.8 / 18.2 | 17.0 / 64.8 / 18.2 |"]
    tree = {
        "build": {"passages": 6119, "s": 3.7, "structural_entropy": 9.58},
        "updates": {
            "passages": 1224,
            "batches": 10,
            "ms_a_passage": 34.3,
            "structural_entropy": 9.5795,
            "above_fresh_percent": -0.01,
        },
    }
    assert graph_tables.updates({"updates": tree})[2:] == [
        "| build on all | 6,119 | 1 | 0.605 | 9.5800 |  |",
        "| a fifth added later | 1,224 | 10 | 34.3 | 9.5795 | -0.01 |",
    ]


@pytest.mark.parametrize("name", ["bipartite_recall", "anchor_steps", "other_systems"])
def test_a_table_of_another_part_is_empty_until_that_was_measured(name: str) -> None:
    block = f"<!-- figures: {name} -->\n\n<!-- end of figures -->"
    assert readme.fill(block, {"date": "2030-01-01", "recall": {}}) == block
