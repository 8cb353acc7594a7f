"""The plots of a report, as trees of values for plotly's script."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

from plotly import graph_objects

from tetragraph.drawing.looks import COLOURS
from tetragraph.export import page
from tetragraph.export.page import Tree

UNDECIDED = "#999999"
TICKS_MS = [digit * 10**power for power in range(-1, 5) for digit in (1, 2, 5)]


def plots(report: Mapping[str, Any], seconds: Mapping[str, Mapping[str, float]]) -> dict[str, Tree]:
    """Plots by the id of their element on the page; empty plots are left out.

    Args:
        report: Result of :func:`tetragraph.evaluate.report.content.content`.
        seconds: Wall time of the search, by run and question.
    """
    found = {
        "plot-by-k": recall_by_k(report["runs"], report["k"]),
        "plot-by-hops": metric_by_hops(report["runs"], report["headline"]),
        "plot-by-step": found_by_step(report["runs"]),
        "plot-differences": differences(report["comparisons"], report["headline"]),
        "plot-latency": latency(seconds),
    }
    return {place: figure for place, figure in found.items() if figure["data"]}


def recall_by_k(runs: Sequence[Tree], ks: Sequence[int]) -> Tree:
    """Recall over k, one line for each run."""
    lines = [
        graph_objects.Scatter(
            x=list(ks),
            y=[_percent(run["metrics"][f"recall@{k}"]) for k in ks],
            name=html.escape(run["name"]),
            mode="lines+markers",
            line={"color": _colour(place)},
            hovertemplate="%{y:.1f} % among the first %{x}",
        )
        for place, run in enumerate(runs)
        if f"recall@{ks[0]}" in run["metrics"]
    ]
    axis = {"title": "k, passages looked at", "tickvals": list(ks)}
    return _tree(lines, xaxis=axis, yaxis={"title": "recall, %", "rangemode": "tozero"})


def found_by_step(runs: Sequence[Tree]) -> Tree:
    """Gold found over the steps, one line for each run with searches in several steps."""
    lines = []
    for place, run in enumerate(runs):
        values = {
            int(name.partition("@")[2]): value for name, value in run["metrics"].items() if name.startswith("found@")
        }
        if values:
            lines.append(
                graph_objects.Scatter(
                    x=list(values),
                    y=[_percent(value) for value in values.values()],
                    name=html.escape(run["name"]),
                    mode="lines+markers",
                    line={"color": _colour(place)},
                    hovertemplate="%{y:.1f} % up to step %{x}",
                )
            )
    axis = {"title": "step", "dtick": 1}
    return _tree(lines, xaxis=axis, yaxis={"title": "gold found up to it, %", "rangemode": "tozero"})


def metric_by_hops(runs: Sequence[Tree], metric: str) -> Tree:
    """A metric as bars, one group for each number of hops, one bar for each run."""
    hops = sorted({hops for run in runs for hops in run["by_hops"]}, key=int)
    bars = [
        graph_objects.Bar(
            x=[f"{number} hop{'s' * (number != '1')}" for number in hops],
            y=[_percent(run["by_hops"].get(number, {}).get(metric, 0.0)) for number in hops],
            name=html.escape(run["name"]),
            marker={"color": _colour(place)},
            hovertemplate="%{y:.1f} %",
        )
        for place, run in enumerate(runs)
        if hops
    ]
    return _tree(bars, xaxis={}, yaxis={"title": f"{metric}, %", "range": [0, 100]})


def differences(comparisons: Sequence[Tree], metric: str) -> Tree:
    """One point with its 95 % interval for each comparison; coloured if the interval excludes 0."""
    shown = [one for one in comparisons if one["metric"] == metric][::-1]
    points = [
        graph_objects.Scatter(
            x=[_percent(one["difference"])],
            y=[html.escape(f"{one['first']} − {one['second']}")],
            mode="markers",
            showlegend=False,
            marker={"size": 9, "color": _tint(one["verdict"])},
            error_x={
                "symmetric": False,
                "array": [_percent(one["high"] - one["difference"])],
                "arrayminus": [_percent(one["difference"] - one["low"])],
            },
            hovertemplate="%{x:+.1f} points<extra></extra>",
        )
        for one in shown
    ]
    axis = {"title": f"difference in {metric}, percentage points", "rangemode": "tozero", "zerolinewidth": 2}
    return _tree(points, xaxis=axis, yaxis={"automargin": True}, height=120 + 34 * len(shown))


def latency(seconds: Mapping[str, Mapping[str, float]]) -> Tree:
    """Share of the questions that were answered within a time, one line for each run."""
    lines = []
    for place, (name, times) in enumerate(seconds.items()):
        ordered = sorted(times.values())
        if ordered:
            lines.append(
                graph_objects.Scatter(
                    x=[round(1000 * one, 3) for one in ordered],
                    y=[round(100 * rank / len(ordered), 2) for rank in range(1, len(ordered) + 1)],
                    name=html.escape(name),
                    mode="lines",
                    line={"shape": "hv", "color": _colour(place)},
                    hovertemplate="%{y:.0f} % within %{x:.1f} ms",
                )
            )
    axis = {"title": "milliseconds, without the question's embedding", "type": "log", "tickvals": TICKS_MS}
    return _tree(lines, xaxis=axis, yaxis={"title": "questions answered, %", "range": [0, 101]})


def _tree(traces: Sequence[Any], *, xaxis: Tree, yaxis: Tree, height: int = 380) -> Tree:
    figure = graph_objects.Figure(
        data=traces,
        layout={
            "template": "none",
            "height": height,
            "margin": {"l": 60, "r": 20, "t": 20, "b": 50},
            "font": page.FONT,
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "xaxis": {"gridcolor": "#eeeeee", **xaxis},
            "yaxis": {"gridcolor": "#eeeeee", **yaxis},
        },
    )
    return page.figure_to_json(figure)


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def _tint(verdict: str) -> str:
    return {"better": COLOURS[2], "worse": COLOURS[1]}.get(verdict, UNDECIDED)


def _percent(share: float) -> float:
    return round(100 * share, 3)
