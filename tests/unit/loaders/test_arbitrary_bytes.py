"""A loader raises nothing for any bytes: each item is a usable document or a reason."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.indexing.sources import read_documents
from tetragraph.model import Document

PARTS = [
    b"\n",
    b"\r\n",
    b"\r",
    b"---\n",
    b"# ",
    b'{"text":"a"}',
    b'{"id":"',
    b'"',
    b",",
    b";",
    b"text,id\n",
    b"<p>",
    b"</",
    b"\x00",
]
PARTS += [
    b"\xef\xbb\xbf",
    b"\xff",
    "é🙂".encode(),
    b"key: [v]\n",
    b"```",
    b"> ",
    b"<title>",
    b"&#0;",
    b"\\ud800",
    b"[",
    b"{",
]
arbitrary = st.one_of(st.binary(max_size=60), st.lists(st.sampled_from(PARTS), max_size=12).map(b"".join))


@pytest.mark.parametrize("suffix", [".txt", ".md", ".html", ".jsonl", ".csv", ".jsonl.gz"])
@given(data=arbitrary, packed=st.booleans())
def test_a_loader_raises_nothing(suffix: str, data: bytes, packed: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"a{suffix}")
        path.write_bytes(gzip.compress(data) if packed else data)
        found = list(read_documents(path))
    assert found
    for document in found:
        if isinstance(document, Document):
            assert document.text.strip()
            assert "\r\n" not in document.text
            assert document.sha256
            assert [h.start for h in document.headings] == sorted(h.start for h in document.headings)
            assert all(document.text[heading.start : heading.start + 1] for heading in document.headings)
