"""Measure all figures that the project publishes.

``python -m benchmarks [PART …]``; by default all parts except those that take hours. Results are written to
``benchmarks/results/<date>.json``, to Markdown tables in the same folder, and from there to README and
pages in docs. ``python -m benchmarks readme`` only writes the tables of these pages.
"""

from __future__ import annotations

import argparse
import datetime as dt
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import (
    anchor,
    anchor_answers,
    answers,
    complexity,
    doctor,
    engines,
    explain,
    fact_graph,
    facts,
    growth,
    hostile,
    index,
    kill_commands,
    languages,
    latency,
    life_cycle,
    llm_calls,
    local,
    measure,
    merges,
    neighbours,
    other_sets,
    reading,
    readme,
    recall,
    repeated,
    report,
    report_pages,
    search_policy,
    shapes,
    shards,
    tree_search,
    tree_updates,
    trees,
    untrained_policy,
)
from benchmarks.papers.part import measure_papers
from benchmarks.plan import Plan
from benchmarks.service import jobs, load, mcp_calls, page, soak
from benchmarks.web_pages.measure import measure_web_pages
from tetragraph.stores.local import stop

PARTS: dict[str, Callable[[Plan], dict[str, Any]]] = {
    "local": local.measure_local,
    "index": index.measure_index,
    "latency": latency.measure_latency,
    "repeated": repeated.measure_repeated,
    "recall": recall.measure_recall,
    "reading": reading.measure_reading,
    "other_sets": other_sets.measure_other_sets,
    "shapes": shapes.measure_shapes,
    "languages": languages.measure_languages,
    "report_pages": report_pages.measure_report_pages,
    "web_pages": measure_web_pages,
    "kill_commands": kill_commands.measure_kill_commands,
    "renames": life_cycle.measure_renames,
    "archive": life_cycle.measure_archive,
    "hostile": hostile.measure_hostile,
    "engines": engines.measure_engines,
    "growth": growth.measure_growth,
    "neighbours": neighbours.measure_neighbours,
    "shards": shards.measure_shards,
    "doctor": doctor.measure_doctor,
    "trees": trees.measure_trees,
    "tree_search": tree_search.measure_tree_search,
    "facts": facts.measure_facts,
    "papers": measure_papers,
    "bipartite": fact_graph.measure_fact_graph,
    "merges": merges.measure_merges,
    "complexity": complexity.measure_complexity,
    "updates": tree_updates.measure_tree_updates,
    "anchor": anchor.measure_anchor,
    "explain": explain.measure_explain,
    "answers": answers.measure_answers,
    "llm": llm_calls.measure_llm_calls,
    "service_load": load.measure_load,
    "service_soak": soak.measure_soak,
    "service_jobs": jobs.measure_jobs,
    "service_page": page.measure_page,
    "service_mcp": mcp_calls.measure_mcp_calls,
    "anchor_answers": anchor_answers.measure_anchor_answers,
    "search_policy": search_policy.measure_search_policy,
    "untrained_policy": untrained_policy.measure_untrained_policy,
}
README = "readme"
ON_DEMAND = ("anchor_answers", "engines", "kill_commands", "untrained_policy")
"""Parts that use a language model or take hours, and are measured only on request."""
SIZES = (1_000, 10_000, 100_000)


def main() -> None:
    """Run the parts in order in one home, so that they share indexed corpora."""
    arguments = _parser().parse_args()
    chosen = arguments.parts or [part for part in PARTS if part not in ON_DEMAND]
    unknown = sorted({*chosen} - {*PARTS, README})
    if unknown:
        _parser().error(f"a part must be one of {', '.join(PARTS)}, {README}, got {unknown[0]}")
    with tempfile.TemporaryDirectory(prefix="tetragraph-bench-") as scratch:
        plan = Plan((arguments.home or Path(scratch)).absolute(), arguments.questions, tuple(sorted(arguments.sizes)))
        if plan.settings.neo4j_uri or plan.settings.qdrant_url:
            _parser().error("the benchmarks measure stores of their own: unset NEO4J_URI and QDRANT_URL")
        _measure([part for part in chosen if part != README], plan, arguments.out)
    if arguments.out == report.FOLDER:
        readme.write(report.newest())


def _measure(parts: list[str], plan: Plan, out: Path) -> None:
    results: dict[str, Any] = {
        "date": dt.date.today().isoformat(),
        "machine": measure.machine(),
        "embedder": plan.settings.embedder,
    }
    try:
        for part in parts:
            began = time.monotonic()
            results[part] = PARTS[part](plan)
            print(report.write(results, out), flush=True)
            print(f"{part}: measured in {time.monotonic() - began:.0f} s", flush=True)
    finally:
        if parts:
            stop(plan.settings)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join([*PARTS, README]))
    parser.add_argument("--home", type=Path, help="keep the corpora here and use those that are there")
    parser.add_argument("--out", type=Path, default=report.FOLDER, help="where results go; elsewhere README stays")
    parser.add_argument("--questions", type=int, default=1000, help="how many questions are asked at the most")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="of the synthetic corpora, in passages")
    return parser


if __name__ == "__main__":
    main()
