"""Tables of other shapes and other kinds of text, for docs/benchmarks.md."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence

from benchmarks import languages as tongues
from benchmarks import other_sets as kinds
from benchmarks import shapes as forms
from benchmarks.report import Results, difference, table

K = 5
"""Rank of the recall that is shown."""
BASELINE, METHOD = "fused", "evidence"
KINDS = {
    "cranfield": "Cranfield",
    "xquad/en": "XQuAD English",
    "xquad/de": "XQuAD German",
    "wild/culture": "web: culture",
    "wild/health": "web: health",
    "wild/human_activities": "web: activities",
    "wild/philosophy": "web: philosophy",
}
"""Headings of the other sets."""


def shapes(results: Results) -> list[str]:
    """Recall of the baseline and of ``evidence`` on each shape of each data set, with the difference."""
    figures = results["shapes"]

    def cell(name: str, shape: str) -> str:
        before, after = (figures[f"{name}, {shape}, {run}"] for run in (BASELINE, METHOD))
        more = difference(*(after[f"{one} at {K}"] for one in ("ahead", "low", "high")))
        return f"{before[f'R@{K}']:.1f} → {after[f'R@{K}']:.1f}, {more}"

    rows = [[shape, *(cell(name, shape) for name in forms.SETS)] for shape in forms.SHAPES]
    return table([f"R@{K}", *forms.SETS], rows)


def other_sets(results: Results) -> list[str]:
    """Recall of documents and nDCG of each method, with a column for each data set; the best nDCG is bold.

    The last column has the mean of the topics of web pages.
    """
    figures = results["other_sets"]
    columns = [(name,) for name in kinds.SETS] + [kinds.WEB_PAGES]

    def mean(names: Sequence[str], run: str, metric: str) -> float:
        return round(statistics.fmean(figures[f"{name}, {run}"][metric] for name in names), 1)

    def cell(names: Sequence[str], run: str) -> str:
        ranked = mean(names, run, "nDCG@10")
        best = max(mean(names, other, "nDCG@10") for other in kinds.METHODS)
        text = f"{mean(names, run, 'R@5'):.1f} / {ranked:.1f}"
        return f"**{text}**" if ranked == best else text

    rows = [[f"`{run}`", *(cell(names, run) for names in columns)] for run in kinds.METHODS]
    return table(["R@5 / nDCG@10", *(KINDS[name] for name in kinds.SETS), "web: mean"], rows)


def languages(results: Results) -> list[str]:
    """Mean nDCG of each method over the pairs of languages of each group, with the lowest of them."""
    figures = results["languages"]

    def cell(pairs: Sequence[str], run: str) -> str:
        lowest = min(pairs, key=lambda pair: (figures[pair][run], pair))
        mean = sum(figures[pair][run] for pair in pairs) / len(pairs)
        return f"{mean:.1f} ({figures[lowest][run]:.1f}, {lowest})"

    groups = tongues.pairs()
    rows = [[f"`{run}`", *(cell(pairs, run) for pairs in groups.values())] for run in tongues.METHODS]
    return table(["nDCG@10: mean (lowest)", *groups], rows)


TABLES: dict[str, Callable[[Results], list[str]]] = {
    "shapes": shapes,
    "other_sets": other_sets,
    "languages": languages,
}
