"""Policies that choose the steps of a search in several steps: training, evaluation, promotion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tetragraph.connection import Connection
from tetragraph.progress import NoProgress, Progress

if TYPE_CHECKING:
    from tetragraph.evaluate.model import GoldQuestion
    from tetragraph.rl.search_policy.train import PolicyTraining
    from tetragraph.stores.policies import PolicyVersion


class Policies:
    """The policies of the home; obtained from ``Tetragraph.policies``.

    A policy is named ``NAME``, which means its promoted version, or ``NAME@VERSION``. ``Corpus.anchor`` and
    ``search(method="anchor")`` take it as the option ``policy``.

    Raises (all methods):
        InvalidInput: a name is malformed.
        UnknownPolicy: there is no such policy or version, or none is promoted.
        StoreError: a file cannot be read or written, or is damaged.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def versions(self, name: str = "") -> list[PolicyVersion]:
        """All versions, or those of one policy, in order of name and number."""
        return self._connection.policies.versions(name)

    def train(
        self,
        name: str,
        questions: Mapping[str, Sequence[GoldQuestion]],
        *,
        training: PolicyTraining | None = None,
        progress: Progress | None = None,
    ) -> PolicyVersion:
        """Train a new version of a policy, which is not promoted yet.

        All walks of each question are searched for and kept in the cache, so that an interrupted training goes on, and
        one with other settings searches for nothing.

        Args:
            name: Name of the policy.
            questions: Name of a corpus to questions with gold.
            training: Settings; the defaults when left out.
            progress: Receives the questions and the trainings; silent when left out.

        Returns:
            The version. Its manifest has the figures of a cross-validation.

        Raises:
            InvalidInput: a question has no gold, or there are fewer than two.
            UnknownDocument, UnknownCorpus, StoreUnavailable: see ``Corpus.search``.
        """
        from tetragraph.rl.search_policy import registry, train

        chosen = training or train.PolicyTraining()
        return registry.train_policy(self._connection, name, questions, chosen, progress or NoProgress())

    def evaluate(
        self, policy: str, corpus: str, questions: Sequence[GoldQuestion], *, progress: Progress | None = None
    ) -> PolicyVersion:
        """Compare a policy with the fixed loop on questions that it was not trained on, and keep the figures.

        Args:
            policy: Name of the policy or of a version.
            corpus: Name of the corpus.
            questions: Questions with gold; those that the policy was trained on are left out.
            progress: Receives every search; silent when left out.

        Returns:
            The version; its last evaluation is this one.

        Raises:
            InvalidInput: the policy was trained on all questions.
            UnknownDocument, UnknownCorpus, StoreUnavailable: see ``Corpus.evaluate``.
        """
        from tetragraph.client.corpus import Corpus
        from tetragraph.rl.search_policy import registry
        from tetragraph.rl.search_policy.record import CUT

        version = self._connection.policies.find(policy)
        report = Corpus(self._connection, corpus).evaluate(
            registry.new_questions(version, questions),
            {"fixed": ("anchor", {}), "policy": ("anchor", {"policy": version.identity})},
            ks=(CUT,),
            progress=progress,
        )
        return self._connection.policies.evaluated(version, registry.evaluation_of(version, report, "policy", "fixed"))

    def promote(self, policy: str) -> PolicyVersion:
        """Make a version the one that its name means.

        Raises:
            InvalidInput: its evaluations do not show that it is better than the fixed loop.
        """
        from tetragraph.rl.search_policy import registry

        version = self._connection.policies.find(policy)
        registry.check_promotable(version)
        self._connection.policies.promote(version)
        return self._connection.policies.find(version.identity)

    def roll_back(self, name: str) -> PolicyVersion | None:
        """Return to the version that was promoted before; the version, or None where there was none."""
        return self._connection.policies.roll_back(name)
