"""The last page of a PDF, and words at the ends of its lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from scans import write_pdf
from tetragraph.model import Document
from tetragraph.model.reading import ReadingOptions
from tetragraph_loaders import office

DIVIDED = "Power is sent to nine thousand homes by the local com-\npany of Bo Lind."


def read(path: Path) -> Document:
    pytest.importorskip("kreuzberg")
    (found,) = office.load(path, id_prefix="d/a", options=ReadingOptions(ocr="off"))
    assert isinstance(found, Document)
    return found


def test_a_last_page_with_a_hyphen_at_the_end_of_a_line_stays(tmp_path: Path) -> None:
    document = read(write_pdf(tmp_path / "a.pdf", "Bees dance.", DIVIDED))
    assert document.text[document.pages[1].start :].endswith("of Bo Lind.")


def test_a_last_page_stays_where_it_has_fewer_characters_than_the_page_alone(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    found = office._extract(write_pdf(tmp_path / "a.pdf", "Bees dance.", "It works."))
    assert found.pages
    found.pages[-1]["content"] = "It works with <MIME>."
    assert office._find_end(found) == len(found.content)
