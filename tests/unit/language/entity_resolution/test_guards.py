"""Guards against merges of similar names; the embedder of these tests finds all names equal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tetragraph.language.entity_resolution.resolve import resolve

Make = Callable[..., Any]


def reasons(first: str, second: str, fact: Make, passage: Make, model: Any, *, together: bool = True) -> list[str]:
    """Why two names are merged that the same document states, or two documents without anything in common."""
    one, other = fact(first, "harbour:CONCEPT"), fact(second, "tower:CONCEPT")
    passages = [passage("A", one, other)] if together else [passage("A", one), passage("B", other)]
    return [merge.reason for merge in resolve(passages, model, []).merges if not merge.document]


ONE = {
    "an article": ("The Rank Mill:ORGANIZATION", "The Rank Mill Ltd:ORGANIZATION", "similar"),
    "a legal form": ("Air Ware:ORGANIZATION", "Air Ware Ltd.:ORGANIZATION", "similar"),
    "a form of address": ("Sir Walter Roe:PERSON", "Walter Roe:PERSON", "similar"),
    "a ruler's rank": ("King Henry VIII:PERSON", "Henry VIII:PERSON", "similar"),
    "the rank at the other end": ("Otto II, Duke of Ware:PERSON", "Duke Otto II of Ware:PERSON", "similar"),
    "another order": ("Museum of Fine Arts:ORGANIZATION", "Fine Arts Museum:ORGANIZATION", "similar"),
    "a letter more": ("Lutgard of Luxemburg:PERSON", "Lutgard of Luxembourg:PERSON", "similar"),
    "letters of one sound": ("Elisabeth Roe:PERSON", "Elizabeth Roe:PERSON", "similar"),
    "an initial written out": ("Ann B. Roe:PERSON", "Ann Beatrice Roe:PERSON", "similar"),
    "an initial left out": ("Ann B. Roe:PERSON", "Ann Roe:PERSON", "similar"),
    "no type on one side": ("Sir Walter Roe:PERSON", "Walter Roe", "similar"),
    "a special letter": ("Hans Næss:PERSON", "Hans Naess:PERSON", "spelling"),
    "gaps": ("De Gaulle:PERSON", "DeGaulle:PERSON", "spelling"),
    "dots": ("U.S.:PLACE", "US:PLACE", "spelling"),
    "British and American": ("Labour Organisation:ORGANIZATION", "Labor Organization:ORGANIZATION", "spelling"),
    "a plural": ("Emmy Award:EVENT", "Emmy Awards:EVENT", "spelling"),
    "a plural of kin": ("Ware Brother:ORGANIZATION", "Ware Brothers:ORGANIZATION", "spelling"),
    "a people": ("Syrian:GROUP", "Syrians:GROUP", "spelling"),
}


@pytest.mark.parametrize(("first", "second", "reason"), ONE.values(), ids=ONE)
def test_names_that_differ_in_nothing_telling_are_one(
    first: str, second: str, reason: str, fact: Make, passage: Make, all_alike: Any
) -> None:
    assert reasons(first, second, fact, passage, all_alike) == [reason]
    assert reasons(second, first, fact, passage, all_alike) == [reason]


TWO = {
    "types": ("Walter Roe:PERSON", "Sir Walter Roe:WORK"),
    "a concept": ("sir walter roe:CONCEPT", "Walter Roe:PERSON"),
    "dates": ("12 May 1901:DATE", "12 May, 1901 Ltd:DATE"),
    "numbers": ("1,000:OTHER", "1000:OTHER"),
    "numerals": ("Henry IV of Ware:PERSON", "Henry V of Ware:PERSON"),
    "a numeral that one lacks": ("Henry of Ware:PERSON", "Henry V of Ware:PERSON"),
    "digits": ("Apollo Space 11:PRODUCT", "Apollo Space 12:PRODUCT"),
    "ordinals": ("2nd Ware Cavalry:ORGANIZATION", "3rd Ware Cavalry:ORGANIZATION"),
    "ordinals in words": ("First Ware Bank:ORGANIZATION", "Third Ware Bank:ORGANIZATION"),
    "initials": ("J. Smith:PERSON", "K. Smith:PERSON"),
    "an initial and a name": ("J. B. Smith:PERSON", "Karl B. Smith:PERSON"),
    "one initial": ("J. Smith:PERSON", "Jane Smith:PERSON"),
    "directions": ("North Ware Road:PLACE", "South Ware Road:PLACE"),
    "a direction that one lacks": ("Ware Road:PLACE", "North Ware Road:PLACE"),
    "kin": ("Otto Ware Junior:PERSON", "Otto Ware Senior:PERSON"),
    "ranks": ("Prince of Ware Roe:PERSON", "Princess of Ware Roe:PERSON"),
    "addresses": ("Captain Rex Roe:PERSON", "Dr. Rex Roe:PERSON"),
    "a name in a longer one": ("Oxford:PLACE", "Oxford University:ORGANIZATION"),
    "a place of a university": ("York University:ORGANIZATION", "University of York:ORGANIZATION"),
    "a surname in common": ("Ann Roe:PERSON", "Kay Roe:PERSON"),
    "given names in common": ("Ann Mary Roe:PERSON", "Ann Mary Poe:PERSON"),
    "a given name more": ("John Adams:PERSON", "John Quincy Adams:PERSON"),
    "a rank and a surname": ("Stephen King:PERSON", "King Stephen:PERSON"),
    "given names in another order": ("Ramon Berenguer I:PERSON", "Berenguer Ramon I:PERSON"),
    "a gender": ("Maria Garcia:PERSON", "Mario Garcia:PERSON"),
    "a people and its land": ("North Korea:PLACE", "North Korean:GROUP"),
    "a beginning": ("Bollywood Film Prize:EVENT", "Hollywood Film Prize:EVENT"),
    "what was cut off": ("Henry I of:PERSON", "Henry I:PERSON"),
    "a surname's plural": ("Ann Kennedy:PERSON", "Ann Kennedys:PERSON"),
    "a plural of another meaning": ("arm:CONCEPT", "arms:CONCEPT"),
    "small letters": ("US:PLACE", "us:CONCEPT"),
}


@pytest.mark.parametrize(("first", "second"), TWO.values(), ids=TWO)
def test_names_that_differ_in_something_telling_are_two(
    first: str, second: str, fact: Make, passage: Make, all_alike: Any
) -> None:
    assert reasons(first, second, fact, passage, all_alike) == []


def test_titles_of_two_documents_are_two(fact: Make, passage: Make, all_alike: Any) -> None:
    names = ["Elisabeth Roe", "Elizabeth Roe"]
    titled = [passage(name, fact(f"{name}:PERSON", "Oslo:PLACE")) for name in names]
    assert resolve(titled, all_alike, []).merges == ()
    assert len(resolve([titled[0], passage("B", *titled[1].facts)], all_alike, []).merges) == 1


def test_names_beside_each_other_in_a_fact_are_two(fact: Make, passage: Make, all_alike: Any) -> None:
    sisters = passage("A", fact("Elisabeth Roe:PERSON", "Elizabeth Roe:PERSON"))
    assert resolve([sisters], all_alike, []).merges == ()


LITTLE = {
    "one word": ("Shaftsbury:PLACE", "Shaftesbury:PLACE"),
    "an initial left out": ("Ann B. Roe:PERSON", "Ann Roe:PERSON"),
    "a ruler of some land": ("King Otto II:PERSON", "Otto II:PERSON"),
}


@pytest.mark.parametrize(("first", "second"), LITTLE.values(), ids=LITTLE)
def test_where_little_speaks_for_it_documents_must_be_on_one_matter(
    first: str, second: str, fact: Make, passage: Make, all_alike: Any
) -> None:
    assert reasons(first, second, fact, passage, all_alike) == ["similar"]
    assert reasons(first, second, fact, passage, all_alike, together=False) == []
    common = [passage(title, fact(name, "Jane Doe:PERSON")) for title, name in (("A", first), ("B", second))]
    assert len(resolve(common, all_alike, []).merges) == 1


def test_two_middle_names_with_one_initial_leave_out_neither(fact: Make, passage: Make, all_alike: Any) -> None:
    names = ["Ann Roe", "Ann B. Roe", "Ann C. Roe"]
    found = resolve([passage("A", *(fact(f"{name}:PERSON", "harbour:CONCEPT") for name in names))], all_alike, [])
    assert [merge for merge in found.merges if merge.reason == "similar"] == []


@pytest.mark.parametrize(("said", "is_one"), [("the film The Two Brides", True), ("Two Brides and a Baby", False)])
def test_an_article_of_a_title_must_be_said(said: str, is_one: bool, fact: Make, passage: Make, all_alike: Any) -> None:
    film = passage("The Two Brides", fact("The Two Brides:WORK", "Oslo:PLACE"))
    other = passage("Other", fact("Two Brides:WORK", "Ann Roe:PERSON", said=said))
    assert bool(resolve([film, other], all_alike, []).merges) == is_one


def test_an_initial_that_could_stand_for_two_names_stands_for_neither(
    fact: Make, passage: Make, all_alike: Any
) -> None:
    names = ["Ann Beatrice Roe", "Ann B. Roe", "Ann Belinda Roe"]
    found = resolve([passage("A", *(fact(f"{name}:PERSON", "harbour:CONCEPT") for name in names))], all_alike, [])
    assert [merge for merge in found.merges if not merge.document] == []


def test_guards_hold_for_all_names_of_a_group(fact: Make, passage: Make, all_alike: Any) -> None:
    names = ["Elisabeth Hill:WORK", "Elizabeth Hill", "Elyzabeth Hill:PERSON"]
    found = resolve([passage("A", *(fact(name, "harbour:CONCEPT") for name in names))], all_alike, [])
    assert len(found.merges) == 1


def test_a_number_of_a_phrase_counts_where_two_documents_state_it(fact: Make, passage: Make) -> None:
    one, more = (passage(title, fact("novel:CONCEPT", "Oslo:PLACE")) for title in ("A", "B"))
    plural = passage("C", fact("novels:CONCEPT", "Rome:PLACE"))
    assert resolve([one, plural], None, []).merges == ()
    assert [merge.alias for merge in resolve([one, more, plural], None, []).merges] == ["novels"]
