"""A document's hash tells apart whatever searches depend on."""

from __future__ import annotations

import pytest

from tetragraph import Document, Heading


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
