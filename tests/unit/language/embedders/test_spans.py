"""Vectors of a chunk's parts, from the same pass as the chunk, with the real models."""

from __future__ import annotations

import numpy as np
import pytest

from tetragraph.language.embedders import SpanEmbedder, load_embedder
from tetragraph.language.embedders.bge_small import bge_small
from tetragraph.language.embedders.minilm import minilm
from tetragraph.language.embedders.onnx_bert import OnnxBert, load_tokenizer
from tetragraph.settings import Settings

PASSAGES = [
    "The Seine flows through Paris. Bread is made of flour.",
    "Café Zoë — naïve. 東京 is a city. Unaffable!",
    "Paris.",
    "Bread is made of yeast. The Seine flows through Rouen.",
    "",
]
SPANS = [[(0, 30), (31, 54)], [(0, 17), (18, 31), (32, 42)], [(0, 6), (0, 0)], [(24, 54), (0, 23)], []]


@pytest.fixture(scope="module", params=["minilm", "bge-small"])
def embedder(request: pytest.FixtureRequest) -> OnnxBert:
    made = minilm() if request.param == "minilm" else bge_small()
    assert isinstance(made, OnnxBert)
    return made


def test_the_vectors_of_passages_are_to_the_byte_those_without_spans(embedder: OnnxBert) -> None:
    vectors, parts = embedder.embed_with_spans(PASSAGES, SPANS)
    np.testing.assert_array_equal(vectors, embedder.embed(PASSAGES))
    assert [rows.shape for rows in parts] == [(2, 384), (3, 384), (2, 384), (2, 384), (0, 384)]
    assert {rows.dtype for rows in parts} == {np.dtype(np.float32)}


def test_a_span_has_the_mean_of_its_tokens_scaled_to_length_one(embedder: OnnxBert) -> None:
    _, parts = embedder.embed_with_spans(PASSAGES, SPANS)
    for passage, spans, rows in zip(PASSAGES, SPANS, parts, strict=True):
        encoding = load_tokenizer().encode(passage, add_special_tokens=False)
        hidden = embedder._hidden(embedder._session(), [encoding.ids])[0]
        for (begin, end), row in zip(spans, rows, strict=True):
            inside = [1 + place for place, (start, _) in enumerate(encoding.offsets) if begin <= start < end]
            if inside:
                mean = hidden[inside].mean(axis=0)
                np.testing.assert_allclose(row, mean / np.linalg.norm(mean), atol=1e-6)


def test_a_span_says_what_its_own_words_say(embedder: OnnxBert) -> None:
    _, parts = embedder.embed_with_spans(PASSAGES[:1], SPANS[:1])
    (river, bread), question = parts[0], embedder.embed_question("What do bakers make of flour?")
    assert bread @ question > river @ question


def test_a_span_without_tokens_or_beyond_the_window_has_the_vector_of_its_passage(embedder: OnnxBert) -> None:
    long = "river " * embedder.max_tokens + "bread oven"
    begins = 6 * embedder.max_tokens
    vectors, (rows,) = embedder.embed_with_spans([long], [[(begins, begins + 5), (5, 6), (begins - 6, begins + 5)]])
    np.testing.assert_array_equal(rows[:2], np.repeat(vectors, 2, axis=0))
    assert not np.array_equal(rows[2], vectors[0])


def test_the_bytes_of_a_span_do_not_depend_on_the_company_of_its_passage(embedder: OnnxBert) -> None:
    _, together = embedder.embed_with_spans(PASSAGES, SPANS)
    for passage, spans, rows in zip(PASSAGES, SPANS, together, strict=True):
        _, (alone,) = embedder.embed_with_spans([passage], [spans])
        np.testing.assert_array_equal(rows, alone)


def test_no_passages_give_no_spans(embedder: OnnxBert) -> None:
    vectors, parts = embedder.embed_with_spans([], [])
    assert (vectors.shape, parts) == ((0, 384), [])


def test_only_models_that_are_run_here_can_embed_spans(settings: Settings, embedder: OnnxBert) -> None:
    served = settings.model_copy(update={"openai_base_url": "http://x"})
    assert isinstance(embedder, SpanEmbedder)
    for name in ("openai:x", "fastembed:x", "sentence-transformers:x"):
        assert not isinstance(load_embedder(name, served), SpanEmbedder)
