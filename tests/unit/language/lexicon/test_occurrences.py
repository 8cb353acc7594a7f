"""Occurrences of terms and names, compared with the analysis of all words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.language.lexicon.names import WORD
from tetragraph.language.lexicon.occurrences import count_occurrences, find_sentences, fold
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.stemming import load_stemmer
from tetragraph.language.lexicon.terms import count_terms, find_terms
from tetragraph.language.lexicon.words import stem
from tetragraph.model import Chunk, content_id

WORDS = (
    "Direct",
    "directed",
    "directs",
    "dire",
    "Pérez's",
    "O'Brien",
    "cities",
    "city",
    "the",
    "the-city",
    "x",
    "1990s",
    "東京タワー",
    "京都tower",
    "がくせい",
    "ประเทศไทย",
    "น้ำ",
    "ลาว",
    "Häfen",
    "hafens",
    "evlerinden",
    "acı",
    "большой",
    "больших",
    "الآباء",
    "آباء",
    "Windows™",
    "100㎡",
    "№5",
    "3½",
    "x²",
    "ﬁre's",
    "Ⅷ",
    "㊀京",
    "ｶﾞｯｺｳ",
    "ﷺ",
    "so\u00a0on…",
    "d'Été",
)
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=4)


def chunks_of(texts: list[str]) -> list[Chunk]:
    return [Chunk(content_id(str(n)), "d", "", "", text, n, 0, len(text), 1) for n, text in enumerate(texts)]


@given(TEXTS, st.sampled_from([(), ("de",), ("ar", "ru", "tr")]))
@example(["undirected directed", "DIRECTED, directing (directs)."], ())
@example(["acı الآباء", "evlerinden آباء 東京"], ("ar", "ru", "tr"))
@example(["Windows™ of 100㎡, №5, 3½", "windowstm 31 2 no5 100m2"], ())
def test_terms_are_counted_as_the_analysis_of_the_texts_counts_them(
    texts: list[str], languages: tuple[str, ...]
) -> None:
    stemmer = load_stemmer(languages)
    analysis = analyse_chunks(chunks_of(texts))
    terms, term_of = find_terms(analysis.words, stemmer)
    expected = np.zeros((len(terms), len(texts)), dtype=np.int64)
    for row, term in zip(analysis.row, term_of[analysis.word], strict=True):
        if term >= 0:
            expected[term, row] += 1
    found = count_occurrences(terms, [fold(text) for text in texts], stemmer)
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("O'Sullivan’s", "osullivan"),
        ("THE CAT'S TAIL", "the cat tail"),
        ("the dogs' bones", "the dogs bones"),
        ("it’s, 'so' Zoë's", "it, so zoe"),
    ],
)
def test_apostrophes_and_the_s_of_a_possessive_are_left_out(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_document_frequencies_and_lengths_leave_out_stop_words() -> None:
    counted = count_terms(analyse_chunks(chunks_of(["the city directs", "cities and the city"])), stem)
    assert dict(zip(counted.terms, counted.chunks.tolist(), strict=True)) == {"city": 2, "direct": 1}
    assert counted.lengths.tolist() == [2, 2]
    assert counted.mean_length == 2.0


@given(st.text(st.characters(max_codepoint=127)))
@example("snake_case, x-ray: 3.5% of A/B\x1f_9")
def test_the_words_of_a_text_in_ascii_are_those_of_any_text(text: str) -> None:
    for word in WORD.findall(fold(text)):
        for place, (start, end) in enumerate(sentence_spans(text)):
            is_there = word in WORD.findall(fold(text[start:end]))
            assert (place in find_sentences(text, [word])[0]) == is_there


@pytest.mark.parametrize(
    ("text", "name", "sentences"),
    [
        ("Ada met Jean-Luc Godard. He left. Godard’s film.", "jean luc godard", [0]),
        ("Ada met Godard. He left. Godard’s film.", "godard", [0, 2]),
        ("Ada met Godards. He left.", "godard", [0, 1]),
    ],
)
def test_a_name_is_found_in_its_sentences_and_otherwise_in_all(text: str, name: str, sentences: list[int]) -> None:
    assert find_sentences(text, [name]) == [sentences]
