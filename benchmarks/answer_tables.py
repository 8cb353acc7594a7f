"""Tables of answers and of calls of language models, for docs/answers.md and docs/language-models.md."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.answers import COVERED
from benchmarks.report import Results, shown, table


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


TABLES: dict[str, Callable[[Results], list[str]]] = {"answers": answers, "llm": llm}
