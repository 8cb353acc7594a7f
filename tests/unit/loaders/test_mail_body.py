"""E-mails with HTML, and forwarded ones."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from tetragraph.model import Document, Unreadable
from tetragraph_loaders import mail_body, office

PAGE = (
    "<html><head><title>X</title></head><body><h1>Offer</h1><p>The dam costs 12 &lt; 13 EUR &amp; more.</p>"
    "<p>Second line</p><table><tr><th>Part</th><th>Price</th></tr><tr><td>Wall</td><td>12 €</td></tr></table></body>"
)
TEXT = "Offer\n\nThe dam costs 12 < 13 EUR & more.\n\nSecond line\n\n| Part | Price |\n| --- | --- |\n| Wall | 12 € |"


def compose(subject: str, content: str, kind: str = "plain", charset: str = "utf-8") -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"], mail["From"] = subject, "office@example.org"
    mail.set_content(content, subtype=kind, charset=charset)
    return mail


def read(folder: Path, content: bytes) -> Document:
    pytest.importorskip("kreuzberg")
    (folder / "a.eml").write_bytes(content)
    (found,) = office.load(folder / "a.eml", id_prefix="d/a")
    assert isinstance(found, Document)
    return found


@pytest.mark.parametrize("charset", ["utf-8", "windows-1252"])
def test_an_email_of_html_only_has_the_structure_of_its_page(tmp_path: Path, charset: str) -> None:
    document = read(tmp_path, bytes(compose("Our offer", PAGE, "html", charset)))
    assert document.text == f"Subject: Our offer\nFrom: office@example.org\n\n{TEXT}"
    assert (document.title, document.metadata) == ("Our offer", {"from": "office@example.org"})
    assert [(document.text[one.start :][:5], one.title) for one in document.headings] == [("Offer", "Offer")]


def test_html_states_its_own_encoding_where_the_email_does_not(tmp_path: Path) -> None:
    page = '<meta charset="iso-8859-2"><p>Łódź</p>'.encode("iso-8859-2")
    assert read(tmp_path, b"Subject: A\nContent-Type: text/html\n\n" + page).text.endswith("\n\nŁódź")


def test_of_alternatives_the_plain_text_is_read(tmp_path: Path) -> None:
    mail = compose("Our offer", "Plain words.")
    mail.add_alternative(PAGE, subtype="html")
    assert read(tmp_path, bytes(mail)).text.endswith("org\n\nPlain words.")


def test_of_alternatives_html_is_read_where_the_plain_text_is_blank(tmp_path: Path) -> None:
    mail = compose("Our offer", " \n")
    mail.add_alternative(PAGE, subtype="html")
    assert read(tmp_path, bytes(mail)).text.endswith(f"org\n\n{TEXT}")


def test_a_forwarded_email_has_its_subject_and_sender(tmp_path: Path) -> None:
    mail = compose("Fwd", "See below.")
    mail.add_attachment(compose("Our offer", PAGE, "html"))
    mail.add_attachment("The contract ends in May.", filename="contract.txt")
    document = read(tmp_path, bytes(mail))
    assert document.text.endswith(f"org\n\nSee below.\n\nSubject: Our offer\nFrom: office@example.org\n\n{TEXT}")
    assert document.metadata["attachments"] == ["contract.txt"]


PDF = b"Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\nJVBERi0xLjQlUERGLTEuNA==\n"
PARTS = b'Content-Type: multipart/mixed; boundary="next"\n\n'


@pytest.mark.parametrize(
    "content",
    [
        PARTS + b"--next\n" + PDF + b"--next--\n",
        PDF,
        b"Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n",
        PARTS + b"--next\nContent-Type: text/html\n\n<img src=cid:1>\n--next\n" + PDF + b"--next--\n",
    ],
    ids=["part", "pdf", "calendar", "beside_a_picture"],
)
def test_an_email_of_attachments_only_is_its_headers_with_a_note(tmp_path: Path, content: bytes) -> None:
    document = read(tmp_path, b"Subject: Invoice\nFrom: office@example.org\n" + content)
    assert document.text == "Subject: Invoice\nFrom: office@example.org"
    assert document.notes == ("attachments of e-mails are not read: save them as files to read them",)


def test_an_attachment_without_headers_has_no_text(tmp_path: Path) -> None:
    pytest.importorskip("kreuzberg")
    (tmp_path / "a.eml").write_bytes(PDF)
    (found,) = office.load(tmp_path / "a.eml", id_prefix="d/a")
    assert isinstance(found, Unreadable)
    assert found.reason.startswith("a document must have text, this file has none")


def test_an_email_whose_parts_are_not_divided_keeps_its_words(tmp_path: Path) -> None:
    assert read(tmp_path, b"Subject: A\n" + PARTS + b"The dam costs 12 EUR.\n").text.endswith(
        "\n\nThe dam costs 12 EUR."
    )


def test_an_email_of_markdown_keeps_its_words(tmp_path: Path) -> None:
    content = b"Subject: A\nContent-Type: text/markdown\n\nThe dam costs 12 EUR.\n"
    assert read(tmp_path, content).text.endswith("\n\nThe dam costs 12 EUR.")


def test_a_damaged_or_too_large_email_is_left_to_its_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.eml"
    path.write_bytes(b"Subject: A\nContent-Type: text/html\n\n<p>One\0two</p>")
    assert mail_body.compose_body(path) is None
    path.write_bytes(b"Content-Type: text/html\n\n<p>One</p>")
    assert mail_body.compose_body(path) is not None
    monkeypatch.setattr(mail_body, "_MOST_BYTES", 10)
    assert mail_body.compose_body(path) is None
