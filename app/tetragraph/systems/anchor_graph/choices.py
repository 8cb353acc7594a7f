"""The searches between which a policy chooses after a step: which query next, by which variant of the retriever.

Source:
    Original; the actions of a policy in the place of GraphAnchor's rule, which follows one query (2026, equation 3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from tetragraph.model.anchors import AnchorStep
from tetragraph.systems.anchor_graph.ranking import views

PLAIN: Final = "evidence"
"""Variant of the fixed loop."""
READ: Final = "evidence-read"
VARIANTS: Final[Mapping[str, Mapping[str, Any]]] = {PLAIN: {}, READ: {"chain": "read"}}
"""Options of the retriever by the name of a variant."""
MOST_QUERIES: Final = 3
"""Largest number of queries between which a policy chooses, besides the question."""
ChoiceKind: TypeAlias = Literal["stop", "question", "next", "sub-question"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible continuation of a walk.

    Attributes:
        kind: ``stop``; the ``question`` again, by the other variant; ``next``, the query of the fixed loop; another
            ``sub-question``.
        query: The query; empty for ``stop``.
        variant: Variant of the retriever; empty for ``stop``.
    """

    kind: ChoiceKind
    query: str = ""
    variant: str = ""


STOP: Final = Choice("stop")


def has_asked(steps: Sequence[AnchorStep], variant: str) -> bool:
    """Whether a step asked the first query by a variant."""
    return any(step.retriever == variant for step in views(steps))


def next_choices(steps: Sequence[AnchorStep], queries: Sequence[str]) -> tuple[Choice, ...]:
    """The choices after a step.

    Args:
        steps: The steps of a question, the last one just judged; at least one.
        queries: Open queries of the reasoner after that step.

    Returns:
        ``STOP``, the question by the other variant unless a step had it, and the first open queries.
    """
    again = () if has_asked(steps, READ) else (Choice("question", steps[0].query, READ),)
    following = steps[-1].next_query
    kinds: list[tuple[ChoiceKind, str]] = [
        ("next" if query == following else "sub-question", query) for query in queries[:MOST_QUERIES]
    ]
    return (STOP, *again, *(Choice(kind, query, PLAIN) for kind, query in kinds))
