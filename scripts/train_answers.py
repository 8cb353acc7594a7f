"""Trains the reader of answers without a language model, and writes ``reader.safetensors``.

    python scripts/train_answers.py DATA CACHE

DATA is the folder of benchmark data, CACHE one for results of searches. The corpora that are searched must be ingested
under these names, each from ``corpus.jsonl.gz`` of several folders of DATA:

    hotpotqa            hotpotqa, hotpotqa_train, xquad/en
    musique             musique, musique_train
    2wikimultihopqa     2wikimultihopqa, 2wiki_kg

In the passages of a training set alone almost every search would find the answer, and the confidence would be too high;
those of the development sets make a search as hard as it is in practice. The head needs jax and optax. Takes about
three quarters of an hour with two processors; the same data give the same file on the same processor. Every printed
figure is cross-validated in three parts: an example is judged by weights that were fitted without its group.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file
from scipy.optimize import minimize

from answer_examples import SETS, Searched, examples, find_answers, search
from head_training import Passages, fit_head
from tetragraph.evaluate.answer_metrics import exact_match, token_f1
from tetragraph.language.extractive_qa import ranking
from tetragraph.language.extractive_qa.answer_head import Weights, in_double_precision
from tetragraph.language.extractive_qa.bridges import answer_steps
from tetragraph.language.extractive_qa.compared import compare
from tetragraph.language.extractive_qa.encoder import ReadPassage, read_passage
from tetragraph.language.extractive_qa.options import FEATURES, Option, find_options
from tetragraph.language.extractive_qa.pairs import find_pair
from tetragraph.language.extractive_qa.span_head import score_wordings
from tetragraph.language.extractive_qa.target import final_questions, sub_questions
from tetragraph.language.questions.asking import is_yes_or_no
from tetragraph.model import Chunk

PARTS = 3
PENALTY = 0.05
HEADLESS = tuple(FEATURES.index(name) for name in ("head", "head_passage", "head_best", "passage", "is_proposed"))
"""Features that need the model."""
_read: dict[tuple[str, str, str], ReadPassage] = {}


@dataclass(frozen=True, slots=True)
class Judged:
    """The likeliest answer to a question: its probability, whether it is right, and its F1."""

    name: str
    probability: float
    exact: float
    f1: float


@dataclass(frozen=True, slots=True)
class Described:
    """The options of one question.

    Attributes:
        name: Name of its set.
        part: Part of the cross-validation.
        exact, f1: Scores of each option.
    """

    name: str
    part: int
    options: list[Option]
    features: Any
    exact: Any
    f1: Any


def part_of(group: str) -> int:
    """Part of the cross-validation of a group of examples."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % PARTS


def read(question: str, title: str, text: str) -> ReadPassage:
    """The passage as the model reads it, in half precision, kept for the next time."""
    key = (question, title, text)
    if key not in _read:
        found = read_passage(*key)
        _read[key] = ReadPassage(found.hidden.astype(np.float16), found.starts, found.ends)
    return _read[key]


def read_chunk(question: str, chunk: Chunk) -> ReadPassage:
    """The chunk as the model reads it."""
    return read(question, chunk.title, chunk.text)


def read_chunks(question: str, chunks: Sequence[Chunk]) -> list[ReadPassage]:
    """The chunks as the model reads them."""
    return [read_chunk(question, chunk) for chunk in chunks]


def gold_tokens(found: ReadPassage, text: str, answers: tuple[str, ...]) -> list[tuple[int, int]]:
    """First and last token of each place of the answer in a passage, counted from the first token of the question."""
    before = len(found.hidden) - len(found.starts)
    first = {int(start): before + number for number, start in enumerate(found.starts)}
    last = {int(end): before + number for number, end in enumerate(found.ends)}
    return [(first[start], last[end]) for start, end in find_answers(text, answers) if start in first and end in last]


def head_examples(data: Path, searched: Sequence[Searched]) -> list[Passages]:
    """Examples of the head: single passages that have the answer, and all passages of a search."""
    found = []
    for one in examples(data):
        passage = read(one.question, one.title, one.text)
        gold = [(0, *place) for place in gold_tokens(passage, one.text, one.answers)]
        found.append(Passages(part_of(one.group), [passage.hidden], [len(passage.starts)], gold))
    for result in (one for one in searched if one.name != "2wiki_kg"):  # whose steps are examples
        passages = read_chunks(sub_questions(result.row["question"], result.chain)[-1], result.passages)
        gold = [
            (number, *place)
            for number, (chunk, passage) in enumerate(zip(result.passages, passages, strict=True))
            if chunk.document_id in result.row["supporting"]
            for place in gold_tokens(passage, chunk.text, result.answers)
        ]
        sizes = [len(one.starts) for one in passages]
        found.append(Passages(part_of(result.group), [one.hidden for one in passages], sizes, gold))
    return [one for one in found if one.gold]


def describe(searched: Sequence[Searched], heads: Sequence[Weights] | None) -> list[Described]:
    """Options of the questions that are answered by a span, with scores of the head that has not seen the question."""
    described = []
    for one in searched:
        question, chain, part = one.row["question"], one.chain, part_of(one.group)
        if is_yes_or_no(question) or compare(question, find_pair(question, one.passages, chain)):
            continue
        scores = None
        if heads is not None:
            chain = tuple(answer_steps(question, one.passages, chain, heads[part], read_chunk))
            scores = score_wordings(
                final_questions(question, chain), partial(read_chunks, chunks=one.passages), heads[part]
            )
        options = find_options(question, one.passages, chain, scores)
        texts = [option.chunk.text[option.start : option.end] for option in options]
        exact = np.array([exact_match(text, one.answers) for text in texts])
        f1 = np.array([token_f1(text, one.answers) for text in texts])
        features = np.array([option.features for option in options]).reshape(-1, len(FEATURES))
        described.append(Described(one.name, part, options, features, exact, f1))
    return described


def fit_ranking(questions: Sequence[Described]) -> ranking.Ranking:
    """Weights by which right options, or none if none is right, get the highest probability.

    A set counts as the square root of its number of questions.
    """
    counts = Counter(one.name for one in questions)
    share = np.array([1 / np.sqrt(counts[one.name]) for one in questions])
    share /= share.sum()
    every = np.concatenate([one.features for one in questions])
    mean, scale = every.mean(axis=0), every.std(axis=0)
    scale[scale < 1e-9] = np.inf
    features = [(one.features - mean) / scale for one in questions]
    right = [np.append((one.exact > 0) | (one.f1 >= 0.8), False) for one in questions]
    for flags in right:
        flags[-1] = not flags.any()

    def loss(values: Any) -> tuple[float, Any]:
        total, gradient = 0.5 * PENALTY * (values[:-1] @ values[:-1]), np.append(PENALTY * values[:-1], 0.0)
        for rows, flags, weight in zip(features, right, share, strict=True):
            scores = np.append(rows @ values[:-1], values[-1])
            likely = np.exp(scores - scores.max())
            likely /= likely.sum()
            chosen = likely[flags].sum() + 1e-12
            total -= weight * np.log(chosen)
            error = weight * (likely - np.where(flags, likely, 0) / chosen)
            gradient += np.append(error[:-1] @ rows, error[-1])
        return total, gradient

    values = minimize(loss, np.zeros(len(FEATURES) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    weights = values[:-1] / scale
    return ranking.Ranking(weights, float(values[-1] + weights @ mean), 1.0, 0.0)


def judge(questions: Sequence[Described]) -> list[Judged]:
    """The first answer to each question, cross-validated."""
    judged = []
    for part in range(PARTS):
        fitted = fit_ranking([one for one in questions if one.part != part])
        for one in (one for one in questions if one.part == part):
            found = (0.0, 0.0, 0.0)
            if best := fitted.rank(one.options)[:1]:
                number = one.options.index(best[0][0])
                found = (best[0][1], one.exact[number], one.f1[number])
            judged.append(Judged(one.name, *found))
    return judged


def calibrate(judged: Sequence[Judged]) -> tuple[float, float]:
    """Slope and offset by which probabilities agree best with the share of right answers; sets count alike.

    Judged are answers to questions over several passages, which a search fails more often than those about one.
    """
    counts = Counter(one.name for one in judged)
    share = np.array([1 / counts[one.name] for one in judged])
    bounded = np.clip([one.probability for one in judged], 1e-6, 1 - 1e-6)
    odds, right = np.log(bounded / (1 - bounded)), np.array([one.exact for one in judged])

    def loss(values: Any) -> float:
        scores = values[0] * odds + values[1]
        return float((share * (np.logaddexp(0, scores) - right * scores)).sum())

    slope, offset = minimize(loss, [1.0, 0.0], method="Nelder-Mead").x
    return float(slope), float(offset)


def main(data: Path, cache: Path) -> None:
    """Fit head, rankings and calibration, print cross-validated figures, and write the file."""
    searched = []
    for name, (_, most, _) in SETS.items():
        found = [
            one for one in search(name, data, cache) if "compar" not in str(one.row.get("type")) or name != "2wiki_kg"
        ]
        searched += found[:most]
    read_with = head_examples(data, searched)
    heads = [in_double_precision(fit_head([one for one in read_with if one.part != part])) for part in range(PARTS)]
    stored: dict[str, Any] = {f"{ranking.HEAD}{name}": one for name, one in fit_head(read_with).items()}
    for kind, used in (("model", heads), ("rules", None)):
        questions = describe(searched, used)
        if used is None:
            for one in questions:
                one.features[:, HEADLESS] = 0.0
        judged = judge(questions)
        slope, offset = calibrate([one for one in judged if one.name != "xquad_en"])
        for name in SETS:
            rows = [(one.exact, one.f1) for one in judged if one.name == name]
            exact, f1 = np.mean(rows, axis=0)
            print(f"{kind} {name}: {len(rows)} questions, EM {exact:.3f}, F1 {f1:.3f}")
        fitted = fit_ranking(questions)
        print(
            kind, {feature: round(float(weight), 3) for feature, weight in zip(FEATURES, fitted.weights, strict=True)}
        )
        print(kind, f"none {fitted.none:.3f}, slope {slope:.3f}, offset {offset:.3f}")
        stored[f"{kind}.weights"] = np.round(fitted.weights, 6)
        stored[f"{kind}.scalars"] = np.round([fitted.none, slope, offset], 6)
    folder = Path(ranking.__file__).parent
    save_file(stored, folder / ranking.WEIGHTS)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
