"""Groups of merged names, in the corpus and inside one document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tetragraph.language.entity_resolution.groups import DocumentMeanings, ForbiddenMerges, Groups
from tetragraph.language.entity_resolution.names import Names
from tetragraph.language.entity_resolution.proposals import Proposal
from tetragraph.language.entity_resolution.resolve import resolve
from tetragraph.model import content_id

Make = Callable[..., Any]


def test_what_a_name_means_inside_a_document_is_followed_to_its_end(fact: Make, passage: Make) -> None:
    names = Names([passage("A", fact("Sol Hill", "The Sol Hill"), fact("S. Hill", "Sol Hill Works"))])
    groups = Groups(names, ForbiddenMerges([]))
    groups.join(Proposal("the sol hill", "sol hill", "spelling", 1.0))
    entity = groups.canonical("the sol hill")
    inside = DocumentMeanings(groups, ForbiddenMerges([]))
    inside.add(Proposal(entity, "sol hill works", "short form", 0.9, "A"))
    for other in {"sol hill", "the sol hill"} - {entity}:
        inside.add(Proposal("s hill", other, "short form", 0.9, "A"))
    assert inside.meant == {entity: "sol hill works", "s hill": "sol hill works"}


def test_what_stood_for_a_name_follows_it_when_it_comes_to_stand_for_another(fact: Make, passage: Make) -> None:
    names = Names([passage("A", fact("Roe", "A. Roe"), fact("Ann Roe", "Oslo"))])
    inside = DocumentMeanings(
        Groups(names, ForbiddenMerges([])), ForbiddenMerges([(content_id("roe"), content_id("oslo"))])
    )
    inside.add(Proposal("roe", "a roe", "short form", 0.9, "A"))
    inside.add(Proposal("a roe", "oslo", "short form", 0.9, "A"))
    assert inside.meant == {"roe": "a roe"}
    inside.add(Proposal("a roe", "ann roe", "short form", 0.9, "A"))
    assert inside.meant == {"roe": "ann roe", "a roe": "ann roe"}


def test_names_of_two_titles_stay_apart_through_their_fuller_names(fact: Make, passage: Make, all_alike: Any) -> None:
    told = {"Sol Roe (poet)": "Elisabeth Maria Roe", "Kay Roe (judge)": "Elizabeth Maria Roe"}
    lives = [
        passage(title, fact(f"{title}:PERSON", f"{full}:PERSON", kind="named"), document="A")
        for title, full in told.items()
    ]
    found = resolve(lives, all_alike, [])
    assert [found.entity(full, "A") for full in told.values()] == ["sol roe", "kay roe"]
