"""Scores of a policy that was not trained."""

from __future__ import annotations

from benchmarks import untrained_policy
from benchmarks.__main__ import ON_DEMAND, PARTS

from tetragraph.evaluate.model import GoldQuestion
from tetragraph.model.episodes import Episode, Reward
from tetragraph.rl.rollouts import Rollout
from tetragraph.rl.turns import read_turn


def rollout(total: float, *texts: str) -> Rollout:
    turns = tuple(read_turn(number, text) for number, text in enumerate(texts, 1))
    episode = Episode("Where?", "p", ("", ""), turns, "turns", reward=Reward(0.5, 0.0, total))
    return Rollout(GoldQuestion("q", "Where?", answers=("Tarn",)), episode)


def test_episodes_are_scored_in_per_cent_and_their_turns_counted_together() -> None:
    query = "<think>a</think><query>b</query>"
    found = untrained_policy.policy_scores(
        [rollout(1.0, query, query, "<think>c</think><answer>the Tarn</answer>"), rollout(-0.5, "no")]
    )
    assert found == {
        "questions": 2,
        "EM": 50.0,
        "F1": 50.0,
        "well-formed turns": 75.0,
        "answered": 50.0,
        "turns": 2.0,
        "reward": 0.25,
    }


def test_the_part_runs_on_demand_alone() -> None:
    assert "untrained_policy" in ON_DEMAND
    assert "untrained_policy" in PARTS
