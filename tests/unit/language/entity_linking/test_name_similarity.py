"""Similarity of names by their letters."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.language.entity_linking.name_similarity import NameProfiles


def similarity(one: str, other: str) -> float:
    return float(NameProfiles([one]).similarities(other)[0])


def test_it_is_the_cosine_of_how_often_three_letters_occur() -> None:
    """`` anan `` and `` ana ``: " an" 1 · 1, "ana" 1 · 1, "nan" 1 · 0, "an " 1 · 0, "na " 0 · 1."""
    assert similarity("anan", "ana") == pytest.approx(2 / (math.sqrt(4) * math.sqrt(3)))
    """`` anana ``: "ana" twice."""
    assert similarity("anana", "ana") == pytest.approx((1 + 2 + 1) / (math.sqrt(1 + 4 + 1 + 1) * math.sqrt(3)))


@pytest.mark.parametrize(
    ("one", "other"), [("Halvik", "halvik"), ("Jean-Luc GODARD’s", "jean luc godard"), ("Pérez", "Perez"), ("A", "a")]
)
def test_spellings_of_one_name_are_the_same(one: str, other: str) -> None:
    assert similarity(one, other) == 1.0


def test_a_misspelled_name_is_likest_to_its_own() -> None:
    names = ["Tomas Reyer", "Tomas Arild", "Reyer Academy", "Old Port"]
    alike = NameProfiles(names).similarities("Thomas Reyer")
    assert int(alike.argmax()) == 0
    assert alike[0] > 0.7 > alike[1:].max()


def test_names_without_a_piece_in_common_are_not_alike() -> None:
    assert similarity("Halvik", "Old Port") == 0.0


def test_no_names_have_no_similarities() -> None:
    assert NameProfiles([]).similarities("Halvik").shape == (0,)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_name_without_letters_is_like_none(place: int) -> None:
    names = ["Halvik", "Old Port"]
    names.insert(place, "!?")
    alike = NameProfiles(names).similarities("Halvik").tolist()
    assert alike.pop(place) == 0.0
    assert alike == [1.0, 0.0]
    assert NameProfiles(names).similarities("").tolist() == [0.0] * 3


def test_only_names_without_letters() -> None:
    assert NameProfiles(["", "…"]).similarities("Halvik").tolist() == [0.0, 0.0]


@given(st.lists(st.text(max_size=12), max_size=6), st.text(max_size=12))
def test_every_similarity_is_between_none_and_all(names: list[str], name: str) -> None:
    alike = NameProfiles(names).similarities(name)
    assert alike.shape == (len(names),)
    assert ((alike >= 0) & (alike <= 1)).all()
