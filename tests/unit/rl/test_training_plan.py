"""A training goes on with the questions and options that it began with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.rl.options import EpisodeOptions
from tetragraph.rl.train_options import TrainOptions
from tetragraph.rl.training_plan import FILE, Plan, check_same_plan, digest, keep_plan, plan_of


def plan(answer: str = "Ada", turns: int = 5, **options: Any) -> Plan:
    questions = [GoldQuestion("q", "Who?", answers=(answer,))]
    return plan_of(questions, EpisodeOptions(turns=turns), TrainOptions(**options))


def test_a_training_goes_on_for_longer(tmp_path: Path) -> None:
    keep_plan(plan(), tmp_path)
    check_same_plan(plan(), tmp_path)
    check_same_plan(plan(steps=9, epochs=5.0, save_every=1, collapse=0.1), tmp_path)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (plan(answer="Bo"), "got questions='.*' instead of '.*': give that, or train into another folder"),
        (plan(turns=3), "got turns=3 instead of 5"),
        (plan(learning_rate=0.1), "got learning_rate=0.1 instead of 1e-05"),
    ],
)
def test_other_questions_or_options_are_refused(other: Plan, message: str, tmp_path: Path) -> None:
    keep_plan(plan(), tmp_path)
    with pytest.raises(InvalidInput, match=message):
        check_same_plan(other, tmp_path)


def test_a_plan_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for text in (None, "{"):
        if text:
            (tmp_path / FILE).write_text(text)
        with pytest.raises(InvalidInput, match=r"in its training\.json, which cannot be read: "):
            check_same_plan(plan(), tmp_path)


def test_the_digest_depends_on_questions_and_answers() -> None:
    question = GoldQuestion("q", "Who?", answers=("x",))
    assert digest([question]) == digest([question])
    assert digest([question]) != digest([GoldQuestion("q", "Who?", answers=("y",))])
