"""Text in other encodings than UTF-8: marks, the given encoding, guesses, and what is replaced."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import ReadingOptions
from tetragraph_loaders import csv_file, html, json_file, jsonl, plain_text

WORDS = "Käse, schöne Grüße"


def only(found: Iterator[Document | Unreadable]) -> Document:
    (document,) = found
    assert isinstance(document, Document), document
    return document


def read(folder: Path, content: bytes, encoding: str | None = None) -> Document:
    (folder / "a.txt").write_bytes(content)
    return only(plain_text.load(folder / "a.txt", id_prefix="a", options=ReadingOptions(encoding)))


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_a_byte_order_mark_names_the_encoding(tmp_path: Path, mark: bytes, encoding: str) -> None:
    document = read(tmp_path, mark + WORDS.encode(encoding), "latin-1")
    assert (document.text, document.notes) == (WORDS, ())


def test_utf16_without_a_mark_is_recognised(tmp_path: Path) -> None:
    document = read(tmp_path, "The ferry leaves at nine.\r\n".encode("utf-16-be"))
    assert document.text == "The ferry leaves at nine.\n"
    assert document.notes == ("no byte order mark, read as utf-16-be",)


@pytest.mark.parametrize(
    ("words", "encoding"),
    [
        (WORDS, "cp1252"),
        ("Zażółć gęślą jaźń", "cp1250"),
        ("Привет, как дела? Это текст о море.", "cp1251"),
        ("これは日本語の文章です。海について。", "shift_jis"),
    ],
)
def test_another_encoding_is_guessed_with_a_note(tmp_path: Path, words: str, encoding: str) -> None:
    document = read(tmp_path, words.encode(encoding))
    assert document.text == words
    assert document.notes == (
        f"not UTF-8, read as {encoding}, which was guessed: --encoding (encoding=…) names another",
    )


def test_a_given_encoding_is_no_guess(tmp_path: Path) -> None:
    document = read(tmp_path, WORDS.encode("latin-1"), "latin-1")
    assert (document.text, document.notes) == (WORDS, ())


def test_a_broken_byte_in_utf8_is_replaced_with_a_note(tmp_path: Path) -> None:
    document = read(tmp_path, f"{WORDS} {WORDS}".encode() + b" \xff\xfe end")
    assert document.text == f"{WORDS} {WORDS} \ufffd\ufffd end"
    assert document.notes == ("2 characters are not utf-8, the first at byte 46, and replaced by \ufffd",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_few_nul_bytes_in_a_text_are_read_as_a_blank_with_a_note(tmp_path: Path, encoding: str) -> None:
    words = f"{WORDS} " * 40
    lines = [words.encode(encoding), b"\0\0\0", words.encode(encoding.removesuffix("-sig"))]
    document = read(tmp_path, b"".join(lines))
    assert document.text == f"{words} {words}"
    assert document.notes[0].endswith("NUL bytes are read as a blank")
    assert (
        read(tmp_path, b"\0".join([*lines, lines[2], lines[2]]))
        .notes[0]
        .endswith("3 runs of NUL bytes are read as blanks")
    )


@pytest.mark.parametrize(
    "content", [b"a" * 99 + b"\0", b"a" * 999 + b"\x01\0", codecs.BOM_UTF16_LE + b"ab" * 200 + b"\0\0"]
)
def test_a_file_with_more_nul_bytes_or_other_control_characters_is_binary(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    (found,) = plain_text.load(tmp_path / "a.txt", id_prefix="a")
    assert isinstance(found, Unreadable)
    assert "is it binary?" in found.reason


@pytest.mark.parametrize("encoding", ["nothing", "hex", "", 3])
def test_an_unknown_encoding_is_refused(encoding: str) -> None:
    with pytest.raises(InvalidInput, match="an encoding must be one such as utf-8"):
        ReadingOptions(encoding)


def test_tables_and_rows_are_read_in_other_encodings(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(f"id;text\r\n1;{WORDS}\r\n".encode("utf-16"))
    document = only(csv_file.load(tmp_path / "a.csv", id_prefix="a"))
    assert (document.id, document.text, document.notes) == ("1", WORDS, ())
    (tmp_path / "a.jsonl").write_bytes(json.dumps({"text": WORDS}, ensure_ascii=False).encode("cp1252"))
    document = only(jsonl.load(tmp_path / "a.jsonl", id_prefix="a"))
    assert document.text == WORDS
    assert "which was guessed" in document.notes[0]


def test_replaced_characters_of_rows_are_noted_with_their_row(tmp_path: Path) -> None:
    ascii_only = ReadingOptions("ascii")
    rows = [json.dumps({"text": words}, ensure_ascii=False) for words in ("one", "Käse", "two", "größer")]
    (tmp_path / "a.jsonl").write_bytes("\n".join(rows).encode("cp1252"))
    found = [only(iter([one])) for one in jsonl.load(tmp_path / "a.jsonl", id_prefix="a", options=ascii_only)]
    assert [one.text for one in found] == ["one", "K\ufffdse", "two", "gr\ufffd\ufffder"]
    one_is = "one character is not ascii, and replaced by \ufffd"
    two_are = "2 characters are not ascii, and replaced by \ufffd"
    assert [one.notes for one in found] == [(), (one_is,), (), (two_are,)]
    (tmp_path / "a.csv").write_bytes("id,text\n1,Käse\n".encode("cp1252"))
    assert only(csv_file.load(tmp_path / "a.csv", id_prefix="a", options=ascii_only)).notes == (one_is,)


def test_a_replacement_character_of_a_file_is_not_noted_as_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("id,text\n1,a\ufffdb\n".encode("utf-16"))
    document = only(csv_file.load(tmp_path / "a.csv", id_prefix="a"))
    assert (document.text, document.notes) == ("a\ufffdb", ())


def test_a_guess_and_a_replaced_character_are_both_noted(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(json.dumps({"text": f"{WORDS} \x81"}, ensure_ascii=False).encode("latin-1"))
    (note,) = only(jsonl.load(tmp_path / "a.jsonl", id_prefix="a")).notes
    assert "read as cp1252, which was guessed" in note
    assert note.endswith("; one character is not cp1252, and replaced by \ufffd")


@pytest.mark.parametrize(
    ("written", "given"), [("cp1252", "cp1252"), ("utf-16-le", "utf-16-le"), ("utf-16", "cp1252"), ("utf-8-sig", None)]
)
@pytest.mark.parametrize("is_list", [True, False])
def test_a_large_json_file_is_read_in_the_given_encoding(
    tmp_path: Path, written: str, given: str | None, *, is_list: bool
) -> None:
    rows = [json.dumps({"text": f"{WORDS} {number}"}, ensure_ascii=False) for number in range(3)]
    content = f"[{','.join(rows)}]" if is_list else "\n".join(rows)
    (tmp_path / "a.json").write_bytes(content.encode(written))
    found = json_file.load(tmp_path / "a.json", id_prefix="a", options=ReadingOptions(given), max_bytes=10)
    assert [one.text if isinstance(one, Document) else one for one in found] == [f"{WORDS} {n}" for n in range(3)]


@pytest.mark.parametrize(("given", "words"), [("ascii", "the text must be ascii"), (None, "the text must be UTF-8")])
def test_a_large_json_list_in_another_encoding_is_refused(tmp_path: Path, given: str | None, words: str) -> None:
    (tmp_path / "a.json").write_bytes(json.dumps([{"text": WORDS}], ensure_ascii=False).encode("cp1252"))
    (found,) = json_file.load(tmp_path / "a.json", id_prefix="a", options=ReadingOptions(given), max_bytes=10)
    assert isinstance(found, Unreadable)
    assert found.reason.startswith(f"{words}, byte 0xe4 is not")


def test_a_long_line_and_a_nul_cost_one_line_of_a_table_in_utf16(tmp_path: Path) -> None:
    lines = ["text", "x" * 100, "a\0b", "c"]
    (tmp_path / "a.csv").write_bytes("\n".join(lines).encode("utf-16"))
    found = list(csv_file.load(tmp_path / "a.csv", id_prefix="a", max_bytes=50))
    assert [item.reason.partition(",")[0] for item in found[:2] if isinstance(item, Unreadable)] == [
        "a line may have 50 characters",
        "the file must be text",
    ]
    assert isinstance(found[2], Document)


META = '<meta charset="{0}">'
HTTP_EQUIV = '<meta http-equiv="Content-Type" content="text/html; charset={0}">'
XML = "<?xml version='1.0' encoding='{0}'?>"


def read_page(folder: Path, content: bytes, encoding: str | None = None) -> Document:
    (folder / "a.html").write_bytes(content)
    return only(html.load(folder / "a.html", id_prefix="a", options=ReadingOptions(encoding)))


@pytest.mark.parametrize(
    ("declaration", "label", "words"),
    [
        (META, "iso-8859-2", "Łódź, żółw"),
        (HTTP_EQUIV, "euc-kr", "바다 이야기"),
        (HTTP_EQUIV, "ISO-8859-9", "Işık ve ğ"),
        (XML, "koi8-r", "Море"),
        ("<meta charset={0}>", "windows-1251", "Море"),
    ],
)
def test_a_web_page_is_read_in_the_encoding_that_it_declares(
    tmp_path: Path, declaration: str, label: str, words: str
) -> None:
    page = f"{declaration.format(label)}<title>a</title><p>{words}</p>"
    document = read_page(tmp_path, page.encode(label))
    assert (document.text, document.notes) == (words, ())


def test_a_label_is_read_as_browsers_read_it(tmp_path: Path) -> None:
    page = META.format("iso-8859-1") + "<p>\u201cGrüße\u201d for 5 \u20ac</p>"
    assert read_page(tmp_path, page.encode("cp1252")).text == "\u201cGrüße\u201d for 5 \u20ac"


def test_a_mark_and_a_given_encoding_precede_a_declaration(tmp_path: Path) -> None:
    page = META.format("iso-8859-2") + f"<p>{WORDS}</p>"
    assert read_page(tmp_path, codecs.BOM_UTF8 + page.encode()).text == WORDS
    assert read_page(tmp_path, page.encode("utf-8"), "utf-8").text == WORDS
    assert read_page(tmp_path, page.encode()).text == WORDS.encode().decode("iso-8859-2")


@pytest.mark.parametrize("label", ["utf-8", "utf-7", "hex", "none-such"])
def test_a_declaration_that_names_no_other_encoding_is_not_used(tmp_path: Path, label: str) -> None:
    page = META.format(label) + f"<p>{WORDS}</p>"
    assert read_page(tmp_path, page.encode()).text == WORDS
    assert "guessed" in read_page(tmp_path, page.encode("cp1252")).notes[0]


def test_a_declaration_in_a_comment_or_far_below_is_none(tmp_path: Path) -> None:
    for before in (f"<!-- {META.format('koi8-r')} -->", " " * 1024 + META.format("koi8-r")):
        assert read_page(tmp_path, f"{before}<p>{WORDS}</p>".encode()).text == WORDS
