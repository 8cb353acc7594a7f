"""Requests are polite and bounded, and go to no host that the list does not name."""

from __future__ import annotations

import gzip
import socket
import threading
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from tetragraph.indexing.web import fetcher as fetching
from tetragraph.indexing.web.fetcher import Fetcher, Reply
from tetragraph.indexing.web.page_requests import PageRequests
from tetragraph.indexing.web.site import Site, find_private
from tetragraph.model.fetching import FetchOptions
from tetragraph.progress import NoProgress
from tetragraph.version import __version__
from web_site import Page, WebSite

QUICK = FetchOptions(delay_s=0, timeout_s=5)


@pytest.fixture
def web() -> Iterator[WebSite]:
    with WebSite() as site:
        site.write("/a", "A", "A page.")
        yield site


@pytest.fixture
def body(tmp_path: Path) -> Path:
    return tmp_path / "body"


def get(
    web: WebSite, path: str, body: Path, options: FetchOptions = QUICK, headers: Mapping[str, str] | None = None
) -> Reply:
    with Fetcher({f"127.0.0.1:{web.port}"}, options) as fetcher:
        return fetcher.get(f"{web.address}{path}", body, headers)


def test_a_page_is_written_to_its_file_and_asked_for_by_name(web: WebSite, body: Path) -> None:
    reply = get(web, "/a", body)
    assert (reply.status, body.read_bytes()) == (200, web.pages["/a"].body)
    assert [(one.path, one.agent) for one in web.asked] == [
        ("/robots.txt", f"tetragraph/{__version__}"),
        ("/a", f"tetragraph/{__version__}"),
    ]
    again = get(web, "/a", body.with_name("again"), headers={"If-None-Match": reply.headers["etag"]})
    assert (again.status, body.with_name("again").exists()) == (304, False)


@pytest.mark.parametrize(
    ("robots", "allowed"),
    [
        (Page(b"User-agent: *\nDisallow: /"), False),
        (Page(b"User-agent: tetragraph\nDisallow: /*?\nDisallow: /a$\n\nUser-agent: *\nAllow: /"), False),
        (Page(b"User-agent: other\nDisallow: /"), True),
        (Page(status=404), True),
        (Page(status=403), True),
        (Page(b"\xff\xfe no rules"), True),
        (Page(status=500), False),
        (Page(status=520), False),
        (Page(is_cut=True), False),
        (Page(status=302, headers={"Location": "/rules"}), False),
        (Page(status=302, headers={"Location": "http://other.example/robots.txt"}), False),
        (Page(status=302, headers={"Location": "/robots.txt"}), True),
    ],
)
def test_robots_txt_is_obeyed(web: WebSite, body: Path, robots: Page, *, allowed: bool) -> None:
    web.pages |= {"/robots.txt": robots, "/rules": Page(b"User-agent: *\nDisallow: /a")}
    reply = get(web, "/a", body)
    assert ((reply.status == 200), "robots.txt" in reply.fault) == (allowed, not allowed)
    assert ("/a" in web.statuses()) is allowed


def test_redirects_are_followed_a_few_times_and_on_named_hosts_only(web: WebSite, body: Path) -> None:
    web.pages |= {f"/{n}": Page(status=301, headers={"Location": f"/{n - 1}" if n else "a"}) for n in range(6)}
    web.pages["/out"] = Page(status=302, headers={"Location": "http://other.example/a"})
    web.pages["/file"] = Page(status=302, headers={"Location": "file:///etc/passwd"})
    web.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /secret")
    web.pages["/hidden"] = Page(status=308, headers={"Location": "/secret"})
    assert get(web, "/4", body).status == 200
    assert "more than 5 times" in get(web, "/5", body).fault
    assert "leads to other.example, which the list does not name" in get(web, "/out", body).fault
    assert "no address of a page" in get(web, "/file", body).fault
    assert "does not allow it" in get(web, "/hidden", body).fault
    assert "/secret" not in web.statuses()


def test_a_page_above_the_limit_is_not_read_whole(web: WebSite, body: Path) -> None:
    web.pages["/large"] = Page(bytes(1_000_001))
    web.pages["/packed"] = Page(gzip.compress(bytes(50_000_000)), headers={"Content-Encoding": "gzip"})
    for path in ("/large", "/packed"):
        assert "may have 1 MB" in get(web, path, body, FetchOptions(delay_s=0, most_mb=1)).fault


def test_a_slow_page_and_a_lost_connection_are_faults(
    web: WebSite, body: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.pages |= {
        "/slow": Page(slow_s=1.0),
        "/cut": Page(is_cut=True),
        "/broken": Page(headers={"Content-Encoding": "gzip"}, body=b"no gzip"),
    }
    assert "does not answer" in get(web, "/slow", body, FetchOptions(delay_s=0, timeout_s=0.1)).fault
    assert "does not answer" in get(web, "/cut", body).fault
    assert "does not answer" in get(web, "/broken", body).fault
    monkeypatch.setattr(fetching, "SLOW", 0)
    assert "takes longer" in get(web, "/a", body).fault


def test_a_host_without_answers_is_given_up(web: WebSite, tmp_path: Path) -> None:
    web.pages |= {f"/{number}": Page(is_cut=True) for number in range(6)}
    with Fetcher({f"127.0.0.1:{web.port}"}, QUICK) as fetcher:
        replies = [fetcher.get(f"{web.address}/{number}", tmp_path / "x") for number in range(6)]
        assert all("does not answer" in one.fault for one in replies)
    assert sorted(web.statuses()) == ["/0", "/1", "/2", "/robots.txt"]


def test_a_busy_host_is_asked_again_after_the_time_it_states(
    web: WebSite, body: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paused: list[float] = []

    def pause(site: Site, seconds: float) -> None:
        paused.append(seconds)
        web.write("/a", "A", "A page.")

    monkeypatch.setattr(Site, "pause", pause)
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    for value, least, most in (("7", 7, 7), (later, 30, 60), (format_datetime(datetime(2020, 1, 1, tzinfo=UTC)), 0, 0)):
        web.pages["/a"] = Page(status=429, headers={"Retry-After": value})
        assert get(web, "/a", body).status == 200
        assert least <= paused.pop() <= most
    web.pages["/a"] = Page(status=503)
    assert get(web, "/a", body).status == 200
    assert paused == [fetching.USUAL_PAUSE_S]
    for value in ("3600", "soon"):
        web.pages["/a"] = Page(status=503, headers={"Retry-After": value})
        with Fetcher({f"127.0.0.1:{web.port}"}, QUICK) as fetcher:
            assert fetcher.get(f"{web.address}/a", body).status == 503
            assert "come back" in fetcher.get(f"{web.address}/b", body).fault
    assert "/b" not in web.statuses()


def test_a_host_that_stays_busy_is_left_to_the_next_sync(
    web: WebSite, body: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Site, "pause", lambda site, seconds: None)
    web.pages["/a"] = Page(status=429, headers={"Retry-After": "1"})
    assert get(web, "/a", body).status == 429
    assert sum(one.path == "/a" for one in web.asked) == fetching.MOST_TRIES


@pytest.mark.parametrize("served", [(), (2, 5)])
def test_a_host_that_is_busy_for_page_after_page_is_given_up(
    web: WebSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, served: tuple[int, ...]
) -> None:
    monkeypatch.setattr(Site, "pause", lambda site, seconds: None)
    web.pages |= {f"/{number}": Page(status=200 if number in served else 503) for number in range(8)}
    with Fetcher({f"127.0.0.1:{web.port}"}, QUICK) as fetcher:
        replies = [fetcher.get(f"{web.address}/{number}", tmp_path / "x") for number in range(8)]
    asked = web.statuses()
    if served:
        assert len(asked) == 9
        assert not any("in a row" in one.fault for one in replies)
    else:
        assert sorted(asked) == ["/0", "/1", "/2", "/robots.txt"]
        assert replies[2].status == 503
        assert {one.fault for one in replies[3:]} == {replies[3].fault}
        assert "answers with status 503 to 3 pages in a row" in replies[3].fault


@pytest.mark.parametrize("at_once", [1, 3])
def test_a_host_is_asked_no_more_often_at_once_than_allowed(web: WebSite, tmp_path: Path, at_once: int) -> None:
    web.pages |= {f"/{number}": Page(b"x", slow_s=0.05) for number in range(12)}
    addresses = [f"{web.address}/{number}" for number in range(12)]
    with Fetcher({f"127.0.0.1:{web.port}"}, FetchOptions(delay_s=0, at_once=at_once)) as fetcher:
        replies = PageRequests(fetcher, tmp_path, at_once, NoProgress()).fetch(addresses, {})
    assert [reply.status for reply, _ in replies.values()] == [200] * 12
    assert list(replies) == addresses
    assert 1 <= web.most_at_once <= at_once


class _Clock(threading.Event):
    """An event whose waits only advance its time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 100.0

    def wait(self, timeout: float | None = None) -> bool:
        self.now += timeout or 0.0
        return False


def test_requests_to_a_host_begin_after_the_delay_and_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = _Clock()
    monkeypatch.setattr("tetragraph.indexing.web.site.time.monotonic", lambda: clock.now)
    site = Site(FetchOptions(delay_s=2.0), clock)
    begun = []
    for number in range(4):
        if number == 3:
            site.pause(30.0)
        with site.turn():
            begun.append(clock.now)
    assert begun == pytest.approx([100.0, 102.0, 104.0, 134.0])


def test_the_delay_of_robots_txt_is_kept_where_it_is_longer(web: WebSite, monkeypatch: pytest.MonkeyPatch) -> None:
    from tetragraph.indexing.web.robots import Rules

    clock = _Clock()
    monkeypatch.setattr("tetragraph.indexing.web.site.time.monotonic", lambda: clock.now)
    for delay, wanted in ((0.5, 3.0), (5.0, 5.0)):
        site = Site(FetchOptions(delay_s=delay), clock)
        site.set_rules(Rules.of("User-agent: *\nCrawl-delay: 3"))
        begun = []
        for _ in range(2):
            with site.turn():
                begun.append(clock.now)
        assert begun[1] - begun[0] == pytest.approx(wanted)


@pytest.mark.parametrize("delay", ["121", "86400", "99999999999"])
def test_a_host_that_asks_for_a_delay_beyond_the_longest_pause_is_given_up(
    web: WebSite, body: Path, delay: str
) -> None:
    web.pages["/robots.txt"] = Page(f"User-agent: *\nCrawl-delay: {delay}".encode())
    reply = get(web, "/a", body)
    assert (reply.status, list(web.statuses())) == (0, ["/robots.txt"])
    assert f"asks for {float(delay):g} s between two requests, and a sync waits 120 s at most" in reply.fault


def test_a_name_that_stands_for_a_private_address_is_asked_only_if_that_is_meant(
    web: WebSite, body: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(host: str, port: int | None, **_: object) -> list[tuple[object, ...]]:
        if host == "none.example":
            raise OSError
        return [(2, 1, 6, "", ("127.0.0.1" if host == "wiki.example" else "93.184.216.34", port or 80))]

    monkeypatch.setattr(socket, "getaddrinfo", find)
    assert find_private("http://wiki.example/") == "127.0.0.1"
    named = ("http://docs.example/", "http://none.example/", "http://10.0.0.1/", "http://[::1]/", "http://localhost/")
    assert [find_private(one) for one in named] == [""] * 5
    with Fetcher({"wiki.example"}, QUICK) as fetcher:
        assert "an address of a private network: give --private" in fetcher.get("http://wiki.example/a", body).fault
    assert web.asked == []


def test_an_interruption_ends_the_waiting() -> None:
    stop = threading.Event()
    site = Site(FetchOptions(delay_s=600.0), stop)

    def ask() -> None:
        for _ in range(2):
            with site.turn():
                pass

    waiting = threading.Thread(target=ask, daemon=True)
    waiting.start()
    stop.set()
    waiting.join(60)
    assert not waiting.is_alive()


def test_a_fault_of_one_thread_ends_the_others(web: WebSite, tmp_path: Path) -> None:
    class Interrupting(NoProgress):
        def advance(self, stage: str, amount: int = 1) -> None:
            raise KeyboardInterrupt

    addresses = [f"{web.address}/{number}" for number in range(50)]
    with Fetcher({f"127.0.0.1:{web.port}"}, QUICK) as fetcher, pytest.raises(KeyboardInterrupt):
        PageRequests(fetcher, tmp_path, 1, Interrupting()).fetch(addresses, {})
    assert len(web.asked) == 2
