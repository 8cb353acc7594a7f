"""The reward of an episode.

Source:
    BiG-RAG, section 4.4.3. What it leaves open is decided here: a step is a turn, as appendix D.4 checks the form turn
    by turn; tokens are those of the F1 of SQuAD; of several accepted answers the best match counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.answer_metrics import token_f1
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.evaluate.questions import check_questions
from tetragraph.model.episodes import Episode, Reward, Turn
from tetragraph.validation import check_list

_PER_TURN: Final = 0.5


def format_reward(turns: Sequence[Turn]) -> float:
    """``min(1, 0.5 · number of well-formed turns)``: 0, 0.5 or 1.

    An answer in the first turn therefore has at most 0.5, and its text does not count: one query is always needed.
    """
    return min(1.0, _PER_TURN * sum(turn.is_well_formed for turn in turns))


def check_rewarded(questions: Sequence[GoldQuestion]) -> tuple[GoldQuestion, ...]:
    """Check questions whose episodes are to be rewarded.

    Raises:
        InvalidInput: there are none, one is something else, two have the same id, or one has no accepted answer.
    """
    for question in check_questions(questions):
        if not question.answers:
            raise InvalidInput(
                f"a rollout is rewarded by an accepted answer, and question {question.id!r} has none: add one"
            )
    return tuple(questions)


def reward_of(episode: Episode, accepted: Sequence[str]) -> Reward:
    """``-1 + R_format + [R_format = 1] · R_answer``.

    Args:
        episode: A complete episode.
        accepted: Accepted answers to its question.

    Raises:
        InvalidInput: there is no accepted answer.
    """
    if not accepted:
        raise InvalidInput(f"a reward needs an accepted answer, got none for {episode.question!r:.200}")
    return reward_of_turns(episode.turns, accepted)


def reward_of_turns(turns: Sequence[Turn], accepted: Sequence[str]) -> Reward:
    """The reward of an episode with these turns, as :func:`reward_of`; at least one answer is accepted."""
    form = format_reward(turns)
    given = turns[-1].answer if turns else ""
    answer = token_f1(given, accepted) if given else 0.0
    return Reward(form, answer, -1.0 + form + (answer if form == 1.0 else 0.0))


def check_accepted(answers: object) -> tuple[str, ...]:
    """Check accepted answers that come from outside; none are allowed.

    Raises:
        InvalidInput: they are no list of texts, or one is empty.
    """
    check_list("answers", answers, str, "texts, such as ['Oslo']")
    accepted = tuple(cast("Sequence[str]", answers))
    if not all(map(str.strip, accepted)):
        raise InvalidInput(f"an accepted answer must not be empty, got {answers!r:.100}")
    return accepted
