"""An address has one form, and a list has addresses only."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph import errors
from tetragraph.indexing.following import follow
from tetragraph.indexing.web.addresses import normalise, read_list, site_of
from tetragraph.model.fetching import DEFAULT_FETCHING
from tetragraph.model.reading import DEFAULT_READING


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("http://Example.ORG", "http://example.org/"),
        ("https://example.org:443/a#b", "https://example.org/a"),
        ("http://example.org:8080/a/../b?q=1&r=ä", "http://example.org:8080/a/../b?q=1&r=%C3%A4"),
        ("http://[::1]:80/x", "http://[::1]/x"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        (" https://example.org/a%20b ", "https://example.org/a%20b"),
    ],
)
def test_addresses_of_one_page_have_one_form(given: str, wanted: str) -> None:
    assert normalise(given) == wanted
    assert normalise(wanted) == wanted


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("ftp://example.org/a", "must begin with http"),
        ("file:///etc/passwd", "must begin with http"),
        ("http://", "must begin with http"),
        ("http://a:b@example.org/", "no user and password"),
        ("http://example.org:port/", "must be valid"),
        ("http://[1/", "must be valid"),
        (f"http://example.org/{'a' * 2_000}", "2,000 characters"),
    ],
)
def test_what_is_no_address_of_a_page_is_refused(given: str, reason: str) -> None:
    with pytest.raises(errors.InvalidInput, match=reason):
        normalise(given)


def test_a_password_is_not_shown() -> None:
    with pytest.raises(errors.InvalidInput) as refused:
        normalise("http://me:secret@example.org/")
    assert "secret" not in str(refused.value)


def test_hosts_differ_by_port() -> None:
    assert site_of("http://localhost:1/") != site_of("http://localhost:2/")
    assert site_of(normalise("http://a.example/")) == site_of(normalise("https://a.example/x"))


def test_a_list_has_an_address_in_each_line(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("\ufeff# pages\n\nhttp://a.example/x\n  http://A.example:80/y  \n", encoding="utf-8")
    assert read_list(file) == ["http://a.example/x", "http://a.example/y"]
    file.write_text("http://a.example/x\nnotes.md\n", encoding="utf-8")
    with pytest.raises(errors.InvalidInput, match=r"list\.txt:2: an address must begin"):
        read_list(file)
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(errors.InvalidInput, match="must be UTF-8"):
        read_list(file)
    with pytest.raises(errors.InvalidInput, match="can be read"):
        read_list(tmp_path / "none.txt")


def test_a_sync_follows_one_folder_or_addresses(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("http://a.example/x\n", encoding="utf-8")

    def source(*given: str | Path, prefix: str | None = None) -> str:
        return follow(list(given), None, prefix, DEFAULT_READING, DEFAULT_FETCHING).source.identity

    assert source(tmp_path) == str(tmp_path.resolve())
    listed = str((tmp_path / "list.txt").resolve())
    assert source("http://B.example", tmp_path / "list.txt") == source(listed, "http://b.example/")
    for given, reason in (
        ((), "follows a folder, or addresses"),
        (("",), "follows a folder, or addresses"),
        ((tmp_path, "http://a.example/"), "one folder, or addresses"),
    ):
        with pytest.raises(errors.InvalidInput, match=reason):
            source(*given)
    with pytest.raises(errors.InvalidInput, match="have no prefix"):
        source("http://a.example/", prefix="a")
