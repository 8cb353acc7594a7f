"""The last page of a PDF, and words at the ends of its lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from scans import write_pdf
from tetragraph.model import Document, Heading, Page
from tetragraph.model.reading import ReadingOptions
from tetragraph_loaders import divided_words, office
from tetragraph_loaders.divided_words import JOINT, MARK

DIVIDED = "Power is sent to nine thousand homes by the local com-\npany of Bo Lind."


def read(path: Path) -> Document:
    pytest.importorskip("kreuzberg")
    (found,) = office.load(path, id_prefix="d/a", options=ReadingOptions(ocr="off"))
    assert isinstance(found, Document)
    return found


def join(*pages: str) -> list[str]:
    """Pages as PDFium writes them, after the words that their lines divide are joined."""
    written = dict(enumerate(pages, 1))
    texts = [(number, text.replace(MARK, "-")) for number, text in written.items()]
    return [text.replace(JOINT, "") for _, text in divided_words.mark_joints(texts, written)]


def test_a_last_page_with_a_hyphen_at_the_end_of_a_line_stays(tmp_path: Path) -> None:
    document = read(write_pdf(tmp_path / "a.pdf", "Bees dance.", DIVIDED))
    assert document.text[document.pages[1].start :].endswith("of Bo Lind.")


def test_a_last_page_stays_where_it_has_fewer_characters_than_the_page_alone(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    found = office._extract(write_pdf(tmp_path / "a.pdf", "Bees dance.", "It works."))
    assert found.pages
    found.pages[-1]["content"] = "It works with <MIME>."
    assert office._find_end(found) == len(found.content)


def test_a_word_that_the_end_of_a_line_divides_is_one_word(tmp_path: Path) -> None:
    pages = (f"{DIVIDED}\nA long-term plan.", "Notes\nOur long-\nterm com-\npany.")
    document = read(write_pdf(tmp_path / "a.pdf", *pages))
    assert "by the local company of Bo Lind." in document.text
    assert document.text[document.pages[1].start :] == "Notes\nOur long-term company."
    assert [(document.text[one.start :][:5], one.title) for one in document.headings] == [("Notes", "Notes")]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (f"com{MARK}pany", "company"),  # nothing is known of it
        (f"The com{MARK}pany, a Company", "The company, a Company"),
        (f"long{MARK}term, Long-term", "long-term, Long-term"),
        (f"non{MARK}core, noncore, non-core, non-core", "non-core, noncore, non-core, non-core"),
        (f"Paid{MARK}In", "Paid-In"),
        (f"SE{MARK}QUENCE", "SEQUENCE"),
        (f"COVID{MARK}19 and 15d{MARK}15", "COVID-19 and 15d-15"),
        (f"five{MARK}year terms of five, a year", "five-year terms of five, a year"),
        (f"cost{MARK}plus{MARK}fee, cost-plus", "cost-plus-fee, cost-plus"),
        (f"peer{MARK}based or based, third{MARK}party, third-party", "peer-based or based, third-party, third-party"),
        (f"com{MARK}pany, third{MARK}party and third-party", "company, third-party and third-party"),
        (f"pro{MARK}cess, ex{MARK}port and export, cess", "process, export and export, cess"),
    ],
)
def test_the_other_words_of_a_document_decide_whether_a_hyphen_divides_a_word(written: str, text: str) -> None:
    assert join(written) == [text]


def test_words_of_other_pages_decide_as_well() -> None:
    assert join(f"the cre{MARK}ated file", "It is created.", f"long{MARK}term", "long-term") == [
        "the created file",
        "It is created.",
        "long-term",
        "long-term",
    ]


def test_a_page_with_other_hyphens_than_were_written_stays_as_it_is() -> None:
    assert divided_words.mark_joints([(1, "com-pany")], {1: f"a-b com{MARK}pany"}) == [(1, "com-pany")]
    assert divided_words.mark_joints([(1, "com-pany")], {}) == [(1, "com-pany")]


def test_pages_and_headings_move_with_the_words() -> None:
    text = f"A com{JOINT}pany.\nThe Har{JOINT}bour\nEnd"
    pages, headings = (Page(0, 1), Page(12, 2)), (Heading(12, 2, "The Har-bour"),)
    joined, moved, named = divided_words.close_joints(text, pages, headings)
    assert joined == "A company.\nThe Harbour\nEnd"
    assert [joined[page.start :][:3] for page in moved] == ["A c", "The"]
    assert named == (Heading(11, 2, "The Harbour"),)
