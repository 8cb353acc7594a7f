"""Choose passages one after the other, by what each adds to those already chosen.

Source:
    design of the evidence walk, section 2.5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SelectionOptions:
    """Constants of the selection.

    Attributes:
        coverage: Weight of the question's terms that a passage holds and no earlier pick does.
        link: Added when an earlier pick mentions the passage's title.
        picks: The first picks are chosen in turn; all others are judged against these.
    """

    coverage: float = 1.5
    link: float = 0.2
    picks: int = 3


@dataclass(frozen=True, slots=True)
class Selection:
    """Passages in order of choice, with what was added to the score of each.

    Attributes:
        order: ``(passages,)`` places.
        coverage: ``(passages,)`` in that order: ``weight gain``.
        link: ``(passages,)`` likewise.
    """

    order: Rows
    coverage: Floats
    link: Floats


def select(
    scores: Floats, holds: Flags, information: Floats, linked: Callable[[int], Flags], options: SelectionOptions
) -> Selection:
    """Order passages by ``score + coverage gain + link``, the first few greedily.

    ``gain(p)`` is the share of the question's information (its terms, weighted by idf) that ``p`` holds and no pick
    holds; ``link(p)`` is 1 if a pick mentions the title of ``p``. The first pick is the highest score alone.

    Args:
        scores: ``(passages,)``, finite.
        holds: ``(terms, passages)`` whether a passage holds a term of the question.
        information: ``(terms,)`` weights above 0.
        linked: Place of a pick to ``(passages,)``: whose title it mentions.
        options: The weights.
    """
    share = information / information.sum() if len(information) else information
    missing = np.ones(len(share), dtype=bool)
    is_linked = np.zeros(len(scores), dtype=bool)
    gain, link = np.zeros(len(scores)), np.zeros(len(scores))
    picked: list[int] = []
    kept: list[tuple[float, float]] = []
    for _ in range(min(options.picks, len(scores))):
        values = scores + gain + link
        values[picked] = -np.inf
        best = int(np.argmax(values))
        picked.append(best)
        kept.append((float(gain[best]), float(link[best])))
        missing &= ~holds[:, best]
        is_linked |= linked(best)
        gain = options.coverage * ((share * missing) @ holds)
        link = options.link * is_linked
    rest = np.delete(np.arange(len(scores)), picked)
    values = (scores + gain + link)[rest]
    rest = rest[np.argsort(-values, kind="stable")]
    first = np.array(kept).reshape(-1, 2)
    return Selection(
        np.concatenate([np.array(picked, dtype=np.int64), rest]),
        np.concatenate([first[:, 0], gain[rest]]),
        np.concatenate([first[:, 1], link[rest]]),
    )
