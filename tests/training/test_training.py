"""Training of a policy with TRL: learns a toy, masks the environment, agrees with the reference, can be resumed."""

from __future__ import annotations

import json
import math
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tetragraph.algorithms.group_relative_policy import group_advantages, grpo_objective
from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.model import FactEvidence
from tetragraph.rl.options import EpisodeOptions
from tetragraph.rl.train_options import TrainOptions
from tetragraph.rl.training import GrpoTraining

pytest.importorskip(
    "trl", reason="the extra `rl` is not installed: `make train-test` tests it in an environment of its own"
)
pytestmark = pytest.mark.filterwarnings("ignore:::transformers", "ignore:::torch", "ignore:::trl")
QUESTIONS = [GoldQuestion(f"q{number}", f"Where is {number}?", answers=("Tarn",)) for number in range(4)]
EPISODE = EpisodeOptions(turns=3, temperature=1.0)
TOY = {"group": 8, "batch": 2, "at_once": 16, "lora_rank": 0, "kl_weight": 0.0, "learning_rate": 1e-2}


def find(query: str) -> FactEvidence:
    return FactEvidence(query, ())


def training(**options: Any) -> GrpoTraining:
    return GrpoTraining(find, QUESTIONS, EPISODE, TrainOptions(**{**TOY, **options}))


@pytest.mark.parametrize(("tiny", "seed"), [(seed, seed) for seed in range(5)], indirect=["tiny"])
def test_the_reward_of_a_toy_rises(tiny: Path, seed: int, tmp_path: Path) -> None:
    report = training(seed=seed, steps=40).run(tiny, tmp_path / "out")
    rewards = [step["reward"] for step in report.steps]
    assert np.mean(rewards[-5:]) - np.mean(rewards[:3]) >= 0.3
    assert all(math.isfinite(step["loss"]) for step in report.steps)
    assert report.steps[0]["grad_norm"] > 0
    assert 0 <= report.steps[0]["answered"] <= 1
    assert 1 <= report.steps[0]["turns"] <= EPISODE.turns
    assert report.stopped == "complete"


def test_tokens_of_the_environment_are_masked(tiny: Path, tokenizer: Any, tmp_path: Path) -> None:
    trainer = training(steps=1).make_trainer(str(tiny), tmp_path / "checkpoints")
    prompt = trainer.train_dataset[0]["prompt"]
    found = training().rollout([prompt] * 16, trainer)
    end, user, assistant = (tokenizer.convert_tokens_to_ids(mark) for mark in ("<end>", "<user>", "<assistant>"))
    for completion, mask, reward in zip(found["completion_ids"], found["env_mask"], found["reward"], strict=True):
        assert mask[0] == mask[-1] == 1
        runs = groupby(zip(completion, mask, strict=True), key=itemgetter(1))
        written = [[token for token, _ in run] for flag, run in runs if not flag]
        assert len(written) < EPISODE.turns
        for run in written:
            assert run[0 if run[0] == user else 1] == user
            assert run[0] in (end, user)
            assert run[-1] == assistant
        assert -1 <= reward <= 1
    assert any(0 in mask for mask in found["env_mask"])


def test_the_loss_is_that_of_the_reference(tiny: Path, tmp_path: Path) -> None:
    import torch

    trainer = training(kl_weight=0.1, steps=1).make_trainer(str(tiny), tmp_path / "checkpoints")
    rows = [trainer.train_dataset[0]] * 8 + [trainer.train_dataset[1]] * 8
    inputs = trainer._generate_and_score_completions(rows)
    ids = torch.cat([inputs["prompt_ids"], inputs["completion_ids"]], dim=1)
    seen = torch.cat([inputs["prompt_mask"], inputs["completion_mask"]], dim=1)
    with torch.no_grad():
        length = inputs["completion_ids"].shape[1]
        now = trainer._get_per_token_logps_and_entropies(trainer.model, ids, seen, length)[0]
    noise = torch.Generator().manual_seed(1)
    inputs["old_per_token_logps"] = now + 0.3 * torch.randn(now.shape, generator=noise)
    inputs["ref_per_token_logps"] = now + 0.3 * torch.randn(now.shape, generator=noise)
    mask = (inputs["completion_mask"] * inputs["tool_mask"]).bool().numpy()
    old, reference = (inputs[f"{name}_per_token_logps"].numpy().astype(float) for name in ("old", "ref"))
    advantages = inputs["advantages"].numpy().astype(float)
    expected = grpo_objective(now.numpy().astype(float), old, reference, advantages, mask, kl_weight=0.1)
    trainer.current_gradient_accumulation_steps = 1
    assert trainer._compute_loss(trainer.model, inputs).item() == pytest.approx(-expected, abs=1e-5)

    rewards = np.array([[1.0, -0.5, 0.0, 0.0]])
    trainers = (rewards - rewards.mean()) / (rewards.std(ddof=1) + 1e-4)
    np.testing.assert_allclose(group_advantages(rewards, ddof=1, offset=1e-4), trainers)


def test_a_training_that_was_stopped_goes_on_from_its_checkpoint(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = training(steps=4, save_every=2).run(tiny, out)
    assert (out / "checkpoints" / "checkpoint-4").is_dir()
    (out / "report.json").unlink()
    resumed = training(steps=6, save_every=2).run(tiny, out, resume=True)
    assert [step["step"] for step in resumed.steps] == [1, 2, 3, 4, 5, 6]
    assert resumed.steps[0] == first.steps[0]
    told = json.loads((out / "report.json").read_text())
    assert told["options"]["training"]["steps"] == 6
    assert told["questions"] == first.questions
    with pytest.raises(InvalidInput, match="got seed=1 instead of 0"):
        training(steps=8, seed=1).run(tiny, out, resume=True)
    with pytest.raises(InvalidInput, match="must be new or empty"):
        training(steps=1).run(tiny, out)
    with pytest.raises(InvalidInput, match="has no checkpoint to resume"):
        training(steps=1).run(tiny, tmp_path / "other", resume=True)


def test_lora_trains_adapters_and_writes_a_whole_model(tiny: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM

    report = training(lora_rank=4, lora_alpha=8, steps=2).run(tiny, tmp_path / "out")
    before, after = (AutoModelForCausalLM.from_pretrained(folder) for folder in (tiny, report.policy))
    changed = {name for name, values in after.state_dict().items() if not values.equal(before.state_dict()[name])}
    assert changed
    assert all(any(layer in name for layer in ("q_proj", "k_proj", "v_proj", "o_proj")) for name in changed)
