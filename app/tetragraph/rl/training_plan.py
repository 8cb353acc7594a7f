"""The plan of a training: its questions and options, kept beside its checkpoints, with which alone it goes on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.host.whole_files import write_whole
from tetragraph.rl.options import EpisodeOptions
from tetragraph.rl.train_options import TrainOptions

FILE: Final = "training.json"
_FREE: Final = frozenset({"steps", "epochs", "save_every", "collapse"})
"""Options of how long a training runs and what it keeps, which may be others when it goes on."""
Plan = Mapping[str, Any]
"""Digest of the questions, and each option of training and episodes by its name."""


def plan_of(questions: Sequence[GoldQuestion], episode: EpisodeOptions, options: TrainOptions) -> Plan:
    """The plan of a training."""
    return {"questions": digest(questions), **asdict(options), **asdict(episode)}


def digest(questions: Sequence[GoldQuestion]) -> str:
    """SHA-256 of the texts of questions and their accepted answers, 64 hexadecimal digits."""
    rows = [[question.id, question.text, list(question.answers)] for question in questions]
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()


def keep_plan(plan: Plan, folder: Path) -> None:
    """Write the plan of a training to its folder."""
    write_whole(folder / FILE, json.dumps(plan, indent=1, sort_keys=True) + "\n")


def check_same_plan(plan: Plan, folder: Path) -> None:
    """Check that a training in a folder can go on with a plan.

    Raises:
        InvalidInput: the training began with other questions or options, or its plan cannot be read.
    """
    try:
        known = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInput(
            f"a training goes on with the questions and options in its {FILE}, which cannot be read: {error}; train "
            "into another folder"
        ) from error
    for name in sorted(plan.keys() - _FREE):
        if plan[name] != known.get(name):
            raise InvalidInput(
                f"a training goes on with the questions and options that it began with, got {name}={plan[name]!r} "
                f"instead of {known.get(name)!r}: give that, or train into another folder"
            )
