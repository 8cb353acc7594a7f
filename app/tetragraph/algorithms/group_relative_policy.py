"""Group relative policy optimisation (GRPO): advantages within a group, and the clipped objective.

A reference in NumPy: what a trainer computes on a graph of tensors can be compared with it number by number.

Source:
    BiG-RAG, section 4.4.4 and table E.1; Shao et al. (2024), DeepSeekMath, for the estimate of the divergence.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tetragraph.arrays import Flags, Floats
from tetragraph.errors import InvalidInput

CLIP: Final = 0.2
"""Default ``ε``: largest change of a probability ratio that is rewarded."""
KL_WEIGHT: Final = 0.01
"""Default ``β``: weight of the divergence from the reference policy."""


def group_advantages(rewards: Floats, *, ddof: int = 0, offset: float = 0.0) -> Floats:
    """``(R_i - mean R) / (std R + offset)`` within each group.

    A group whose rewards are all equal teaches nothing: its advantages are 0, which the paper leaves open.

    Args:
        rewards: ``(groups, N)`` rewards; a row has the ``N`` trajectories of one question.
        ddof: 0 divides the squares by ``N``, as the paper is read here; 1 by ``N - 1``, as TRL does.
        offset: Addend of the deviation, 0 or above; TRL adds 1e-4.

    Returns:
        ``(groups, N)`` advantages; the mean of each row is 0.

    Raises:
        InvalidInput: the array has not two dimensions, or ``N`` is not above ``ddof``.
    """
    if rewards.ndim != 2 or rewards.shape[1] <= ddof:
        raise InvalidInput(f"rewards must be (groups, N) with N above {ddof}, got shape {rewards.shape}")
    centred = rewards - rewards.mean(axis=1, keepdims=True)
    deviation = rewards.std(axis=1, ddof=ddof, keepdims=True) + offset
    is_flat = np.ptp(rewards, axis=1, keepdims=True) == 0
    advantages: Floats = np.where(is_flat, 0.0, centred / np.where(is_flat, 1.0, deviation))
    return advantages


def grpo_objective(
    new: Floats,
    old: Floats,
    reference: Floats,
    advantages: Floats,
    is_policy: Flags,
    *,
    clip: float = CLIP,
    kl_weight: float = KL_WEIGHT,
) -> float:
    """Objective that training maximises; the loss of a trainer is its negative.

    The mean over trajectories of ``1/|τ_i| Σ_t [min(ρ_t Â_i, clip(ρ_t, 1 ± ε) Â_i) - β KL_t]`` with ``ρ_t = exp(new -
    old)``. ``KL_t = exp(reference - new) - (reference - new) - 1`` is never negative. Only tokens of the policy count,
    in the sums and in ``|τ_i|``: those of the environment are none of its actions.

    Args:
        new: ``(trajectories, tokens)`` log-probabilities of the policy that is trained.
        old: The same under the policy that wrote the trajectories.
        reference: The same under the reference policy.
        advantages: ``(trajectories,)`` advantages.
        is_policy: ``(trajectories, tokens)`` whether a token is the policy's; one at least in each row.
        clip: ``ε``, above 0.
        kl_weight: ``β``, 0 or above.

    Raises:
        InvalidInput: the shapes do not fit, or a trajectory has no token of the policy.
    """
    shapes = {new.shape, old.shape, reference.shape, is_policy.shape}
    if len(shapes) != 1 or new.ndim != 2 or advantages.shape != new.shape[:1]:
        raise InvalidInput(
            f"log-probabilities must be (trajectories, tokens) and advantages (trajectories,), got "
            f"{sorted(shapes)} and {advantages.shape}"
        )
    lengths = is_policy.sum(axis=1)
    if not lengths.all():
        raise InvalidInput(f"each trajectory must have a token of the policy, number {int(lengths.argmin())} has none")
    ratio, gap = np.exp(new - old), reference - new
    gains = advantages[:, None]
    surrogate = np.minimum(ratio * gains, np.clip(ratio, 1 - clip, 1 + clip) * gains)
    divergence = np.exp(gap) - gap - 1
    per_token = np.where(is_policy, surrogate - kl_weight * divergence, 0.0)
    return float((per_token.sum(axis=1) / lengths).mean())


def grpo_slopes(
    new: Floats,
    old: Floats,
    reference: Floats,
    advantages: Floats,
    *,
    clip: float = CLIP,
    kl_weight: float = KL_WEIGHT,
) -> Floats:
    """Derivative of each action's term of :func:`grpo_objective` by its log-probability ``new``.

    Args:
        new: Log-probabilities of the policy that is trained.
        old: The same under the policy that acted.
        reference: The same under the reference policy.
        advantages: Advantage of the trajectory of each action; all arrays have the same shape.
        clip: ``ε``, above 0.
        kl_weight: ``β``, 0 or above.

    Returns:
        An array of that shape; 0 from the surrogate where the clipped ratio is the smaller one.
    """
    ratio = np.exp(new - old)
    is_clipped = np.where(advantages > 0, ratio > 1 + clip, ratio < 1 - clip)
    slopes: Floats = np.where(is_clipped, 0.0, ratio * advantages) - kl_weight * (1 - np.exp(reference - new))
    return slopes
