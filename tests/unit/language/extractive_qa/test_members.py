"""Numbers of members that texts state of groups."""

from __future__ import annotations

import pytest

from tetragraph.language.extractive_qa.members import find_members


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("The Gulls are a trio. Later the band had four members.", 3),
        ("A five piece band from Halvik.", 5),
        ("The band has 6 members, among them Ida Holt and Per Lind.", 6),
        ("The band consists of singer and guitarist Ida Holt, drummer Per Lind and Eli Moe (bass, Moog).", 3),
        ("The current line-up is Ida Holt/Per Lind.", 2),
        ('Its members were Ida "Gull, the" Holt, Per Lind & Eli Moe; all of them sang.', 3),
        ("The Reeds are a band formed in 2007 in Halvik by Ida Holt (harp), Per Lind (drums) and Eli Moe.", 3),
        ("The Reeds were founded by Ida Holt.", None),
        ("The album consists of four songs and a poem.", None),
        ("", None),
    ],
)
def test_members_are_stated_or_listed(text: str, number: float | None) -> None:
    found = find_members(text)
    assert (found and found.value) == number
    assert found is None or text[slice(*found.place)]
