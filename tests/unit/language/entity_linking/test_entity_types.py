"""Types of entities, with the real English model."""

from __future__ import annotations

import pytest

from tetragraph.language.entity_linking.entity_types import TYPES, entity_types
from tetragraph.language.spacy_model import TYPING, use_model

EXAMPLES = [
    ("Marie Curie", "Marie Curie was born in Warsaw and studied at the University of Paris."),
    ("Warsaw", "Marie Curie was born in Warsaw and studied at the University of Paris."),
    ("University of Paris", "Marie Curie was born in Warsaw and studied at the University of Paris."),
    ("12 March 1951", "The treaty was signed on 12 March 1951 by six countries."),
    ("World War II", "He served as a pilot in World War II and came home in 1946."),
    ("six", "The treaty was signed on 12 March 1951 by six countries."),
    ("treaty", "The treaty was signed on 12 March 1951 by six countries."),
]
EXPECTED = ["PERSON", "PLACE", "ORGANIZATION", "DATE", "EVENT", "OTHER", ""]


def test_entities_get_the_type_that_their_sentence_shows() -> None:
    assert entity_types(EXAMPLES) == EXPECTED


def test_the_type_does_not_depend_on_what_else_is_asked_for() -> None:
    assert [entity_types([example])[0] for example in EXAMPLES[::-1]] == EXPECTED[::-1]


def test_the_case_of_the_name_does_not_matter_nor_do_letters_that_grow_when_folded() -> None:
    sentence = "On the Straße of İzmir, Marie Curie met Pierre."
    assert entity_types([("marie curie", sentence)]) == entity_types([("Marie Curie", sentence)]) == ["PERSON"]


@pytest.mark.parametrize("name", ["", "Napoleon", "(", "Curie was born in Warsaw and studied at the"])
def test_a_name_without_an_entity_in_its_place_has_no_type(name: str) -> None:
    assert entity_types([(name, EXAMPLES[0][1])]) == [""]


def test_nothing_asked_is_nothing_answered() -> None:
    assert entity_types([]) == []


def test_the_mapping_covers_every_label_of_the_model_that_is_not_a_number() -> None:
    with use_model(TYPING, "tests") as model:
        labels = set(model.get_pipe("ner").labels)
    assert labels - TYPES.keys() == {"CARDINAL", "MONEY", "ORDINAL", "PERCENT", "QUANTITY"}
