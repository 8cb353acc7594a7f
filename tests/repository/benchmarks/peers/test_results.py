"""Description of a run: recall over the questions with gold, times, and a table of the day."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.peers.results import recall, record, times

from tetragraph.evaluate.model import Found, Gold, GoldQuestion, Run

LAP = {"wall_s": 0.010, "cpu_s": 0.008, "embedding_wall_s": 0.004, "embedding_cpu_s": 0.003}
INDEX = {"wall_s": 12.34, "cpu_s": 10.0, "embedding_wall_s": 8.0, "embedding_cpu_s": 7.96}


def a_run(**changes: Any) -> dict[str, Any]:
    return {
        "run": "linearrag",
        "system": "LinearRAG",
        "commit": "4ecfa25170711",
        "parameters": {"max_iterations": 5},
        "notes": ["a note"],
        "embedder": {"name": "minilm"},
        "set": "musique_train",
        "split": "train",
        "passages": 1890,
        "questions": 100,
        "recall": {"R@2": 50.5, "R@5": 67.8, "R@10": 77.4},
        **times(INDEX, [LAP]),
        **changes,
    }


def ranked(documents: str) -> tuple[Found, ...]:
    return tuple(Found(name, name, "", None, None, 1.0) for name in documents)


def test_recall_is_the_share_of_the_gold_among_the_first_over_the_questions_that_have_gold() -> None:
    questions = [
        GoldQuestion("q1", "?", (Gold("a"), Gold("b"))),
        GoldQuestion("q2", "?", (Gold("c"),)),
        GoldQuestion("q3", "?"),
    ]
    rankings = {"q1": ranked("axb"), "q2": ranked("uvwxyc"), "q3": ranked("a")}
    run = Run("linearrag", "LinearRAG", {}, rankings)
    assert recall(run, questions) == {"R@2": 25.0, "R@5": 50.0, "R@10": 100.0}
    assert recall(run, questions[2:]) == {}


def test_times_are_seconds_of_the_index_and_milliseconds_of_a_question() -> None:
    slow = {**LAP, "wall_s": 0.1, "cpu_s": 0.02}
    found = times(INDEX, [LAP, LAP, slow])
    assert found["index"] == {"wall_s": 12.3, "cpu_s": 10.0, "embedding_wall_s": 8.0, "embedding_cpu_s": 8.0}
    assert found["search"] == {"p50_ms": 10.0, "mean_ms": 40.0, "mean_cpu_ms": 12.0, "mean_embedding_ms": 4.0}


def test_a_later_run_takes_the_place_of_the_earlier_one_and_the_table_has_both_systems(tmp_path: Path) -> None:
    record(a_run(), tmp_path)
    record(a_run(run="other", notes=[]), tmp_path)
    table = record(a_run(recall={}), tmp_path)
    (kept,) = tmp_path.glob("peers-*.json")
    assert list(json.loads(kept.read_text(encoding="utf-8"))["runs"]) == [
        "musique_train, linearrag",
        "musique_train, other",
    ]
    assert kept.with_suffix(".md").read_text(encoding="utf-8") == table
    what = "| musique_train (100 of train, 1,890 passages) |"
    assert f"{what} linearrag | – | – | – | 12 (10) | 10 (8) |" in table
    assert f"{what} other | 50.5 | 67.8 | 77.4 | 12 (10) | 10 (8) |" in table
    assert "- linearrag on musique_train: LinearRAG at 4ecfa25 with minilm, max_iterations 5; a note." in table
