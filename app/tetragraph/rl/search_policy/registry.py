"""Policies from training to promotion: manifests, figures, and the rule for what may be promoted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from tetragraph.arrays import Floats
from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput
from tetragraph.evaluate.comparison import interval
from tetragraph.evaluate.manifest import format_questions, sha256
from tetragraph.evaluate.model import EvaluationReport, GoldQuestion
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import content_id
from tetragraph.progress import Progress
from tetragraph.rl.search_policy.record import CUT, record_walks
from tetragraph.rl.search_policy.train import PolicyTraining, fixed_walk, train, walk
from tetragraph.rl.search_policy.walk_tree import WalkTree
from tetragraph.stores.policies import PolicyVersion, check_name
from tetragraph.systems.anchor_graph.features import VERSION
from tetragraph.version import __version__

FOLDS: Final = 5
"""Parts of the cross-validation: a policy trained on the others chooses for the questions of one."""
WORSE: Final = -0.005
"""Least mean difference in recall, over all questions, of a policy that may be promoted."""
LEAST: Final = 20
"""Least number of questions of an evaluation that counts for a promotion: fewer that agree by chance have intervals
without a width, and would show anything."""
Outcomes = Sequence[tuple[float, int]]
"""Recall and number of searches of each question."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A policy against the fixed loop, on the same questions.

    Attributes:
        questions: Number of questions.
        recall: Mean recall of the gold among the first five chunks, 0 to 1.
        fixed_recall: That of the fixed loop.
        searches: Mean number of searches of a question.
        fixed_searches: That of the fixed loop.
        recall_more: Mean difference in recall, with the ends of its 95 % interval.
        reward_more: The same for the reward: recall less the cost of the searches.
    """

    questions: int
    recall: float
    fixed_recall: float
    searches: float
    fixed_searches: float
    recall_more: tuple[float, float, float]
    reward_more: tuple[float, float, float]

    @classmethod
    def of(cls, policy: Outcomes, fixed: Outcomes, cost: float) -> Figures:
        """The figures of two runs.

        Args:
            policy: Outcomes of the policy.
            fixed: Outcomes of the fixed loop for the same questions.
            cost: Reward that a search costs.
        """
        ours, theirs = np.array(policy, dtype=np.float64), np.array(fixed, dtype=np.float64)
        means, fixed_means = ours.mean(axis=0), theirs.mean(axis=0)
        return cls(
            len(ours),
            float(means[0]),
            float(fixed_means[0]),
            float(means[1]),
            float(fixed_means[1]),
            _paired(ours[:, 0], theirs[:, 0]),
            _paired(ours @ [1.0, -cost], theirs @ [1.0, -cost]),
        )


def _paired(ours: Floats, theirs: Floats) -> tuple[float, float, float]:
    """Mean difference with its 95 % interval."""
    differences = ours - theirs
    return float(differences.mean()), *interval(differences)


def train_policy(
    connection: Connection,
    name: str,
    questions: Mapping[str, Sequence[GoldQuestion]],
    training: PolicyTraining,
    progress: Progress,
) -> PolicyVersion:
    """Record the walks of the questions, train a policy on them, and store it; see ``Policies.train``."""
    check_name(name)
    if not questions:
        raise InvalidInput("a policy is trained on questions of at least one corpus, got none")
    recorded = {corpus: record_walks(connection, corpus, some, progress) for corpus, some in questions.items()}
    trees = [tree for some in recorded.values() for tree in some]
    progress.start("training", FOLDS + 1, "trainings")
    outcomes = cross_validate(trees, training, progress)
    network = train(trees, training)
    progress.advance("training")
    progress.finish("training")
    figures, begin = {}, 0
    for corpus, some in recorded.items():
        ours = outcomes[begin : begin + len(some)]
        figures[corpus] = asdict(Figures.of(ours, [fixed_walk(tree) for tree in some], training.cost))
        begin += len(some)
    store = connection.policies
    promoted = store.promotions(name)
    manifest = {
        "features": VERSION,
        "training": asdict(training),
        "corpora": {
            corpus: {
                "generation": connection.stores(corpus).record.published,
                "questions": len(some),
                "sha256": sha256(format_questions(some)),
            }
            for corpus, some in questions.items()
        },
        "asked": sorted({question_key(one.text) for some in questions.values() for one in some}),
        "cross_validated": figures,
        "parent": f"{name}@{promoted[-1]}" if promoted else "",
        "tetragraph": __version__,
    }
    return store.add(name, network.to_arrays(), manifest)


def cross_validate(
    trees: Sequence[WalkTree], training: PolicyTraining, progress: Progress | None = None
) -> list[tuple[float, int]]:
    """Outcome of each tree under a policy that was trained without it.

    Args:
        trees: Trees of the questions; at least two.
        training: Settings; the seed also divides the questions.
        progress: Receives every training.

    Raises:
        InvalidInput: there are fewer than two trees.
    """
    if len(trees) < 2:
        raise InvalidInput(f"a policy is trained on two questions or more, got {len(trees)}")
    order = np.random.default_rng(training.seed).permutation(len(trees))
    outcomes: dict[int, tuple[float, int]] = {}
    for fold in range(min(FOLDS, len(trees))):
        held_out = set(order[fold::FOLDS].tolist())
        network = train([tree for place, tree in enumerate(trees) if place not in held_out], training)
        outcomes |= {place: walk(network, trees[place]) for place in held_out}
        if progress:
            progress.advance("training")
    return [outcomes[place] for place in range(len(trees))]


def new_questions(version: PolicyVersion, questions: Sequence[GoldQuestion]) -> list[GoldQuestion]:
    """The questions that a policy was not trained on.

    Raises:
        InvalidInput: there is none.
    """
    asked = set(version.manifest["asked"])
    found = [one for one in questions if question_key(one.text) not in asked]
    if not found:
        raise InvalidInput(
            f"a policy is evaluated on questions that it was not trained on, {version.identity} was trained on all "
            f"{len(questions)}: give others"
        )
    return found


def evaluation_of(version: PolicyVersion, report: EvaluationReport, policy: str, fixed: str) -> dict[str, Any]:
    """The record of an evaluation.

    Args:
        version: The evaluated version.
        report: Evaluation with the runs of the policy and of the fixed loop.
        policy: Name of the run of the policy.
        fixed: Name of the run of the fixed loop.
    """
    runs = {run.name: run for run in report.runs}

    def outcomes(name: str) -> list[tuple[float, int]]:
        recalls = report.scores[name].each[f"recall@{CUT}"]
        return [(recalls[one], len(runs[name].trails[one].steps)) for one in sorted(recalls)]

    figures = Figures.of(outcomes(policy), outcomes(fixed), version.manifest["training"]["cost"])
    asked = sha256(format_questions(report.questions))
    return {"corpus": report.corpus, "generation": report.generation, "sha256": asked, **asdict(figures)}


def check_promotable(version: PolicyVersion) -> None:
    """Raise unless the evaluations show that a version is better than the fixed loop.

    The newest evaluation of each corpus on :data:`LEAST` questions or more counts. The 95 % interval of the difference
    in reward must lie above 0 for at least one corpus; for none may that of reward or recall lie below 0; and the mean
    recall over the questions of all may not be lower by more than half a point.

    Raises:
        InvalidInput: it is not shown; the message gives the figures.
    """
    newest = {one["corpus"]: one for one in version.evaluations if one["questions"] >= LEAST}
    if not newest:
        raise InvalidInput(
            f"policy {version.identity} must be evaluated on at least {LEAST} questions that it was not trained on "
            f"before it is promoted: `tetragraph policy eval {version.identity} -c CORPUS -q FILE`"
        )
    for corpus, one in newest.items():
        if one["reward_more"][2] < 0 or one["recall_more"][2] < 0:
            raise InvalidInput(f"policy {version.identity} is worse than the fixed loop on {corpus}: {describe(one)}")
    lost = sum(one["questions"] * one["recall_more"][0] for one in newest.values())
    if lost / sum(one["questions"] for one in newest.values()) < WORSE:
        raise InvalidInput(f"policy {version.identity} finds less than the fixed loop: {_list(newest)}")
    if not any(one["reward_more"][1] > 0 for one in newest.values()):
        raise InvalidInput(
            f"policy {version.identity} is not shown to be better than the fixed loop, as every interval of the reward "
            f"holds 0: {_list(newest)}; train it on more questions, or evaluate it on more"
        )


def _list(evaluations: Mapping[str, Mapping[str, Any]]) -> str:
    return "; ".join(f"{corpus}: {describe(one)}" for corpus, one in evaluations.items())


def describe(figures: Mapping[str, Any]) -> str:
    """One line of figures, in per cent.

    >>> describe({"questions": 90, "recall": 0.8, "fixed_recall": 0.79, "searches": 1.5, "fixed_searches": 2.5,
    ...           "recall_more": (0.01, -0.01, 0.03), "reward_more": (0.02, 0.001, 0.04)})
    '90 questions, R@5 80.0 (+1.0, -1.0 to +3.0), 1.50 searches against 2.50, reward +2.0 (+0.1 to +4.0)'
    """
    more, low, high = (100 * value for value in figures["recall_more"])
    reward, least, most = (100 * value for value in figures["reward_more"])
    return (
        f"{figures['questions']:,} questions, R@{CUT} {100 * figures['recall']:.1f} ({more:+.1f}, {low:+.1f} to "
        f"{high:+.1f}), {figures['searches']:.2f} searches against {figures['fixed_searches']:.2f}, reward "
        f"{reward:+.1f} ({least:+.1f} to {most:+.1f})"
    )


def question_key(text: str) -> str:
    """Hash of a question that does not depend on its case and punctuation."""
    return content_id(normalise_name(text))
