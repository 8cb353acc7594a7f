"""Features of the choices of a policy: numbers that a stored session has, too, so that a resumed one chooses alike.

Nothing of the words of question or corpus is a feature, so that a policy can be used with other corpora.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tetragraph.arrays import Floats
from tetragraph.model import content_id
from tetragraph.model.anchors import AnchorStep
from tetragraph.systems.anchor_graph.choices import READ, Choice, has_asked
from tetragraph.systems.anchor_graph.ranking import chain_of, rank

_TOP: Final = 5
_CHOICE: Final = ("stop", "question", "next", "sub_question", "is_last")
"""Kind of the choice, and whether it is the last query, which comes nearest to the answer."""
_STATE: Final = (
    "steps",
    "is_sufficient",
    "one_sub_question",
    "two_sub_questions",
    "three_sub_questions",
    "more_sub_questions",
    "in_chain",
    "asked_read",
)
"""A quarter of the number of steps, the judgement, the number of sub-questions, the share of the first five chunks that
answer one, and whether the other variant was asked."""
_GROUPS: Final = ("stop", "question", "query")
FEATURES: Final = (*_CHOICE, *(f"{group}_{name}" for group in _GROUPS for name in _STATE))
"""Names of the features: those of the choice, and those of the state for each of three groups of choices."""
VERSION: Final = content_id(*FEATURES)[:12]
"""Changes with the names of the features; a policy serves only with the version that it was trained with."""


def features(steps: Sequence[AnchorStep], choices: Sequence[Choice]) -> Floats:
    """``(choices, features)`` features of the choices after some steps.

    Args:
        steps: Steps of the question, the last one judged; at least one.
        choices: The choices; at least one.
    """
    state = _state(steps)
    last_query = next((one for one in reversed(choices) if one.kind in ("next", "sub-question")), None)
    found = np.zeros((len(choices), len(FEATURES)))
    for row, choice in enumerate(choices):
        kinds = (choice.kind == kind for kind in ("stop", "question", "next", "sub-question"))
        found[row, : len(_CHOICE)] = (*kinds, choice is last_query)
        group = _GROUPS.index(choice.kind) if choice.kind in _GROUPS else len(_GROUPS) - 1
        begin = len(_CHOICE) + group * len(_STATE)
        found[row, begin : begin + len(_STATE)] = state
    return found


def _state(steps: Sequence[AnchorStep]) -> tuple[float, ...]:
    """The features ``_STATE``."""
    count = len(chain_of(steps)) or 1
    ranked = rank(steps, _TOP)
    return (
        len(steps) / 4,
        steps[-1].judgement == "sufficient",
        count == 1,
        count == 2,
        count == 3,
        count > 3,
        sum(hit.parts["chain"] > 0 for hit in ranked) / max(len(ranked), 1),
        has_asked(steps, READ),
    )
