"""Judges of gain and answers with a small language model of this machine: ``python -m benchmarks.llm_local [PIECE …]``.

It takes hours on a processor. Every reply is kept below the home, so a run that is broken off goes on where it
stopped, pieces can be run one by one, and ``python -m benchmarks llm_local --home …`` afterwards only adds up. Tokens
and seconds are those of the calls when they were paid for, whichever run paid; calls that mend a reply are left out.
"""

from __future__ import annotations

import argparse
import datetime as dt
import functools
import json
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import data, index, judge_auc, measure, report
from benchmarks.judge_auc import Pairs
from benchmarks.plan import Plan
from tetragraph import Tetragraph
from tetragraph.algorithms.information_gain import Statements, information_gain
from tetragraph.algorithms.nearest_neighbours import nearest_neighbours
from tetragraph.errors import LlmError, UnusableReply
from tetragraph.evaluate.answer_metrics import citation_score, exact_match, token_f1
from tetragraph.evaluate.model import RunAnswer
from tetragraph.language.llm_steps import gain
from tetragraph.language.llm_steps.gain import Way
from tetragraph.llm import LanguageModel, Operation, Request, local
from tetragraph.model import Chunk, Document
from tetragraph.settings import Settings
from tetragraph.stores import chunk_table
from tetragraph.stores.local import stop
from tetragraph.systems.gain_graph import stored
from tetragraph.systems.gain_graph.llm_judge import JudgePrompting

SET, SPLIT = "musique_train", "train"
JUDGED = "llm-judged"
"""Name of the small corpus whose graph every judge builds."""
LOOKED_AT = 10
"""First questions of the set: the prompt of answers was worded on them, so they are not counted."""
DISTRACTORS = 3
"""Nearest other passages that each gold passage brings into the small corpus."""
TIMEOUT_S = 1800.0
"""Of one call: on a busy processor even a short one takes minutes."""
TOGETHER = 5
"""Candidates that are judged in one call, to compare with one by one."""
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """How much is asked.

    Attributes:
        model: Name of a local model; of no effect where the settings name a model.
        pairs: Gold-complement pairs that each judge judges, and as many of a gold passage and a neighbour.
        passages: Of the small corpus.
        neighbours: Of each passage, in its graph; ``mode`` likewise.
        batch: Candidates in a call.
        bases: Passages whose nearest ones are judged alone and together.
        questions: That are answered, with each of the ``methods``.
        k: Passages that an answer is made from.
    """

    model: str = local.DEFAULT
    judges: tuple[Way, ...] = gain.WAYS
    pairs: int = 60
    passages: int = 200
    neighbours: int = 2
    mode: str = "paper"
    batch: int = 2
    bases: int = 20
    questions: int = 50
    methods: tuple[str, ...] = ("gain", "dense")
    k: int = 5


@dataclass
class Spent:
    """What calls cost when they were paid for."""

    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    failed: int = 0

    def add(self, operation: Operation, request: Request) -> None:
        """Count a call whose reply is kept; one that is not kept, as it failed, is asked once more."""
        try:
            reply = operation.complete(request)
        except LlmError:
            self.failed += 1
            return
        self.calls += 1
        self.tokens += reply.input_tokens + reply.output_tokens
        self.seconds += reply.seconds


def measure_llm_local(plan: Plan) -> Figures:
    """All pieces, with the customary choice."""
    return measure_pieces(plan, Choice(), list(PIECES))


def measure_pieces(plan: Plan, choice: Choice, pieces: list[str]) -> Figures:
    """Some pieces, on the model that the settings name or else on the local one, which is started for it."""
    with served(plan.settings, choice.model) as settings:
        figures: Figures = {"model": {"name": LanguageModel.open(settings).name}}
        for piece in pieces:
            figures |= PIECES[piece](plan, settings, choice)
    return figures


@contextmanager
def served(settings: Settings, name: str) -> Iterator[Settings]:
    """The settings with a model: the one that they name, else a local one, which runs meanwhile."""
    if settings.llm:
        yield settings
        return
    model = local.find_model(name)
    local.fetch(settings, model)
    served = local.start(settings, model)
    try:
        yield settings.model_copy(update={"llm": f"local:{model.name}", "llm_timeout_s": TIMEOUT_S})
    finally:
        if served.new:
            local.stop(settings)


def measure_auc(_plan: Plan, settings: Settings, choice: Choice) -> Figures:
    """AUC of each judge on the same pairs, drawn from those of :mod:`benchmarks.judge_auc`."""
    chunks, known = _known()
    questions = data.rows(data.folder() / SET / f"{SPLIT}.jsonl.gz")
    rows = {chunk.id: row for row, chunk in enumerate(chunks)}
    drawn = [_draw(some, choice.pairs) for some in judge_auc.pairs(questions, rows, known)]
    figures = {"AUC, token_free": _auc_row([_token_free(known, some) for some in drawn])}
    for way in choice.judges:
        operation = LanguageModel.open(settings).operation(f"auc {way}")
        scores = [_judged(operation, way, chunks, some) for some in drawn]
        figures[f"AUC, {way}"] = {**_auc_row(scores), **_pair_costs(operation, way, chunks, np.concatenate(drawn))}
    return figures


@functools.cache
def _known() -> tuple[list[Chunk], Statements]:
    """All passages of the set, and what the token-free judge knows of them."""
    chunks = judge_auc.passages(SET)
    return chunks, judge_auc.statements(chunks)


def _draw(pairs: Pairs, count: int) -> Pairs:
    """So many of the pairs, the same each time."""
    order = np.random.default_rng(0).permutation(len(pairs))
    return pairs[order[:count]]


def _token_free(known: Statements, pairs: Pairs) -> NDArray[np.float64]:
    return information_gain(known, *pairs.T)


def _judged(operation: Operation, way: Way, chunks: list[Chunk], pairs: Pairs) -> NDArray[np.float64]:
    """Judgements, each pair by itself; NaN where the reply could not be used."""
    values: list[float] = []
    for base, other in pairs.tolist():
        try:
            values += gain.judge(operation, way, chunks[base].passage, [chunks[other].passage]).values
        except UnusableReply:
            values.append(np.nan)
    return np.array(values, dtype=np.float64)


def _auc_row(scores: list[NDArray[np.float64]]) -> Figures:
    """AUC and interval over the pairs that have a judgement."""
    kept = [some[~np.isnan(some)] for some in scores]
    asked = sum(map(len, scores))
    usable = sum(map(len, kept))
    if not all(map(len, kept)):
        return {"pairs": asked, "usable": usable, "AUC": None, "low": None, "high": None}
    low, high = judge_auc.interval(kept[0], kept[1])
    found = judge_auc.auc(kept[0], kept[1])
    return {"pairs": asked, "usable": usable, "AUC": round(found, 3), "low": round(low, 3), "high": round(high, 3)}


def _pair_costs(operation: Operation, way: Way, chunks: list[Chunk], pairs: Pairs) -> Figures:
    spent = Spent()
    for base, other in pairs.tolist():
        spent.add(operation, gain.request(way, chunks[base].passage, [chunks[other].passage]))
    return _per(spent, len(pairs), "pair")


def _per(spent: Spent, count: int, what: str) -> Figures:
    """Costs of one thing, where some were made."""
    return {
        f"tokens_a_{what}": round(spent.tokens / max(1, count), 1),
        f"s_a_{what}": round(spent.seconds / max(1, count), 2),
    }


def measure_edges(_plan: Plan, settings: Settings, choice: Choice) -> Figures:
    """The gain graph of the small corpus, built by each judge: its levels, and what an edge costs."""
    with Tetragraph.connect(settings) as client:
        corpus = client.corpus(JUDGED)
        if JUDGED not in {known.name for known in client.corpora()}:
            corpus.ingest(small_corpus(choice.passages), build=())
        figures = {}
        for judge in ("token_free", *choice.judges):
            corpus.build("gain", judge=judge, batch=choice.batch, neighbours=choice.neighbours, mode=choice.mode)
            figures[f"graph, {judge}"] = _graph_row(client, settings, judge, choice.batch)
    return figures


def small_corpus(count: int) -> list[Document]:
    """Gold passages of the first questions, each with its nearest others, until there are enough."""
    chunks, known = _known()
    rows = {chunk.id: row for row, chunk in enumerate(chunks)}
    chosen: dict[int, None] = {}
    for question in data.rows(data.folder() / SET / f"{SPLIT}.jsonl.gz"):
        gold = np.array(sorted(rows[passage] for passage in question["supporting"]))
        _, others = nearest_neighbours(known.vectors, DISTRACTORS, gold)
        chosen |= dict.fromkeys([*gold.tolist(), *others.tolist()])
        if len(chosen) >= count:
            break
    found = [chunks[row] for row in list(chosen)[:count]]
    return [Document(chunk.id, chunk.title, chunk.text) for chunk in found]


def _graph_row(client: Tetragraph, settings: Settings, judge: str, batch: int) -> Figures:
    stores = client.connection.stores(JUDGED)
    table = chunk_table.load(stores)
    built = stored.read(stores, table.rows)
    levels = dict(
        zip(("redundant", "minor", "significant", "novel"), np.bincount(built.level, minlength=4), strict=True)
    )
    row: Figures = {"edges": len(built), **{name: int(number) for name, number in levels.items()}}
    if judge == "token_free":
        return row
    spent, operation = Spent(), LanguageModel.open(settings).operation(f"graph {judge}")
    asking = JudgePrompting(table, next(way for way in gain.WAYS if way == judge), batch)
    for request in asking.requests(built.base, built.other):
        spent.add(operation, request)
    return {**row, "calls": spent.calls, **_per(spent, len(built), "edge")}


def measure_batches(_plan: Plan, settings: Settings, choice: Choice) -> Figures:
    """What it changes to judge several candidates in a call: the levels of the same pairs, alone and together."""
    chunks, known = _known()
    bases, others = nearest_neighbours(known.vectors, TOGETHER, np.arange(0, len(chunks), len(chunks) // choice.bases))
    operation = LanguageModel.open(settings).operation("batches")
    levels: dict[int, NDArray[np.float64]] = {}
    figures: Figures = {}
    for batch in (1, TOGETHER):
        spent = Spent()
        found: list[float] = []
        for base in sorted({*bases.tolist()}):
            texts = [chunks[row].passage for row in others[bases == base].tolist()]
            for start in range(0, len(texts), batch):
                part = texts[start : start + batch]
                found += gain.judge(operation, "levels", chunks[base].passage, part).values
                spent.add(operation, gain.request("levels", chunks[base].passage, part))
        levels[batch] = np.array(found, dtype=np.float64)
        figures[f"batch, {batch}"] = {"pairs": len(found), **_per(spent, len(found), "pair")}
    same = levels[1] == levels[TOGETHER]
    figures[f"batch, {TOGETHER}"]["same_level_as_alone"] = round(100 * float(same.mean()), 1)
    return figures


def measure_answers(plan: Plan, settings: Settings, choice: Choice) -> Figures:
    """Answers to questions, in a language model's words and, to compare, as a stretch of a passage."""
    index.ingest(plan, SET)
    questions = data.rows(data.folder() / SET / f"{SPLIT}.jsonl.gz")[LOOKED_AT : LOOKED_AT + choice.questions]
    with Tetragraph.connect(settings) as client:
        corpus = client.corpus(SET)
        return {
            f"answers, {method}, {'generated' if generate else 'extractive'}": answer_row(
                [answered(corpus, question, method, choice.k, generate=generate) for question in questions]
            )
            for method in choice.methods
            for generate in (True, False)
        }


def answered(
    corpus: Any, question: Mapping[str, Any], method: str, k: int, *, generate: bool, **options: Any
) -> Figures:
    """Scores of one answer; a reply that cannot be used scores 0 and counts as failed."""
    try:
        answer = corpus.ask(question["question"], method=method, k=k, generate=generate, **options)
    except UnusableReply:
        return {"EM": 0.0, "F1": 0.0, "citations": 0.0, "insufficient": 0.0, "failed": 1.0}
    cited = tuple(dict.fromkeys(citation.document for citation in answer.citations))
    return {
        "EM": exact_match(answer.text, question["answers"]),
        "F1": token_f1(answer.text, question["answers"]),
        "citations": citation_score(RunAnswer(answer.text, cited), frozenset(question["supporting"])),
        "insufficient": float(answer.insufficient),
        "failed": 0.0,
    }


def answer_row(scores: list[Figures]) -> Figures:
    """Means over the questions, per cent."""
    return {
        "questions": len(scores),
        **{name: round(100 * float(np.mean([one[name] for one in scores])), 1) for name in scores[0]},
    }


PIECES = {"auc": measure_auc, "edges": measure_edges, "batches": measure_batches, "answers": measure_answers}


def main() -> None:
    """Run some pieces and print their figures; with ``--out`` keep them, too."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a time limit, too, leaves no server behind
    given = _parser().parse_args()
    chosen = given.pieces or list(PIECES)
    if unknown := sorted({*chosen} - {*PIECES}):
        _parser().error(f"a piece must be one of {', '.join(PIECES)}, got {unknown[0]}")
    choice = Choice(
        model=given.model,
        judges=tuple(way for way in gain.WAYS if way in given.judges),
        **{
            name: getattr(given, name)
            for name in ("pairs", "passages", "neighbours", "mode", "batch", "bases", "questions")
        },
    )
    plan = Plan(given.home.absolute(), given.questions, ())
    try:
        figures = measure_pieces(plan, choice, chosen)
    finally:
        stop(plan.settings)
    print(json.dumps(figures, indent=2, ensure_ascii=False))
    if given.out:
        facts = {"date": dt.date.today().isoformat(), "machine": measure.machine(), "embedder": plan.settings.embedder}
        report.write({**facts, "llm_local": figures}, given.out)


def _parser() -> argparse.ArgumentParser:
    usual = Choice()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.llm_local", description=__doc__)
    parser.add_argument("pieces", nargs="*", metavar="PIECE", help=", ".join(PIECES))
    parser.add_argument("--home", type=Path, required=True, help="keep corpora and replies here")
    parser.add_argument("--out", type=Path, help="where results go")
    parser.add_argument("--model", default=usual.model, help="a local model, unless TETRAGRAPH_LLM names one")
    parser.add_argument("--judges", nargs="+", choices=gain.WAYS, default=gain.WAYS)
    parser.add_argument("--mode", choices=("paper", "tetragraph"), default=usual.mode)
    for name in ("pairs", "passages", "neighbours", "batch", "bases", "questions"):
        parser.add_argument(f"--{name}", type=int, default=getattr(usual, name))
    return parser


if __name__ == "__main__":
    main()
