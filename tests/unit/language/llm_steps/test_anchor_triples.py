"""Entities and triples are parsed from any notation of a model; other lines are counted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.language.llm_steps.anchor_triples import MOST, GraphText, read_graph

ONE = [("Orla Brandt", "was born in", "Halvik")]
TRIPLES = {
    "an arrow": "Orla Brandt -> was born in -> Halvik",
    "a number": "1. Orla Brandt -> was born in -> Halvik",
    "a number in brackets": "(12) Orla Brandt -> was born in -> Halvik",
    "a dash": "- Orla Brandt -> was born in -> Halvik",
    "a star, and bold": "* **Orla Brandt** -> *was born in* -> `Halvik`",
    "no blanks": "Orla Brandt->was born in->Halvik",
    "long arrows": "Orla Brandt --> was born in --> Halvik",
    "double arrows": "Orla Brandt => was born in => Halvik",
    "real arrows": "Orla Brandt → was born in → Halvik",
    "bars": "Orla Brandt | was born in | Halvik",
    "a row of a table": "| Orla Brandt | was born in | Halvik |",
    "dashes": "Orla Brandt -- was born in -- Halvik",
    "a dash of typographers": "Orla Brandt — was born in — Halvik",
    "a drawn edge": "Orla Brandt -[was born in]-> Halvik",
    "another drawn edge": "Orla Brandt --was born in--> Halvik",
    "a pair of brackets": "(Orla Brandt, was born in, Halvik)",
    "square brackets": "[Orla Brandt; was born in; Halvik],",
    "brackets of the instruction": "[Orla Brandt] -> [was born in] -> [Halvik]",
    "angles": "<Orla Brandt> -> <was born in> -> <Halvik>.",
    "quotation marks": '"Orla Brandt" -> "was born in" -> "Halvik"',
    "tabs": "Orla Brandt\twas born in\tHalvik",
}
JUNK = {
    "prose": "It is not clear where she was born.",
    "two parts": "Orla Brandt -> Halvik",
    "four parts": "Orla Brandt -> was born -> in -> Halvik",
    "an empty part": "Orla Brandt -> -> Halvik",
    "nothing but marks": "-> -> ->",
    "something unknown": "Orla Brandt -> was born in -> unknown",
    "the head of a table": "Head | Relation | Tail",
    "the rule of a table": "|---|---|---|",
    "an endless line": f"Orla Brandt -> was {'very ' * 500} born in -> Halvik",
    "an endless name": f"Orla {'a' * 300} -> was born in -> Halvik",
    "the instruction": "[Entity 1] -> [Relationship phrase from text] -> [Entity 2]",
}
ENTITIES: dict[str, tuple[str, list[tuple[str, tuple[str, ...]]]]] = {
    "with attributes": ("- Low Tide (Attributes: a novel, of 1921)", [("Low Tide", ("a novel", "of 1921"))]),
    "without": ("- Low Tide", [("Low Tide", ())]),
    "without a dash": ("Low Tide (Attributes: a novel)", [("Low Tide", ("a novel",))]),
    "with one attribute": ("1. Low Tide (Attribute: a novel)", [("Low Tide", ("a novel",))]),
    "in other brackets": ("- [Low Tide] (Attributes: [a novel; by 'Orla'])", [("Low Tide", ("a novel", "by 'Orla"))]),
    "behind a colon": ("- Low Tide: attributes: a novel", [("Low Tide", ("a novel",))]),
    "without the word": ("- Low Tide (a novel, of 1921)", [("Low Tide", ("a novel", "of 1921"))]),
    "of no attributes": ("- Low Tide (Attributes: none)", [("Low Tide", ())]),
    "a name with a bracket": ("- Mercury (planet) (Attributes: hot)", [("Mercury (planet)", ("hot",))]),
    "a date": ("- Orla (Attributes: born May 3, 1901)", [("Orla", ("born May 3, 1901",))]),
    "a title with a colon": ("- Low Tide: A Life", [("Low Tide: A Life", ())]),
    "not closed": ("- Low Tide (Attributes: a novel", [("Low Tide", ("a novel",))]),
    "none": ("- none", []),
}


@pytest.mark.parametrize("case", TRIPLES)
@pytest.mark.parametrize("heading", ["Relations:\n", "**Relationships:**\n", "### Triples (1)\n\n", "Relations: "])
def test_a_triple_is_read_however_it_is_written(case: str, heading: str) -> None:
    assert read_graph(heading + TRIPLES[case]) == GraphText([], ONE)


@pytest.mark.parametrize("case", JUNK)
def test_a_line_that_is_no_triple_is_counted_and_the_others_are_kept(case: str) -> None:
    assert read_graph(f"Relations:\n{JUNK[case]}\n{TRIPLES['an arrow']}") == GraphText([], ONE, junk=1)


@pytest.mark.parametrize("case", ENTITIES)
def test_an_entity_is_read_however_it_is_written(case: str) -> None:
    line, wanted = ENTITIES[case]
    assert read_graph(f"Entities:\n{line}") == GraphText(wanted)


def test_the_whole_is_read_as_it_was_asked_for_and_in_one_line() -> None:
    entities = [("Orla Brandt", ("writer", "mayor")), ("Halvik", ())]
    lines = "Entities:\n- Orla Brandt (Attributes: writer, mayor)\n- Halvik\nRelations:\n- " + TRIPLES["an arrow"]
    assert read_graph(lines) == GraphText(entities, ONE)
    line = "Entities: Orla Brandt (Attributes: writer, mayor), Halvik; Relations: " + TRIPLES["an arrow"]
    assert read_graph(line) == GraphText(entities, ONE)


def test_without_headings_arrows_tell_triples_and_dashes_entities() -> None:
    text = "```\n- Halvik (Attributes: a town)\nOrla Brandt -> was born in -> Halvik\nSome prose.\n```"
    assert read_graph(text) == GraphText([("Halvik", ("a town",))], ONE, junk=1)


def test_a_chain_of_arrows_is_several_triples() -> None:
    found = read_graph("Low Tide -> was written by -> Orla Brandt -> was born in -> Halvik").triples
    assert found == [("Low Tide", "was written by", "Orla Brandt"), *ONE]


def test_a_hyphen_joins_no_two_names() -> None:
    found = read_graph("Relations:\nJean-Luc Brandt -> was half-brother of -> Orla Brandt-Lund").triples
    assert found == [("Jean-Luc Brandt", "was half-brother of", "Orla Brandt-Lund")]


def test_a_bracket_without_the_word_is_an_attribute_where_triples_use_the_bare_name() -> None:
    text = (
        "Entities:\n- Orla Brandt (writer)\n- Low Tide (novel)\nRelations:\n- Orla Brandt -> wrote -> Low Tide (novel)"
    )
    assert read_graph(text).entities == [("Orla Brandt", ("writer",)), ("Low Tide (novel)", ())]


JSON: dict[str, tuple[Any, GraphText]] = {
    "lists": ({"entities": ["Halvik"], "relations": [list(ONE[0])]}, GraphText([("Halvik", ())], ONE)),
    "objects": (
        {
            "Entities": [{"name": "Halvik", "attributes": ["a town", 7, None]}],
            "Relationships": [{"head": "Orla Brandt", "relation": "was born in", "tail": "Halvik"}],
        },
        GraphText([("Halvik", ("a town", "7"))], ONE),
    ),
    "other names": (
        {
            "nodes": [{"id": "Halvik", "description": "a town"}],
            "edges": [{"source": "Orla Brandt", "label": "was born in", "target": "Halvik"}],
        },
        GraphText([("Halvik", ("a town",))], ONE),
    ),
    "entities as an object": ({"entities": {"Halvik": ["a town"]}}, GraphText([("Halvik", ("a town",))])),
    "lines": ({"entities": "- Halvik", "triples": [TRIPLES["an arrow"]]}, GraphText([("Halvik", ())], ONE)),
    "bare triples": ([list(ONE[0])], GraphText([], ONE)),
    "something else": ({"entities": [3.5, None, {"x": 1}], "relations": 7}, GraphText([], [], junk=3)),
    "a number": (3, GraphText()),
    "a truth": (True, GraphText()),
}


@pytest.mark.parametrize("case", JSON)
def test_json_is_read_too(case: str) -> None:
    said, wanted = JSON[case]
    assert read_graph(said) == wanted


def test_json_as_text_is_read_too() -> None:
    assert read_graph('```json\n{"relations": [["Orla Brandt", "was born in", "Halvik"],]}\n```').triples == ONE
    assert read_graph('["Orla Brandt"] -> ["was born in"] -> ["Halvik"]').triples == ONE


def test_ten_thousand_triples_are_read_up_to_a_thousand_lines() -> None:
    found = read_graph("\n".join(f"{number}. A{number} -> knows -> B{number}" for number in range(10_000)))
    assert (len(found.triples), found.left_out) == (MOST, 9_000)
    found = read_graph({"relations": [["A", "knows", f"B{number}"] for number in range(10_000)]})
    assert (len(found.triples), found.left_out) == (MOST, 9_000)


def test_an_endless_line_is_junk_and_endless_attributes_are_cut() -> None:
    assert read_graph("- " + "so " * 400_000) == GraphText(junk=1)
    said = {"entities": [{"name": "A", "attributes": [str(number) for number in range(10_000)]}]}
    assert len(read_graph(said).entities[0][1]) == 20


@given(st.text(alphabet=st.sampled_from("Ab1 -–>[]()<|{}:;,.*#\"'\n→")))
def test_no_text_breaks_the_reading_and_every_name_has_a_letter_or_digit(text: str) -> None:
    found = read_graph(text)
    for name in [name for name, _ in found.entities] + [name for triple in found.triples for name in triple]:
        assert any(character.isalnum() for character in name)
