"""A small policy that chooses the searches of several steps, against the fixed loop: recall, searches, time.

It is trained on the development questions of one set: cross-validated there with several seeds, of weights, episodes
and folds; and as a whole compared with the fixed loop on other sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from benchmarks import data, index, measure
from benchmarks.plan import Plan
from benchmarks.variants import Variant, embedded, searches
from tetragraph import GoldQuestion, Tetragraph
from tetragraph.evaluate.questions import read_questions
from tetragraph.progress import NoProgress
from tetragraph.rl.search_policy.record import CUT, record_walks
from tetragraph.rl.search_policy.registry import Figures as Compared
from tetragraph.rl.search_policy.registry import cross_validate
from tetragraph.rl.search_policy.train import PolicyTraining, fixed_walk, train

TRAINED = "musique"
"""Set whose questions a policy is trained on."""
OTHERS = ("hotpotqa", "2wikimultihopqa")
SEEDS = 10
TIMED = 100
"""Number of questions whose searches are timed."""
POLICY = "benchmark"
Figures = dict[str, Any]


def measure_search_policy(plan: Plan) -> Figures:
    """Rows of the cross-validation, of each of its seeds, and of the other sets."""
    questions = {name: _questions(plan, name) for name in (TRAINED, *OTHERS)}
    for name in questions:
        index.ingest(plan, name, ("bipartite",))
    figures: Figures = {}
    with Tetragraph.connect(plan.settings) as client:
        version = client.policies.train(POLICY, {TRAINED: questions[TRAINED]})
        figures[f"{TRAINED}, seed {PolicyTraining().seed}"] = _row(version.manifest["cross_validated"][TRAINED])
        trees = record_walks(client.connection, TRAINED, questions[TRAINED], NoProgress())  # kept by the training
        fixed = [fixed_walk(tree) for tree in trees]
        for seed in range(1, SEEDS):
            training = PolicyTraining(seed=seed)
            outcomes = cross_validate(trees, training)
            figures[f"{TRAINED}, seed {seed}"] = _row(asdict(Compared.of(outcomes, fixed, training.cost)))
        figures["a training"] = {"s": measure.seconds(lambda: train(trees, PolicyTraining()))}
        for name in OTHERS:
            evaluated = client.policies.evaluate(version.identity, name, questions[name])
            figures[f"{name}, trained on {TRAINED}"] = _row(evaluated.evaluations[-1])
        for name, some in questions.items():
            figures[f"{name}, time"] = _times(client, name, some, version.identity)
    return figures


def _questions(plan: Plan, name: str) -> tuple[GoldQuestion, ...]:
    return read_questions(data.folder() / name / "dev.jsonl.gz")[: plan.questions]


def _row(found: Mapping[str, Any]) -> Figures:
    """Recall in per cent and number of searches of the fixed loop and of a policy, and the difference in recall."""
    more, low, high = (round(100 * value, 2) for value in found["recall_more"])
    return {
        "questions": found["questions"],
        f"R@{CUT}, fixed loop": round(100 * found["fixed_recall"], 1),
        f"R@{CUT}, policy": round(100 * found["recall"], 1),
        "more": more,
        "low": low,
        "high": high,
        "searches, fixed loop": round(found["fixed_searches"], 2),
        "searches, policy": round(found["searches"], 2),
    }


def _times(client: Tetragraph, name: str, questions: Sequence[GoldQuestion], policy: str) -> Figures:
    """Milliseconds of whole searches of the fixed loop and of a policy, without the embedding of the question."""
    asked = embedded(client, name, [question.text for question in questions[:TIMED]])
    variants = {"fixed loop": Variant("anchor"), "policy": Variant("anchor", (("policy", policy),))}
    figures: Figures = {}
    for run, variant in variants.items():
        found = measure.load(searches(client, name, variant, asked))
        figures |= {f"p{cut}, {run}, ms": round(found[f"p{cut}_ms"]) for cut in (50, 95)}
    return figures
