"""Options of the training of a policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from tetragraph.algorithms.group_relative_policy import CLIP, KL_WEIGHT
from tetragraph.errors import InvalidInput
from tetragraph.rl.rollouts import GROUP
from tetragraph.validation import check_integer, check_known_options, check_not_negative, check_positive

TARGETS: Final = ("q_proj", "k_proj", "v_proj", "o_proj")
"""Layers that LoRA changes."""


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """Options of the training; the defaults are those of the paper, but for ``group`` and ``batch``.

    Attributes:
        group: Number of episodes for each question, ``N``, at least 2.
        batch: Number of questions in a step, at least 1. The paper has 128, on four A100 of 80 GB.
        at_once: Number of episodes in a forward and backward pass; ``group * batch`` must be a multiple of it.
        epochs: Number of passes over the questions, above 0.
        steps: Limit of steps; None for as many as the epochs have.
        learning_rate: Step size of AdamW, above 0.
        clip: ``ε`` of the objective, above 0.
        kl_weight: ``β`` of the objective, 0 or above.
        lora_rank: Rank of LoRA; 0 trains all weights.
        lora_alpha: Scale of LoRA.
        seed: Seed of weights, order and sampling.
        save_every: Number of steps between two checkpoints.
        collapse: The training ends early if the mean reward of ten steps falls by this much below its best.

    Source:
        BiG-RAG, section 4.4.5 and table E.1.
    """

    group: int = GROUP
    batch: int = 4
    at_once: int = 8
    epochs: float = 3.0
    steps: int | None = None
    learning_rate: float = 1e-5
    clip: float = CLIP
    kl_weight: float = KL_WEIGHT
    lora_rank: int = 16
    lora_alpha: int = 32
    seed: int = 0
    save_every: int = 10
    collapse: float = 0.5

    def __post_init__(self) -> None:
        """Check every value."""
        least = {"group": 2, "batch": 1, "at_once": 1, "lora_rank": 0, "lora_alpha": 1, "seed": 0, "save_every": 1}
        for name, smallest in least.items():
            check_integer(name, getattr(self, name), smallest)
        if self.steps is not None:
            check_integer("steps", self.steps, 1)
        if self.group * self.batch % self.at_once:
            raise InvalidInput(
                f"at_once must divide group * batch, {self.group * self.batch} episodes a step, got {self.at_once}"
            )
        for name in ("epochs", "learning_rate", "clip", "collapse"):
            check_positive(name, getattr(self, name))
        check_not_negative("kl_weight", self.kl_weight)


def read_train_options(given: Mapping[str, Any]) -> TrainOptions:
    """Create the options of a training from keyword arguments.

    Raises:
        InvalidInput: there is no such option, or a value breaks its rule.
    """
    check_known_options("a training", given, [one.name for one in fields(TrainOptions)])
    return TrainOptions(**given)
