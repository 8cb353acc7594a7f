"""All walks of one question: a tree of states, of which each choice leads to another state or ends the walk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np

from tetragraph.arrays import Array, Flags, Floats, Longs
from tetragraph.model import Hit
from tetragraph.model.anchors import AnchorStep
from tetragraph.systems.anchor_graph import Choose, Walker
from tetragraph.systems.anchor_graph.choices import STOP, Choice, next_choices
from tetragraph.systems.anchor_graph.features import features

END: Final = -1
"""Child of a choice that ends the walk."""
Score = Callable[[Sequence[AnchorStep]], float]
"""Returns the reward of the chunks of some steps, 0 to 1."""


@dataclass(frozen=True, slots=True)
class WalkTree:
    """The states of the walks of a question, numbered so that a state precedes those after it.

    State 0 is that after the first search, which all walks have in common.

    Attributes:
        question: Id of the question.
        features: ``(choices, features)`` features of all choices of all states, those of one state together.
        state: ``(choices,)`` number of the state of each choice, ascending.
        child: ``(choices,)`` state that a choice leads to, ``END`` for the end of the walk.
        is_fixed: ``(choices,)`` whether it is what the fixed loop does in that state; one in each state.
        recall: ``(states,)`` share of the gold among the first five chunks if the walk ends there.
    """

    question: str
    features: Floats
    state: Longs
    child: Longs
    is_fixed: Flags
    recall: Floats

    def arrays(self) -> dict[str, Array]:
        """All arrays by name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "question"}

    @classmethod
    def joined(cls, trees: Sequence[Self]) -> Self:
        """Several trees as one that begins in several states; see :attr:`begins`."""
        counts = [len(tree.recall) for tree in trees]
        offsets = np.concatenate([[0], np.cumsum(counts)])[:-1]
        both = [(tree, offset) for tree, offset in zip(trees, offsets, strict=True)]
        return cls(
            "",
            np.concatenate([tree.features for tree in trees]),
            np.concatenate([tree.state + offset for tree, offset in both]),
            np.concatenate([np.where(tree.child == END, END, tree.child + offset) for tree, offset in both]),
            np.concatenate([tree.is_fixed for tree in trees]),
            np.concatenate([tree.recall for tree in trees]),
        )

    @property
    def begins(self) -> Longs:
        """States that no choice leads to, ascending."""
        is_reached = np.zeros(len(self.recall), dtype=bool)
        is_reached[self.child[self.child != END]] = True
        return np.flatnonzero(~is_reached)

    def outcome(self, chosen: Longs) -> tuple[float, int]:
        """Recall and number of searches of a walk.

        Args:
            chosen: ``(states,)`` number of the choice in each state.
        """
        state, searches = 0, 1
        while (child := int(self.child[chosen[state]])) != END:
            state, searches = child, searches + 1
        return float(self.recall[state]), searches


@dataclass(frozen=True, slots=True)
class _State:
    features: Floats
    children: list[int]
    fixed: int
    recall: float


class TreeRecorder:
    """Walks all ways of a question.

    Args:
        make_walker: Returns the walker of the question, given the function that chooses for it.
        score: Reward of some steps.
    """

    def __init__(self, make_walker: Callable[[Choose], Walker], score: Score) -> None:
        walker = make_walker(self._choose)
        retrieve = {name: _remember(search) for name, search in walker.variants.items()}
        self._walker = replace(walker, variants=retrieve)
        self._fixed = replace(walker, choose=None)
        self._score = score
        self._queries: Sequence[str] = ()
        self._judged: AnchorStep | None = None
        self._states: list[_State] = []

    def record(self, question_id: str, question: str) -> WalkTree:
        """The tree of a question."""
        self._states = []
        self._add(question, self._take(question, ()))
        sizes = [len(state.children) for state in self._states]
        fixed = [place == state.fixed for state in self._states for place in range(len(state.children))]
        return WalkTree(
            question_id,
            np.concatenate([state.features for state in self._states]),
            np.repeat(np.arange(len(sizes)), sizes),
            np.array([child for state in self._states for child in state.children], dtype=np.int64),
            np.array(fixed, dtype=bool),
            np.array([state.recall for state in self._states]),
        )

    def _add(self, question: str, steps: tuple[AnchorStep, ...]) -> int:
        """Add the state after some steps, and all states after it; its number."""
        is_last = len(steps) >= self._walker.options.steps
        choices = (STOP,) if is_last else next_choices(steps, self._queries)
        kind = "next" if self._fixed.find_end(steps) is None else STOP.kind
        fixed = [choice.kind for choice in choices].index(kind)
        number = len(self._states)
        state = _State(features(steps, choices), [], fixed, self._score(steps))
        self._states.append(state)
        for choice in choices:
            state.children.append(END if choice == STOP else self._add(question, self._take(question, steps, choice)))
        return number

    def _take(self, question: str, steps: tuple[AnchorStep, ...], choice: Choice = STOP) -> tuple[AnchorStep, ...]:
        """The steps with one more, as it was judged; the first one without a choice."""
        before: tuple[AnchorStep, ...] = ()
        if steps:
            before = (*steps[:-1], replace(steps[-1], next_query=choice.query, next_retriever=choice.variant))
        self._judged, self._queries = None, ()
        found = next(self._walker.walk(question, steps=before))
        return (*steps, self._judged or found)

    def _choose(self, steps: Sequence[AnchorStep], queries: Sequence[str]) -> Choice:
        """Remember what there is to choose from."""
        self._judged, self._queries = steps[-1], queries
        return STOP


def _remember(retrieve: Callable[[str], Sequence[Hit]]) -> Callable[[str], Sequence[Hit]]:
    known: dict[str, Sequence[Hit]] = {}

    def search(query: str) -> Sequence[Hit]:
        if query not in known:
            known[query] = retrieve(query)
        return known[query]

    return search
