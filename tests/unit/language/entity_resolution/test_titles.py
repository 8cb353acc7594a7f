"""Brackets and commas of titles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tetragraph.language.entity_resolution.model import Merge, Resolution
from tetragraph.language.entity_resolution.resolve import resolve

Make = Callable[..., Any]


def test_a_title_with_a_bracket_is_the_bare_name(fact: Make, passage: Make) -> None:
    found = resolve([passage("Nightfall (film)", fact("Nightfall (film):WORK", "Jane Doe:PERSON"))], None, [])
    assert found.merges == (Merge("nightfall film", "nightfall", "Nightfall (film)", "qualifier", 1.0),)


def test_where_two_titles_have_a_bare_name_it_means_each_in_its_own_document(fact: Make, passage: Make) -> None:
    film = passage("Nightfall (film)", fact("Nightfall (film):WORK", "Nightfall:WORK"))
    song = passage("Nightfall (song)", fact("Nightfall (song):WORK", "Nightfall:WORK"))
    found = resolve([film, song], None, [])
    assert [found.entity("Nightfall", title) for title in ("Nightfall (film)", "Nightfall (song)", "Other")] == [
        "nightfall film",
        "nightfall song",
        "nightfall",
    ]
    assert found.entity("Nightfall (film)", "Other") == "nightfall film"


def test_a_title_without_a_bracket_keeps_the_bare_name(fact: Make, passage: Make) -> None:
    city = passage("Mercury", fact("Mercury:PLACE", "Alda:PLACE"))
    film = passage("Mercury (film)", fact("Mercury (film):WORK", "Mercury:WORK"))
    found = resolve([city, film], None, [])
    assert found.entity("Mercury", "Mercury") == "mercury"
    assert found.entity("Mercury", "Mercury (film)") == found.entity("Mercury (film)", "Other") == "mercury film"


def meant_elsewhere(film: str, name: str, fact: Make, passage: Make, *, said: str, shared: bool = False) -> Resolution:
    own = [fact(f"{film}:{'WORK' if 'film' in film else 'PERSON'}", "Jane Doe:PERSON")]
    other = [fact(name, "Kay Roe:PERSON", said=said), *([fact("Jane Doe:PERSON", "Oslo:PLACE")] if shared else [])]
    return resolve([passage(film, *own), passage("Other", *other)], None, [])


ELSEWHERE = {
    "a word of the bracket is said": ("Sol (director)", "Sol:PERSON", "a play directed by Sol", False, True),
    "somebody few name is named": ("Sol (director)", "Sol:PERSON", "Sol sat", True, True),
    "nothing shows it": ("Sol (director)", "Sol:PERSON", "Sol sat", False, False),
    "a word of the name is said": ("Sol Hall (University Hall)", "Sol Hall:PERSON", "Sol Hall sat", False, False),
    "a work of others is meant": ("Night Sol (film)", "Night Sol:WORK", "the book Night Sol", True, False),
    "a part of a work": ("Night Sol (season 2)", "Night Sol:WORK", "a season of Night Sol", True, False),
    "it is of another type": ("Sol (director)", "Sol:PLACE", "directed at Sol", True, False),
    "it is a common noun": ("Sol (film)", "sol:CONCEPT", "a film in sol", True, False),
    "a work is meant": ("Night Sol (film)", "Night Sol:WORK", "the film Night Sol", False, True),
    "the year is that of another work": ("Night Sol (1990 film)", "Night Sol:WORK", "the film Night Sol", True, False),
    "the year is said": ("Night Sol (1990 film)", "Night Sol:WORK", "the 1990 film Night Sol", False, True),
}


@pytest.mark.parametrize(("title", "name", "said", "shared", "is_meant"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_another_document_must_show_that_it_means_the_title(
    title: str, name: str, said: str, shared: bool, is_meant: bool, fact: Make, passage: Make
) -> None:
    found = meant_elsewhere(title, name, fact, passage, said=said, shared=shared)
    bare = name.partition(":")[0]
    assert (found.entity(bare, "Other") == found.entity(title, title)) == is_meant


def test_documents_that_show_it_mean_the_title_and_others_do_not(fact: Make, passage: Make) -> None:
    own = passage("Sol (director)", fact("Sol (director):PERSON", "Sol:PERSON"))
    shows = passage("Play", fact("Play:WORK", "Sol:PERSON", said="Play directed by Sol"))
    silent = passage("Ship", fact("Ship", "Sol:PERSON", said="Ship sunk by Sol"))
    found = resolve([own, shows, silent], None, [])
    meant = {title: found.entity("Sol", title) for title in ("Sol (director)", "Play", "Ship")}
    assert meant == {"Sol (director)": "sol director", "Play": "sol director", "Ship": "sol"}


def test_what_a_document_means_as_a_date_is_not_its_title(fact: Make, passage: Make) -> None:
    found = resolve([passage("1984 (opera)", fact("1984 (opera):WORK", "1984:DATE"))], None, [])
    assert found.merges == ()


def place(fact: Make, passage: Make, *said: str) -> Resolution:
    titles = [passage(f"Plano, {state}", fact(f"Plano, {state}:PLACE", "river:CONCEPT")) for state in ("Texas", "Iowa")]
    facts = [fact("Plano:PLACE", f"Ann {number}:PERSON", said=words) for number, words in enumerate(said)]
    return resolve([*titles, passage("Other", *facts)], None, [])


SAID = {
    "it says what comes after the comma": (["Ann lived in Plano, Texas"], "plano texas"),
    "it says no more than the name": (["Ann lived in Plano"], "plano"),
    "it says it once": (["Ann lived in Plano, Texas", "Ann left Plano"], "plano texas"),
    "it says two of them": (["Ann lived in Plano, Texas", "Bea in Plano, Iowa"], "plano"),
    "other words are between": (["Ann left Plano", "Texas is far"], "plano"),
}


@pytest.mark.parametrize(("said", "meant"), SAID.values(), ids=SAID)
def test_a_name_before_a_comma_means_the_title_where_the_document_says_the_rest(
    said: list[str], meant: str, fact: Make, passage: Make
) -> None:
    assert place(fact, passage, *said).entity("Plano", "Other") == meant


def test_a_document_that_names_two_earls_of_a_name_means_neither(fact: Make, passage: Make) -> None:
    earl = passage("Guy Rowe, 9th Earl of Ware", fact("Guy Rowe, 9th Earl of Ware:PERSON", "Ware:PLACE"))
    other = passage(
        "Other",
        fact("Guy Rowe:PERSON", "Ann:PERSON", said="Ann is the daughter of Guy Rowe, 6th Earl of Ware"),
        fact("Guy Rowe:PERSON", "nephew:CONCEPT", said="her nephew Guy Rowe, 9th Earl of Ware"),
    )
    assert resolve([earl, other], None, []).entity("Guy Rowe", "Other") == "guy rowe"
