"""What a training refuses before it needs PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.model import FactEvidence
from tetragraph.rl import training
from tetragraph.rl.options import EpisodeOptions
from tetragraph.rl.train_options import TrainOptions
from tetragraph.rl.training import GrpoTraining
from tetragraph.rl.training_plan import keep_plan, plan_of

QUESTIONS = [GoldQuestion("q1", "Who?", answers=("Ada",))]


def test_a_training_without_chance_is_refused() -> None:
    with pytest.raises(InvalidInput, match="the temperature of a training must be above 0, got 0: all episodes"):
        GrpoTraining(lambda query: FactEvidence(query, ()), QUESTIONS, EpisodeOptions(temperature=0), TrainOptions())


def test_a_training_does_not_go_on_with_other_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "required", lambda module, message: None)
    (tmp_path / "checkpoints" / "checkpoint-1").mkdir(parents=True)
    keep_plan(plan_of(QUESTIONS, EpisodeOptions(), TrainOptions()), tmp_path)
    other = GrpoTraining(lambda query: FactEvidence(query, ()), QUESTIONS, EpisodeOptions(), TrainOptions(seed=1))
    with pytest.raises(InvalidInput, match="got seed=1 instead of 0"):
        other.run("none", tmp_path, resume=True)
