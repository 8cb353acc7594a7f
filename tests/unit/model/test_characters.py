"""Characters that Unicode writes in several ways: their one spelling, and offsets in a text that has it."""

from __future__ import annotations

import unicodedata

import pytest

from tetragraph.model import Document, Heading, Page
from tetragraph.model.characters import spellings, unify_characters, unify_document


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("Gro\u0308\u00dfe", "Gr\u00f6\u00dfe"),
        ("Dampf\u00adschiff", "Dampfschiff"),
        ("a\u200bb\ufeffc", "abc"),
        ("o\ufb03ce \ufb02ow \ufb06op", "office flow stop"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("\u0e17\u0e30\u200b\u0e40\u0e25", "\u0e17\u0e30\u200b\u0e40\u0e25"),
        ("\U0001f468\u200d\U0001f469 x\u00b2 \u2126\u2460", "\U0001f468\u200d\U0001f469 x\u00b2 \u03a9\u2460"),
        ("plain", "plain"),
    ],
)
def test_a_character_has_one_spelling(given: str, expected: str) -> None:
    assert unify_characters(given) == expected
    assert unify_characters(expected) == expected


def test_offsets_of_a_document_are_those_in_its_unified_text() -> None:
    parts = ["Gro\u0308\u00adße\n", "\ufb01rst\n", "\u200bO\u0308l\n", "cafe\u0301"]
    starts = [0, *(len("".join(parts[: n + 1])) for n in range(3))]
    headings = tuple(Heading(start, 1, part.strip()) for start, part in zip(starts, parts, strict=True))
    pages = (Page(0, 1), Page(starts[2], 2))
    found = unify_document(Document("o\u0308", "Gro\u0308ße", "".join(parts), headings=headings, pages=pages))
    assert (found.id, found.title, found.text) == ("o\u0308", "Größe", "Größe\nfirst\nÖl\ncafé")
    assert [found.text[one.start :].split("\n")[0] for one in found.headings] == [one.title for one in found.headings]
    assert [one.title for one in found.headings] == ["Größe", "first", "Öl", "café"]
    assert [found.text[page.start] for page in found.pages] == ["G", "Ö"]


def test_spans_that_are_left_out_move_with_their_text() -> None:
    found = unify_document(Document("a", "A", "o\u0308 menu\u00ad o\u0308", left_out=((3, 8),)))
    assert [found.text[start:end] for start, end in found.left_out] == ["menu"]


def test_a_document_without_such_characters_stays_as_it_is() -> None:
    document = Document("a", "Größe", "Öl und Größe", headings=(Heading(0, 1, "Öl"),))
    assert unify_document(document) is document


def test_a_title_alone_is_unified_and_an_empty_heading_is_none() -> None:
    assert unify_document(Document("a", "O\u0308l", "Öl")).title == "Öl"
    assert unify_document(Document("a", "A", "\u00ad Öl", headings=(Heading(0, 1, "\u00ad"),))).headings == ()


def test_a_text_of_which_nothing_would_be_left_stays() -> None:
    assert unify_document(Document("a", "A", "\u200b\u00ad")).text == "\u200b\u00ad"


def test_the_spellings_of_a_name_begin_with_the_given_one() -> None:
    name = unicodedata.normalize("NFD", "Größe.txt")
    assert spellings(name) == [name, "Größe.txt"]
    assert spellings("plain.txt") == ["plain.txt"]
