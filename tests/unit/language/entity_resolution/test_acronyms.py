"""Abbreviations and fuller names that a text states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tetragraph.language.entity_resolution.acronyms import fits_letters
from tetragraph.language.entity_resolution.resolve import resolve

Make = Callable[..., Any]


def abbreviated(full: str, short: str, fact: Make) -> Any:
    return fact(f"{full}:ORGANIZATION", f"{short}:ORGANIZATION", kind="abbreviated")


def test_an_abbreviation_that_the_text_explains_is_the_name(fact: Make, passage: Make) -> None:
    found = resolve([passage("Ann", abbreviated("World Rowing Union", "WRU", fact))], None, [])
    assert [(merge.alias, merge.entity, merge.reason) for merge in found.merges] == [
        ("wru", "world rowing union", "acronym")
    ]


def test_an_abbreviation_that_means_two_things_means_each_where_it_is_explained(fact: Make, passage: Make) -> None:
    rowing = passage("Ann", abbreviated("World Rowing Union", "WRU", fact))
    radio = passage("Bea", abbreviated("West Radio Unit", "WRU", fact))
    found = resolve([rowing, radio], None, [])
    assert [found.entity("WRU", title) for title in ("Ann", "Bea", "Cleo")] == [
        "world rowing union",
        "west radio unit",
        "wru",
    ]


def test_a_short_abbreviation_holds_elsewhere_only_where_two_documents_explain_it(fact: Make, passage: Make) -> None:
    explaining = [passage(title, abbreviated("World Union", "WU", fact)) for title in ("Ann", "Bea")]
    silent = passage("Cleo", fact("Cleo:PERSON", "WU:ORGANIZATION"))
    once, twice = (resolve([*explaining[:count], silent], None, []) for count in (1, 2))
    assert once.entity("WU", "Cleo") != once.entity("World Union", "Cleo")
    assert twice.entity("WU", "Cleo") == twice.entity("World Union", "Cleo")


LETTERS = {
    "initials": ("nba", "national basketball association", True),
    "dotted": ("u s", "united states of america", True),
    "all of them": ("u s a", "united states of america", True),
    "small words count or not": ("wota", "war of the ants", True),
    "beginnings of words": ("alco", "american locomotive company", True),
    "digits": ("doa5", "dead or alive 5", True),
    "one word left out of four": ("huac", "house un american activities committee", True),
    "another word": ("fifa", "world football federation", False),
    "a word left out of two": ("tt", "trinidad and tobago dollar", False),
    "one word": ("na", "nationalism", False),
    "letters too many": ("nbax", "national basketball association", False),
}


@pytest.mark.parametrize(("short", "full", "fits"), LETTERS.values(), ids=LETTERS)
def test_letters_fit_the_beginnings_of_the_words(short: str, full: str, fits: bool) -> None:
    assert fits_letters(short, full) == fits


def test_an_abbreviation_whose_letters_do_not_fit_is_none(fact: Make, passage: Make) -> None:
    assert resolve([passage("Ann", abbreviated("World Rowing Union", "WXU", fact))], None, []).merges == ()


def named(title: str, other: str, kind: str, fact: Make) -> Any:
    return fact(f"{title}:{kind}", f"{other}:{kind}", kind="named")


FULLER = {
    "more given names": ("Ann Roe", "Ann Beatrice Roe", "PERSON", "fuller name"),
    "an initial written out": ("Ann B. Roe", "Ann Beatrice Roe", "PERSON", "fuller name"),
    "a nickname": ("Bill Roe", "William Thomas Roe", "PERSON", "fuller name"),
    "a shorter given name": ("Chris Roe", "Christopher Roe", "PERSON", "fuller name"),
    "another name of three words": ("Rex Stone", "Albert John Miller", "PERSON", "fuller name"),
    "somebody of one surname": ("Ann Roe", "Kay Roe", "PERSON", ""),
    "another numeral": ("Otto II of Ware", "Otto III of Ware", "PERSON", ""),
    "a company's full form": ("Air Ware", "Air Ware Limited", "ORGANIZATION", "fuller name"),
    "what is in a place": ("Ware", "Ware Forest", "ORGANIZATION", ""),
    "a kind of a thing": ("Ice Sheet", "Ware Ice Sheet", "", ""),
    "of what a thing is": ("Ware", "Republic of Ware", "PLACE", "fuller name"),
    "a son": ("Otto Roe", "Otto Roe Junior", "PERSON", ""),
    "two of them": ("Ann Roe", "Ann Roe and Kay Roe", "PERSON", ""),
    "a part of the title": ("Otto II of Ware", "Otto II", "PERSON", "short form"),
}


@pytest.mark.parametrize(("title", "other", "kind", "reason"), FULLER.values(), ids=FULLER)
def test_a_name_that_the_text_gives_besides_the_title(
    title: str, other: str, kind: str, reason: str, fact: Make, passage: Make
) -> None:
    found = resolve([passage(title, named(title, other, kind, fact))], None, [])
    assert [merge.reason for merge in found.merges] == ([reason] if reason else [])
    assert all(merge.document == (title if reason == "short form" else "") for merge in found.merges)
    assert (found.entity(other, title) == found.entity(title, title)) == bool(reason)


def test_a_fuller_name_of_two_titles_means_each_in_its_document(fact: Make, passage: Make) -> None:
    titles = ["Ann Roe (poet)", "Ann Roe (judge)"]
    found = resolve([passage(t, named(t, "Ann Beatrice Roe", "PERSON", fact)) for t in titles], None, [])
    assert [found.entity("Ann Beatrice Roe", place) for place in (*titles, "Other")] == [
        "ann roe poet",
        "ann roe judge",
        "ann beatrice roe",
    ]


def test_a_fuller_name_that_is_another_documents_title_stays_apart(fact: Make, passage: Make) -> None:
    son = passage("Ann Roe", named("Ann Roe", "Ann Beatrice Roe", "PERSON", fact))
    other = passage("Ann Beatrice Roe", fact("Ann Beatrice Roe:PERSON", "Oslo:PLACE"))
    assert resolve([son, other], None, []).merges == ()
