"""The embedder of OpenAI-compatible endpoints, against a scripted one on a real socket."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tetragraph.errors import EmbedderUnavailable, EmbeddingFailed, InvalidInput
from tetragraph.language.embedders import Embedder, load_embedder
from tetragraph.settings import Settings

Answer = Callable[[str, str, Any], tuple[int, Any]]
Serve = Callable[[Answer], str]


def at(settings: Settings, url: str) -> Embedder:
    return load_embedder("openai:some-model", settings.model_copy(update={"openai_base_url": f"{url}/v1"}))


def reply(rows: list[list[float]]) -> dict[str, Any]:
    """As the protocol has it, but last row first: the index tells, not the order."""
    data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
    return {
        "object": "list",
        "data": data[::-1],
        "model": "some-model",
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }


def lengths_of(texts: list[str]) -> list[list[float]]:
    return [[float(len(text)), 0.0, 2.0] for text in texts]


def test_passages_keep_their_order_over_several_requests(settings: Settings, serve: Serve) -> None:
    asked: list[Any] = []
    told: list[int] = []

    def answer(method: str, path: str, body: Any) -> tuple[int, Any]:
        asked.append((method, path, body["model"], len(body["input"])))
        return 200, reply(lengths_of(body["input"]))

    passages = ["x" * (i + 1) for i in range(150)]
    vectors = at(settings, serve(answer)).embed(passages, told.append)

    expected = np.array(lengths_of(passages))
    np.testing.assert_allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), rtol=1e-6)
    assert vectors.dtype == np.float32
    assert asked == [("POST", "/v1/embeddings", "some-model", size) for size in (64, 64, 22)]
    assert told == [64, 64, 22]


@pytest.mark.usefixtures("dead_proxy")
def test_no_proxy_stands_before_an_endpoint_of_this_machine(settings: Settings, serve: Serve) -> None:
    vectors = at(settings, serve(lambda _, __, body: (200, reply(lengths_of(body["input"]))))).embed(["x"])
    assert vectors.shape == (1, 3)


def test_the_dimension_is_learnt_from_the_first_answer(settings: Settings, serve: Serve) -> None:
    requests: list[Any] = []

    def answer(_: str, __: str, body: Any) -> tuple[int, Any]:
        requests.append(body["input"])
        return 200, reply(lengths_of(body["input"]))

    embedder = at(settings, serve(answer))
    assert embedder.embed_question("why?").shape == (3,)
    assert embedder.dimension == 3
    assert embedder.embed([]).shape == (0, 3)
    assert requests == [["why?"]]


def test_the_dimension_is_asked_for_where_nothing_was_embedded_yet(settings: Settings, serve: Serve) -> None:
    assert at(settings, serve(lambda _, __, body: (200, reply(lengths_of(body["input"]))))).dimension == 3


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([[1.0, 2.0]], "must give 2 vectors of 2 numbers, got an array of shape"),
        ([[1.0, 2.0], [1.0]], "lists of numbers of one length"),
        ([[1.0, 2.0], [math.nan, 1.0]], "finite numbers and not only zeros; 1 do not, the first is that of 'b'"),
        ([[0.0, 0.0], [1.0, 1.0]], "the first is that of 'a'"),
        ([[], []], "gave no vectors"),
    ],
)
def test_vectors_that_cannot_be_used_are_an_error(
    settings: Settings, serve: Serve, rows: list[list[float]], said: str
) -> None:
    with pytest.raises(EmbeddingFailed, match=said):
        at(settings, serve(lambda *_: (200, reply(rows)))).embed(["a", "b"])


def test_a_later_answer_of_another_size_is_an_error(settings: Settings, serve: Serve) -> None:
    sizes = iter([3, 5])
    embedder = at(settings, serve(lambda *_: (200, reply([[1.0] * next(sizes)]))))
    embedder.embed_question("one")
    with pytest.raises(EmbeddingFailed, match=r"1 vectors of 3 numbers, got an array of shape \(1, 5\)"):
        embedder.embed_question("two")


@pytest.mark.parametrize("body", [reply([]), {"status": "fine"}, "welcome", [1, 2]])
def test_an_address_that_answers_something_else_is_an_error_that_says_so(
    settings: Settings, serve: Serve, body: Any
) -> None:
    with pytest.raises(EmbeddingFailed, match="address of an OpenAI-compatible endpoint"):
        at(settings, serve(lambda *_: (200, body))).embed_question("a")


def test_a_passing_trouble_is_tried_again(settings: Settings, serve: Serve) -> None:
    troubles = iter([429, 503])

    def answer(_: str, __: str, body: Any) -> tuple[int, Any]:
        status = next(troubles, 200)
        return (200, reply(lengths_of(body["input"]))) if status == 200 else (status, {"error": {"message": "busy"}})

    assert at(settings, serve(answer)).embed_question("a").shape == (3,)


def test_a_refused_text_is_told_from_an_endpoint_that_refuses(settings: Settings, serve: Serve) -> None:
    url = serve(lambda *_: (400, {"error": {"message": "too long"}}))
    with pytest.raises(EmbeddingFailed, match=rf"{url}/v1 refused a text for the model 'some-model': .*too long"):
        at(settings, url).embed_question("a")


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_says_who_refused_and_what_to_check(settings: Settings, serve: Serve, status: int) -> None:
    url = serve(lambda *_: (status, {"error": {"message": "the reason"}}))
    with pytest.raises(
        EmbedderUnavailable, match=rf"{url}/v1 gave no vectors of the model 'some-model': .*the reason.*KEY"
    ):
        at(settings, url).embed_question("a")


def test_without_a_key_and_an_address_it_is_refused_at_once(settings: Settings) -> None:
    with pytest.raises(InvalidInput, match="'openai:some-model' needs OPENAI_API_KEY, or OPENAI_BASE_URL"):
        load_embedder("openai:some-model", settings)


def test_tokens_are_a_quarter_of_the_characters_rounded_up(settings: Settings) -> None:
    embedder = load_embedder(
        "openai:text-embedding-3-small", settings.model_copy(update={"openai_base_url": "http://x"})
    )
    assert embedder.count_tokens(["", "a", "four", "12345"]) == [0, 1, 1, 2]
    assert (embedder.max_tokens, embedder.model_hash) == (8191, "")
    assert embedder.name == "openai:text-embedding-3-small"
