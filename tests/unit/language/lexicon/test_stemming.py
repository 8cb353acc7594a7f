"""Stemmers are chosen by the languages of documents, and applied by the script of a word."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tetragraph.language.lexicon.names import normalise_word
from tetragraph.language.lexicon.stemming import choose_languages, load_stemmer
from tetragraph.language.lexicon.words import stem


@pytest.mark.parametrize(
    ("documents", "chosen"),
    [
        ({}, ()),
        ({"en": 5}, ()),
        ({"en": 5, "de": 4}, ()),
        ({"en": 5, "de": 5}, ()),
        ({"de": 5, "fr": 5}, ("de",)),
        ({"vi": 9, "de": 1}, ()),
        ({"zh": 9, "tr": 1}, ("tr",)),
        ({"uk": 2, "ru": 1}, ()),
        ({"uk": 2, "ru": 3, "en": 1, "ar": 1, "hi": 1, "el": 1}, ("ar", "el", "hi", "ru")),
    ],
)
def test_each_script_has_the_most_frequent_language_written_in_it(
    documents: dict[str, int], chosen: tuple[str, ...]
) -> None:
    assert choose_languages(documents) == chosen


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("de", "Haus Hauses Häusern"),
        ("tr", "şehirler şehirlerinden"),
        ("ru", "новый новая новых"),
        ("ru", "российский российская российского"),
        ("el", "πόλεις πόλεων"),
        ("es", "hablando hablaron"),
        ("ar", "الكتاب كتاب"),
        ("hi", "किताबें किताबों"),
    ],
)
def test_forms_of_a_word_have_one_stem(language: str, forms: str) -> None:
    stemmer = load_stemmer((language,))
    assert len({stemmer(normalise_word(form)) for form in forms.split()}) == 1
    assert len({stem(normalise_word(form)) for form in forms.split()}) > 1


def test_words_of_other_scripts_are_as_in_english() -> None:
    stemmer = load_stemmer(("ru",))
    assert [stemmer(word) for word in ("directed", "1990s", "東", "σκιτσα", "")] == [
        "direct",
        "1990s",
        "東",
        "σκιτσα",
        "",
    ]


def test_threads_share_a_stemmer() -> None:
    stemmer = load_stemmer(("tr",))
    words = ["evlerinden", "sehirler", "kitaplar"] * 200
    expected = [stemmer(word) for word in words]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda _: [stemmer(word) for word in words], range(16))) == [expected] * 16
