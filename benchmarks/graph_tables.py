"""Tables of the graphs, for docs/bipartite-graph.md and docs/encoding-tree.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from benchmarks import merges as merged
from benchmarks.fact_graph import RECORDED, SET
from benchmarks.report import Results, shown, table
from tetragraph.language.questions.complexity import Level, Mode

CUTS = (2, 5, 10)
SOURCES = ("parser", "recorded triples")


def merges(results: Results) -> list[str]:
    """Merges of names by reason, and how many of the checked ones are right."""
    reasons = {reason: found for reason, found in results["merges"].items() if reason != merged.SET}
    columns = ("merges", "drawn", "right_drawn", "wrong_known", "wrong_still_made")
    header = ["reason", "merges", "checked, drawn at random", "right", "wrong ones that were known", "still made"]
    rows = [[f"`{reason}`", *(shown(found[one]) for one in columns)] for reason, found in reasons.items()]
    drawn, right = (sum(found[one] for found in reasons.values()) for one in ("drawn", "right_drawn"))
    return [*table(header, rows), "", f"Of the {drawn} that were drawn, {right} are right."]


def bipartite(results: Results) -> list[str]:
    """Seconds of a build and of updates of the bipartite graph, and its size."""
    build, update = (results["bipartite"][one] for one in ("build", "update"))
    changed = shown(update["passages"])
    rows = [
        [f"build of {SET}", *(shown(build[one]) for one in ("passages", "s", "relations", "entities", "aliases"))],
        [f"{changed} documents deleted", changed, shown(update["delete_s"]), "", "", ""],
        ["ingested again", changed, shown(update["ingest_s"]), "", "", ""],
    ]
    return table(["", "chunks", "s", "facts", "entities", "merged names"], rows)


def bipartite_recall(results: Results) -> list[str]:
    """Recall with the parser's facts and with recorded triples of a language model."""
    found = {source: results["bipartite"][f"{RECORDED}, {source}"] for source in SOURCES}
    rows = [[source, *(str(row[f"R@{k}"]) for k in CUTS)] for source, row in found.items()]
    return table([f"{RECORDED}, facts of", *(f"R@{k}" for k in CUTS)], rows)


def complexity(results: Results) -> list[str]:
    """Number of questions and per cent of each level, by both ways of telling them."""
    figures = results["complexity"]
    modes = get_args(Mode)
    names = [key.removesuffix(f", {modes[0]}") for key in figures if key.endswith(f", {modes[0]}")]
    rows = []
    for name in names:
        by_mode = [figures[f"{name}, {mode}"] for mode in modes]
        shares = (" / ".join(f"{100 * row[level]:.1f}" for level in get_args(Level)) for row in by_mode)
        rows.append([name, shown(by_mode[0]["questions"]), *shares])
    levels = " / ".join(get_args(Level))
    return table(["", "questions", *(f"{levels}, %, mode `{mode}`" for mode in modes)], rows)


def updates(results: Results) -> list[str]:
    """Cost of updates of the encoding tree, and its entropy against that of a rebuilt tree."""
    build, update = (results["updates"][one] for one in ("build", "updates"))
    columns = ("passages", "batches", "ms_a_passage")
    rows = [
        ["build on all", shown(build["passages"]), "1", shown(1000 * build["s"] / build["passages"]), _bits(build), ""],
        ["a fifth added later", *(shown(update[one]) for one in columns), _bits(update), _above(update)],
    ]
    return table(["", "chunks", "batches", "ms a chunk", "entropy, bits", "above a rebuilt tree, %"], rows)


def _bits(row: Results) -> str:
    return f"{row['structural_entropy']:.4f}"


def _above(row: Results) -> str:
    return f"{row['above_fresh_percent']:+.2f}"


TABLES: dict[str, Callable[[Results], list[str]]] = {
    "merges": merges,
    "bipartite": bipartite,
    "bipartite_recall": bipartite_recall,
    "complexity": complexity,
    "updates": updates,
}
