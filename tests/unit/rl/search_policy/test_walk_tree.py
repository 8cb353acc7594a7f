"""Recorded walks: every way of a question once, each search once, and the way of the fixed loop among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from tetragraph.model import Chunk, Hit
from tetragraph.model.anchors import AnchorStep
from tetragraph.rl.search_policy.train import fixed_walk
from tetragraph.rl.search_policy.walk_tree import END, TreeRecorder
from tetragraph.systems.anchor_graph import AnchorOptions, Choose, Walker
from tetragraph.systems.anchor_graph.choices import PLAIN, READ
from tetragraph.systems.anchor_graph.reasoner import ReasonerInput, ReasonerOutput, Update

Retrieve = Callable[[str], Sequence[Hit]]


class Counting:
    """A reasoner with one new query after each step, which finds the evidence sufficient after some steps."""

    name = "counting"

    def __init__(self, sufficient_after: int) -> None:
        self._sufficient_after = sufficient_after

    def reason(self, situation: ReasonerInput) -> ReasonerOutput:
        number = len(situation.steps) + 1
        query = f"q{number}"
        if number >= self._sufficient_after:
            return ReasonerOutput(Update(), "", "sufficient", "", open_queries=(query,))
        return ReasonerOutput(Update(), "", "insufficient", query, open_queries=(query,))


@pytest.mark.parametrize(("sufficient_after", "steps"), [(1, 3), (2, 3), (9, 3), (9, 2)])
def test_all_ways_are_walked_and_the_fixed_one_is_marked(sufficient_after: int, steps: int) -> None:
    asked: Counter[tuple[str, str]] = Counter()

    def search(variant: str) -> Retrieve:
        def retrieve(query: str) -> Sequence[Hit]:
            asked[variant, query] += 1
            name = f"{query} {variant}"
            return [Hit(1, 1.0, Chunk(name, f"d-{name}", name, name, "Text.", 0, 0, 5, 1))]

        return retrieve

    def make(choose: Choose | None) -> Walker:
        variants = {name: search(name) for name in (PLAIN, READ)}
        reasoner = Counting(sufficient_after)
        return Walker(
            search(PLAIN), reasoner, AnchorOptions(steps=steps), lambda _: {}, choose=choose, variants=variants
        )

    def score(walked: Sequence[AnchorStep]) -> float:
        return sum(hit.chunk.id == f"q1 {PLAIN}" for step in walked for hit in step.hits) / 2

    walk = make(None).collect_steps("q0")
    asked.clear()
    tree = TreeRecorder(make, score).record("id", "q0")
    assert fixed_walk(tree) == (score(walk.steps), len(walk.steps))
    assert asked.pop((PLAIN, "q0")) == 1
    assert set(asked.values()) == {1}
    assert len(tree.recall) == {2: 3, 3: 6}[steps]  # after q0: reading or q1; then q2, and reading after q1
    assert (tree.child == END).sum() == len(tree.recall)
    assert tree.begins.tolist() == [0]
