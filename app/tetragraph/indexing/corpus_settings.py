"""Settings that a corpus keeps from its first ingest: its embedder, the size of chunks, and vectors of sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tetragraph.errors import EmbedderMismatch, InvalidInput
from tetragraph.indexing.embedding import choose_sentences
from tetragraph.language.embedders import Embedder
from tetragraph.stores.corpus import CorpusRecord
from tetragraph.validation import check_text

MIN_CHUNK_TOKENS = 32
"""Least size of chunks; shorter ones hold less than a sentence besides their title."""


def check_types(loader: object, chunk_tokens: object) -> None:
    """Check the types of arguments of an ingest, or of its preview.

    Raises:
        InvalidInput: the loader is no text, or the size of chunks no integer.
    """
    if loader is not None:
        check_text("loader", loader, "the name of a loader")
    if chunk_tokens is not None and not isinstance(chunk_tokens, int):
        raise InvalidInput(f"chunk_tokens must be an integer, got {chunk_tokens!r}")


def choose_settings(embedder: Embedder, chunk_tokens: int | None, sentences: str | None) -> dict[str, Any]:
    """Choose the settings of a new corpus.

    Args:
        embedder: Embedder of the corpus.
        chunk_tokens: Longest chunk in tokens; default: the input length of the embedder.
        sentences: Method by which sentences are embedded; default: see :func:`choose_sentences`.

    Raises:
        InvalidInput: a value breaks its rule.
    """
    tokens = embedder.max_tokens if chunk_tokens is None else chunk_tokens
    if not MIN_CHUNK_TOKENS <= tokens <= embedder.max_tokens:
        raise InvalidInput(
            f"chunk_tokens must be between {MIN_CHUNK_TOKENS} and the {embedder.max_tokens} that {embedder.name} "
            f"reads, got {tokens}"
        )
    return {"chunk_tokens": tokens, "sentences": choose_sentences(embedder, sentences)}


def check_same(record: CorpusRecord, embedder: str | None, asked: Mapping[str, int | str | None]) -> None:
    """Refuse settings that differ from those that a corpus was created with.

    Args:
        record: The corpus.
        embedder: Name of the embedder; None for that of the corpus.
        asked: Values by name of the setting; None for that of the corpus.

    Raises:
        EmbedderMismatch: the corpus has another embedder.
        InvalidInput: the corpus has another value.
    """
    if embedder not in (None, record.embedder):
        raise EmbedderMismatch(
            f"corpus {record.name!r} was embedded with {record.embedder!r}, got {embedder!r}: leave the embedder out, "
            f"or change it first (`tetragraph reembed {record.name} --embedder {embedder}`)"
        )
    made_with = {**record.settings, "sentences": record.sentences, "arrays": record.has_arrays}
    for name, value in asked.items():
        if value not in (None, made_with[name]):
            raise InvalidInput(
                f"corpus {record.name!r} was made with {name} {made_with[name]}, got {value}: leave it out, or drop "
                f"the corpus (`tetragraph delete {record.name}`) and ingest it again"
            )
