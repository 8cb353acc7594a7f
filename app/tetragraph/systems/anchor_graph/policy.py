"""A trained policy: it chooses the queries of a search in several steps, their variants, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.algorithms.policy_network import PolicyNetwork
from tetragraph.errors import StoreError
from tetragraph.model.anchors import AnchorStep
from tetragraph.stores.policies import PolicyStore
from tetragraph.systems.anchor_graph.choices import Choice, next_choices
from tetragraph.systems.anchor_graph.features import VERSION, features


def load_policy(store: PolicyStore, name: str) -> SearchPolicy:
    """The stored policy of a name.

    Raises:
        InvalidInput, UnknownPolicy: there is no such policy.
        StoreError: its files are damaged, or it was trained with other features than these.
    """
    version = store.find(name)
    trained = version.manifest.get("features")
    if trained != VERSION:
        raise StoreError(
            f"policy {version.identity} was trained with features {trained!r}, this version of tetragraph has "
            f"{VERSION!r}: train it again"
        )
    return SearchPolicy(PolicyNetwork.from_arrays(store.weights(version)))


@dataclass(frozen=True, slots=True)
class SearchPolicy:
    """Chooses the action with the highest score; of equal ones the first.

    Attributes:
        network: Scores the choices by their features.
    """

    network: PolicyNetwork

    def choose(self, steps: Sequence[AnchorStep], queries: Sequence[str]) -> Choice:
        """The choice after some steps.

        Args:
            steps: Steps of the question, the last one judged; at least one.
            queries: Open queries after the last step.
        """
        choices = next_choices(steps, queries)
        return choices[int(np.argmax(self.network.scores(features(steps, choices))))]
