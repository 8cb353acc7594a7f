"""Growth of cost with the number of passages: synthetic corpora of several sizes, and the exponent of each figure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import neo4j

from benchmarks import data, growth_worker, index, measure, synthetic
from benchmarks.growth_worker import ORIGINAL
from benchmarks.plan import Plan
from tetragraph import Tetragraph
from tetragraph.stores import local

DF = "MATCH (e:Entity {corpus: $corpus}) WHERE e.df IS NOT NULL RETURN e.df AS df, count(*) AS entities ORDER BY df"
QUESTIONS = 100
"""Largest number of questions: the median of a thousand is the same, and takes ten minutes a size."""
BOUNDS = (2, 5, 10, 20, 50, 100)
EXPONENT = "exponent"
Rows = dict[str, dict[str, Any]]


def measure_growth(plan: Plan) -> dict[str, Rows]:
    """Index and search a corpus of each size, every step in a process of its own.

    The vectors are looked up, not embedded; the part ``index`` measures the model.
    """
    index.ingest(plan, ORIGINAL)
    indexed, searched, entities = {}, {}, {"original": entity_statistics(plan, ORIGINAL)}
    for size in plan.sizes:
        indexed[size] = _ingest(plan, size)
        figures, peak_mb = step(plan, "search", size)
        searched[size] = {**figures, "all": {"python_mb": peak_mb}}
        entities[str(size)] = entity_statistics(plan, name(size))
    return {"index": by_size(indexed), "search": by_size(searched), "entities": _transpose(entities)}


def create_if_absent(plan: Plan, size: int) -> None:
    """Create the corpus of a size if it is absent; the original must have been ingested."""
    with Tetragraph.connect(plan.settings) as client:
        present = {corpus.name for corpus in client.corpora()}
    if name(size) not in present:
        _ingest(plan, size)


def name(size: int) -> str:
    """Name of the corpus of a size."""
    return f"synthetic-{size}"


def _ingest(plan: Plan, size: int) -> Rows:
    """Generate the corpus of a size, and ingest it."""
    asked = data.questions(ORIGINAL, "dev")[: _count_questions(plan)]
    first = {passage for question in asked for passage in question.supporting}
    growth_worker.write(_file(plan, size), list(synthetic.generate(growth_worker.originals(), first, size)))
    index.drop(plan, name(size))
    stages = index.run_watched(plan, _command(plan, "ingest", size))
    return {stage: row if stage == index.TOTAL else _without_disks(row) for stage, row in stages.items()}


def _without_disks(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in index.DISKS}


def step(plan: Plan, what: str, size: int) -> tuple[Rows, int]:
    """Run a step of ``growth_worker``; returns its figures and the peak memory of its process in MB."""
    done = measure.run(_command(plan, what, size), plan.environment)
    return json.loads(done.output), round(done.peak_mb)


def _command(plan: Plan, step: str, size: int) -> list[str]:
    module = growth_worker.__name__
    return ["-m", module, step, str(plan.home), name(size), str(_file(plan, size)), str(_count_questions(plan))]


def _count_questions(plan: Plan) -> int:
    return min(plan.questions, QUESTIONS)


def _file(plan: Plan, size: int) -> Path:
    return plan.home / "synthetic" / f"{size}.jsonl"


def by_size(figures: Mapping[int, Rows]) -> Rows:
    """One row for each figure: its value at each size, and the exponent of its growth.

    Args:
        figures: Rows of figures for each size; only numbers that every size has are used.
    """
    flat = {
        size: {f"{row}, {column}": value for row, columns in rows.items() for column, value in columns.items()}
        for size, rows in figures.items()
    }
    kept = [key for key in next(iter(flat.values())) if all(_is_number(row.get(key)) for row in flat.values())]
    rows = {}
    for key in kept:
        values = {size: row[key] for size, row in flat.items()}
        rows[key] = {**{str(size): value for size, value in values.items()}}
        rows[key][EXPONENT] = measure.exponent(list(values), list(values.values()))
    return rows


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def entity_statistics(plan: Plan, corpus: str) -> dict[str, float]:
    """Statistics of the entities that the passages of a corpus mention, from the graph.

    Returns:
        Entities and mentions per passage, the percentage of passages that mention the most frequent entity, and the
        percentages of entities that at least a given number of passages mention.
    """
    server = local.start(plan.settings)
    with neo4j.GraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:
        found = [(row["df"], row["entities"]) for row in driver.execute_query(DF, corpus=corpus).records]
    with Tetragraph.connect(plan.settings) as client:
        passages = client.corpus(corpus).counts()["chunks"]
    return statistics(found, passages)


def statistics(found: list[tuple[int, int]], passages: int) -> dict[str, float]:
    """Compute the statistics from pairs of a number of passages and the number of entities that so many mention."""
    entities = sum(count for _, count in found)
    shares = {
        f"mentioned by {bound} or more, %": sum(n for df, n in found if df >= bound) / entities for bound in BOUNDS
    }
    return {
        "passages": passages,
        "entities a passage": round(entities / passages, 2),
        "mentions a passage": round(sum(df * count for df, count in found) / passages, 2),
        "most mentioned, % of passages": round(100 * max(df for df, _ in found) / passages, 1),
        **{what: round(100 * share, 2) for what, share in shares.items()},
    }


def _transpose(columns: Mapping[str, Mapping[str, float]]) -> Rows:
    """Transpose columns of figures to rows."""
    return {row: {name: column[row] for name, column in columns.items()} for row in next(iter(columns.values()))}
