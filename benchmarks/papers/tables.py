"""Tables of docs/papers.md: published figures beside ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks import report
from benchmarks.papers import bipartite, gain, published, tree
from benchmarks.report import Results, difference, shown, table

PART = "papers"
NOTHING = "–"
"""Cell of a figure that the paper does not have."""
MODES = {"paper": "mode `paper`", "tetragraph": "default"}


def _figures(results: Results) -> dict[str, Any]:
    return dict(results[PART])


def where(results: Results) -> list[str]:
    """Machine and questions of the measurement."""
    machine = results.get(f"{report.ELSEWHERE}{PART}") or results["machine"]
    return [f"Measured on {machine}. MiniLM and bge-small are the models of `--embedder minilm` and `bge-small`."]


def _mean(row: Mapping[str, Any], k: int) -> str:
    return f"{row[f'R@{k}']:.1f} ± {row[f'±{k}']:.1f}"


def _more(row: Mapping[str, Any]) -> str:
    """A paired difference with its interval, empty for the row that others are compared with."""
    return difference(row["more"], row["low"], row["high"]) if "more" in row else ""


def ablation(results: Results) -> list[str]:
    """Table 4 of iG²RAG."""
    found = _figures(results)["gain"]
    header = [""]
    for name in found:
        header += [f"{name}: paper, F1", "paper, R@10", "ours, R@10", "ours, against Naive"]
    rows = []
    for label in found[gain.SETS[0]]["ablation"]:
        cells = [label]
        for name, tables in found.items():
            row = tables["ablation"][label]
            theirs = (published.ABLATION, published.OVERALL)
            cells += [_published(one, label, name) for one in theirs]
            cells += [_mean(row, gain.K), _more(row)]
        rows.append(cells)
    return table(header, rows)


def _published(figures: Mapping[str, Mapping[str, float]], label: str, name: str) -> str:
    value = figures.get(label, {}).get(name)
    return NOTHING if value is None else f"{value:.1f}"


def _recalls(piece: str, heading: str, figures: Mapping[str, Mapping[str, float]]) -> Callable[[Results], list[str]]:
    """A table of Recall@10 by one parameter, the paper's and ours for each set."""

    def lines(results: Results) -> list[str]:
        found = _figures(results)["gain"]
        header = [heading, *(text for name in found for text in (f"{name}: paper", "ours"))]
        rows = [
            [
                value,
                *(
                    cell
                    for name in found
                    for cell in (_published(figures, value, name), _mean(found[name][piece][value], gain.K))
                ),
            ]
            for value in found[gain.SETS[0]][piece]
        ]
        return table(header, rows)

    return lines


def dev(results: Results) -> list[str]:
    """Recall of the paper's graph on all development questions."""
    rows = []
    for name, row in _figures(results)["dev"].items():
        alpha = gain.PAPER_ALPHA[name]
        rows.append([name, str(alpha), str(gain.restart_of(alpha)), *(_mean(row, k) for k in gain.DEV_KS)])
    return table(["", "α", "`restart`", *(f"R@{k}" for k in gain.DEV_KS)], rows)


def growth(results: Results) -> list[str]:
    """Table 14 of iG²RAG."""
    header = ["", "paper: edges", "minutes", "F1", "gold that is there"]
    for mode in MODES.values():
        header += [f"{mode}: edges", "s, graph / all", "R@10"]
    rows = []
    for name, modes in _figures(results)["growth"].items():
        for stage in modes["paper"]:
            theirs = published.GROWTH.get(name, {}).get(stage, {})
            cells = [f"{name}, {stage}", *(shown(theirs.get(one)) for one in ("edges", "minutes", "F1"))]
            cells.append(f"{modes['paper'][stage]['gold_there']:.1f}")
            for mode in MODES:
                row = modes[mode][stage]
                cells += [shown(row["edges"]), f"{row['gain_s']:.1f} / {row['total_s']:.0f}", f"{row['R@10']:.1f}"]
            rows.append(cells)
    return table(header, rows)


def embedders(results: Results) -> list[str]:
    """Table 17 of iG²RAG."""
    rows = [
        [
            f"paper, {name}, musique",
            f"{row['dense']:.1f}",
            f"{row['iG²RAG']:.1f}",
            f"{row['iG²RAG'] - row['dense']:+.1f}",
        ]
        for name, row in published.EMBEDDERS.items()
    ]
    for name, tables in _figures(results)["gain"].items():
        for embedder, found in tables["embedders"].items():
            dense, walked = found[gain.NAIVE], found["iG²RAG"]
            rows.append([f"{embedder}, {name}", _mean(dense, gain.K), _mean(walked, gain.K), _more(walked)])
    return table(["R@10", "dense", "iG²RAG", "difference"], rows)


def tree_ablation(results: Results) -> list[str]:
    """Table 2 of SeRAG."""
    found, least = _figures(results)["tree"], tree.BUDGETS[0]
    header = ["", "paper, 2wikimultihopqa, Str-Acc", *(f"ours, {name}" for name in found)]
    labels = ["w/o Self-Query", "Semantic-Only", "Single-Layer", "default", "dense"]
    rows = []
    for label in labels:
        value = published.TREE_ABLATION.get(label)
        ours = (tables["rows"][label] for tables in found.values())
        cells = [f"{_mean(row, least)}, {shown(row[f'answer@{least}'])}" for row in ours]
        rows.append([label, NOTHING if value is None else f"{value:.1f}", *cells])
    return table(header, rows)


def budgets(results: Results) -> list[str]:
    """Figure 2 of SeRAG."""
    found = _figures(results)["tree"]
    header = ["k", *(text for name in found for text in (f"{name}: paper, Str-Acc", "ours"))]
    rows = []
    for k in tree.BUDGETS:
        cells = [str(k)]
        for name, tables in found.items():
            value, row = published.TREE_BUDGET[name].get(k), tables["rows"]["w/o Self-Query"]
            cells += [NOTHING if value is None else f"{value:.1f}", f"{_mean(row, k)}, {shown(row[f'answer@{k}'])}"]
        rows.append(cells)
    return table(header, rows)


def anchor(results: Results) -> list[str]:
    """Table 2 of GraphAnchor."""
    found = _figures(results)["anchor"]
    header = [""]
    for name in found:
        header += [f"{name}: paper, F1", "gold read", "answer read", "steps", "read twice"]
    rows = []
    for label, theirs in published.ANCHOR_ABLATION.items():
        cells = [label]
        for name, tables in found.items():
            row = tables[label]
            cells += [f"{theirs[name]:.1f}", f"{row['found']:.1f} ± {row['±']:.1f}", shown(row["answer"])]
            cells += [shown(row["steps"]), f"{row['read_twice']:.1f}"]
        rows.append(cells)
    return table(header, rows)


def paths(results: Results) -> list[str]:
    """Table 2 of BiG-RAG."""
    found = _figures(results)["bipartite"][bipartite.SET]["rows"]
    header = ["HotpotQA", "paper, F1", "paper, R-S", "ours, R@5", "ours, R@10", "ours, against the dual path"]
    rows = []
    for label, row in found.items():
        theirs = published.PATHS.get("one path" if label in ("entity path", "relation path") else label, {})
        cells = [f"{theirs[one]:.1f}" if theirs else NOTHING for one in ("F1", "R-S")]
        rows.append([label, *cells, *(_mean(row, k) for k in bipartite.KS), _more(row)])
    return table(header, rows)


TABLES: dict[str, Callable[[Results], list[str]]] = {
    "papers_where": where,
    "papers_ablation": ablation,
    "papers_neighbours": _recalls("neighbours", "n", published.NEIGHBOURS),
    "papers_seeds": _recalls("seeds", "h", published.SEEDS),
    "papers_alpha": _recalls("alpha", "α", published.ALPHA),
    "papers_dev": dev,
    "papers_growth": growth,
    "papers_embedders": embedders,
    "papers_tree": tree_ablation,
    "papers_budgets": budgets,
    "papers_anchor": anchor,
    "papers_paths": paths,
}
"""Tables by the name in their markers."""
