"""What a training refuses before it needs PyTorch."""

from __future__ import annotations

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.model import FactEvidence
from tetragraph.rl.options import EpisodeOptions
from tetragraph.rl.train_options import TrainOptions
from tetragraph.rl.training import GrpoTraining

QUESTIONS = [GoldQuestion("q1", "Who?", answers=("Ada",))]


def test_a_training_without_chance_is_refused() -> None:
    with pytest.raises(InvalidInput, match="the temperature of a training must be above 0, got 0: all episodes"):
        GrpoTraining(lambda query: FactEvidence(query, ()), QUESTIONS, EpisodeOptions(temperature=0), TrainOptions())
