"""Callbacks of a trainer: the end of a training whose reward has collapsed, and progress."""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from tetragraph.progress import Progress

STAGE: Final = "train"
WINDOW: Final = 10
"""Number of steps whose mean reward is watched."""


class RewardWatch:
    """Detects the collapse of a reward: the mean of the last steps is far below its best.

    Args:
        fall: Fall below the best mean that is a collapse.
        window: Number of steps of a mean.
    """

    def __init__(self, fall: float, window: int = WINDOW) -> None:
        self._fall = fall
        self._last: deque[float] = deque(maxlen=window)
        self._best = float("-inf")

    def has_collapsed(self, reward: float) -> bool:
        """Whether it has collapsed with this step."""
        self._last.append(reward)
        if len(self._last) < (self._last.maxlen or 0):
            return False
        mean = sum(self._last) / len(self._last)
        self._best = max(self._best, mean)
        return self._best - mean > self._fall


def make_callback(watch: RewardWatch, progress: Progress) -> Any:
    """The callback of a trainer of ``transformers``, which is imported only here.

    Args:
        watch: Looks at the reward of each step.
        progress: Receives the steps.
    """
    from transformers import TrainerCallback

    class Steps(TrainerCallback):  # type: ignore[misc]  # has no types where it is not installed
        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002 - protocol
            progress.start(STAGE, state.max_steps, "steps")
            progress.advance(STAGE, state.global_step)

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002 - protocol
            progress.advance(STAGE)

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:  # noqa: ARG002
            if logs and "reward" in logs and watch.has_collapsed(logs["reward"]):
                control.should_training_stop = True

        def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002 - protocol
            progress.finish(STAGE)

    return Steps()
