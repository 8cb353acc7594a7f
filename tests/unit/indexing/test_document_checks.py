"""Documents that the stores would reject are found before a write."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tetragraph.indexing.document_checks import find_fault
from tetragraph.model import Document


@pytest.mark.parametrize("value", ["text", 1, -(2**63), 2**63 - 1, 0.5, True])
def test_scalars_are_welcome(value: Any) -> None:
    assert find_fault(Document("a", "A", "Text", metadata={"key": value})) == ""


@pytest.mark.parametrize(
    ("text", "metadata", "words"),
    [
        (" \n", {}, "must have text"),
        ("Text", {"sha256": "x"}, "may not use the names corpus, id, sha256, got 'sha256'"),
        ("Text", {"key": ["a"]}, "got list for 'key'"),
        ("Text", {"key": None}, "got NoneType for 'key'"),
        ("Text", {"key": 2**63}, "64 bits"),
        ("Text", {"key": math.nan}, "must be finite, got nan"),
    ],
)
def test_what_cannot_be_stored_is_told_with_its_rule(text: str, metadata: dict[str, Any], words: str) -> None:
    assert words in find_fault(Document("a", "A", text, metadata=metadata))
