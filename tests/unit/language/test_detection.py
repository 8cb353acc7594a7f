"""The language of a text is found from samples of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tetragraph.language import detection
from tetragraph.language.detection import LEAST_CHARACTERS, find_language

TEXTS = {
    "en": "The harbour of Halvik was built in 1881, after the old pier had been lost in a storm, and has room.",
    "de": "Der Hafen von Halvik wurde 1881 gebaut, nachdem die alte Mole in einem Sturm verloren gegangen war.",
    "fr": "Le port de Halvik fut construit en 1881, après que la vieille jetée eut été perdue dans une tempête.",
    "es": "El puerto de Halvik fue construido en 1881, después de que el viejo muelle se perdiera en una tormenta.",
    "ru": "Гавань Халвика была построена в 1881 году, после того как старый причал был потерян во время шторма.",
    "el": "Το λιμάνι του Χάλβικ χτίστηκε το 1881, αφού η παλιά προβλήτα χάθηκε σε μια καταιγίδα.",
}


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    detection._load_identifier.cache_clear()
    yield
    detection._load_identifier.cache_clear()


@pytest.mark.parametrize("code", TEXTS)
def test_the_language_of_a_text_is_found(code: str) -> None:
    assert find_language(f"{TEXTS[code]} {TEXTS[code]}") == code


def test_short_texts_and_numbers_have_none() -> None:
    assert find_language((2 * TEXTS["de"])[: LEAST_CHARACTERS - 1]) == ""
    assert find_language("1881 " * 50) == ""
    assert find_language("") == ""


def test_english_needs_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py3langid.langid", None)
    assert find_language(2 * TEXTS["en"]) == "en"
    assert find_language(2 * TEXTS["de"]) == ""


def test_a_long_text_is_judged_by_all_of_its_parts() -> None:
    menu = "Home News Sport Weather Login Newsletter "
    assert find_language(menu * 20 + TEXTS["fr"] * 80) == "fr"
