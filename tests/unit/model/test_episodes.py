"""Episodes of a policy: the facts of their turns, and how they are printed and written as JSON."""

from __future__ import annotations

import json

from tetragraph.model import FoundFact
from tetragraph.model.episodes import Episode, Reward, Turn, found_facts


def turn(number: int, *facts: FoundFact) -> Turn:
    return Turn(number, "<query>Skell</query>", "", "Skell", "", "no <think> block", facts)


def fact(relation: str, score: float) -> FoundFact:
    return FoundFact(1, score, relation, "The keeper of Skell is Tarn.", "keep", 1.0, 1, 0, (), (), ())


def test_a_fact_that_two_turns_found_is_returned_once_as_it_was_first_found() -> None:
    assert found_facts([]) == ()
    found = found_facts([turn(1, fact("b", 0.5), fact("a", 0.4)), turn(2, fact("c", 0.9), fact("b", 0.8))])
    assert [(one.relation, one.score) for one in found] == [("b", 0.5), ("a", 0.4), ("c", 0.9)]


def test_an_episode_prints_its_question_and_its_reward_where_there_is_one() -> None:
    unknown = Episode("Where is Skell?", "by hand", ("", ""), (turn(1),), "turns")
    known = Episode("Where is Skell?", "by hand", ("", ""), (turn(1),), "turns", reward=Reward(0.0, 0.0, -1.0))
    assert repr(unknown) == "Episode('Where is Skell?', 1 turns, turns)"
    assert repr(known) == "Episode('Where is Skell?', 1 turns, turns, reward -1.00)"


def test_an_episode_is_written_with_all_its_fields() -> None:
    found = Episode("Where is Skell?", "by hand", ("Be brief.", "Skell?"), (turn(1, fact("a", 0.5)),), "turns")
    written = json.loads(json.dumps(found.to_dict()))
    assert set(written) == set(Episode.__dataclass_fields__)
    assert written["prompt"] == ["Be brief.", "Skell?"]
    assert written["turns"][0]["facts"][0]["relation"] == "a"
