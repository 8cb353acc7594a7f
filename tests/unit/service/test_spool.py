"""Uploads: names that leave the folder, files that explode when unpacked, and documents read back."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tetragraph import Unreadable
from tetragraph.client.remote.requests import DocumentForm
from tetragraph.errors import InvalidInput, RequestTooLarge
from tetragraph.host.process_names import new_process_name
from tetragraph.service.jobs.spool import Spool, check_name
from tetragraph.service.jobs.unpacked import check_unpacked

JOB = "0123456789abcdef"
UNSAFE = [
    "../a.md",
    "a/../../b.md",
    "/etc/passwd.md",
    "a\\..\\b.md",
    "C:a.md",
    "a//b.md",
    "./a.md",
    ".hidden.md",
    "a/.git/b.md",
    "a\x00.md",
    "a\r\nX-Evil: 1.md",
    "a\u2028b.md",
    "\udcff.md",
    " a.md",
    "",
    "x" * 600 + ".md",
    f"{'ü' * 130}.md",
]


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "spool", unpacked_bytes=1_000_000)


@pytest.mark.parametrize("name", UNSAFE)
def test_a_name_that_is_no_plain_relative_path_is_refused(spool: Spool, tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput):
        check_name(name)
    with pytest.raises(InvalidInput):
        spool.add_files(JOB, [(name, iter([b"x"]))])
    assert not list(tmp_path.rglob("*"))


def test_a_name_may_have_blanks_and_joiners_that_are_not_seen(spool: Spool) -> None:
    names = ["報告\u30002024.txt", "at 3.45.12\u202fPM.txt", "a\xa0b.txt", "می\u200cخواهم.txt", "👨\u200d👧.txt"]
    content = spool.add_files(JOB, [(name, iter([b"Text"])) for name in names])
    assert sorted(one.id for one in spool.read(JOB, content, [])) == sorted(names)


def test_files_are_read_as_documents_with_their_names_as_ids(spool: Spool) -> None:
    given = [("guide/a.md", b"# Title\n\nText of the guide."), ("b.txt", b"Other text.")]
    first = spool.add_files(JOB, [(name, iter([content])) for name, content in given])
    unreadable: list[Unreadable] = []
    found = {one.id: one for one in spool.read(JOB, first, unreadable)}
    assert set(found) == {"guide/a.md", "b.txt"}
    assert {(one.origin, one.from_file) for one in found.values()} == {("", True)}
    assert found["guide/a.md"].source == "guide/a.md"
    assert spool.jobs() == [(JOB, first)]
    assert spool.add_files(JOB, [(name, iter([content])) for name, content in given]) == first
    changed = [("guide/a.md", b"# Title\n\nText of the guides."), given[1]]
    second = spool.add_files(JOB, [(name, iter([content])) for name, content in changed])
    assert sorted(spool.jobs()) == sorted([(JOB, first), (JOB, second)])
    spool.remove(JOB, first)
    assert (spool.has(JOB, first), spool.has(JOB, second)) == (False, True)


def test_members_of_an_archive_are_named(spool: Spool) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("docs/a.md", "Text of the guide.")
        archive.writestr("inner.zip", packed.getvalue())
    content = spool.add_files(JOB, [("up/pack.zip", iter([packed.getvalue()]))])
    unreadable: list[Unreadable] = []
    assert [one.source for one in spool.read(JOB, content, unreadable)] == ["up/pack.zip/docs/a.md"]
    assert [one.source for one in unreadable] == ["up/pack.zip/inner.zip"]


def test_files_that_no_loader_reads_are_reported_like_others_that_cannot_be_read(spool: Spool, tmp_path: Path) -> None:
    given = [("README", b"The guide."), ("film.mkv", b"x" * 99), ("pic.gif", b"GIF8"), ("tool", b"\x7fELF\x00")]
    added = spool.add_files(JOB, [(name, iter([content])) for name, content in given])
    unreadable: list[Unreadable] = []
    assert [one.id for one in spool.read(JOB, added, unreadable)] == ["README"]
    assert [one.source for one in unreadable] == ["tool", "pic.gif", "film.mkv"]
    assert (tmp_path / "spool" / f"{JOB}-{added}" / "files" / "film.mkv").stat().st_size == 0, "nothing reads it"


def test_files_none_of_which_a_loader_reads_are_refused(spool: Spool) -> None:
    with pytest.raises(InvalidInput, match=r"suffix that is read, got 'pic\.gif'"):
        spool.add_files(JOB, [(name, iter([b"x"])) for name in ("pic.gif", "film.mkv")])
    assert not spool.jobs()


def test_documents_are_read_as_they_were_sent(spool: Spool) -> None:
    sent = DocumentForm(id="a", title="A", text="Text.", metadata={"year": 1900, "tags": ["x"]})
    content = spool.add_documents(JOB, [sent])
    assert [DocumentForm.of(one) for one in spool.read(JOB, content, [])] == [sent]


def test_files_that_explode_are_refused_before_anything_unpacks_them(spool: Spool) -> None:
    bomb = gzip.compress(b"0" * 2_000_000)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"0" * 2_000_000)
    for name, content in (("a.jsonl.gz", bomb), ("a.docx", packed.getvalue())):
        with pytest.raises(RequestTooLarge):
            spool.add_files(JOB, [(name, iter([content]))])
    for name in ("a.jsonl.gz", "a.tar.xz", "a.tgz"):
        with pytest.raises(InvalidInput, match="damaged"):
            spool.add_files(JOB, [(name, iter([b"no gzip"]))])
    assert not spool.jobs()


@pytest.mark.parametrize("suffix", [".tar", ".tgz", ".tar.xz", ".tar.bz2"])
def test_tape_archives_that_explode_are_refused_whatever_packs_them(spool: Spool, suffix: str) -> None:
    packers: dict[str, Callable[[bytes], bytes]] = {".tgz": gzip.compress, ".tar.xz": lzma.compress, ".tar": bytes}
    pack = packers.get(suffix, bz2.compress)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name in ("a.txt", "b.txt"):
            entry = tarfile.TarInfo(name)
            entry.size = 600_000
            archive.addfile(entry, io.BytesIO(b"0" * entry.size))
    with pytest.raises(RequestTooLarge):
        spool.add_files(JOB, [(f"a{suffix}", iter([pack(packed.getvalue())]))])
    assert not spool.jobs()


def _long_name(size: int) -> bytes:
    """An archive of one empty file whose name has a number of bytes; its headers have no other size."""
    head = tarfile.TarInfo("././@LongLink")
    head.type, head.size = tarfile.GNUTYPE_LONGNAME, size
    return head.tobuf(tarfile.GNU_FORMAT) + bytes(-(-size // 512) * 512) + tarfile.TarInfo("a.txt").tobuf()


def _zip(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _tar(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


HALF, WHOLE = _zip({"word/document.xml": b"0" * 600_000}), _zip({"word/document.xml": b"0" * 2_000_000})
"""Documents that unpack to more than half of what is allowed, and to more than all."""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.docx.gz", gzip.compress(WHOLE)),
        ("a.docx.gz.gz", gzip.compress(gzip.compress(WHOLE))),
        ("a.zip", _zip({"a.docx": WHOLE})),
        ("a.zip", _zip({"a.docx": HALF, "b.docx": HALF})),
        ("a.zip", _zip({"a.docx.gz": gzip.compress(WHOLE)})),
        ("a.zip.gz", gzip.compress(_zip({"a.docx": HALF, "b.docx": HALF}))),
        ("a.tar", _tar({"a.docx": WHOLE})),
        ("a.tgz", gzip.compress(_tar({"a.docx": HALF, "b.docx": HALF}))),
    ],
)
def test_what_is_packed_twice_counts_as_what_it_unpacks_to(spool: Spool, name: str, content: bytes) -> None:
    with pytest.raises(RequestTooLarge, match=f"'{name}' must have at most 1,000,000 bytes when it is unpacked"):
        spool.add_files(JOB, [(name, iter([content]))])
    assert not spool.jobs()


def test_what_is_packed_twice_and_small_enough_is_taken(spool: Spool) -> None:
    packed = {"a.docx": HALF, "b.md.gz": gzip.compress(b"0" * 100_000), "c.mkv": b"0" * 100_000, "d.txt": b"D"}
    for name, content in {"a.zip": _zip(packed), "a.tgz": gzip.compress(_tar(packed))}.items():
        assert spool.add_files(JOB, [(name, iter([content]))])


def test_what_is_packed_endlessly_is_refused(spool: Spool) -> None:
    content = b"A"
    for _ in range(8):
        content = gzip.compress(content)
    assert spool.add_files(JOB, [(f"a.txt{'.gz' * 8}", iter([content]))])
    with pytest.raises(InvalidInput, match="must be packed at most 8 times, it is more often"):
        spool.add_files(JOB, [(f"a.txt{'.gz' * 9}", iter([gzip.compress(content)]))])


def test_a_file_with_holes_in_a_tape_archive_counts_with_them(tmp_path: Path) -> None:
    entry = tarfile.TarInfo("a.txt")
    entry.type = tarfile.GNUTYPE_SPARSE
    head = bytearray(entry.tobuf(tarfile.GNU_FORMAT))
    head[386:410] = b"00000000000\x00" * 2  # one piece of data, of no bytes
    head[483:495] = b"%011o\x00" % 2_000_000
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\x00 " % sum(head)
    (tmp_path / "a.tar").write_bytes(bytes(head) + bytes(1024))
    with pytest.raises(RequestTooLarge):
        check_unpacked(tmp_path / "a.tar", 1_000_000)


def test_files_of_an_archive_that_need_a_password_are_not_unpacked(tmp_path: Path) -> None:
    content = bytearray(_zip({"a.txt": b"A"}))
    content[6] |= 1  # flags of the member, before it and in the list at the end
    content[content.index(b"PK\1\2") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(content)
    check_unpacked(tmp_path / "a.zip", 1_000_000)


@pytest.mark.parametrize("suffix", [".tgz", ".tar.xz", ".tar.bz2"])
@pytest.mark.parametrize("content", [_long_name(2_000_000), tarfile.TarInfo("a.txt").tobuf() * 4000])
def test_names_and_headers_of_tape_archives_count_as_what_they_unpack_to(
    spool: Spool, suffix: str, content: bytes
) -> None:
    packers: dict[str, Callable[[bytes], bytes]] = {".tgz": gzip.compress, ".tar.xz": lzma.compress}
    pack = packers.get(suffix, bz2.compress)
    with pytest.raises(RequestTooLarge, match="at most 1,000,000 bytes when it is unpacked"):
        spool.add_files(JOB, [(f"a{suffix}", iter([pack(content)]))])
    assert not spool.jobs()


def test_a_tape_archive_is_unpacked_no_further_than_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "a.tar.bz2"
    with bz2.open(file, "wb") as packed:
        packed.write(_long_name(64_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(RequestTooLarge):
            check_unpacked(file, 1_000_000)
        assert tracemalloc.get_traced_memory()[1] < 16_000_000
    finally:
        tracemalloc.stop()


def test_a_tape_archive_may_be_empty_and_must_begin_like_one(spool: Spool) -> None:
    assert spool.add_files(JOB, [("a.tar", iter([bytes(1024)]))])
    for content in (b"", b"short", b"x" * 512, gzip.compress(b"x" * 512), gzip.compress(bytes(1024))[:-9]):
        with pytest.raises(InvalidInput, match=r"'a\.tar' is damaged"):
            spool.add_files(JOB, [("a.tar", iter([content]))])


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_archive_that_unpacks_whole_blocks_is_refused(spool: Spool, packing: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", packing) as archive:
        archive.writestr("a.txt", "x" * 100)
    with pytest.raises(InvalidInput, match=r"'a\.zip' must be packed by deflate or not at all"):
        spool.add_files(JOB, [("a.zip", iter([packed.getvalue()]))])


def test_a_tape_archive_with_a_zip_archive_at_its_end_is_counted_as_both(spool: Spool) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", b"0" * 2_000_000)
    tape = tarfile.TarInfo("a.txt").tobuf() + bytes(1024)
    with pytest.raises(RequestTooLarge):
        spool.add_files(JOB, [("a.tar", iter([tape + packed.getvalue()]))])


def test_a_name_is_of_a_file_or_of_a_folder(spool: Spool) -> None:
    with pytest.raises(InvalidInput, match="got 'guide' as both"):
        spool.add_files(JOB, [(name, iter([b"x"])) for name in ("Guide", "guide/intro.md", "b.md")])
    assert not spool.jobs()


def test_what_an_interrupted_request_left_is_deleted_and_what_may_be_in_progress_is_not(
    spool: Spool, tmp_path: Path
) -> None:
    here = new_process_name()
    host, _, rest = here.partition(" pid ")
    ended = f"{host} pid {1 << 30} {rest.split()[-1]}"
    parts = {name: tmp_path / "spool" / f"{JOB}.{name}.part" for name in (here, ended, f"other-{here}", "aabbccdd")}
    for part in parts.values():
        part.mkdir(parents=True)
    os.utime(parts["aabbccdd"], (0, 0))
    assert spool.jobs() == []
    assert sorted((tmp_path / "spool").iterdir()) == sorted([parts[here], parts[f"other-{here}"]])


def test_another_server_leaves_an_upload_in_progress_alone(spool: Spool, tmp_path: Path) -> None:
    def content() -> Iterator[bytes]:
        assert Spool(tmp_path / "spool", unpacked_bytes=1_000_000).jobs() == []
        yield b"text"

    added = spool.add_files(JOB, [("a.md", content())])
    assert [one.text for one in spool.read(JOB, added, [])] == ["text"]
