"""Sources become documents with ids that depend on the files alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.indexing.sources import Source, count_documents, read_documents
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder with one file of most kinds."""
    folder = tmp_path / "docs"
    for name, content in {
        "b.txt": "B",
        "guide/intro.md": "# Intro",
        "guide/deep/page.HTML": "<p>Page",
        "a.jsonl": '{"text": "one"}\n{"id": "own", "text": "two"}',
        ".hidden/x.txt": "hidden",
        ".x.txt": "hidden",
        "guide/~$intro.md": "lock of an Office program",
        "desktop.ini": "kept by Windows",
        "guide/Thumbs.db": "kept by Windows",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def ids(source: Source, reading: ReadingOptions = DEFAULT_READING) -> list[str]:
    found = read_documents(source, reading=reading)
    return [item.id if isinstance(item, Document) else f"! {item.source}: {item.reason}" for item in found]


ALL = ["docs/a.jsonl#1", "own", "docs/b.txt", "docs/guide/deep/page.HTML", "docs/guide/intro.md"]


def test_a_folder_is_read_with_all_below_it_in_the_order_of_ids(docs: Path) -> None:
    assert ids(docs) == ALL


def test_ids_do_not_depend_on_the_working_directory(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, source in [
        (docs.parent, "docs"),
        (docs.parent, "docs/"),
        (docs.parent, "./docs/**/*"),
        (docs, "."),
        (docs, "**"),
        (docs / "guide", ".."),
        (docs, "../docs"),
    ]:
        monkeypatch.chdir(folder)
        assert ids(source) == ALL


def test_a_single_file_is_named_by_the_folder_it_lies_in(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ids(docs / "b.txt") == ["docs/b.txt"]
    monkeypatch.chdir(docs)
    assert ids("b.txt") == ["docs/b.txt"]


def test_the_folder_of_a_pattern_is_what_stands_before_the_first_wildcard(docs: Path) -> None:
    assert ids(str(docs / "*.txt")) == ["docs/b.txt"]
    assert ids(str(docs / "gui*" / "*.md")) == ["docs/guide/intro.md"]
    assert ids(str(docs / "guide" / "[i]*")) == ["guide/intro.md"]


def test_a_file_whose_name_looks_like_a_pattern_is_read(docs: Path) -> None:
    (docs / "c[1].txt").write_text("C", encoding="utf-8")
    assert ids(docs / "c[1].txt") == ["docs/c[1].txt"]


def test_a_file_that_is_named_twice_is_read_once(docs: Path) -> None:
    assert ids([docs / "b.txt", docs, str(docs / "*.txt")]) == [
        "docs/b.txt",
        *(one for one in ALL if one != "docs/b.txt"),
    ]


def test_documents_of_the_caller_may_stand_among_paths(docs: Path) -> None:
    assert ids([Document("mine", "", "Text"), docs / "b.txt"]) == ["mine", "docs/b.txt"]


def test_an_iterator_is_read_as_it_comes() -> None:
    taken: list[int] = []

    def stream() -> Iterator[Document]:
        for number in range(3):
            taken.append(number)
            yield Document(str(number), "", "Text")

    first = next(read_documents(stream()))
    assert isinstance(first, Document)
    assert taken == [0]


def test_of_two_documents_with_one_id_the_second_is_refused(docs: Path) -> None:
    (docs / "c.jsonl").write_text('\n{"id": "own", "text": "other"}\n{"text": "more"}', encoding="utf-8")
    found = ids(docs)
    assert found[3] == (
        f"! docs/c.jsonl:2: ids must be unique, 'own' of {docs / 'c.jsonl'}:2 is taken by {docs / 'a.jsonl'}:2; change"
        " one of them, or ingest one of the two by itself with another --prefix; with --id-column none (id_key='none')"
        " rows have the id of their file and a number"
    )
    assert found[4] == "docs/c.jsonl#2"
    numbered = [one for one in ids(docs, ReadingOptions(id_key="none")) if ".jsonl" in one]
    assert numbered == ["docs/a.jsonl#1", "docs/a.jsonl#2", "docs/c.jsonl#1", "docs/c.jsonl#2"]


def test_files_that_no_loader_reads_are_reported_once_a_suffix(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    for name in ["x.png", "guide/y.PNG", "Makefile"]:
        (docs / name).write_bytes(b"\0")
    *read, none, png = ids(docs)
    assert read == ALL
    assert none.startswith("! docs/Makefile: a file without a suffix must be text, this one is binary")
    assert png.startswith(
        "! docs/guide/y.PNG and 1 more: files that end in .png have no text; read the words of a picture"
    )


def test_pictures_that_are_refused_alike_are_reported_once(docs: Path) -> None:
    for name in ["x.png", "guide/y.png", "z.jpg", "q.gif", "r.gif"]:
        (docs / name).write_bytes(b"\0")
    assert ids(docs, ReadingOptions(ocr="off"))[-3:] == [
        "! docs/q.gif and 1 more: files that end in .gif have no text; read the words of a picture by text recognition "
        "first",
        "! docs/z.jpg: pictures are not read with --ocr off",
        "! docs/guide/y.png and 1 more: pictures are not read with --ocr off",
    ]


def test_an_unreadable_file_does_not_stop_the_others(docs: Path) -> None:
    (docs / "a.txt").write_bytes(b"a\0")
    (docs / "broken.txt").symlink_to(docs / "nowhere")
    (docs / "loop.txt").symlink_to(docs / "loop.txt")
    os.mkfifo(docs / "pipe.txt")
    found = ids(docs)
    assert [one for one in found if not one.startswith("!")] == ALL
    reasons = [one for one in found if one.startswith("!")]
    assert "docs/a.txt: the file must be text" in reasons[0]
    assert [one.split(":")[0] for one in reasons[1:]] == ["! docs/broken.txt", "! docs/loop.txt", "! docs/pipe.txt"]
    assert "must be a regular file" in reasons[3]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_what_may_not_be_opened_is_reported(docs: Path) -> None:
    (docs / "b.txt").chmod(0)
    (docs / "guide").chmod(0)
    reasons = [item.reason for item in read_documents(docs) if isinstance(item, Unreadable)]
    (docs / "guide").chmod(0o700)
    assert reasons == ["the file cannot be read: Permission denied", "the folder cannot be read: Permission denied"]


def test_links_out_of_the_folder_are_named_and_not_read(docs: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("A secret.", encoding="utf-8")
    (docs / "leak.txt").symlink_to(secret)
    for source in (docs, str(docs / "*.txt")):
        found = list(read_documents(source))
        (refused,) = [one for one in found if isinstance(one, Unreadable)]
        assert refused.source == "docs/leak.txt"
        assert f"must stay inside the folder, this one leads to {secret.resolve()}" in refused.reason
    (named,) = read_documents(docs / "leak.txt")
    assert isinstance(named, Document)
    assert named.text == "A secret."


def test_an_empty_text_is_not_the_working_folder() -> None:
    with pytest.raises(InvalidInput, match=r"got an empty text: '\.' is the working folder"):
        list(read_documents(""))


def test_links_to_files_are_read_and_links_to_folders_are_not_followed(docs: Path) -> None:
    (docs / "link.txt").symlink_to(docs / "b.txt")
    (docs / "guide" / "up").symlink_to(docs)
    assert ids(docs) == [*ALL, "docs/link.txt"]
    assert ids(str(docs / "**/*.txt")) == ["docs/b.txt", "docs/link.txt"]


def test_a_folder_with_the_suffix_of_a_file_is_a_folder(docs: Path) -> None:
    (docs / "x.txt").mkdir()
    (docs / "x.txt" / "y.txt").write_text("Y", encoding="utf-8")
    assert ids(docs)[-1] == "docs/x.txt/y.txt"
    assert ids(docs / "x.txt") == ["x.txt/y.txt"]
    assert ids(str(docs / "*.txt")) == ["docs/b.txt"]


def test_a_file_name_that_is_not_unicode_is_reported(docs: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(docs) + b"/\xff.txt")).write_text("x", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes Unicode names only")
    assert r"! docs/\udcff.txt: a file name must be valid Unicode, this one is not; rename the file" in ids(docs)


def test_a_file_name_that_the_locale_cannot_read_names_the_locale(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        Path(os.fsdecode(os.fsencode(docs) + b"/\xff.txt")).write_text("x", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes Unicode names only")
    monkeypatch.setattr(sys, "getfilesystemencoding", lambda: "ascii")
    remedy = "this process reads names as ascii: set a UTF-8 locale, such as LC_ALL=C.UTF-8, or rename the file"
    assert rf"! docs/\udcff.txt: a file name must be valid Unicode, this one is not; {remedy}" in ids(docs)


def test_an_empty_folder_has_no_documents(tmp_path: Path) -> None:
    assert ids(tmp_path) == []


@pytest.mark.parametrize("name", ["none.txt", "*.none", "none/*.txt", "x" * 5000, "a**b"])
def test_a_source_that_does_not_exist_is_refused_before_anything_is_read(
    docs: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(docs)
    with pytest.raises(InvalidInput):
        read_documents(["b.txt", name])


def test_a_source_of_another_kind_is_refused() -> None:
    with pytest.raises(InvalidInput, match="got int; wrap texts in Document"):
        read_documents([1])  # type: ignore[list-item]  # what is tested


def test_documents_are_counted_without_files_that_no_loader_reads(docs: Path) -> None:
    (docs / "x.gif").write_bytes(b"")
    assert count_documents(docs) == 5
    assert count_documents([docs, docs / "b.txt", Document("d", "", "Text")]) == 6
    assert count_documents(iter([docs])) is None


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rows.csv", "text,title\none,a\ntwo,b"),
        ("rows.tsv", "text\ttitle\none\ta\ntwo\tb"),
        ("rows.jsonl", '{"text": "one"}\n{"text": "two"}'),
        ("rows.ndjson", '{"text": "one"}\n{"text": "two"}'),
    ],
)
def test_rows_count_as_documents_without_the_header_and_the_last_line_end(
    tmp_path: Path, name: str, text: str, end: str
) -> None:
    (tmp_path / name).write_text(text + end, encoding="utf-8")
    assert count_documents(tmp_path) == len([*read_documents(tmp_path)]) == 2


def test_a_file_without_rows_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_bytes(b"")
    assert count_documents(tmp_path) == 0


def test_a_file_too_large_to_count_makes_the_number_unknown(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tetragraph.indexing.sources.MAX_COUNTED_BYTES", 1 << 20)
    (docs / "a.jsonl").write_bytes(b"\n" * ((1 << 20) + 1))
    assert count_documents(docs) is None


def test_a_prefix_takes_the_place_of_the_folder_and_stands_before_ids_of_rows(docs: Path) -> None:
    found = [one for one in read_documents(docs, prefix="team/x/") if isinstance(one, Document)]
    assert [one.id for one in found] == [
        "team/x/own" if one == "own" else f"team/x/{one.partition('/')[2]}" for one in ALL
    ]
    assert {one.origin for one in found} >= {str(docs / "b.txt"), str(docs / "a.jsonl")}
    with pytest.raises(InvalidInput, match="a prefix must be a name"):
        read_documents(docs, prefix="/")


def test_a_damaged_archive_counts_as_one_document(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(b"no gzip")
    assert count_documents(tmp_path) == 1


def test_a_loader_that_is_named_reads_every_file(tmp_path: Path) -> None:
    (tmp_path / "release.json").write_text('[{"context": [["Title", ["One.", " Two."]]]}]', encoding="utf-8")
    (document,) = read_documents(tmp_path, "hotpotqa")
    assert isinstance(document, Document)
    assert (document.title, document.text) == ("Title", "One. Two.")
    assert document.source.endswith("release.json:1 (row 1)")
    assert count_documents(tmp_path, "hotpotqa") is None


def test_a_format_is_no_suffix_and_a_suffix_that_is_named_is_a_loader(tmp_path: Path) -> None:
    (tmp_path / "not.hotpotqa").write_text("text", encoding="utf-8")
    (tmp_path / "xhotpotqa").write_text("text", encoding="utf-8")
    reasons = [found.reason for found in read_documents(tmp_path) if isinstance(found, Unreadable)]
    assert [reason.partition(":")[0] for reason in reasons] == ["no loader reads files that end in .hotpotqa"]
    texts = [found.text for found in read_documents(tmp_path, ".txt") if isinstance(found, Document)]
    assert texts == ["text", "text"]


def test_an_unknown_loader_is_refused_with_the_list_before_anything_is_read(docs: Path) -> None:
    with pytest.raises(InvalidInput, match=r"a loader must be one of 2wiki.*musique, or a suffix .*, got 'nothing'"):
        read_documents(docs, "nothing")


@pytest.mark.parametrize("source", [None, 5, 0.5])
def test_a_source_that_is_no_path_and_no_list_is_refused(source: Any) -> None:
    with pytest.raises(InvalidInput, match="a source must be a path, a pattern or documents, got"):
        list(read_documents(source))


def test_one_document_is_no_list_of_documents() -> None:
    with pytest.raises(InvalidInput, match=r"a list of documents, got one document, 'a': write \[document\]"):
        read_documents(Document("a", "A", "Text"))  # type: ignore[arg-type]  # what a caller may do


def test_a_file_name_with_a_line_end_is_reported(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a\nb.txt").write_text("Text")
    (tmp_path / "docs" / "c.txt").write_text("Text")
    broken, good = read_documents(tmp_path / "docs")
    assert isinstance(broken, Unreadable)
    assert (broken.source, broken.reason[:30]) == (r"'docs/a\nb.txt'", "a file name must be one line, ")
    assert isinstance(good, Document)


def test_the_source_of_a_row_is_the_same_for_a_file_and_its_folder(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.jsonl").write_text('{"text": "a"}\n')
    found = [*read_documents(tmp_path / "docs"), *read_documents(tmp_path / "docs" / "a.jsonl")]
    assert [one.source for one in found] == ["docs/a.jsonl:1"] * 2
