"""Documents and chunks as values: hashes, titles, places, and what cannot be a document."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tetragraph import Chunk, Document, Heading, Page
from tetragraph.errors import InvalidInput

CHUNK = Chunk("c", "docs/a.pdf", "Tides", "Sailing", "Ebb and flood.", 0, 0, 14, 3, {}, "docs/a.pdf")


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
        (Document("a", "A", "B\npages=1:0"), Document("a", "A", "B", pages=(Page(0, 1),))),
        (Document("a", "A", "B", metadata={"tags": "['x']"}), Document("a", "A", "B", metadata={"tags": ["x"]})),
    ],
)
def test_parts_that_join_to_the_same_lines_have_different_hashes(one: Document, other: Document) -> None:
    assert one.sha256 != other.sha256


def test_the_hash_of_most_documents_is_that_of_their_lines() -> None:
    document = Document("a", "A", "B\n", metadata={"year": 2020}, source="x", origin="/x")
    assert document.sha256 == "996278a5e9ba4eb7bf46cbc3c74a71ac9fd4b137cb055c777b3a8a5a9cc0a14b"


def test_the_hash_is_the_same_for_every_type_of_sequence() -> None:
    listed, paired = (Document("a", "A", "B", metadata={"tags": tags}) for tags in (["x", "y"], ("x", "y")))
    assert listed.sha256 == paired.sha256


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
        ({"id": "  "}, "one line of text, got '  '"),
    ],
)
def test_what_cannot_be_a_document_is_refused_where_it_is_made(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        Document(**{"id": "a", "title": "A", "text": "Text", **given})


@pytest.mark.parametrize(
    ("source", "origin", "place"),
    [
        ("docs/a.md", "/home/docs/a.md", "/home/docs/a.md"),
        ("docs/a.csv:2", "/home/docs/a.csv", "/home/docs/a.csv:2"),
        ("docs/a.zip/rows.csv:2", "/home/docs/a.zip", "/home/docs/a.zip/rows.csv:2"),
        ("a.zip/b/c.md", "/home/a.zip", "/home/a.zip/b/c.md"),
        ("guide/guide", "/home/guide/guide", "/home/guide/guide"),
        ("docs/a.md", "", "docs/a.md"),
    ],
)
def test_the_place_of_a_document_names_file_member_and_line(source: str, origin: str, place: str) -> None:
    assert Document("a", "A", "Text", source=source, origin=origin).place == place


def test_the_place_of_a_chunk_names_file_page_and_heading() -> None:
    assert CHUNK.place == "docs/a.pdf › Tides"
    assert replace(CHUNK, page=12).place == "docs/a.pdf, page 12 › Tides"
    assert replace(CHUNK, page=12, title="Sailing").place == "docs/a.pdf, page 12"
    assert replace(CHUNK, page=3, location="slide 3").place == "docs/a.pdf, slide 3 › Tides"
    assert replace(CHUNK, section="Sea › Tides").place == "docs/a.pdf › Sea › Tides"


def test_the_name_of_a_file_is_no_title_of_its_document() -> None:
    assert CHUNK.own_titles == ("Sailing", "Tides")
    named_by_file = replace(CHUNK, named_by_file=True)
    assert named_by_file.own_titles == ("Tides",)
    assert replace(named_by_file, title="Sailing").own_titles == ()
    assert replace(CHUNK, title="", document_title="").own_titles == ()


def test_a_short_text_is_a_copy_only_under_the_same_titles() -> None:
    answer = replace(CHUNK, text="None.", title="Fees")
    assert answer.content == replace(answer, id="d", document_id="b").content
    assert answer.content != replace(answer, title="Pets").content
    renamed = replace(answer, named_by_file=True)
    assert renamed.content == replace(renamed, document_title="Copy of sailing").content


def test_a_long_text_is_a_copy_under_any_title() -> None:
    long = replace(CHUNK, text="Ebb and flood. " * 20)
    assert long.content == replace(long, title="Pets", document_title="Other").content
