"""Options of a training, and the end of one whose reward collapses."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.errors import InvalidInput, MissingDependency
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.model import FactEvidence
from tetragraph.rl.options import EpisodeOptions
from tetragraph.rl.train_options import TrainOptions, read_train_options
from tetragraph.rl.training import GrpoTraining, by_prompt
from tetragraph.rl.training_callbacks import RewardWatch


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"group": 1}, "group must be an integer of at least 2"),
        ({"at_once": 3}, "at_once must divide group"),
        ({"learning_rate": 0}, "learning_rate must be a number above 0"),
        ({"kl_weight": -1}, "kl_weight must be a number from 0"),
        ({"collapse": True}, "collapse must be a number above 0"),
        ({"steps": 0}, "steps must be an integer of at least 1"),
        ({"rate": 1}, "a training has no option 'rate'"),
    ],
)
def test_options_that_break_their_rule_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_train_options(options)


def test_a_reward_that_falls_far_below_its_best_has_collapsed() -> None:
    watch = RewardWatch(0.5, 3)
    assert not any(watch.has_collapsed(reward) for reward in (0.0, 0.9, 0.9, 0.9, 0.6, 0.2))
    assert watch.has_collapsed(0.0)


def test_a_training_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(MissingDependency, match=r"training needs the package torch: pip install 'tetragraph\[rl\]'"):
        GrpoTraining(lambda query: FactEvidence(query, ()), [], EpisodeOptions(), TrainOptions())


def test_questions_with_the_same_prompt_have_the_same_answers() -> None:
    first, same, other = (GoldQuestion(name, "Who?", answers=(answer,)) for name, answer in ("ax", "bx", "cy"))
    assert by_prompt(["Who?", "Who?"], [first, same]) == {"Who?": first}
    with pytest.raises(InvalidInput, match="must have the same accepted answers, got 'a' and 'c' with different ones"):
        by_prompt(["Who?", "Who?"], [first, other])
