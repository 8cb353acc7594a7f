"""Notebooks, reStructuredText, source code, spreadsheets and archives, made here."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import shutil
import tarfile
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest

from tetragraph.indexing.sources import read_documents
from tetragraph.model import Document, Unreadable
from tetragraph_loaders import archive, notebook, restructured_text
from tetragraph_loaders.tables import MOST_CAPTION, render_groups


def only(found: list[Document | Unreadable]) -> Document:
    (document,) = found
    assert isinstance(document, Document), document
    return document


def read(folder: Path, name: str, content: str | bytes) -> list[Document | Unreadable]:
    path = folder / "d" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(read_documents(path))


def shown(found: list[Document | Unreadable]) -> list[str]:
    return [item.id if isinstance(item, Document) else f"! {item.source}: {item.reason}" for item in found]


def test_headings_of_restructured_text_begin_where_their_lines_do(tmp_path: Path) -> None:
    text = "=====\nTides\n=====\n\nHigh ``water``\n--------------\n\nNoon.\n\nshort\n--\n\n- item\n\nDykes\n~~~~~\n"
    text += "\nEnd\n---\n"
    document = only(read(tmp_path, "a.rst", text))
    assert document.text == text
    assert document.title == "Tides"
    assert [(one.level, one.title, text[one.start :].split("\n")[0]) for one in document.headings] == [
        (1, "Tides", "====="),
        (2, "High water", "High ``water``"),
        (3, "Dykes", "Dykes"),
        (2, "End", "End"),
    ]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Sub `link <https://example.org/x>`_", "Sub link"),
        ("`Sub link<https://example.org>`__ two", "Sub link two"),
        ("`<https://example.org>`_", "<https://example.org>"),
        ("Call ``a < b > c``", "Call a < b > c"),
        (":doc:`Tides <tides>`", "Tides"),
    ],
)
def test_the_address_of_a_link_is_no_part_of_a_heading(tmp_path: Path, line: str, title: str) -> None:
    assert only(read(tmp_path, "a.rst", f"{line}\n{'=' * len(line)}\n\nText\n")).title == title


def test_a_notebook_is_its_cells_with_their_numbers(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["\n", "# Tides\n", "High water."]},
        {"cell_type": "code", "source": "print(1)", "outputs": [{"output_type": "stream", "text": ["1\n"]}]},
        {"cell_type": "code", "source": [], "outputs": []},
        {"cell_type": "code", "source": "2", "outputs": [{"data": {"text/plain": ["two"], "text/html": "<b>"}}]},
    ]
    document = only(read(tmp_path, "a.ipynb", json.dumps({"cells": cells, "nbformat": 4})))
    assert document.text == "# Tides\nHigh water.\n\nprint(1)\n\n1\n\n2\n\ntwo"
    assert document.title == "Tides"
    assert [(page.start, page.label) for page in document.pages] == [(0, "cell 1"), (21, "cell 2"), (34, "cell 4")]
    assert [(one.start, one.title) for one in document.headings] == [(0, "Tides")]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\r\r\n", "\0\n"])
def test_headings_of_a_notebook_have_offsets_whatever_its_line_ends(tmp_path: Path, end: str) -> None:
    source = end.join(["", "# Tides", "High", "water.", "", "## Noon", "At", "noon.", "", "## Night", ""])
    cells = [{"cell_type": "markdown", "source": source}] * 2
    document = only(read(tmp_path, "a.ipynb", json.dumps({"cells": cells, "nbformat": 4})))
    found = [document.text[one.start :].split("\n")[0] for one in document.headings]
    assert found == ["# Tides", "## Noon", "## Night"] * 2


@pytest.mark.parametrize("content", ["{", "[]", '{"cells": 3}', '{"cells": []}'])
def test_what_is_no_notebook_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.ipynb").write_text(content)
    (found,) = notebook.load(tmp_path / "a.ipynb", id_prefix="a")
    assert isinstance(found, Unreadable)


def test_source_code_and_files_without_a_suffix_are_text(tmp_path: Path) -> None:
    assert only(read(tmp_path, "my_tool.py", "print(1)\n")).title == "my_tool.py"
    assert only(read(tmp_path, "README", "Read me.")).title == "README"
    (found,) = read(tmp_path, "tool", b"\x7fELF\x01\x00")
    assert isinstance(found, Unreadable)


def test_a_table_repeats_caption_and_header_with_each_group_of_rows() -> None:
    rows = [["Item", "", "Price (EUR)"], [], *([f"Lamp {n}", "", str(n)] for n in range(100))]
    groups = list(render_groups(rows, "Prices of 2026"))
    assert len(groups) > 2
    lead = "Prices of 2026\n| Item | Price (EUR) |\n| --- | --- |\n"
    assert all(text.startswith(lead) and len(text) < 900 for _, text in groups)
    assert [text.split("\n")[3] for _, text in groups] == [f"| Lamp {first - 3} | {first - 3} |" for first, _ in groups]
    assert sum(text.count("| Lamp") for _, text in groups) == 100
    assert list(render_groups([["a|b", "c\nd"]])) == [(1, "| a\\|b | c d |")]
    assert list(render_groups([[], [""]])) == []


def test_a_long_caption_is_whole_once_and_cut_for_further_groups() -> None:
    rows = [["Item", "Price"], *([f"Lamp {n}", str(n)] for n in range(200))]
    caption = " ".join(f"note{n}" for n in range(300))
    groups = [text for _, text in render_groups(rows, caption)]
    assert 1 < len(groups) < 20
    assert [text.split("\n")[0] for text in groups[:1]] == [caption]
    for text in groups[1:]:
        cut = text.split("\n")[0]
        assert caption.startswith(cut.removesuffix(" …"))
        assert MOST_CAPTION - 10 < len(cut) <= MOST_CAPTION + 2
    assert sum(text.count("| Lamp") for text in groups) == 200
    assert len(list(render_groups(rows, "x" * 1500))) < 20
    assert [text.count("…") for _, text in render_groups(rows, "x" * MOST_CAPTION)][:2] == [0, 0]


def test_an_archive_is_a_folder_of_its_members(tmp_path: Path) -> None:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as packed:
        packed.writestr("guide/intro.md", "# Intro")
        packed.writestr("../../evil/a.txt", "No way out.")
        packed.writestr("rows.jsonl", '{"text": "One."}\n{"id": "own", "text": "Two."}')
        packed.writestr(".hidden/x.txt", "hidden")
        packed.writestr("__MACOSX/~$x.txt", "hidden")
        packed.writestr("desktop.ini", "hidden")
        packed.writestr("inner.zip", b"PK")
        packed.writestr("photo.gif", b"\0")
    found = read(tmp_path, "a.zip", memory.getvalue())
    assert shown(found) == [
        "d/a.zip/guide/intro.md",
        "d/a.zip/evil/a.txt",
        "d/a.zip/rows.jsonl#1",
        "own",
        "! d/a.zip/inner.zip and 1 more: no loader reads it in an archive; unpack it, or leave it out",
    ]
    assert isinstance(found[0], Document)
    assert found[0].origin == str(tmp_path / "d" / "a.zip")
    prefixed = [one.id for one in read_documents(tmp_path / "d", prefix="p") if isinstance(one, Document)]
    assert prefixed == ["p/a.zip/guide/intro.md", "p/a.zip/evil/a.txt", "p/a.zip/rows.jsonl#1", "p/own"]


def test_tar_and_gzip_are_unpacked(tmp_path: Path) -> None:
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode="w:gz") as packed:
        info = tarfile.TarInfo("a.txt")
        info.size = 4
        packed.addfile(info, io.BytesIO(b"Text"))
        link = tarfile.TarInfo("b.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(link)
    assert shown(read(tmp_path, "a.tgz", memory.getvalue())) == ["d/a.tgz/a.txt"]
    document = only(read(tmp_path, "notes.txt.gz", gzip.compress(b"Text")))
    assert (document.id, document.title, document.text) == ("d/notes.txt.gz", "notes", "Text")
    (found,) = read(tmp_path, "photo.gif.gz", gzip.compress(b"\0"))
    assert isinstance(found, Unreadable)
    assert "no loader reads 'photo.gif'" in found.reason


def test_a_zip_archive_that_unpacks_whole_blocks_is_not_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_BZIP2) as packed:
        packed.writestr("a.txt", "A")
    (found,) = archive.load(tmp_path / "a.zip", id_prefix="a")
    assert isinstance(found, Unreadable)
    assert found.reason.startswith("a ZIP archive must be packed by deflate or not at all")


def test_an_archive_ends_at_its_limits(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.txt", "A")
        packed.writestr("b.txt", "B" * 1000)
    for limits, reason in [
        (archive.Limits(members=1), "an archive may have 1 files and folders"),
        (archive.Limits(member_bytes=999), "a packed file may have 999 bytes unpacked"),
        (archive.Limits(bytes=1000), "the files of an archive may have 1,000 bytes unpacked, these have more"),
    ]:
        first, last = archive.load(path, id_prefix="a", limits=limits)
        assert isinstance(first, Document)
        assert isinstance(last, Unreadable)
        assert last.reason.startswith(reason)
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"x" * 100))
    (found,) = archive.load_gzip(tmp_path / "a.gz", id_prefix="a", limits=archive.Limits(member_bytes=99))
    assert isinstance(found, Unreadable)


def _zip(**members: bytes) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name.replace("_", "."), content)
    return memory.getvalue()


def test_a_document_that_is_packed_itself_counts_as_what_it_unpacks_to(tmp_path: Path) -> None:
    bomb = _zip(document_xml=b"0" * 1000)
    (tmp_path / "a.zip").write_bytes(_zip(a_txt=b"A", b_docx=bomb))
    (tmp_path / "b.docx.gz").write_bytes(gzip.compress(bomb))
    one = "a packed file may have 999 bytes unpacked, this one has more"
    for limits, reason in [
        (archive.Limits(member_bytes=999), one),
        (archive.Limits(bytes=1000), "the files of an archive may have 1,000 bytes unpacked, these have more"),
    ]:
        first, last = archive.load(tmp_path / "a.zip", id_prefix="a", limits=limits)
        assert isinstance(first, Document)
        assert isinstance(last, Unreadable)
        assert last.reason.startswith(reason)
    (found,) = archive.load_gzip(tmp_path / "b.docx.gz", id_prefix="a", limits=archive.Limits(member_bytes=999))
    assert isinstance(found, Unreadable)
    assert found.reason.startswith(one)


def test_archives_that_are_not_read_or_have_limits_of_their_own_do_not_count_as_unpacked(tmp_path: Path) -> None:
    inner = _zip(a_txt=b"0" * 1000)
    (tmp_path / "a.zip").write_bytes(_zip(inner_zip=inner, b_txt=b"B", c_txt=b"PK\5\6" + bytes(18)))
    limits = archive.Limits(member_bytes=999)
    found = list(archive.load(tmp_path / "a.zip", id_prefix="a", limits=limits))
    assert shown(found)[0] == "a/b.txt"
    assert shown(found)[-1].startswith("! a/inner.zip: no loader reads it in an archive")
    (tmp_path / "b.zip.gz").write_bytes(gzip.compress(inner))
    assert shown(list(archive.load_gzip(tmp_path / "b.zip.gz", id_prefix="b", limits=limits))) == ["b/a.txt"]


NAMES = [
    "報告\u30002024.txt",
    "at 3.45.12\u202fPM.txt",
    "a\xa0b.txt",
    "می\u200cخواهم.txt",
    "\U0001f468\u200d\U0001f467.txt",
]
"""Names with blanks and joiners that are not seen: of forms, screenshots, Persian words and symbols."""


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_members_whose_names_have_blanks_that_are_not_seen_are_read(tmp_path: Path, kind: str) -> None:
    (tmp_path / "in").mkdir()
    for name in NAMES:
        (tmp_path / "in" / name).write_text(f"Text of {name}")
    shutil.make_archive(str(tmp_path / "a"), kind, tmp_path / "in")
    found = list(archive.load(tmp_path / f"a.{kind}", id_prefix="a"))
    assert sorted(shown(found)) == sorted(f"a/{name}" for name in NAMES)


def test_members_whose_names_no_id_can_hold_are_reported(tmp_path: Path) -> None:
    names = ["a\tb.txt", "a\nb.txt", "a\u2028b.txt", "a\x85.txt", "\udcff.txt", ".hidden\n.txt"]
    with tarfile.open(tmp_path / "a.tar", "w", format=tarfile.GNU_FORMAT) as packed:
        for name in [*names, "last.txt"]:
            info = tarfile.TarInfo(name)
            info.size = 4
            packed.addfile(info, io.BytesIO(b"Text"))
    *refused, last = archive.load(tmp_path / "a.tar", id_prefix="a")
    assert shown([last]) == ["a/last.txt"]
    assert [one.source for one in refused] == [repr(f"a/{name}") for name in names[:-1]]
    for one in refused:
        assert isinstance(one, Unreadable)
        assert one.reason.startswith("a file name must be one line of valid Unicode without control characters")


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_members_with_names_longer_than_file_systems_take_are_read(tmp_path: Path, kind: str) -> None:
    long = "長" * 90
    contents = {
        f"a/{long}.txt": b"Text",
        f"{long}_b.py": b"print(1)",
        f"{long}.md": b"# Own",
        f"{long}": b"Text",
        f"c-{long}.txt.gz": gzip.compress(b"Text"),
        f"{'x' * 2000}.txt": b"Text",
        "last.txt": b"Text",
    }
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed, tarfile.open(tmp_path / "a.tar", "w") as tape:
        for name, content in contents.items():
            packed.writestr(name, content)
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tape.addfile(info, io.BytesIO(content))
    found = list(archive.load(tmp_path / f"a.{kind}", id_prefix="a"))
    assert [(one.id, one.source) for one in found if isinstance(one, Document)] == [
        (f"a/{name}", f"a/{name}") for name in contents
    ]
    titles = [one.title for one in found if isinstance(one, Document)]
    assert titles == [long, f"{long}_b.py", "Own", long, f"c {long}", "x" * 1000, "last"]


def _tape(*headers: bytes) -> bytes:
    """A compressed TAR archive of these headers."""
    return gzip.compress(b"".join(headers) + bytes(1024))


def test_names_of_a_tape_archive_count_as_what_it_unpacks_to(tmp_path: Path) -> None:
    hidden = tarfile.TarInfo("." + "n" * 40_000).tobuf(tarfile.GNU_FORMAT)
    (tmp_path / "a.tgz").write_bytes(_tape(*[hidden] * 3))
    (found,) = archive.load(tmp_path / "a.tgz", id_prefix="a", limits=archive.Limits(bytes=100_000))
    assert isinstance(found, Unreadable)
    assert found.reason.startswith("the files of an archive may have 100,000 bytes unpacked")


def test_a_name_in_a_tape_archive_is_not_held_whatever_its_size(tmp_path: Path) -> None:
    head = tarfile.TarInfo("././@LongLink")
    head.type, head.size = tarfile.GNUTYPE_LONGNAME, 64_000_000
    (tmp_path / "a.tgz").write_bytes(_tape(head.tobuf(tarfile.GNU_FORMAT), bytes(head.size)))
    tracemalloc.start()
    try:
        (found,) = archive.load(tmp_path / "a.tgz", id_prefix="a")
        assert tracemalloc.get_traced_memory()[1] < 16_000_000
    finally:
        tracemalloc.stop()
    assert isinstance(found, Unreadable)
    assert "a header may have 1,048,576 bytes, one has 64,000,000" in found.reason


def test_entries_that_are_left_out_count_among_those_of_an_archive(tmp_path: Path) -> None:
    folder = tarfile.TarInfo("folder")
    folder.type = tarfile.DIRTYPE
    headers = [folder.tobuf(), tarfile.TarInfo(".hidden").tobuf(), tarfile.TarInfo("a.gif").tobuf()]
    (tmp_path / "a.tgz").write_bytes(_tape(*headers))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        for name in ("folder/", ".hidden", "a.gif"):
            packed.writestr(name, b"")
    for file in ("a.tgz", "a.zip"):
        reasons = []
        for members in (2, 3):
            (found,) = archive.load(tmp_path / file, id_prefix="a", limits=archive.Limits(members=members))
            assert isinstance(found, Unreadable)
            reasons.append(found.reason)
        assert reasons[0].startswith("an archive may have 2 files and folders, this one has more")
        assert reasons[1].startswith("no loader reads it in an archive")


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tgz", "a.txt.gz"])
@pytest.mark.parametrize("content", [b"", b"rubbish", b"PK\x03\x04rubbish", gzip.compress(b"rubbish", mtime=0)[:-3]])
def test_damaged_archives_are_reported(tmp_path: Path, name: str, content: bytes) -> None:
    found = read(tmp_path, name, content)
    assert len(found) == 1
    assert isinstance(found[0], Unreadable) or name == "a.txt.gz"
    assert not isinstance(found[0], Unreadable) or "\n" not in found[0].reason


def _pack(name: str, content: bytes) -> bytes:
    """An archive with one file, packed by LZMA or deflate."""
    memory = io.BytesIO()
    if name.endswith(".zip"):
        with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("b.txt", content)
    else:
        with tarfile.open(fileobj=memory, mode="w:xz") as packed_tar:
            info = tarfile.TarInfo("b.txt")
            info.size = len(content)
            packed_tar.addfile(info, io.BytesIO(content))
    return memory.getvalue()


@pytest.mark.parametrize("name", ["b.tar.xz", "b.zip"])
def test_damaged_data_cost_their_archive_only(tmp_path: Path, name: str) -> None:
    content = bytearray(_pack(name, np.random.default_rng(0).bytes(100_000)))
    content[50_000:50_040] = bytes(40)
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / name).write_bytes(content)
    for other in ("a.txt", "c.txt"):
        (tmp_path / "d" / other).write_text("Text")
    found = shown(list(read_documents(tmp_path / "d")))
    assert [found[0], found[-1]] == ["d/a.txt", "d/c.txt"]
    (damaged,) = found[1:-1]
    assert damaged.startswith(f"! d/{name}: the archive is damaged: ")


@pytest.mark.parametrize("error", [KeyError("no"), lzma.LZMAError("no"), zlib.error("no")])
def test_a_loader_that_fails_does_not_stop_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(restructured_text, "_parse", fail)
    read(tmp_path, "a.rst", "Text")
    (tmp_path / "d" / "b.txt").write_text("Text")
    failed, document = read_documents(tmp_path / "d")
    assert isinstance(failed, Unreadable)
    assert f"its loader failed with {type(error).__name__}: {error}" in failed.reason
    assert isinstance(document, Document)
