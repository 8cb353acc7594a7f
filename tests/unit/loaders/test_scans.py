"""Pages of a PDF without text: recognised by the real models, or the reason why they are not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from scans import draw, need_ocr, write_pdf, write_scan
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders import office, recognition, scanned_pages

STAMP = "Scan 7"
WORDS = "This page has a text layer of its own."


def only(path: Path, options: ReadingOptions = DEFAULT_READING) -> Document | Unreadable:
    pytest.importorskip("kreuzberg")
    (found,) = office.load(path, id_prefix="d/a", options=options)
    return found


def document(path: Path) -> Document:
    found = only(path)
    assert isinstance(found, Document), found
    return found


def count_recognised(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The pixels of pages that are recognised from now on."""
    seen: list[object] = []
    recognise = recognition._recognise

    def count(pixels: Any) -> str:
        seen.append(pixels)
        return recognise(pixels)

    monkeypatch.setattr(recognition, "_recognise", count)
    return seen


def test_a_scan_is_read_page_by_page(tmp_path: Path) -> None:
    need_ocr()
    found = document(write_scan(tmp_path / "a.pdf", [draw("Harbour fees rise"), draw("Ferries sail again")]))
    assert found.text == "Harbour fees rise\n\nFerries sail again"
    assert [(page.start, page.number) for page in found.pages] == [(0, 1), (19, 2)]
    assert found.notes == ("the text of 2 pages was recognised, and may have errors",)


@pytest.mark.slow
def test_a_scan_gives_the_same_text_in_any_number_of_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_ocr()
    scan = write_scan(tmp_path / "a.pdf", [draw(f"Page {n}", "has a line, and another") for n in range(6)])
    monkeypatch.setattr(recognition, "count_processors", lambda: 1)
    recognition._pool.cache_clear()
    alone = document(scan)
    for _ in range(2):
        monkeypatch.setattr(recognition, "count_processors", lambda: 3)
        recognition._pool.cache_clear()
        recognition._recent = type(recognition._recent)(10)
        assert document(scan) == alone
    recognition._pool.cache_clear()


def test_of_a_partly_scanned_file_only_pages_without_text_are_recognised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_ocr()
    before = document(write_pdf(tmp_path / "a.pdf", WORDS, f"{WORDS}\nTwo."))
    write_scan(tmp_path / "a.pdf", [draw("Ferries sail again"), draw()], after=True)
    seen = count_recognised(monkeypatch)
    found = document(tmp_path / "a.pdf")
    assert found.text == f"{before.text}\n\nFerries sail again"
    assert found.pages[:2] == before.pages
    assert [page.number for page in found.pages] == [1, 2, 3, 4]
    assert found.text[found.pages[2].start :] == "Ferries sail again"
    assert found.notes == ("the text of 1 page was recognised, and may have errors",)
    assert len(seen) == 2


def test_pages_with_text_are_neither_drawn_nor_recognised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_ocr()
    monkeypatch.setattr(scanned_pages, "_draw", None)
    found = document(write_pdf(tmp_path / "a.pdf", WORDS))
    assert (found.text, found.notes) == (WORDS, ())


def test_a_page_keeps_its_few_words_where_recognition_finds_no_more(tmp_path: Path) -> None:
    need_ocr()
    found = document(write_pdf(tmp_path / "a.pdf", "Appendix II\nof the fees", WORDS))
    assert found.text.startswith("Appendix II\nof the fees\n\n")
    assert found.notes == ()


def test_a_stamp_does_not_hide_the_words_of_a_scan(tmp_path: Path) -> None:
    need_ocr()
    pytest.importorskip("kreuzberg")
    scan = write_scan(tmp_path / "a.pdf", [draw("Harbour fees rise", "in May 2031, and again", "in 2032.")])
    marked = f"\ue0001\ue001\n\n{STAMP}"
    sizes = {"pages": {"pages": [{"number": 1, "dimensions": (612.0, 216.0)}]}}
    found = scanned_pages.recognise_pages(scan, office._page_texts(marked), sizes, DEFAULT_READING)
    assert found.texts[1].startswith("Harbour fees rise")


def test_a_scan_in_which_nothing_is_recognised_has_this_reason(tmp_path: Path) -> None:
    need_ocr()
    found = only(write_scan(tmp_path / "a.pdf", [draw(), draw()]))
    assert isinstance(found, Unreadable)
    assert found.reason == "the PDF is a scan or drawing: its 2 pages have no text, and none was recognised"


def test_without_the_extra_a_scan_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    found = only(write_pdf(tmp_path / "a.pdf", "", ""))
    assert isinstance(found, Unreadable)
    assert found.reason == (
        "the PDF is a scan or drawing: its 2 pages have no text; a scan must go through text recognition first: "
        "pip install 'tetragraph[ocr]', or in a checkout pip install '.[ocr]'; or through ocrmypdf"
    )


def test_a_scan_is_not_read_where_recognition_is_off(tmp_path: Path) -> None:
    found = only(write_pdf(tmp_path / "a.pdf", ""), ReadingOptions(ocr="off"))
    assert isinstance(found, Unreadable)
    assert found.reason.endswith("its page has no text; a scan is not read with --ocr off")


def test_a_page_that_cannot_be_recognised_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_ocr()
    draw_page = scanned_pages._draw
    sizes = {1: None, 2: (9_000.0, 9_000.0), 3: (0.0, 100.0)}
    monkeypatch.setattr(
        scanned_pages, "_draw", lambda path, number, size: draw_page(path, number, sizes.get(number, size))
    )
    found = document(write_scan(tmp_path / "a.pdf", [draw("One"), draw("Two"), draw("Three"), draw("Four")]))
    assert found.text == "Four"
    assert found.notes == (
        "the text of 1 page was recognised, and may have errors",
        "page 1 and 1 more could not be recognised: a page may have 72,000,000 square points, this one has 0",
        "page 2 could not be recognised: a page may have 72,000,000 square points, this one has 81,000,000",
    )


def test_a_page_that_cannot_be_drawn_is_a_reason(tmp_path: Path) -> None:
    need_ocr()
    pytest.importorskip("kreuzberg")
    scan = write_scan(tmp_path / "a.pdf", [draw("One")])
    sizes = {"pages": {"pages": [{"number": 9, "dimensions": (612.0, 792.0)}]}}
    found = scanned_pages.recognise_pages(scan, [(9, "")], sizes, DEFAULT_READING)
    assert found.notes == ("page 9 could not be recognised: the page cannot be drawn: Page 8 not found",)
    assert (dict(found.texts), found.was_tried) == ({}, True)
