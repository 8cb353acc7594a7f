"""A shape preserves every passage and its gold, and is the same in every run."""

from __future__ import annotations

import gzip
import json

import pytest
from benchmarks import shapes
from benchmarks.shapes import LONGEST, SHAPES, SHORTEST, Passage, Shape

from tetragraph import samples
from tetragraph.evaluate.model import Gold, GoldQuestion


@pytest.fixture(scope="module")
def given() -> list[Passage]:
    with gzip.open(samples.passages(), "rt", encoding="utf-8") as lines:
        return [Passage(row["id"], row["title"], row["text"]) for row in map(json.loads, lines)][:240]


def stretch(shape: Shape, passage: Passage) -> str:
    place = shape.places[passage.id]
    [document] = [one for one in shape.documents if one.id == place.document]
    return document.text[place.start : place.end]


def test_every_passage_has_a_place_in_every_shape_and_no_run_differs(given: list[Passage]) -> None:
    for build in SHAPES.values():
        first, second = build(given[:80]), build(given[:80])
        assert first == second
        assert set(first.places) == {one.id for one in given[:80]}
        assert {place.document for place in first.places.values()} == {one.id for one in first.documents}


@pytest.mark.parametrize("build", [shapes.with_headings, shapes.without_headings])
def test_the_gold_of_a_long_document_is_the_passage_word_for_word(given: list[Passage], build: shapes.Build) -> None:
    shape = build(given)
    assert all(stretch(shape, one) == one.text for one in given)


def test_a_heading_begins_where_its_passage_does(given: list[Passage]) -> None:
    shape = shapes.with_headings(given)
    titles = {one.id: one.title for one in given}
    headings = {(document.id, one.start): one.title for document in shape.documents for one in document.headings}
    begins = {
        (gold.document, (gold.start or 0) - len(f"## {titles[one]}\n\n")): one for one, gold in shape.places.items()
    }
    assert headings == {place: titles[one] for place, one in begins.items()}


def test_the_gold_of_a_table_is_a_row_with_title_and_text(given: list[Passage]) -> None:
    shape = shapes.in_tables(given)
    for one in given:
        cells = [cell.strip() for cell in stretch(shape, one).strip("|").split(" | ")]
        assert cells[0] == one.title.replace("|", "/")
        assert "".join("".join(cells[1:]).split()) == "".join(one.text.replace("|", "/").split())


def test_topics_are_of_some_size_and_gather_what_shares_rare_words(given: list[Passage]) -> None:
    groups = shapes.topics(given)
    assert sorted(one.id for group in groups for one in group) == sorted(one.id for one in given)
    assert all(SHORTEST <= len(group) <= LONGEST for group in groups[:-1])
    filler = [Passage(f"f{number}", "", f"nothing here but number{number}") for number in range(400)]
    alike = [Passage(f"a{number}", "", f"the quokka of place{number}") for number in range(15)]
    homes = [index for index, group in enumerate(shapes.topics(filler + alike)) for one in group if one.id[0] == "a"]
    assert len(set(homes)) < len(homes)


def test_questions_keep_their_gold_and_are_asked_as_the_shape_writes(given: list[Passage]) -> None:
    asked = [GoldQuestion("q", "Who wrote It?", (Gold(given[3].id),))]
    [small] = shapes.all_in_small_letters(given).questions(asked)
    assert small.text == "who wrote it?"
    [same] = shapes.in_small_letters(given).questions(asked)
    assert same.text == "Who wrote It?"
    [long] = shapes.without_headings(given).questions(asked)
    assert (long.id, len(long.gold)) == ("q", 1)
    assert long.gold[0].document.startswith("document-")


def test_every_noun_has_a_capital_and_nothing_else_changes() -> None:
    text = "The old king of France rode a horse."
    assert shapes.capitalise_nouns(text) == "The old King of France rode a Horse."
