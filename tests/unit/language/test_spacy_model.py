"""The English model is loaded once for each use, with the components of that use."""

from collections.abc import Callable

import pytest

from hidden_spacy import hide_spacy
from tetragraph.errors import MissingDependency
from tetragraph.language.entity_linking.entity_types import entity_types
from tetragraph.language.extractive_qa.candidates import find_candidates
from tetragraph.language.facts.tree import parse_texts
from tetragraph.language.questions.parse import parse_question
from tetragraph.language.spacy_model import PARSING, TYPING, installed_model, use_model


@pytest.mark.parametrize("parts", [TYPING, PARSING])
def test_the_model_has_the_parts_asked_for_and_no_others(parts: tuple[str, ...]) -> None:
    with use_model(parts, "tests") as model:
        assert tuple(model.pipe_names) == parts


def test_the_model_is_loaded_once_for_each_use() -> None:
    with use_model(PARSING, "tests") as first:
        pass
    with use_model(PARSING, "tests") as second:
        assert first is second


def test_without_a_model_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_spacy(monkeypatch)
    assert installed_model() is None
    sought = r"types of entities need spaCy .* pip install 'tetragraph\[local\]'"
    with pytest.raises(MissingDependency, match=sought), use_model(TYPING, "types of entities"):
        pass


@pytest.mark.parametrize(
    ("parts", "read"),
    [
        (TYPING, lambda text: find_candidates([text])),
        (TYPING, lambda text: entity_types([("Vraxholm", text)])),
        (PARSING, lambda text: parse_question(text, ())),
        ((*TYPING, *PARSING), lambda text: list(parse_texts([text], [""]))),
    ],
    ids=["candidates", "types", "questions", "facts"],
)
def test_words_of_a_text_are_forgotten(parts: tuple[str, ...], read: Callable[[str], object]) -> None:
    read("Marta Olsen paints.")
    with use_model(parts, "tests") as model:
        known = len(model.vocab.strings)
    read(f"In {parts[0]}ville, Qwoxlan Brivnesh of Vraxholm met {len(parts)} glimtharks.")
    assert len(model.vocab.strings) == known
