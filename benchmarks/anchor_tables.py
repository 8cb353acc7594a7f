"""Tables of searches in several steps, for docs/benchmarks.md and docs/anchor-graph.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.anchor import COMPARED, MOST
from benchmarks.anchor import shown as run_name
from benchmarks.report import Results, difference, shown, stressed, table

PART = "anchor"
LOOPS = tuple(run_name(str(steps)) for steps in range(2, MOST + 1))
LOOP, WITHOUT = LOOPS[-1], run_name(f"{MOST}-no-graph")
"""Names of the longest loop with a graph and without."""
POLICY = "search_policy"
_COMPARED = ("R@5", "searches")
_TIMES = tuple(f"p{cut}, {run}, ms" for run in ("fixed loop", "policy") for cut in (50, 95))


def anchor(results: Results) -> list[str]:
    """Recall of several steps against one, gold found up to each step, and times of searches and sessions."""
    figures = results[PART]
    return [*_loops(figures), "", *_found(figures), "", *_times(figures)]


def _loops(figures: Results) -> list[str]:
    """R@5 and R@10 of one step and of the longest loop; bold where the interval of the difference leaves out 0."""

    def cell(rows: Results) -> str:
        single, loop = rows[run_name("1")], rows[LOOP]
        ends = {k: stressed(str(loop[f"R@{k}"]), loop[f"R@{k}_low"], loop[f"R@{k}_high"]) for k in COMPARED}
        return ", ".join(f"{single[f'R@{k}']} → {end}" for k, end in ends.items())

    recall = figures["recall"]
    retrievers = list(next(iter(recall.values())))
    rows = [[f"`{one}`", *(cell(by_retriever[one]) for by_retriever in recall.values())] for one in retrievers]
    return table(["R@5, R@10", *recall], rows)


def _found(figures: Results) -> list[str]:
    """Gold found up to each step, number of steps and size of the graph, for the default retriever."""
    rows = []
    for name, by_retriever in figures["found"].items():
        for run, found in by_retriever["evidence"].items():
            graph = [figures[part][name]["evidence"][run] for part in ("read before", "anchors", "relations")]
            mean = figures["steps"][name]["evidence"][run]["mean"]
            last = [list(one.values())[-1] for one in graph]
            rows.append([f"{name}, {run}", " / ".join(map(str, found.values())), shown(mean), *map(shown, last)])
    header = ["`evidence`", "found up to step 1 / 2 / 3 / 4, %", "steps", "read before, %", "anchors", "relations"]
    return table(header, rows)


def _times(figures: Results) -> list[str]:
    """Milliseconds of searches and of writing, and the outcome of concurrent sessions."""
    sessions = figures["sessions"]
    timed = {**figures["time"], "a step of a session, written": sessions["a step, written"]}
    rows = [[name, *(shown(found[f"p{cut}_ms"]) for cut in (50, 95))] for name, found in timed.items()]
    kept = [
        [f"{found['sessions']} sessions, {name}", *(shown(found[one]) for one in ("lost", "mixed", "steps_per_s"))]
        for name, found in sessions.items()
        if "lost" in found
    ]
    return [
        *table(["", "p50, ms", "p95, ms"], rows),
        "",
        *table(["", "lost", "mixed", "steps a second, with search and answer"], kept),
    ]


def _runs(part: Results) -> Iterator[tuple[str, Results]]:
    """Rows of each data set and retriever, with both names."""
    for name, by_retriever in part.items():
        for retriever, rows in by_retriever.items():
            yield f"{name}, `{retriever}`", rows


def steps(results: Results) -> list[str]:
    """Recall at 5 and 10 by the largest number of steps, and the differences of the longest loop to one step."""
    rows = []
    for name, found in _runs(results[PART]["recall"]):
        last = found[LOOP]
        changes = (difference(*(last[f"R@{k}_{one}"] for one in ("more", "low", "high"))) for k in COMPARED)
        recalls = (" / ".join(str(found[run][f"R@{k}"]) for k in COMPARED) for run in (run_name("1"), *LOOPS))
        rows.append([name, *recalls, *changes])
    against = (f"{LOOP} against one, R@{k}" for k in COMPARED)
    return table(["R@5 / R@10", run_name("1"), *LOOPS, *against], rows)


def graph(results: Results) -> list[str]:
    """Gold found up to each step, and the share of chunks that were read before, with a graph and without."""
    figures = results[PART]
    repeated = dict(_runs(figures["read before"]))
    rows = []
    for name, found in _runs(figures["found"]):
        recalls = (" / ".join(map(str, found[run].values())) for run in (LOOP, WITHOUT))
        reads = (shown(list(repeated[name][run].values())[-1]) for run in (LOOP, WITHOUT))
        rows.append([name, *recalls, *reads])
    numbers = " / ".join(str(number) for number in range(1, MOST + 1))
    header = [f"found up to step {numbers}, with a graph", "without", "read before, %, with", "without"]
    return table(["", *header], rows)


def ends(results: Results) -> list[str]:
    """Per cent of the questions whose search ended at each step, with a graph and without."""
    rows = []
    for name, found in _runs(results[PART]["steps"]):
        cells = []
        for run in (LOOP, WITHOUT):
            counts = [found[run][f"ended_at_{number}"] for number in range(1, MOST + 1)]
            cells.append(" / ".join(f"{100 * count / max(sum(counts), 1):.1f}" for count in counts))
        rows.append([name, *cells])
    numbers = " / ".join(str(number) for number in range(1, MOST + 1))
    return table([f"ended at step {numbers}, %", "with a graph", "without"], rows)


def policy(results: Results) -> list[str]:
    """Recall and searches of a policy against those of the fixed loop, times of both, and that of a training."""
    figures = results[POLICY]
    rows = [[name, *_against_loop(found)] for name, found in figures.items() if "more" in found]
    times = [
        [name, *(shown(found[column]) for column in _TIMES)] for name, found in figures.items() if _TIMES[0] in found
    ]
    return [
        *table(["fixed loop → policy", "questions", _COMPARED[0], "difference", _COMPARED[1]], rows),
        "",
        *table(["", *_TIMES], times),
        "",
        f"A training on recorded searches takes {shown(figures['a training']['s'])} s.",
    ]


def _against_loop(found: Results) -> list[str]:
    recall, searches = (f"{found[f'{one}, fixed loop']} → {found[f'{one}, policy']}" for one in _COMPARED)
    more = difference(*(found[one] for one in ("more", "low", "high")))
    return [shown(found["questions"]), recall, more, searches]


TABLES: dict[str, Callable[[Results], list[str]]] = {
    "anchor": anchor,
    "anchor_steps": steps,
    "anchor_graph": graph,
    "anchor_ends": ends,
}
