"""What may be promoted, and on which questions a policy may be evaluated."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.rl.search_policy.registry import LEAST, Figures, check_promotable, new_questions, question_key
from tetragraph.stores.policies import PolicyVersion


def version(*evaluations: dict[str, Any], asked: tuple[str, ...] = ()) -> PolicyVersion:
    return PolicyVersion("mine", 1, {"asked": [question_key(text) for text in asked]}, evaluations, False)


def evaluation(
    corpus: str,
    reward: tuple[float, float, float],
    recall: tuple[float, float, float] = (0.0, -0.01, 0.01),
    questions: int = LEAST,
) -> dict[str, Any]:
    figures = {"questions": questions, "recall": 0.8, "fixed_recall": 0.8, "searches": 1.2, "fixed_searches": 2.4}
    return {"corpus": corpus, **figures, "reward_more": reward, "recall_more": recall}


BETTER, UNDECIDED, WORSE = (0.02, 0.01, 0.03), (0.01, -0.01, 0.03), (-0.02, -0.03, -0.01)


def test_a_policy_is_promoted_if_it_is_better_somewhere_and_worse_nowhere() -> None:
    check_promotable(version(evaluation("a", BETTER)))
    check_promotable(version(evaluation("a", BETTER), evaluation("b", UNDECIDED)))
    check_promotable(version(evaluation("a", WORSE), evaluation("a", BETTER)))  # the newest of a corpus counts
    check_promotable(version(evaluation("a", BETTER), evaluation("a", WORSE, questions=LEAST - 1)))
    lower = evaluation("b", UNDECIDED, (-0.006, -0.02, 0.01))
    check_promotable(version(evaluation("a", BETTER, (-0.003, -0.02, 0.01)), lower))  # 0.45 points over both


@pytest.mark.parametrize(
    ("evaluations", "message"),
    [
        ((), "must be evaluated on at least 20 questions that it was not trained on"),
        ((evaluation("a", BETTER, questions=LEAST - 1),), "must be evaluated on at least 20 questions"),
        (
            (evaluation("a", WORSE), evaluation("a", BETTER, questions=1)),
            "worse than the fixed loop on a: 20 questions",
        ),
        ((evaluation("a", UNDECIDED),), r"every interval of the reward holds 0: a: 20 questions, R@5 80\.0"),
        ((evaluation("a", BETTER), evaluation("b", WORSE)), "worse than the fixed loop on b"),
        ((evaluation("a", BETTER), evaluation("a", WORSE)), "worse than the fixed loop on a"),
        ((evaluation("a", BETTER, (-0.02, -0.03, -0.001)),), "worse than the fixed loop on a"),
        ((evaluation("a", BETTER, (-0.006, -0.02, 0.01)),), "mine@1 finds less than the fixed loop: a: 20 questions"),
    ],
)
def test_what_was_not_shown_to_be_better_is_not_promoted(evaluations: tuple[dict[str, Any], ...], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        check_promotable(version(*evaluations))


def test_questions_of_the_training_are_no_evaluation() -> None:
    trained = version(asked=("Who is it?",))
    fresh = GoldQuestion("b", "Where is it?")
    assert new_questions(trained, [GoldQuestion("a", "who is it"), fresh]) == [fresh]
    with pytest.raises(InvalidInput, match="mine@1 was trained on all 1"):
        new_questions(trained, [GoldQuestion("a", "who is it")])


def test_the_reward_counts_what_the_searches_cost() -> None:
    policy, fixed = [(1.0, 1), (0.5, 1)], [(1.0, 3), (1.0, 3)]
    found = Figures.of(policy, fixed, cost=0.1)
    assert (found.questions, found.recall, found.fixed_recall) == (2, 0.75, 1.0)
    assert (found.searches, found.fixed_searches) == (1.0, 3.0)
    assert found.recall_more[0] == pytest.approx(-0.25)
    assert [round(value, 6) for value in found.reward_more] == [-0.05, -0.3, 0.2]
