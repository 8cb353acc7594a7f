"""A policy in the loop: what it can choose between, by which features, and what a walk makes of its choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tetragraph.algorithms.policy_network import PolicyNetwork
from tetragraph.errors import InvalidInput, StoreError
from tetragraph.model import Bridge, ChainStep, Chunk, Hit
from tetragraph.model.anchors import AnchorStep, AnchorWalk
from tetragraph.stores.policies import PolicyStore
from tetragraph.systems.anchor_graph.choices import PLAIN, READ, STOP, Choice, next_choices
from tetragraph.systems.anchor_graph.features import FEATURES, VERSION, features
from tetragraph.systems.anchor_graph.loop import Choose, Walker
from tetragraph.systems.anchor_graph.options import AnchorOptions
from tetragraph.systems.anchor_graph.policy import SearchPolicy, load_policy
from tetragraph.systems.anchor_graph.reasoner import ReasonerInput, ReasonerOutput, Update

CHAIN = (
    ChainStep("the mayor of Halvik", (), (Bridge("e", "Orla", 0.9),), (("q0 a", 0.7),)),
    ChainStep("the sister of #1", (1,), (), ()),
)


def hit(name: str, rank: int) -> Hit:
    return Hit(rank, 1 / rank, Chunk(name, f"d-{name}", name, name, f"About {name}.", 0, 0, 9, 3))


class Asking:
    """A reasoner with two open queries after each step."""

    name = "asking"

    def reason(self, situation: ReasonerInput) -> ReasonerOutput:
        number = len(situation.steps) + 1
        queries = (f"q{number}", f"q{number}b")
        return ReasonerOutput(Update(), "", "insufficient", queries[0], chain=CHAIN, open_queries=queries)


def walk(choose: Choose | None, steps: int = 4) -> AnchorWalk:
    def variant(name: str, query: str) -> Sequence[Hit]:
        return [hit(f"{query} a", 1), hit(f"{query} {name}", 2)]

    variants = {name: lambda query, name=name: variant(name, query) for name in (PLAIN, READ)}
    made = Walker(
        variants[PLAIN], Asking(), AnchorOptions(steps=steps), lambda keys: {}, choose=choose, variants=variants
    )
    return made.collect_steps("q0")


def test_a_policy_chooses_queries_variants_and_the_end() -> None:
    seen: list[tuple[Choice, ...]] = []
    wanted = ["question", "sub-question", "stop"]

    def choose(steps: Sequence[AnchorStep], queries: Sequence[str]) -> Choice:
        choices = next_choices(steps, queries)
        seen.append(choices)
        return next(one for one in choices if one.kind == wanted[len(steps) - 1])

    found = walk(choose)
    assert seen[0] == (
        STOP,
        Choice("question", "q0", READ),
        Choice("next", "q1", PLAIN),
        Choice("sub-question", "q1b", PLAIN),
    )
    assert [one.kind for one in seen[1]] == ["stop", "next", "sub-question"]
    assert [(step.query, step.retriever) for step in found.steps] == [("q0", PLAIN), ("q0", READ), ("q2b", PLAIN)]
    assert [(step.next_query, step.next_retriever) for step in found.steps] == [("q0", READ), ("q2b", PLAIN), ("", "")]
    assert found.stopped == "policy"
    assert found.steps[1].hits[1].chunk.id == f"q0 {READ}"


def test_the_limit_of_steps_holds_for_a_policy_and_a_repeated_query_ends_its_walk() -> None:
    assert walk(lambda steps, queries: Choice("next", queries[0], PLAIN), steps=2).stopped == "steps"
    assert walk(lambda steps, queries: Choice("question", "q0", PLAIN)).stopped == "repeated query"


def test_a_walk_of_a_policy_that_was_interrupted_goes_on_as_it_would_have() -> None:
    def choose(steps: Sequence[AnchorStep], queries: Sequence[str]) -> Choice:
        return next_choices(steps, queries)[1] if len(steps) < 3 else STOP

    whole = walk(choose)
    made = Walker(lambda query: (), Asking(), AnchorOptions(), lambda keys: {}, choose=choose)
    assert made.find_end(whole.steps[:2]) is None
    assert made.find_end(whole.steps) == "policy"


def test_features_say_what_is_chosen_and_what_is_known() -> None:
    steps = walk(None, steps=1).steps
    choices = next_choices(steps, ("q1", "q1b"))
    found = features(steps, choices)
    rows = [{name: value for name, value in zip(FEATURES, row, strict=True) if value} for row in found.tolist()]
    state = {"steps": 0.25, "two_sub_questions": 1.0, "in_chain": 0.5}
    assert rows == [
        {"stop": 1.0, **{f"stop_{name}": value for name, value in state.items()}},
        {"question": 1.0, **{f"question_{name}": value for name, value in state.items()}},
        {"next": 1.0, **{f"query_{name}": value for name, value in state.items()}},
        {"sub_question": 1.0, "is_last": 1.0, **{f"query_{name}": value for name, value in state.items()}},
    ]
    again = (*steps, replace(steps[0], number=2, retriever=READ, judgement="sufficient"))
    row = dict(zip(FEATURES, features(again, next_choices(again, ()))[0].tolist(), strict=True))
    assert (row["stop_asked_read"], row["stop_is_sufficient"], row["stop_steps"]) == (1.0, 1.0, 0.5)


def test_a_stored_policy_takes_the_choice_of_the_highest_score(tmp_path: Path) -> None:
    store = PolicyStore(tmp_path)
    arrays = PolicyNetwork.untrained(np.eye(len(FEATURES)), 2, seed=0).to_arrays()
    arrays |= {"output": np.zeros(2), "direct": np.array([float(name == "question") for name in FEATURES])}
    store.add("asks", arrays, {"features": VERSION})
    store.add("old", arrays, {"features": "another"})
    policy = load_policy(store, "asks@1")
    steps = walk(None, steps=1).steps
    assert policy.choose(steps, ("q1",)).kind == "question"
    even = SearchPolicy(PolicyNetwork(**{**arrays, "direct": np.zeros(len(FEATURES))}))
    assert even.choose(steps, ("q1",)) == STOP  # of equal scores the first
    with pytest.raises(StoreError, match="policy old@1 was trained with features 'another'"):
        load_policy(store, "old@1")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"retriever": "dense"}, "needs retriever 'evidence', got 'dense'"),
        ({"reasoner": "llm"}, "needs reasoner 'token_free', got 'llm'"),
        ({"graph": False}, "needs graph True, got False"),
        ({"mode": "paper", "retriever": "evidence"}, "needs mode 'tetragraph', got 'paper'"),
    ],
)
def test_a_policy_is_refused_where_it_cannot_choose(options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        AnchorOptions(policy="mine", **options)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="policy must be the name of a policy, got 3"):
        AnchorOptions(policy=3)  # type: ignore[arg-type]
