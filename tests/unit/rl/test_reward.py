"""The reward, by hand for every rule of BiG-RAG, section 4.4.3."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.model.episodes import Episode, Reward
from tetragraph.rl.reward import check_rewarded, format_reward, reward_of
from tetragraph.rl.turns import read_turn

QUERY = "<think>Who?</think><query>keeper of Skell</query>"
WRONG = "<query>keeper of Skell</query>"


def episode(*texts: str) -> Episode:
    turns = tuple(read_turn(number, text) for number, text in enumerate(texts, 1))
    return Episode("Where?", "by hand", ("", ""), turns, "answered" if turns and turns[-1].answer else "turns")


def answer(text: str) -> str:
    return f"<think>Found.</think><answer>{text}</answer>"


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([], Reward(0.0, 0.0, -1.0)),
        ([WRONG, WRONG, WRONG], Reward(0.0, 0.0, -1.0)),
        ([WRONG, "<answer>Tarn</answer>"], Reward(0.0, 1.0, -1.0)),
        ([answer("Tarn")], Reward(0.5, 1.0, -0.5)),
        ([QUERY], Reward(0.5, 0.0, -0.5)),
        ([QUERY, QUERY], Reward(1.0, 0.0, 0.0)),
        ([QUERY, WRONG, WRONG], Reward(0.5, 0.0, -0.5)),
        ([QUERY, answer("Tarn")], Reward(1.0, 1.0, 1.0)),
        ([QUERY, QUERY, QUERY, answer("the Tarn.")], Reward(1.0, 1.0, 1.0)),
        ([QUERY, WRONG, answer("Tarn")], Reward(1.0, 1.0, 1.0)),
        ([QUERY, answer("Halvik")], Reward(1.0, 0.0, 0.0)),
        ([QUERY, answer("Tarn in Norway")], Reward(1.0, 0.5, 0.5)),
        ([WRONG, answer("Tarn")], Reward(0.5, 1.0, -0.5)),
    ],
)
def test_rewards_by_hand(turns: list[str], expected: Reward) -> None:
    assert reward_of(episode(*turns), ["Tarn"]) == expected


def test_tokens_are_counted_as_often_as_both_have_them() -> None:
    assert reward_of(episode(QUERY, answer("Tarn Tarn")), ["Tarn"]).answer == pytest.approx(2 / 3)


def test_the_best_of_several_accepted_answers_counts() -> None:
    assert reward_of(episode(QUERY, answer("Tarn")), ["Halvik", "Tarn"]).total == 1.0


def test_without_an_accepted_answer_there_is_no_reward() -> None:
    with pytest.raises(InvalidInput, match="a reward needs an accepted answer, got none for 'Where"):
        reward_of(episode(QUERY), [])


@given(st.lists(st.sampled_from([QUERY, WRONG, "", "x", "<think>"]), max_size=6), st.text(max_size=8))
def test_a_reward_lies_between_its_bounds_and_counts_no_further_turns(texts: list[str], last: str) -> None:
    found = episode(*texts, answer(last))
    reward = reward_of(found, ["Tarn"])
    assert -1.0 <= reward.total <= 1.0
    assert reward.format == format_reward(found.turns)
    assert reward.format in {0.0, 0.5, 1.0}


def test_questions_that_cannot_be_rewarded_are_refused() -> None:
    known, unknown = GoldQuestion("a", "Where?", answers=("Tarn",)), GoldQuestion("b", "Where?")
    assert check_rewarded([known]) == (known,)
    with pytest.raises(InvalidInput, match="question 'b' has none"):
        check_rewarded([known, unknown])
    with pytest.raises(InvalidInput, match="got none"):
        check_rewarded([])
