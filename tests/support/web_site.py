"""A real web server with pages that a test changes, which records what it was asked for."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self


@dataclass(frozen=True)
class Page:
    """Answer that is served at a path.

    Attributes:
        slow_s: Seconds before the answer.
        is_cut: Whether the connection ends before an answer.
    """

    body: bytes = b""
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    slow_s: float = 0.0
    is_cut: bool = False

    @property
    def etag(self) -> str:
        return f'"{hashlib.sha256(self.body).hexdigest()[:16]}"'


@dataclass(frozen=True)
class Asked:
    """A request that came in."""

    path: str
    agent: str
    status: int


class WebSite:
    """The server, as a context manager.

    Attributes:
        pages: Pages by path; robots.txt is one of them.
        asked: All requests, in the order of their answers.
        most_at_once: Largest number of requests that were answered at the same time.
    """

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self._open = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def stop(self) -> None:
        """End the server; its address answers nothing afterwards."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def write(self, path: str, title: str, text: str) -> None:
        """Serve a page with a title and a paragraph."""
        page = f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}</p></body></html>"
        self.pages[path] = Page(page.encode())

    def list_pages(self, path: str, *paths: str, more: tuple[str, ...] = ()) -> None:
        """Serve a sitemap of some pages of this server, and of other addresses."""
        addresses = [*(f"{self.address}{one}" for one in paths), *more]
        self.pages[path] = Page(sitemap(addresses), "application/xml")

    def statuses(self) -> dict[str, int]:
        """Status of the last answer by path, since this was called before."""
        found = {one.path: one.status for one in self.asked}
        self.asked.clear()
        return found

    def begin(self) -> None:
        with self._lock:
            self._open += 1
            self.most_at_once = max(self.most_at_once, self._open)

    def end(self) -> None:
        with self._lock:
            self._open -= 1


def sitemap(addresses: list[str], *, is_index: bool = False) -> bytes:
    """A sitemap of pages, or of sitemaps."""
    outer, inner = ("sitemapindex", "sitemap") if is_index else ("urlset", "url")
    rows = "".join(f"<{inner}><loc>{one}</loc></{inner}>" for one in addresses)
    name = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?><{outer} xmlns="{name}">{rows}</{outer}>'.encode()


def _handler(site: WebSite) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = site.pages.get(self.path, Page(b"no such page", status=404))
            site.begin()
            time.sleep(page.slow_s)
            site.end()  # before the answer, after which the next request may come
            self._answer(page)

        def _answer(self, page: Page) -> None:
            is_same = page.status == 200 and self.headers.get("If-None-Match") == page.etag
            status = 0 if page.is_cut else 304 if is_same else page.status
            site.asked.append(Asked(self.path, self.headers.get("User-Agent", ""), status))
            if page.is_cut:
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in {"ETag": page.etag, "Content-Type": page.kind, **page.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0" if is_same else str(len(page.body)))
            self.end_headers()
            if not is_same:
                try:
                    self.wfile.write(page.body)
                except OSError:  # the client has read enough
                    self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class' name
            """Print nothing."""

    return Handler
