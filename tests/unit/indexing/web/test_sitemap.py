"""Sitemaps are read, compressed or not, and cannot expand without end."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tetragraph import errors
from tetragraph.indexing.web import sitemap as sitemaps
from tetragraph.indexing.web.sitemap import Sitemap, read_sitemap
from web_site import sitemap

BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
    b"<urlset><url><loc>http://a.example/&b;</loc></url></urlset>"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sitemap"


@pytest.mark.parametrize("is_compressed", [False, True])
def test_a_sitemap_lists_pages_and_one_of_sitemaps_lists_sitemaps(file: Path, *, is_compressed: bool) -> None:
    pack = gzip.compress if is_compressed else bytes
    file.write_bytes(pack(sitemap(["http://a.example/?a=1&amp;b=2", " http://a.example/c\n"])))
    assert read_sitemap(file) == Sitemap(["http://a.example/?a=1&b=2", "http://a.example/c"], [])
    file.write_bytes(pack(sitemap(["http://a.example/s.xml"], is_index=True)))
    assert read_sitemap(file) == Sitemap([], ["http://a.example/s.xml"])


def test_only_the_addresses_of_its_own_entries_count(file: Path) -> None:
    file.write_text(
        "<urlset xmlns='s' xmlns:image='i'><url><loc><![CDATA[http://a.example/1]]></loc><image:image>"
        "<image:loc>http://a.example/1.png</image:loc></image:image></url><loc>http://a.example/2</loc></urlset>",
        encoding="utf-8",
    )
    assert read_sitemap(file) == Sitemap(["http://a.example/1"], [])


@pytest.mark.parametrize("content", [b"", b"<html><p>a sitemap has &lt;urlset></p></html>", b"<feed><urlset/></feed>"])
def test_another_file_is_none(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert read_sitemap(file) is None


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"<urlset><url>", "must be XML"),
        (BOMB, "must not define entities"),
        (gzip.compress(sitemap(["http://a.example/"]))[:-9], "damaged"),
        (b"<urlset>" + b" " * 200, "200 bytes"),
    ],
)
def test_a_faulty_one_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, reason: str) -> None:
    if reason == "200 bytes":
        monkeypatch.setattr(sitemaps, "MOST_BYTES", 200)
    file.write_bytes(content)
    with pytest.raises(errors.UnreadableDocument, match=reason):
        read_sitemap(file)
