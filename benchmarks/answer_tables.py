"""Tables of answers and language models, for docs/answers.md, docs/benchmarks.md and docs/language-models.md."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.answers import COVERED
from benchmarks.report import Results, shown, table
from tetragraph.algorithms.quantise import LEVELS


def answers(results: Results) -> list[str]:
    """F1 of extractive answers, exact match of those with most confidence, and calibration error of each data set."""
    rows = [
        [
            name,
            shown(found["questions"]),
            str(found["F1"]),
            *(str(found[f"EM of the surest {share:.0%}"]) for share in COVERED),
            shown(found["comparisons, EM"]),
            f"{found['ECE']:.3f}",
        ]
        for name, found in results["answers"].items()
    ]
    covered = (f"EM of the surest {share:.0%}" for share in COVERED)
    return table(["", "questions", "F1, all", *covered, "EM of comparisons", "ECE"], rows)


def llm(results: Results) -> list[str]:
    """Outcome of calls by kind of fault, errors of estimates, and the time of a cached reply."""
    figures = results["llm"]
    counts = ("requests", "results", "errors", "lost", "repeated")
    faults = [[name, *(shown(found[one]) for one in counts)] for name, found in figures.items() if "lost" in found]
    off = ("tokens_off", "money_off", "seconds_off")
    estimates = [
        [name, *("" if found[one] is None else f"{100 * found[one]:+.1f}" for one in off)]
        for name, found in figures.items()
        if off[0] in found
    ]
    return [
        *table(["fault", *counts[:-1], "paid for twice"], faults),
        "",
        *table(["", "tokens, %", "money, %", "time, %"], estimates),
        "",
        f"A cached reply takes {shown(figures['cache hit']['hit_ms'])} ms.",
    ]


def llm_local(results: Results) -> list[str]:
    """Recorded figures of gain judges and answers with a small language model, Qwen2.5-Coder-0.5B on llama.cpp."""
    figures = results["llm_local"]
    judges = [name.removeprefix("AUC, ") for name in figures if name.startswith("AUC, ")]
    return [*_judges(figures, judges), "", *_answers(figures)]


def _judges(figures: Results, judges: list[str]) -> list[str]:
    rows = []
    for judge in judges:
        found, graph = figures[f"AUC, {judge}"], figures.get(f"graph, {judge}", {})
        auc = "none" if found["AUC"] is None else f"{found['AUC']:.2f} [{found['low']:.2f}, {found['high']:.2f}]"
        levels = " / ".join(shown(graph[level]) for level in LEVELS) if graph else ""
        costs = (shown(found.get(one)) for one in ("tokens_a_pair", "s_a_pair"))
        rows.append([f"`{judge}`", auc, *costs, levels, shown(graph.get("s_a_edge"))])
    header = [
        "judge",
        "AUC",
        "tokens a pair",
        "s a pair",
        "edges: redundant / minor / significant / novel",
        "s an edge",
    ]
    return table(header, rows)


def _answers(figures: Results) -> list[str]:
    rows = []
    for name, found in figures.items():
        what, _, rest = name.partition(", ")
        if what == "answers":
            scores = (shown(found[one]) for one in ("EM", "F1", "citations"))
            rows.append([rest, *scores])
    return table(["answers", "EM", "F1", "citations that are gold"], rows)


TABLES: dict[str, Callable[[Results], list[str]]] = {"answers": answers, "llm": llm, "llm_local": llm_local}
