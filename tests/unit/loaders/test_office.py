"""PDF, Office files and e-mail: text and headings, or the reason why they cannot be read."""

from __future__ import annotations

import sys
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from open_documents import write_open_document
from scans import write_pdf
from tetragraph.model import Document, Heading, Unreadable
from tetragraph_loaders import office
from tetragraph_loaders.prepared_xml import prepare
from tetragraph_loaders.word_symbols import find_character

TYPES = """<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"""
RELATIONS = """<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r" Target="word/document.xml"
 Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>"""
WORD_NAMES = """xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
 xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml"
 xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"
 xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape\""""
BODY = """<w:p><w:r><w:t>Bees</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Bees</w:t></w:r></w:p>
<w:p><w:r><w:t>They * dance_a lot.</w:t></w:r></w:p>"""


def write_docx(path: Path, body: str = BODY) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("_rels/.rels", RELATIONS)
        archive.writestr("word/document.xml", f"<w:document {WORD_NAMES}><w:body>{body}</w:body></w:document>")
    return path


def write_email(path: Path, subject: str, body: str, *, date: str = "", attached: str = "") -> Path:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = subject, "office@example.org", "all@example.org"
    if date:
        mail["Date"] = date
    mail.set_content(body)
    if attached:
        mail.add_attachment("The contract ends in May.", filename=attached)
    path.write_bytes(bytes(mail))
    return path


def sign(font: str, number: str) -> str:
    return f'<w:sym w:font="{font}" w:char="{number}"/>'


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


@pytest.mark.parametrize(
    ("font", "number", "character"),
    [
        ("Symbol", "F061", "α"),
        ("Symbol", "F077", "ω"),
        ("symbol", "F057", "Ω"),
        ("Symbol", "F06D", "μ"),
        ("Symbol", "F0A3", "≤"),
        ("Symbol", "F0B3", "≥"),
        ("Symbol", "F0B4", "×"),
        ("Symbol", "F0B8", "÷"),
        ("Symbol", "F0B9", "≠"),
        ("Symbol", "F0BB", "≈"),
        ("Symbol", "00AE", "→"),
        ("Symbol", "F0DE", "⇒"),
        ("Symbol", "F0E5", "∑"),
        ("Symbol", "F0F2", "∫"),
        ("Symbol", "F030", "0"),
        ("Wingdings", "F0FC", "✓"),
        ("Wingdings", "F0FB", "✗"),
        ("Wingdings", "F0E0", "→"),
        ("Wingdings", "F0A7", "▪"),
        ("Wingdings", "F041", ""),
        ("Wingdings 2", "F050", "✓"),
        ("Webdings", "F061", ""),
        ("Arial", "F0B5", ""),
        ("Arial", "F041", "A"),
        ("Cambria Math", "2264", "≤"),
        ("Segoe UI Symbol", "2713", "✓"),
        ("Symbol", "2264", "≤"),
        ("Arial", "E123", ""),
        ("Arial", "D800", ""),
        ("Arial", "110000", ""),
        ("Arial", "0007", ""),
        ("Arial", "", ""),
    ],
)
def test_a_sign_of_a_font_is_its_character(font: str, number: str, character: str) -> None:
    assert find_character(font, number) == character


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        ("<w:t>Name:</w:t><w:tab/><w:t>Orla – Venn &amp; Co</w:t>", "Name:\tOrla – Venn & Co"),
        ("<w:t>555</w:t><w:noBreakHyphen/><w:t>1234</w:t>", "555-1234"),
        ('<w:t>End.</w:t><w:br w:type="page"/><w:t>Start</w:t>', "End.\nStart"),
        ("<w:t>One</w:t><w:cr/><w:t>Two</w:t><w:br/><w:t>Three</w:t>", "One\nTwo\nThree"),
        (
            f'<w:t xml:space="preserve">It is </w:t>{sign("Symbol", "F0B1")}<w:t>5 mm at 20</w:t>'
            f"{sign('Symbol', 'F0B0')}<w:t>C</w:t>",
            "It is ±5 mm at 20°C",
        ),
        (f"<w:t>2</w:t>{sign('Symbol', 'F03C')}<w:t>3</w:t>", "2<3"),
    ],
)
def test_what_stands_between_words_of_a_docx_is_read(tmp_path: Path, runs: str, text: str) -> None:
    pytest.importorskip("kreuzberg")
    stops = '<w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs></w:pPr>'
    document = only(write_docx(tmp_path / "a.docx", f"<w:p>{stops}<w:r>{runs}</w:r></w:p>{BODY}"))
    assert isinstance(document, Document)
    assert document.text == f"{text}\n\nBees\n\nBees\n\nThey * dance_a lot."
    assert [heading.title for heading in document.headings] == ["Bees"]


def math(words: str) -> str:
    return f"<m:r><m:t>{words}</m:t></m:r>"


SQUARE = f"<m:sSup><m:e>{math('r')}</m:e><m:sup>{math('2')}</m:sup></m:sSup>"


@pytest.mark.parametrize(
    ("equation", "text"),
    [
        (math("A=π") + SQUARE, "A=πr^2"),
        (f"<m:sSub><m:e>{math('v')}</m:e><m:sub>{math('max')}</m:sub></m:sSub>", "v_(max)"),
        (f"<m:f><m:num>{math('a')}</m:num><m:den>{math('b+c')}</m:den></m:f>", "a/(b+c)"),
        (f"<m:rad><m:deg/><m:e>{SQUARE}</m:e></m:rad>", "√(r^2)"),
        (
            f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{math("i")}</m:sub><m:sup/>'
            f"<m:e>{math('x')}</m:e></m:nary>",
            "∑_ix",
        ),
        (f"<m:nary><m:sub/><m:sup/><m:e>{math('x')}</m:e></m:nary>", "∫x"),
        (f"<m:d><m:e>{math('x')}</m:e></m:d>", "(x)"),
        (
            f'<m:d><m:dPr><m:begChr m:val="["/><m:sepChr m:val=";"/><m:endChr m:val="]"/></m:dPr>'
            f"<m:e>{math('0')}</m:e><m:e>{math('1')}</m:e></m:d>",
            "[0;1]",
        ),
        (f"<m:f><m:num>{math('10')}</m:num></m:f>", "10/"),
        (math("2 &lt; 3"), "2 < 3"),
    ],
)
def test_an_equation_stays_in_its_sentence(tmp_path: Path, equation: str, text: str) -> None:
    pytest.importorskip("kreuzberg")
    before, after = (f'<w:r><w:t xml:space="preserve">{words}</w:t></w:r>' for words in ("Here ", " holds."))
    document = only(write_docx(tmp_path / "a.docx", f"<w:p>{before}<m:oMath>{equation}</m:oMath>{after}</w:p>"))
    assert isinstance(document, Document)
    assert document.text == f"Here {text} holds."


def test_an_equation_in_a_line_of_its_own_stays_between_the_words_of_its_paragraph(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    lines = f"<m:oMathPara><m:oMath>{SQUARE}</m:oMath></m:oMathPara>"
    document = only(
        write_docx(tmp_path / "a.docx", f"<w:p><w:r><w:t>Area</w:t></w:r>{lines}<w:r><w:t>here.</w:t></w:r></w:p>")
    )
    assert isinstance(document, Document)
    assert document.text == "Area\nr^2\nhere."


def test_an_equation_that_is_a_paragraph_is_read_as_latex(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    alone = f"<m:oMath>{SQUARE}</m:oMath>"
    deleted = f'<w:del w:id="1">{alone}</w:del>'
    document = only(
        write_docx(tmp_path / "a.docx", f"<w:p>{alone}</w:p><w:p><w:r><w:t>It is.</w:t></w:r>{deleted}</w:p>")
    )
    assert isinstance(document, Document)
    assert document.text.startswith("r^{2}\n\n")
    assert document.text.endswith("It is.")


def test_a_text_whose_move_is_tracked_is_there_once(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    run = "<w:r><w:t>They hum.</w:t></w:r>"
    body = f'<w:p><w:moveFrom w:id="1">{run}</w:moveFrom></w:p>{BODY}<w:p><w:moveTo w:id="2">{run}</w:moveTo></w:p>'
    document = only(write_docx(tmp_path / "a.docx", body))
    assert isinstance(document, Document)
    assert document.text == "Bees\n\nBees\n\nThey * dance_a lot.\n\nThey hum."


def test_a_paragraph_with_text_boxes_keeps_its_words_and_the_boxes_follow_it(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    boxes = [
        "".join(f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>" for words in box) for box in (("One.", "Two."), ("Three.",))
    ]
    held = "".join(
        f"<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>{box}</w:txbxContent></wps:txbx>"
        f"</w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>{box}</w:txbxContent></v:textbox>"
        "</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
        for box in boxes
    )
    body = f"<w:p><w:r><w:t>Own words </w:t></w:r>{held}<w:r><w:t>and more.</w:t></w:r></w:p>{BODY}"
    document = only(write_docx(tmp_path / "a.docx", body))
    assert isinstance(document, Document)
    assert document.text.startswith("Own words and more.\n\nOne.\n\nTwo.\n\nThree.\n\nBees\n\n")


@pytest.mark.parametrize("name", ["a.xml", "a.docbook", "a.fb2", "a.docx"])
def test_characters_that_xml_writes_as_references_stay(tmp_path: Path, name: str) -> None:
    pytest.importorskip("kreuzberg")
    words = "AT&amp;T: 2 &lt; 3 &#8211; 4 &gt; 1"
    contents = {
        "a.xml": f"<note><line>{words}</line></note>",
        "a.docbook": f'<article xmlns="http://docbook.org/ns/docbook"><para>{words}</para></article>',
        "a.fb2": f'<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><body><section><p>{words}</p></section>'
        "</body></FictionBook>",
    }
    if name in contents:
        (tmp_path / name).write_text(contents[name])
    else:
        style = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'
        write_docx(tmp_path / name, f"<w:p>{style}<w:r><w:t>{words}</w:t></w:r></w:p>")
    document = only(tmp_path / name)
    assert isinstance(document, Document)
    assert document.text == "AT&T: 2 < 3 – 4 > 1"
    assert [heading.title for heading in document.headings] == ([document.text] if name == "a.docx" else [])


def test_a_damaged_and_an_endless_docx_are_left_to_their_reader(tmp_path: Path) -> None:
    pytest.importorskip("lxml")
    assert prepare(write_docx(tmp_path / "a.docx", "<w:p>")) is None
    with zipfile.ZipFile(tmp_path / "b.docx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 100_000_001)
    assert prepare(tmp_path / "b.docx") is None


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


def test_the_last_page_of_a_pdf_has_its_own_words_only(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    rows = [
        ("Hive", "Honey", "Wax", "Swarms"),
        *((f"Farm {row}", f"{row}1 kg", f"{row}2 kg", f"{row}") for row in range(9)),
    ]
    table = "\n".join(") Tj 120 0 Td (".join(cells) + ") Tj -360 0 Td (" for cells in rows)
    document = only(write_pdf(tmp_path / "a.pdf", table, "They hum."))
    assert isinstance(document, Document)
    assert document.text[document.pages[1].start :] == "They hum."
    assert [document.text.count(f"Farm {row}") for row in range(9)] == [1] * 9


def test_headings_of_a_pdf_are_found_by_the_look_of_their_lines(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    document = only(write_pdf(tmp_path / "a.pdf", "The Honey Bee\nBees dance in the hive.", "Notes\nThey hum."))
    assert isinstance(document, Document)
    assert document.headings == (Heading(0, 1, "The Honey Bee"), Heading(document.text.index("Notes"), 1, "Notes"))


@pytest.mark.parametrize(
    ("written", "title", "named_by_file"),
    [
        ("The Honey Bee", "The Honey Bee", False),
        ("Microsoft Word - The Honey Bee", "The Honey Bee", False),
        ("Microsoft Word - bees_final.DOCX", "my file", True),
        ("0000012927-23-000007", "my file", True),
        ("PowerPoint Presentation", "my file", True),
        ("Untitled", "my file", True),
        ("", "my file", True),
    ],
)
def test_a_title_that_nobody_has_written_is_none(tmp_path: Path, written: str, title: str, named_by_file: bool) -> None:
    pytest.importorskip("kreuzberg")
    document = only(write_pdf(tmp_path / "my_file.pdf", "Bees dance.", title=written))
    assert isinstance(document, Document)
    assert (document.title, document.named_by_file) == (title, named_by_file)


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
    assert found.reason.startswith("the PDF is a scan or drawing: its page has no text")


def test_an_email_has_its_subject_as_title_and_its_people_as_metadata(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    document = only(write_email(tmp_path / "a.eml", "Ferry times", "The ferry leaves at nine."))
    assert isinstance(document, Document)
    assert document.title == "Ferry times"
    assert document.text.endswith("The ferry leaves at nine.")
    assert document.metadata["from"] == "office@example.org"
    assert document.metadata["to"] == ["all@example.org"]


@pytest.mark.parametrize("date", ["Tue, 05 Mar 2024 09:30:00 +0100", "5 Mar 2024 09:30:00 +0100"])
def test_the_date_of_an_email_is_that_of_iso_8601(tmp_path: Path, date: str) -> None:
    pytest.importorskip("kreuzberg")
    document = only(write_email(tmp_path / "a.eml", "Ferry times", "It leaves at nine.", date=date))
    assert isinstance(document, Document)
    assert (document.metadata["date"], document.notes) == ("2024-03-05T09:30:00+01:00", ())


def test_attachments_of_an_email_are_named_and_noted(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    document = only(write_email(tmp_path / "a.eml", "Contract", "See attachment.", attached="contract.txt"))
    assert isinstance(document, Document)
    assert document.metadata["attachments"] == ["contract.txt"]
    assert document.notes == ("attachments of e-mails are not read: save them as files to read them",)


def test_the_subject_of_an_email_is_its_title_whatever_it_says(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    document = only(write_email(tmp_path / "a.eml", "report.pdf", "The report is attached."))
    assert isinstance(document, Document)
    assert (document.title, document.named_by_file) == ("report.pdf", False)


def test_a_table_of_an_open_document_is_markdown(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    cells = "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in ("Item", "Price"))
    body = f"<text:p>Prices</text:p><table:table><table:table-row>{cells}</table:table-row></table:table>"
    document = only(write_open_document(tmp_path / "a.odt", "text", body))
    assert isinstance(document, Document)
    assert document.text == "Prices\n\n| Item | Price |"


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
