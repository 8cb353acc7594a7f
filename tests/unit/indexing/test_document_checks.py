"""Documents that the stores would reject are found before a write."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tetragraph.indexing.document_checks import describe_place, find_fault
from tetragraph.model import Document, Heading


@pytest.mark.parametrize("value", ["text", 1, -(2**63), 2**63 - 1, 0.5, True, ["a", "b"], ("a",), []])
def test_scalars_and_lists_of_texts_are_welcome(value: Any) -> None:
    assert find_fault(Document("a", "A", "Text", metadata={"key": value})) == ""


@pytest.mark.parametrize(
    ("text", "metadata", "words"),
    [
        (" \n", {}, "must have text"),
        ("Text", {"key": {"a"}}, "lists of texts, got set for 'key'"),
        ("Text", {"key": ["a", 1]}, "the metadata 'key' must be a text, got int"),
        ("Text", {"@source": "a"}, "may not use the names of filters on files, got '@source'"),
        ("Text", {"key": None}, "got NoneType for 'key'"),
        ("Text", {"key": 2**63}, "64 bits"),
        ("Text", {"key": math.nan}, "must be finite, got nan"),
    ],
)
def test_what_cannot_be_stored_is_told_with_its_rule(text: str, metadata: dict[str, Any], words: str) -> None:
    assert words in find_fault(Document("a", "A", text, metadata=metadata))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"metadata": "year"}, "metadata must be a mapping of names to values, got str"),
        ({"metadata": {1: "x"}}, "the name of metadata must be a text, got int"),
        ({"id": "a\ud800"}, "the id must be whole characters of Unicode, got half of one at 1"),
        ({"text": "Text \udfff"}, "the text must be whole characters of Unicode, got half of one at 5"),
        ({"metadata": {"\ud800": 1}}, "the name of metadata must be whole characters"),
        ({"metadata": {"key": "\ud800"}}, "the metadata 'key' must be whole characters"),
        ({"metadata": {"key": ["\ud800"]}}, "the metadata 'key' must be whole characters"),
    ],
)
def test_a_field_of_another_type_or_with_half_a_character_is_named(given: dict[str, Any], words: str) -> None:
    document = Document(**{"id": "a", "title": "A", "text": "Text", **given})
    assert words in find_fault(document)
    describe_place(document).encode()


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (Document("ä" * 2_001, "A", "Text"), "an id may have 4,000 bytes, got 4,002"),
        (Document("a", "A" * 1_001, "Text"), "a title may have 1,000 characters, got 1,001"),
        (Document("a", "A", "Text", headings=(Heading(0, 1, "A" * 1_001),)), "a heading may have 1,000 characters"),
    ],
)
def test_names_too_long_for_an_index_are_refused(document: Document, words: str) -> None:
    assert words in find_fault(document)
