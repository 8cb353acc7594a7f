"""``report.html``: a self-contained file with tables, plots and the script that draws them, without network access."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from tetragraph.evaluate.model import EvaluationReport
from tetragraph.evaluate.report.content import Tree
from tetragraph.export.page import open_template
from tetragraph.model.usage import NOTHING

FAMILIES = (
    "recall",
    "all",
    "ndcg",
    "precision",
    "mrr",
    "r_s",
    "found",
    "em",
    "f1",
    "str_acc",
    "char_f1",
    "llm_acc",
    "g_e",
    "citations",
)
EXCERPT = 160
"""Number of characters shown of a chunk's text."""
SHOWN_QUESTIONS = 500
"""Largest number of questions on the page, of those for which the methods differ."""


def page(tree: Tree, report: EvaluationReport) -> str:
    """Render the page that shows a report.

    All texts of documents and questions are escaped by the template, and the content security policy of the page
    forbids loading anything.

    Args:
        tree: Result of :func:`tetragraph.evaluate.report.content.content` for the report.
        report: Report, for wall times and the texts of chunks.

    Raises:
        MissingDependency: plotly or jinja2 is not installed.
    """
    template = open_template("tetragraph.evaluate.report", "page.html.jinja", of="report.html")
    from tetragraph.evaluate.report.plots import plots  # imported here, as it imports plotly

    seconds = {run.name: run.seconds for run in report.runs}
    view = {**_view(tree), "plots": plots(tree, seconds)}
    view["latency"] = {name: asdict(latency) for name, latency in report.latency.items()}
    view["usage"] = {name: asdict(spent) for name, spent in report.usage.items()}
    if report.judging != NOTHING:
        view["usage"]["judge of answers"] = asdict(report.judging)
    view["texts"] = {chunk: _excerpt(text) for chunk, text in report.texts.items()}
    return template.render(report=tree, view=view)


def _view(tree: Tree) -> dict[str, Any]:
    """Values that the page derives from the tree of the report."""
    judged = [one for one in tree["questions"] if one["gold"]]
    families = _families(tree["runs"])
    headline, differing = tree["headline"], _differing(tree, judged)
    return {
        "judged": len(judged),
        "notes": [*tree["notes"], *(f"{run['name']}: {note}" for run in tree["runs"] for note in run["notes"])],
        "families": families,
        "highest": {
            name: max(run["metrics"].get(name, -1.0) for run in tree["runs"])
            for metrics in families.values()
            for name in metrics
        },
        "groups": _groups(tree, judged, [headline, headline.replace("recall", "all")]),
        "differing": len(differing),
        "questions": differing[:SHOWN_QUESTIONS],
        "hops": _values(judged, "hops"),
        "kinds": _values(judged, "kind"),
        "stepping": [run for run in tree["runs"] if "stepping" in run],
        "numbers": _numbers(tree["runs"]),
        "shown": int(headline.partition("@")[2]),
        "manifest": _flat(tree["manifest"]),
    }


def _numbers(runs: Sequence[Tree]) -> list[str]:
    """Numbers of the steps, up to the longest search of any run."""
    return [
        str(number) for number in sorted({int(one) for run in runs for one in run.get("stepping", {}).get("ended", ())})
    ]


def _excerpt(text: str) -> str:
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT].rstrip()} …"


def _families(runs: Sequence[Tree]) -> dict[str, list[str]]:
    """Names of the metrics by family, recall first, in ascending order of k."""
    names = {name for run in runs for name in run["metrics"]}
    families: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda name: int(name.partition("@")[2] or 0)):
        families.setdefault(name.partition("@")[0], []).append(name)
    return {family: families[family] for family in (*FAMILIES, *sorted(families)) if family in families}


def _groups(tree: Tree, judged: Sequence[Tree], metrics: Sequence[str]) -> list[dict[str, Any]]:
    """Metrics of all runs by hops and by kind, one row for each value; a property without values is left out."""
    groups = []
    for name, key, field in (("hops", "by_hops", "hops"), ("kind of question", "by_kind", "kind")):
        rows = [
            {
                "label": value,
                "questions": sum(one[field] == value for one in judged),
                "metrics": [run[key].get(str(value), {}) for run in tree["runs"]],
            }
            for value in _values(judged, field)
        ]
        if rows:
            identity = key.replace("_", "-")
            groups.append({"id": identity, "name": name, "metrics": metrics, "rows": rows})
    return groups


def _values(questions: Sequence[Tree], field: str) -> list[Any]:
    return sorted({one[field] for one in questions} - {None})


def _differing(tree: Tree, judged: Sequence[Tree]) -> list[Tree]:
    """Questions for which the headline metric differs between runs, largest difference first, with its value by run."""
    metric, names = tree["headline"], [run["name"] for run in tree["runs"]]
    found = [{**one, "values": [one["runs"][name]["metrics"].get(metric, 0.0) for name in names]} for one in judged]
    spread = {one["id"]: max(one["values"]) - min(one["values"]) for one in found}
    return sorted((one for one in found if spread[one["id"]] > 0), key=lambda one: -spread[one["id"]])


def _flat(tree: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """A nested tree as pairs of ``a.b`` and value, for display; items of a list are identified by their name."""
    lines: list[tuple[str, str]] = []
    for name, value in tree.items():
        if isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
            value = {one["name"]: {key: item for key, item in one.items() if key != "name"} for one in value}
        if isinstance(value, Mapping):
            lines += _flat(value, f"{prefix}{name}.")
        else:
            lines.append((f"{prefix}{name}", ", ".join(map(str, value)) if isinstance(value, list) else str(value)))
    return lines
