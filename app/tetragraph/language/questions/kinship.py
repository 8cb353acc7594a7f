"""Compound kinships as two simple ones: a grandfather is the father of a parent, as chunks mostly state it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_PARENTS: Final = {"paternal": "father", "maternal": "mother", "": "parent"}
_KIN: Final = {
    "grandfather": ("", "father"),
    "grandmother": ("", "mother"),
    "grandparent": ("", "parent"),
    "uncle": ("", "brother"),
    "aunt": ("", "sister"),
    "father-in-law": ("spouse", "father"),
    "mother-in-law": ("spouse", "mother"),
    "stepmother": ("father", "wife"),
    "stepfather": ("mother", "husband"),
    "nephew": ("sibling", "son"),
    "niece": ("sibling", "daughter"),
    "grandson": ("child", "son"),
    "granddaughter": ("child", "daughter"),
}
"""A kinship as a chain of two; an empty text stands for a parent, whose side a preceding word may specify."""
_COMPOUND = rf"(?:(paternal|maternal)\s+)?({'|'.join(_KIN)})"
_OWNED = re.compile(rf"(['’]s?\s+){_COMPOUND}\b")
_OF = re.compile(rf"\bthe\s+{_COMPOUND}\s+of\b")


def write_out(question: str, names: Sequence[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """Write the compound kinships of a question as two simple ones; also returns the new offsets of its names.

    Args:
        question: Text of the question.
        names: Character offsets of its names, ascending, without overlaps; names are not changed.

    >>> write_out("Who is Anna's paternal grandfather?", [(7, 11)])
    ("Who is Anna's father's father?", [(7, 11)])
    """
    text = ""
    moved: list[tuple[int, int]] = []
    done = 0
    for start, end in [*names, (len(question), len(question))]:
        text += _OF.sub(_with_of, _OWNED.sub(_with_owner, question[done:start]))
        if end > start:
            moved.append((len(text), len(text) + end - start))
        text += question[start:end]
        done = end
    return text, moved


def _with_owner(match: re.Match[str]) -> str:
    whose, kin = _two(match[2], match[3])
    return f"{match[1]}{whose}'s {kin}"


def _with_of(match: re.Match[str]) -> str:
    whose, kin = _two(match[1], match[2])
    return f"the {kin} of the {whose} of"


def _two(side: str | None, kin: str) -> tuple[str, str]:
    whose, what = _KIN[kin]
    return whose or _PARENTS[side or ""], what
