"""A document's hash tells apart whatever searches depend on, and fields of another type are refused."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph import Document, Heading
from tetragraph.errors import InvalidInput


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Document("a", "A\nB", "C"), Document("a", "A", "B\nC")),
        (Document("a", "A", "B\nyear=2020"), Document("a", "A", "B", metadata={"year": 2020})),
        (Document("a", "A", "B\n0,1,C"), Document("a", "A", "B", headings=(Heading(0, 1, "C"),))),
        (
            Document("a", "A", "B", headings=(Heading(0, 1, "C\n0,2,D"),)),
            Document("a", "A", "B", headings=(Heading(0, 1, "C"), Heading(0, 2, "D"))),
        ),
    ],
)
def test_parts_that_join_to_the_same_lines_have_different_hashes(one: Document, other: Document) -> None:
    assert one.sha256 != other.sha256


def test_the_hash_of_most_documents_is_that_of_their_lines() -> None:
    document = Document("a", "A", "B\n", metadata={"year": 2020}, source="x", origin="/x")
    assert document.sha256 == "996278a5e9ba4eb7bf46cbc3c74a71ac9fd4b137cb055c777b3a8a5a9cc0a14b"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"id": 3}, "the id of a document must be a text, got 3: convert it to one"),
        ({"title": None}, "the title of a document must be a text, got None"),
        ({"text": 5}, "the text of a document must be a text, got 5"),
        ({"source": ["a"]}, r"the source of a document must be a text, got \['a'\]"),
        ({"id": ""}, "the id of a document must be one line of text, got '': give it a name without line ends"),
        ({"id": "a\nb"}, r"one line of text, got 'a\\nb'"),
        ({"id": "a\r"}, "one line of text"),
    ],
)
def test_what_cannot_be_a_document_is_refused_where_it_is_made(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        Document(**{"id": "a", "title": "A", "text": "Text", **given})
