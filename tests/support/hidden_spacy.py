"""Tests without spaCy, in an environment that has it."""

from __future__ import annotations

import pytest

from tetragraph.language import spacy_model


def hide_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rest of a test find neither spaCy nor a model of it."""
    monkeypatch.setattr(spacy_model, "_found", [])
    monkeypatch.setattr(spacy_model, "_loaded", {})
    monkeypatch.setattr(spacy_model, "find_spec", lambda _: None)
