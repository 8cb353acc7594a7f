"""Countries that a text names."""

from __future__ import annotations

import pytest

from tetragraph.language.lexicon.countries import find_countries


@pytest.mark.parametrize(
    ("text", "countries"),
    [
        ("a Welsh singer", ["United Kingdom"]),
        ("a South African, not an African, writer", ["South Africa"]),
        ("born in Reno, Nevada, U.S.", ["United States", "United States"]),
        ("a Hong Kong film", ["China"]),
        ("polish the brass", []),
        ("Germanys and anti-French", []),
    ],
)
def test_nouns_adjectives_and_states_name_countries(text: str, countries: list[str]) -> None:
    assert [country for _, country in find_countries(text)] == countries
