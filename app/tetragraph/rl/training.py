"""Trains a language model as a policy of the RL mode, by GRPO with TRL.

Source:
    BiG-RAG, sections 4.4.4 and 4.4.5, table E.1.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.host.optional_imports import install_command, required
from tetragraph.model.episodes import Episode
from tetragraph.progress import NoProgress, Progress
from tetragraph.rl.environment import FindFacts, KnowledgeEnvironment
from tetragraph.rl.local_policy import LocalPolicy
from tetragraph.rl.options import EpisodeOptions
from tetragraph.rl.reward import check_rewarded, reward_of
from tetragraph.rl.train_options import TARGETS, TrainOptions
from tetragraph.rl.training_callbacks import RewardWatch, make_callback
from tetragraph.rl.training_plan import Plan, check_same_plan, digest, keep_plan, plan_of
from tetragraph.rl.turn_writer import TurnWriter

CHECKPOINTS: Final = "checkpoints"
POLICY: Final = "policy"
REPORT: Final = "report.json"
_CURVES: Final = ("reward", "reward_std", "loss", "grad_norm", "kl", "completions/mean_length", "turns", "answered")
"""Figures of a step that the report has."""


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """Outcome of a training.

    Attributes:
        policy: Folder of the trained model, which every server of ``transformers`` models can load.
        steps: Figures of each step, by name.
        stopped: Reason why it ended: ``complete``, or ``reward collapse``.
        options: Options of training and episodes.
        questions: SHA-256 of the questions and their answers.
    """

    policy: Path
    steps: tuple[Mapping[str, float], ...]
    stopped: str
    options: Mapping[str, Any]
    questions: str


def by_prompt(prompts: Sequence[str], questions: Sequence[GoldQuestion]) -> dict[str, GoldQuestion]:
    """The question of each prompt, by which an episode is rewarded.

    Raises:
        InvalidInput: two questions have the same prompt, and other accepted answers.
    """
    found: dict[str, GoldQuestion] = {}
    for prompt, question in zip(prompts, questions, strict=True):
        same = found.setdefault(prompt, question)
        if same.answers != question.answers:
            raise InvalidInput(
                f"questions of a training with the same text must have the same accepted answers, got {same.id!r} and "
                f"{question.id!r} with different ones: remove one"
            )
    return found


class GrpoTraining:
    """A training of one model on the questions of one corpus.

    Args:
        find: Search for facts of the corpus.
        questions: Questions with accepted answers.
        episode: Options of the episodes.
        options: Options of the training.
        progress: Receives every step.

    Raises:
        InvalidInput: see :func:`check_rewarded`; two questions have the same text, and other accepted answers; or the
            temperature is 0, at which the episodes of a group are the same and have no advantage over one another.
        MissingDependency: the extra ``rl`` is not installed.
    """

    def __init__(
        self,
        find: FindFacts,
        questions: Sequence[GoldQuestion],
        episode: EpisodeOptions,
        options: TrainOptions,
        progress: Progress | None = None,
    ) -> None:
        if not episode.temperature:
            raise InvalidInput(
                "the temperature of a training must be above 0, got 0: all episodes of a question would be the same, "
                "and nothing would be learned; leave the option out"
            )
        for module in ("torch", "transformers", "trl", "peft", "datasets"):
            required(module, f"training needs the package {{package}}: {install_command('rl')}")
        self._find = find
        self._questions = check_rewarded(questions)
        self._episode = episode
        self._options = options
        self._progress = progress or NoProgress()
        self._prompts = [self._prompt(question) for question in self._questions]
        self._by_prompt = by_prompt([prompt[-1]["content"] for prompt in self._prompts], self._questions)

    def run(self, model: str | Path, out: Path, *, resume: bool = False) -> TrainingReport:
        """Train a model and write it, its checkpoints and the report.

        Args:
            model: Folder or name of a causal model with a chat template.
            out: Folder for ``checkpoints``, ``policy`` and ``report.json``; must be new or empty without ``resume``.
            resume: Whether to continue after the last checkpoint in ``out``.

        Raises:
            InvalidInput: the folder is not empty and nothing is resumed, there is no checkpoint to resume, or it is one
                of a training on other questions or with other options.
        """
        plan = plan_of(self._questions, self._episode, self._options)
        _check_folder(out, plan, resume=resume)
        out.mkdir(parents=True, exist_ok=True)
        trainer = self.make_trainer(str(model), out / CHECKPOINTS)
        keep_plan(plan, out)  # not before, as other processes of the training check that the folder is empty
        trainer.train(resume_from_checkpoint=resume or None)
        trained = trainer.accelerator.unwrap_model(trainer.model)
        merged = trained.merge_and_unload() if self._options.lora_rank else trained
        merged.save_pretrained(out / POLICY)
        trainer.processing_class.save_pretrained(out / POLICY)
        report = self._report(trainer, out)
        text = json.dumps(asdict(report) | {"policy": POLICY}, indent=1, sort_keys=True)
        (out / REPORT).write_text(text + "\n", encoding="utf-8")
        return report

    def make_trainer(self, model: Any, checkpoints: Path) -> Any:
        """The trainer of a model, before its first step.

        Args:
            model: Folder or name of a model, or a model.
            checkpoints: Folder for checkpoints.
        """
        os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
        import torch
        from datasets import Dataset
        from peft import LoraConfig
        from transformers import AutoTokenizer, PrinterCallback
        from transformers.utils import logging
        from trl import GRPOConfig, GRPOTrainer

        logging.disable_progress_bar()

        options = self._options
        rows = [{"prompt": prompt} for prompt in self._prompts]
        arguments = GRPOConfig(
            output_dir=str(checkpoints),
            learning_rate=options.learning_rate,
            num_train_epochs=options.epochs,
            max_steps=options.steps or -1,
            per_device_train_batch_size=options.at_once,
            gradient_accumulation_steps=options.group * options.batch // options.at_once,
            num_generations=options.group,
            max_completion_length=self._episode.tokens,
            temperature=self._episode.temperature,
            beta=options.kl_weight,
            epsilon=options.clip,
            loss_type="grpo",
            scale_rewards="group",
            use_bias_correction_kl=False,  # the paper's divergence is not weighted by the ratio
            seed=options.seed,
            save_strategy="steps",
            save_steps=options.save_every,
            save_total_limit=2,
            logging_steps=1,
            report_to="none",
            bf16=torch.cuda.is_available() and torch.cuda.is_bf16_supported(),
            disable_tqdm=True,
            dataloader_pin_memory=False,
        )
        lora = LoraConfig(
            r=options.lora_rank, lora_alpha=options.lora_alpha, target_modules=list(TARGETS), task_type="CAUSAL_LM"
        )
        trainer = GRPOTrainer(
            model=model,
            reward_funcs=episode_reward,
            args=arguments,
            train_dataset=Dataset.from_list(rows),
            processing_class=AutoTokenizer.from_pretrained(model) if isinstance(model, str) else None,
            peft_config=lora if options.lora_rank else None,
            rollout_func=self.rollout,
            callbacks=[make_callback(RewardWatch(options.collapse), self._progress)],
        )
        trainer.remove_callback(PrinterCallback)
        return trainer

    def rollout(self, prompts: Sequence[Sequence[Mapping[str, str]]], trainer: Any) -> dict[str, Any]:
        """Play one episode for each prompt, as TRL's ``rollout_func``; tokens of the environment are masked."""
        asked = [self._by_prompt[prompt[-1]["content"]] for prompt in prompts]
        environments = [KnowledgeEnvironment(self._find, one.text, self._episode) for one in asked]
        model, tokenizer = trainer.accelerator.unwrap_model(trainer.model), trainer.processing_class
        was_training = model.training
        model.eval()
        episodes = LocalPolicy(TurnWriter(model, tokenizer, self._episode.temperature), tokenizer).play(environments)
        model.train(was_training)
        end = tokenizer.eos_token_id
        for episode in episodes:
            if not episode.completion:  # the question alone fills the interaction
                episode.add([end], is_policy=False)
        played = [_episode(one, question) for one, question in zip(environments, asked, strict=True)]
        return {
            "prompt_ids": [one.prompt for one in episodes],
            "completion_ids": [one.completion for one in episodes],
            "env_mask": [one.is_policy for one in episodes],
            "logprobs": None,
            "reward": [reward_of(one, question.answers).total for one, question in zip(played, asked, strict=True)],
            "turns": [len(one.turns) for one in played],
            "answered": [bool(one.answer) for one in played],
        }

    def _prompt(self, question: GoldQuestion) -> list[dict[str, str]]:
        messages = KnowledgeEnvironment(self._find, question.text, self._episode).messages
        return [{"role": message.role, "content": message.content} for message in messages]

    def _report(self, trainer: Any, out: Path) -> TrainingReport:
        logged = [row for row in trainer.state.log_history if "reward" in row]
        steps = tuple({"step": row["step"], **{name: row[name] for name in _CURVES if name in row}} for row in logged)
        is_complete = trainer.state.global_step >= trainer.state.max_steps
        options = {"training": asdict(self._options), "episode": asdict(self._episode)}
        return TrainingReport(
            out / POLICY, steps, "complete" if is_complete else "reward collapse", options, digest(self._questions)
        )


def _check_folder(out: Path, plan: Plan, *, resume: bool) -> None:
    """Check the folder of a training; see :meth:`GrpoTraining.run`."""
    if resume:
        if not any((out / CHECKPOINTS).glob("checkpoint-*")):
            raise InvalidInput(f"{str(out)!r} has no checkpoint to resume: train without --resume")
        check_same_plan(plan, out)
    elif out.exists() and any(out.iterdir()):
        raise InvalidInput(f"the folder of a training must be new or empty, got {str(out)!r}: resume, or take another")


def episode_reward(**columns: Any) -> list[float]:
    """Reward function of the trainer: the rewards that :meth:`GrpoTraining.rollout` computed; logs two more figures."""
    rewards: list[float] = columns["reward"]
    for name in ("turns", "answered"):
        columns["log_metric"](name, sum(columns[name]) / len(rewards))
    return rewards


def _episode(environment: KnowledgeEnvironment, question: GoldQuestion) -> Episode:
    return Episode(question.text, "local", ("", ""), environment.turns, environment.ended or "turns")
