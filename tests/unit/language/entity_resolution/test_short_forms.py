"""Short forms of persons inside one document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tetragraph.language.entity_resolution.resolve import resolve
from tetragraph.language.entity_resolution.short_forms import is_short_form

Make = Callable[..., Any]


def meant(short: str, fact: Make, passage: Make, *others: str, title: str = "Night Film") -> str:
    """What a short form means in a document that names others, each in a fact of its own."""
    facts = [fact(f"{name}", "Oslo:PLACE") for name in (short, *others)]
    return resolve([passage(title, *facts)], None, []).entity(short.partition(":")[0], title)


SHORT = {
    "a surname": ("Smith:PERSON", ["Alden James Smith:PERSON"], "alden james smith"),
    "an initial and a surname": ("A. Smith:PERSON", ["Alden James Smith:PERSON"], "alden james smith"),
    "a given name and a surname": ("Alden Smith:PERSON", ["Alden James Smith:PERSON"], "alden james smith"),
    "a form of address": ("Mr. Smith:PERSON", ["Alden James Smith:PERSON"], "alden james smith"),
    "a given name": ("Alden:PERSON", ["Alden James Smith:PERSON"], "alden james smith"),
    "the fullest of one person's names": (
        "Smith:PERSON",
        ["Alden Smith:PERSON", "Alden James Smith:PERSON"],
        "alden james smith",
    ),
    "two persons of a name": ("Smith:PERSON", ["Alden Smith:PERSON", "Kay Smith:PERSON"], "smith"),
    "another initial": ("K. Smith:PERSON", ["Alden James Smith:PERSON"], "k smith"),
    "a second given name": ("James:PERSON", ["Alden James Smith:PERSON"], "james"),
    "a place": ("Smith:PLACE", ["Alden James Smith:PERSON"], "smith"),
    "a company": ("Smith:PERSON", ["Alden Smith:ORGANIZATION"], "smith"),
    "what follows of": ("Ware:PERSON", ["Elsa of Ware:PERSON"], "ware"),
    "a ruler without the number": ("Otto:PERSON", ["Otto II:PERSON"], "otto"),
    "another ruler": ("Otto I of Ware:PERSON", ["Otto II of Ware:PERSON"], "otto i of ware"),
    "half of a double name": ("Bowes:PERSON", ["Ann Lyon-Bowes:PERSON"], "bowes"),
    "a rank": ("Duke:PERSON", ["Duke Otto Ware:PERSON"], "duke"),
    "a place that somebody is lord of": ("Ware:PERSON", ["Lord Ware:PERSON"], "ware"),
}


@pytest.mark.parametrize(("short", "others", "entity"), SHORT.values(), ids=SHORT)
def test_a_short_form_means_the_one_person_it_fits(
    short: str, others: list[str], entity: str, fact: Make, passage: Make
) -> None:
    assert meant(short, fact, passage, *others) == entity


def test_a_short_form_means_nobody_in_other_documents(fact: Make, passage: Make) -> None:
    one = passage("Night Film", fact("Alden Smith:PERSON", "Oslo:PLACE"), fact("Smith:PERSON", "Rome:PLACE"))
    other = passage("Day Film", fact("Smith:PERSON", "Oslo:PLACE"))
    found = resolve([one, other], None, [])
    assert found.entity("Smith", "Night Film") == "alden smith"
    assert found.entity("Smith", "Day Film") == "smith"


def test_names_that_one_fact_states_beside_each_other_are_two(fact: Make, passage: Make) -> None:
    film = passage("Night Film", fact("Antonio Rivas:PERSON", "Antonio:PERSON"))
    assert resolve([film], None, []).merges == ()


def test_in_a_life_given_names_may_be_those_of_kin(fact: Make, passage: Make) -> None:
    life = "Guy Rowe, 9th Earl of Ware"
    kin = ("John Rowe:PERSON", f"{life}:PERSON")
    assert meant("John:PERSON", fact, passage, *kin, title=life) == "john"
    assert meant("John Rowe:PERSON", fact, passage, "John Rex Rowe:PERSON", f"{life}:PERSON", title=life) == "john rowe"
    assert meant("J. Rowe:PERSON", fact, passage, *kin, title=life) == "john rowe"


def test_the_surname_of_a_title_is_nobody_elses(fact: Make, passage: Make) -> None:
    life = "Guy Rowe, 9th Earl of Ware"
    assert meant("Rowe:PERSON", fact, passage, "Ann Rowe:PERSON", f"{life}:", title=life) == "rowe"


def test_a_word_that_is_mostly_a_given_name_is_no_surname(fact: Make, passage: Make) -> None:
    givers = passage("List", fact("William Roe:PERSON", "William Poe:PERSON"))
    film = [fact("Warren William:PERSON", "Oslo:PLACE"), fact("William:PERSON", "Rome:PLACE")]
    assert resolve([passage("Night Film", *film)], None, []).entity("William", "Night Film") == "warren william"
    assert resolve([passage("Night Film", *film), givers], None, []).entity("William", "Night Film") == "william"


def test_a_name_that_ends_with_a_noun_is_not_shortened_to_its_beginning(fact: Make, passage: Make) -> None:
    award = [fact("Jutra Award:PERSON", "Oslo:PLACE"), fact("Jutra:PERSON", "award:CONCEPT")]
    assert resolve([passage("Night Film", *award)], None, []).merges == ()


def test_a_full_name_of_another_title_is_no_short_form(fact: Make, passage: Make) -> None:
    film = passage("Night Film", fact("Rex Roe:PERSON", "Oslo:PLACE"), fact("Rex Francis Roe:PERSON", "Rome:PLACE"))
    other = passage("Rex Roe", fact("Rex Roe:PERSON", "Bern:PLACE"))
    assert resolve([film], None, []).entity("Rex Roe", "Night Film") == "rex francis roe"
    assert resolve([film, other], None, []).entity("Rex Roe", "Night Film") == "rex roe"


def test_no_name_is_short_for_itself() -> None:
    assert not is_short_form(("alden", "smith"), ("alden", "smith"))
