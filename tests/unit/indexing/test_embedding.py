"""Vectors of chunks and of their sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tetragraph.arrays import Vectors
from tetragraph.errors import EmbedderMismatch, EmbeddingFailed, InvalidInput
from tetragraph.indexing.embedding import choose_sentences, embed_chunks
from tetragraph.language.embedders.base import OnDone, Spans
from tetragraph.model import Chunk


class Letters:
    """Counts letters; remembers what it was given."""

    name, dimension, max_tokens, model_hash = "letters", 3, 100, ""

    def __init__(self) -> None:
        self.given: list[str] = []

    def embed(self, passages: Sequence[str], on_done: OnDone | None = None) -> Vectors:
        self.given += passages
        if on_done:
            on_done(len(passages))
        return np.array([[1 + text.count(letter) for letter in "aei"] for text in passages], dtype=np.float32)

    def embed_question(self, question: str) -> Vectors:
        return np.asarray(self.embed([question])[0])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]


class PoolingLetters(Letters):
    """Gives the vectors of the spans' own letters along."""

    def embed_with_spans(
        self, passages: Sequence[str], spans: Sequence[Spans], on_done: OnDone | None = None
    ) -> tuple[Vectors, list[Vectors]]:
        parts = [[text[start:end] for start, end in of_text] for text, of_text in zip(passages, spans, strict=True)]
        return self.embed(passages, on_done), [Letters().embed(texts) for texts in parts]


class Spoilt(Letters):
    """Has nothing to say of sentences that begin with Bad."""

    def embed(self, passages: Sequence[str], on_done: OnDone | None = None) -> Vectors:
        vectors = super().embed(passages, on_done)
        vectors[[text.startswith("Bad") for text in passages]] = np.nan
        return vectors


def chunk(text: str, title: str = "", document_title: str = "") -> Chunk:
    return Chunk(f"id of {text}", "document", title, document_title, text, 0, 0, len(text), 1)


CHUNKS = [
    chunk("Anna ate. Bees are idle.", "Animals", "Guide"),
    chunk("It is. Is it? Yes.", "Guide", "Guide"),
    chunk("Plain."),
]


def test_pooled_sentences_are_those_of_the_text_behind_the_titles() -> None:
    made = embed_chunks(PoolingLetters(), "pooled", CHUNKS)

    expected = [["Anna ate.", "Bees are idle."], ["It is.", "Is it?", "Yes."], ["Plain."]]
    np.testing.assert_array_equal(made.passages, Letters().embed([one.passage for one in CHUNKS]))
    for row, sentences in enumerate(expected):
        np.testing.assert_array_equal(made.of_sentences(row), Letters().embed(sentences))


def test_separate_sentences_are_embedded_behind_their_titles() -> None:
    embedder = Letters()
    told: list[int] = []

    made = embed_chunks(embedder, "separate", CHUNKS, told.append)

    texts = [
        ["Guide: Animals: Anna ate.", "Guide: Animals: Bees are idle."],
        ["Guide: It is.", "Guide: Is it?", "Guide: Yes."],
        ["Plain."],
    ]
    assert embedder.given == [*(one.passage for one in CHUNKS), *(text for of_chunk in texts for text in of_chunk)]
    assert told == [3], "progress counts chunks"
    for row, sentences in enumerate(texts):
        np.testing.assert_array_equal(made.of_sentences(row), Letters().embed(sentences))


def test_equal_sentences_behind_equal_titles_are_embedded_once() -> None:
    embedder = Letters()
    made = embed_chunks(embedder, "separate", [chunk("It is. See above. It is."), chunk("See above.")])
    assert embedder.given[2:] == ["It is.", "See above."]
    np.testing.assert_array_equal(made.of_sentences(0), Letters().embed(["It is.", "See above.", "It is."]))
    np.testing.assert_array_equal(made.of_sentences(1), Letters().embed(["See above."]))


def test_without_sentences_only_passages_are_embedded() -> None:
    embedder = PoolingLetters()
    made = embed_chunks(embedder, "none", CHUNKS)
    assert made.of_sentences(0) is None
    assert embedder.given == [one.passage for one in CHUNKS]


@pytest.mark.parametrize("sentences", ["pooled", "separate"])
def test_some_rows_are_the_vectors_of_those_chunks(sentences: str) -> None:
    made = embed_chunks(PoolingLetters(), sentences, CHUNKS)
    alone = embed_chunks(PoolingLetters(), sentences, CHUNKS[1:2])
    np.testing.assert_array_equal(made[1:2].passages, alone.passages)
    np.testing.assert_array_equal(made[1:2].of_sentences(0), alone.of_sentences(0))


@pytest.mark.parametrize("sentences", ["pooled", "separate", "none"])
def test_no_chunks_have_no_vectors(sentences: str) -> None:
    made = embed_chunks(Letters(), sentences, [])
    assert made.passages.shape == (0, 3)
    assert not made.sentences


def test_a_sentence_without_a_usable_vector_is_an_error_that_shows_it() -> None:
    with pytest.raises(EmbeddingFailed, match=r"the first is that of 'Bad one\.'"):
        embed_chunks(Spoilt(), "separate", [chunk("It is. Bad one.")])


def test_sentences_are_embedded_where_that_costs_nothing_but_time() -> None:
    assert choose_sentences(PoolingLetters(), None) == "separate"
    assert choose_sentences(Letters(), None) == "none"
    for wanted in ("pooled", "separate", "none"):
        assert choose_sentences(PoolingLetters(), wanted) == wanted


def test_a_way_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(InvalidInput, match="one of pooled, separate, none, got 'both'"):
        choose_sentences(Letters(), "both")


def test_pooling_is_refused_for_an_embedder_that_cannot() -> None:
    with pytest.raises(InvalidInput, match=r"'letters' gives no vectors of sentences.* 'separate'"):
        choose_sentences(Letters(), "pooled")


def test_a_corpus_whose_embedder_lost_the_ability_is_told_how_to_get_it_back() -> None:
    with pytest.raises(EmbedderMismatch, match=r"pip install 'tetragraph\[local\]'"):
        embed_chunks(Letters(), "pooled", CHUNKS)
