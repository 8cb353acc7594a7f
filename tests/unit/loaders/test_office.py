"""PDF and DOCX: text and headings, or the reason why they cannot be read."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from tetragraph.model import Document, Unreadable
from tetragraph_loaders import office

TYPES = """<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"""
RELATIONS = """<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r" Target="word/document.xml"
 Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>"""
BODY = """<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>
<w:p><w:r><w:t>Bees</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Bees</w:t></w:r></w:p>
<w:p><w:r><w:t>They * dance_a lot.</w:t></w:r></w:p></w:body></w:document>"""


def write_docx(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("_rels/.rels", RELATIONS)
        archive.writestr("word/document.xml", BODY)
    return path


def write_pdf(path: Path, *pages: str) -> Path:
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, words in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 720 Td ({words}) Tj ET"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        ]
    text = "%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(text))
        text += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF"
    path.write_bytes(f"{text}xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode())
    return path


def only(path: Path) -> Document | Unreadable:
    (found,) = office.load(path, id_prefix="d/a")
    return found


def test_a_docx_gives_its_text_and_its_marked_headings(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    document = only(write_docx(tmp_path / "my_file.docx"))
    assert isinstance(document, Document)
    assert document.title == "my file"
    assert document.text == "Bees\n\nBees\n\nThey * dance_a lot."
    assert [(heading.start, heading.title) for heading in document.headings] == [(6, "Bees")]


def test_a_pdf_gives_its_text(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    document = only(write_pdf(tmp_path / "a.pdf", "Bees dance."))
    assert isinstance(document, Document)
    assert (document.id, document.text, document.source) == ("d/a", "Bees dance.", "d/a")
    assert (document.title, document.named_by_file) == ("a", True)


def test_the_pages_of_a_pdf_begin_where_their_texts_begin(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    document = only(write_pdf(tmp_path / "a.pdf", "Bees dance.", "\\344lter \\351lan.", "", "They hum."))
    assert isinstance(document, Document)
    assert document.text == "Bees dance.\n\nälter Ølan.\n\nThey hum."
    starts = {page.number: page.start for page in document.pages}
    assert [document.text[starts[number] :][:4] for number in (1, 2, 4)] == ["Bees", "älte", "They"]
    assert list(starts) == [1, 2, 3, 4]


def test_a_docx_has_no_pages(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    document = only(write_docx(tmp_path / "a.docx"))
    assert isinstance(document, Document)
    assert document.pages == ()


@pytest.mark.parametrize("name", ["a.pdf", "a.docx"])
@pytest.mark.parametrize("content", [b"", b"rubbish", b"%PDF-1.4 rubbish", b"PK\x03\x04rubbish"])
def test_damaged_files_are_reported(tmp_path: Path, name: str, content: bytes) -> None:
    pytest.importorskip("kreuzberg")
    (tmp_path / name).write_bytes(content)
    assert isinstance(only(tmp_path / name), Unreadable)


def test_a_page_without_text_is_reported(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    found = only(write_pdf(tmp_path / "a.pdf", ""))
    assert isinstance(found, Unreadable)
    assert "a scan must go through text recognition first" in found.reason


def test_a_file_that_is_gone_is_reported(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    found = only(tmp_path / "a.pdf")
    assert isinstance(found, Unreadable)
    assert found.reason.startswith("the file cannot be read")


def test_without_the_extra_the_reason_is_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "kreuzberg", None)
    found = only(write_docx(tmp_path / "a.docx"))
    assert isinstance(found, Unreadable)
    assert found.reason.endswith("run: pip install 'tetragraph[docs]', or in a checkout pip install '.[docs]'")
