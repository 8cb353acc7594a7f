"""A worker computes what it is sent, and describes what it would compute with."""

from __future__ import annotations

import os
import pickle

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.executors.ray_executor import without_secrets
from tetragraph.executors.worker import PACKAGES, Worker, describe_installation
from tetragraph.host import processors
from tetragraph.indexing.embedded_documents import EmbedDocuments, embed_documents
from tetragraph.language.embedders import load_embedder
from tetragraph.language.embedders.steps import EmbedTexts
from tetragraph.language.facts.dependency import DependencyExtractor
from tetragraph.language.facts.processes import ExtractFacts
from tetragraph.model import Chunk, Document
from tetragraph.settings import Settings
from tetragraph.version import __version__

pytest.importorskip("onnxruntime")


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo what a worker changes of its process."""
    monkeypatch.setattr(processors, "_limit", None)
    monkeypatch.setenv("HOME", os.environ.get("HOME", ""))


def _compute(step: object, item: object) -> object:
    return pickle.loads(Worker(1, "/home/of/a/user").compute(pickle.dumps((step, item))))  # noqa: S301  # made above


def test_a_worker_computes_each_step_as_it_is_computed_here() -> None:
    model = load_embedder("minilm", Settings())
    texts = ["Elva Kron was a painter.", "Halvik is a town."]
    assert _compute(EmbedTexts("minilm"), texts).tobytes() == model.embed(texts).tobytes()  # type: ignore[attr-defined]
    documents = [Document("a", "Elva Kron", texts[0]), Document("b", "Halvik", f"{texts[1]} {texts[0]}")]
    found = _compute(EmbedDocuments("minilm", 64, "separate"), documents)
    for (chunks, vectors), (own_chunks, own) in zip(
        found,  # type: ignore[call-overload]
        embed_documents(model, 64, "separate", documents),
        strict=True,
    ):
        assert chunks == own_chunks
        assert vectors.passages.tobytes() == own.passages.tobytes()
        assert [one.tobytes() for one in vectors.sentences] == [one.tobytes() for one in own.sentences]
    chunk = Chunk("c", "c", "Marta Olsen", "Marta Olsen", "Marta Olsen was born in Oslo.", 0, 0, 29, 0)
    assert _compute(ExtractFacts(), [chunk]) == DependencyExtractor().extract([chunk])


def test_a_worker_uses_its_share_of_the_processors_and_the_home_of_the_user() -> None:
    _compute(EmbedTexts("minilm"), ["a"])
    assert (processors.count_processors(), os.environ["HOME"]) == (1, "/home/of/a/user")


def test_an_error_of_a_step_is_its_result() -> None:
    error = _compute(EmbedTexts("no-such-model"), ["a"])
    assert isinstance(error, InvalidInput)


def test_an_installation_is_described_with_versions_code_and_bits_of_the_model() -> None:
    found = describe_installation([EmbedTexts("minilm"), ExtractFacts()])
    assert {"tetragraph", "Python", "code of tetragraph", *PACKAGES, "model minilm", "vectors of minilm"} == {*found}
    assert found["tetragraph"] == __version__
    place, same = Worker(1).describe(pickle.dumps((EmbedTexts("minilm"), ExtractFacts())))
    assert place.endswith(f"pid {os.getpid()}")
    assert same == found
    assert describe_installation([EmbedTexts("bge-small")])["vectors of bge-small"] != found["vectors of minilm"]


def test_keys_and_addresses_of_stores_are_kept_out_of_the_environment_of_workers() -> None:
    kept = {"PATH": "/bin", "HOME": "/root", "RAY_AUTH_TOKEN": "t", "OPENBLAS_CORETYPE": "Haswell"}
    secret = ("NEO4J_URI", "NEO4J_PASSWORD", "QDRANT_URL", "TETRAGRAPH_LLM", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY")
    assert without_secrets({**kept, **dict.fromkeys(secret, "x")}) == kept
