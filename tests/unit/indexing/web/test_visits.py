"""Pages of a list and of its sitemaps are told apart by what came of them."""

from __future__ import annotations

import gzip
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from tetragraph import errors
from tetragraph.indexing.sync_source import Stored, Visit
from tetragraph.indexing.web import visits as visiting
from tetragraph.indexing.web.followed_addresses import AddressLook, FollowedAddresses
from tetragraph.indexing.web.page_state import PageState, Validators
from tetragraph.indexing.web.visits import Visits, visit
from tetragraph.model.fetching import FetchOptions
from tetragraph.progress import NoProgress
from web_site import Page, WebSite, sitemap

QUICK = FetchOptions(delay_s=0)


@pytest.fixture
def web() -> Iterator[WebSite]:
    with WebSite() as site:
        for name in "abc":
            site.write(f"/{name}", name.upper(), f"The page {name}.")
        yield site


def look_at(
    web: WebSite, folder: Path, *paths: str, known: PageState | None = None, complete: Collection[str] = ()
) -> Visits:
    scratch = folder / f"scratch-{len(web.asked)}"
    scratch.mkdir()
    addresses = [f"{web.address}{one}" for one in paths]
    return visit(addresses, known or PageState(), complete, QUICK, scratch, NoProgress())


def test_a_validator_that_no_request_can_state_is_not_stated(web: WebSite, tmp_path: Path) -> None:
    web.pages["/a"] = Page(b"<p>The page a.", headers={"ETag": '"größe"'})
    address = f"{web.address}/a"
    first = look_at(web, tmp_path, "/a")
    again = look_at(web, tmp_path, "/a", known=PageState(first.validators), complete={address})
    assert (set(again.files), again.failed) == ({address}, {})


def test_a_page_is_read_whatever_the_last_part_of_its_address(web: WebSite, tmp_path: Path) -> None:
    paths = ["/a/%2E%2E", "/" + "%F0%9F%90%9D" * 90]
    web.pages |= {one: Page(b"The page a.", kind="") for one in paths}
    found = look_at(web, tmp_path, *paths)
    assert (names(web, found.files), found.failed) == (sorted(paths), {})
    assert all(one.path.read_bytes() == b"The page a." for one in found.files.values())


def names(web: WebSite, found: Collection[str]) -> list[str]:
    return sorted(one.removeprefix(web.address) for one in found)


def test_sitemaps_are_followed_through_those_that_list_them(web: WebSite, tmp_path: Path) -> None:
    web.list_pages("/one.xml", "/a", "/b", "/a", more=("http://other.example/x", "http://other.example/y", "mailto:me"))
    web.pages["/two.xml.gz"] = Page(gzip.compress(sitemap([f"{web.address}/c"])), "application/gzip")
    inner = [f"{web.address}{one}" for one in ("/one.xml", "/two.xml.gz", "/none.xml", "/index")]
    web.pages["/index"] = Page(sitemap(inner, is_index=True), "text/xml")
    found = look_at(web, tmp_path, "/index", "/b")
    assert names(web, found.files) == ["/a", "/b", "/c"]
    assert names(web, found.sitemaps) == ["/index", "/one.xml", "/two.xml.gz"]
    assert names(web, found.lost_sitemaps) == ["/none.xml"]
    assert found.requests == {"read": 3, "failed": 2, "sitemaps": 3}
    reasons = [one.reason for one in found.unreadable()]
    assert any("2 of its pages are of other.example, which the list does not name" in one for one in reasons)
    assert any("must begin with http" in one for one in reasons)
    assert sum(one.path == "/a" for one in web.asked) == 1


def test_conditions_are_sent_for_complete_pages_only(web: WebSite, tmp_path: Path) -> None:
    first = look_at(web, tmp_path, "/a", "/b")
    known = PageState(first.validators)
    again = look_at(web, tmp_path, "/a", "/b", known=known, complete={f"{web.address}/a"})
    assert (names(web, again.same), names(web, again.files)) == (["/a"], ["/b"])


def test_pages_that_fail_are_not_gone(web: WebSite, tmp_path: Path) -> None:
    web.pages |= {f"/{status}": Page(status=status) for status in (401, 403, 404, 410, 500, 418)}
    found = look_at(web, tmp_path, *(f"/{status}" for status in (401, 403, 404, 410, 500, 418)))
    assert names(web, found.gone) == ["/404", "/410"]
    assert names(web, found.failed) == ["/401", "/403", "/418", "/500"]
    assert "answers with status 500; its documents stay" in found.unreadable()[-1].reason


def test_a_sitemap_that_is_lost_is_no_page_that_is_gone(web: WebSite, tmp_path: Path) -> None:
    for path in ("/map", "/other.xml"):
        known = PageState(sitemaps={f"{web.address}/map"})
        found = look_at(web, tmp_path, path, known=known)
        assert (names(web, found.lost_sitemaps), found.gone) == ([path], set())
    web.write("/map", "A page", "in its place")
    assert "is none" in next(iter(look_at(web, tmp_path, "/map", known=known).failed.values()))
    page = PageState({f"{web.address}/other.xml": Validators()})
    assert names(web, look_at(web, tmp_path, "/other.xml", known=page).gone) == ["/other.xml"]
    web.pages["/damaged.xml"] = Page(b"<urlset><url>", "text/xml")
    assert names(web, look_at(web, tmp_path, "/damaged.xml").lost_sitemaps) == ["/damaged.xml"]


def test_sitemaps_end_somewhere(web: WebSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for depth in range(6):
        web.pages[f"/{depth}"] = Page(sitemap([f"{web.address}/{depth + 1}"], is_index=True), "text/xml")
    found = look_at(web, tmp_path, "/0")
    assert names(web, found.lost_sitemaps) == ["/4"]
    monkeypatch.setattr(visiting, "MOST", 3)
    web.list_pages("/many.xml", "/a", "/b", "/c")
    with pytest.raises(errors.InvalidInput, match="a list may have 3 addresses"):
        look_at(web, tmp_path, "/many.xml")


def test_removals_are_doubted_where_the_server_may_be_at_fault(web: WebSite, tmp_path: Path) -> None:
    known = tmp_path / "state.json"
    paths = [f"/{name}" for name in "abc"]
    list_file = tmp_path / "list.txt"

    def look(*listed: str) -> AddressLook:
        list_file.write_text("".join(f"{web.address}{one}\n" for one in listed), encoding="utf-8")
        scratch = tmp_path / f"scratch-{len(list(tmp_path.iterdir()))}"
        scratch.mkdir()
        stored = [Stored(f"{web.address}{one}", "x", f"{web.address}{one}") for one in paths]
        source = FollowedAddresses((str(list_file),), QUICK)
        source.check()
        return source.look(stored, Visit(known, scratch, False, NoProgress()))

    def gone(found: AddressLook) -> list[str]:
        return [one for one in paths if found.owns(f"{web.address}{one}") and found.is_gone(f"{web.address}{one}")]

    first = look(*paths)
    first.save(known)
    assert not first.owns("http://other.example/")
    assert (gone(look("/a", "/b")), look("/a", "/b").doubt(["/c"])) == (["/c"], "")
    assert look().doubt(["/c"]) == "the list of addresses is empty"
    web.pages["/b"] = web.pages["/c"] = Page(status=500)
    assert "2 of 3 pages cannot be read" in look(*paths).doubt(["/x"])
    web.pages = {}
    assert look("/a").doubt(["/a"]) == "none of the addresses has a page"
    assert "the sitemap" in look("/a", "/map.xml").doubt(["/a"])
    kept = look("/a")
    kept.keep([f"{web.address}/a"])
    kept.forget(f"{web.address}/b")
    assert set(kept.state.pages) == {f"{web.address}/a"}
