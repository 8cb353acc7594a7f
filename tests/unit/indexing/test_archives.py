"""Archives unpack to no more than was allowed: TAR archives as streams, ZIP archives by how they are packed."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tetragraph.errors import UnreadableDocument
from tetragraph.indexing.archives import MOST_AT_ONCE, has_bounded_members, open_tape

CONTENT = bytes(range(256)) * 8


def refuse() -> UnreadableDocument:
    return UnreadableDocument("too large")


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_tape_is_what_it_unpacks_to_whatever_its_name(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    (tmp_path / "a.tar").write_bytes(pack(CONTENT))
    with open_tape(tmp_path / "a.tar", len(CONTENT), refuse) as stream:
        assert stream.read(8) == CONTENT[:8]
        assert (stream.seek(1000), stream.tell()) == (1000, 1000)
        assert stream.read(MOST_AT_ONCE) == CONTENT[1000:]
        assert (stream.read(1), stream.seek(5000)) == (b"", len(CONTENT))
    with open_tape(tmp_path / "a.tar", len(CONTENT) - 1, refuse) as stream, pytest.raises(UnreadableDocument):
        stream.seek(5000)


def test_headers_that_lead_back_or_are_too_large_are_damage(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(CONTENT)
    with open_tape(tmp_path / "a.tar", 5000, refuse) as stream:
        stream.read(600)
        with pytest.raises(tarfile.ReadError, match="leads back"):
            stream.seek(599)
        for size in (-1, MOST_AT_ONCE + 1):
            with pytest.raises(tarfile.ReadError, match="a header may have 1,048,576 bytes"):
                stream.read(size)


@pytest.mark.parametrize(
    ("packing", "is_bounded"),
    [
        (zipfile.ZIP_STORED, True),
        (zipfile.ZIP_DEFLATED, True),
        (zipfile.ZIP_BZIP2, False),
        (zipfile.ZIP_LZMA, False),
    ],
)
def test_members_that_unpack_whole_blocks_are_not_bounded(tmp_path: Path, packing: int, is_bounded: bool) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.txt", CONTENT, zipfile.ZIP_DEFLATED)
        archive.writestr("b.txt", CONTENT, packing)
        assert has_bounded_members(archive) == is_bounded
