"""A model at any endpoint with OpenAI's embeddings protocol."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.errors import EmbedderUnavailable, EmbeddingFailed, InvalidInput
from tetragraph.host.addresses import connection_options
from tetragraph.language.embedders.base import OnDone, unit_length

if TYPE_CHECKING:
    from openai import OpenAI

    from tetragraph.settings import Settings

_BATCH = 64
_RETRIES = 3
_TIMEOUT_S = 60.0
_CHARACTERS_PER_TOKEN = 4
_WINDOW = 512
_OPENAI_WINDOW = 8191


class OpenAIModel:
    """An embedder named ``openai:<model>``, at ``OPENAI_BASE_URL`` or OpenAI's own address.

    Texts beyond the limit of the model are handled by the endpoint: most truncate them, OpenAI's rejects them. The
    client retries transient failures (a lost connection, 429, 5xx) with growing pauses. The dimension is taken from
    the first response. Tokens are estimated as characters / 4, a good approximation for English: the tokenizer of the
    endpoint is unknown.

    Raises:
        InvalidInput: neither a key nor an address is set.
    """

    def __init__(self, model: str, settings: Settings) -> None:
        self._model = model
        self._address = settings.openai_base_url
        self._key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else ""
        if not self._key and not self._address:
            raise InvalidInput(
                f"the embedder {self.name!r} needs OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint without keys"
            )
        self._guard = threading.Lock()
        self._client: OpenAI | None = None
        self._dimension = 0

    @property
    def name(self) -> str:
        return f"openai:{self._model}"

    @property
    def dimension(self) -> int:
        if not self._dimension:
            self.embed_question("dimension")
        return self._dimension

    @property
    def max_tokens(self) -> int:
        return _OPENAI_WINDOW if self._model.startswith("text-embedding-") else _WINDOW

    @property
    def model_hash(self) -> str:
        return ""

    def embed(self, passages: Sequence[str], on_done: OnDone | None = None) -> Vectors:
        batches = []
        for batch in _batches(passages):
            batches.append(self._request_vectors(batch))
            if on_done:
                on_done(len(batch))
        return np.concatenate(batches) if batches else np.empty((0, self.dimension), dtype=np.float32)

    def embed_question(self, question: str) -> Vectors:
        return np.asarray(self._request_vectors([question])[0])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [-(-len(text) // _CHARACTERS_PER_TOKEN) for text in texts]

    @property
    def _where(self) -> str:
        return self._address or "OpenAI"

    def _request_vectors(self, texts: list[str]) -> Vectors:
        """``(n, dimension)`` vectors of texts, from one request."""
        from openai import BadRequestError, OpenAIError  # imported here, as the package takes a second to import

        try:
            reply = self._open_client().embeddings.create(model=self._model, input=texts, encoding_format="float")
        except BadRequestError as error:
            raise EmbeddingFailed(f"{self._where} refused a text for the model {self._model!r}: {error}") from error
        except OpenAIError as error:
            raise EmbedderUnavailable(
                f"{self._where} gave no vectors of the model {self._model!r}: {error}; check the model's name, "
                "OPENAI_BASE_URL and OPENAI_API_KEY"
            ) from error
        return unit_length(self._matrix(reply), self._dimension, texts)

    def _matrix(self, reply: object) -> Vectors:
        """``(n, dimension)`` vectors of a response, which has any form if the address serves another protocol."""
        items = getattr(reply, "data", None) or []
        try:
            rows = np.array([item.embedding for item in sorted(items, key=lambda item: item.index)], dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise EmbeddingFailed(
                f"the model {self._model!r} must give lists of numbers of one length: {error}"
            ) from error
        if rows.ndim != 2 or not rows.size:
            raise EmbeddingFailed(
                f"the model {self._model!r} gave no vectors; check that {self._address or 'OPENAI_BASE_URL'} is the "
                "address of an OpenAI-compatible endpoint, which mostly ends in /v1"
            )
        with self._guard:
            self._dimension = self._dimension or rows.shape[1]
        return rows

    def _open_client(self) -> OpenAI:
        from openai import DefaultHttpxClient, OpenAI  # as in _request_vectors

        with self._guard:
            if self._client is None:
                http = DefaultHttpxClient(**connection_options(self._address or ""))
                weakref.finalize(self, http.close)
                self._client = OpenAI(
                    api_key=self._key or "none is needed",
                    base_url=self._address,
                    max_retries=_RETRIES,
                    timeout=_TIMEOUT_S,
                    http_client=http,
                )
            return self._client


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    for start in range(0, len(texts), _BATCH):
        yield list(texts[start : start + _BATCH])
