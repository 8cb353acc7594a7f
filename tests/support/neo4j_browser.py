"""Neo4j Browser in a real Chromium, opened by its printed link.

Requests of a page to other machines are refused and recorded in ``outside``; unexpected messages on its console are
recorded in ``complaints``.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Locator, Page, Route, ViewportSize, expect, sync_playwright

SIZE: ViewportSize = {"width": 1400, "height": 1000}
WAIT_MS = 120_000
_FRAMES = 'article[data-testid="frame"]'
_LOCAL = {"localhost", "127.0.0.1"}
# Browser probes the Bolt port with HTTP, and its own content security policy blocks these addresses.
_ALWAYS_THERE = re.compile(r"ERR_EMPTY_RESPONSE|(googleapis\.com|segment\.com|canny\.io|sentry\.io)\S*.* violates the ")


def chromium() -> str | None:
    """Path of the system's Chromium; None without one."""
    return shutil.which("chromium")


@dataclass
class OpenBrowser:
    """A connected page, with the guide in its sidebar."""

    page: Page
    outside: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def connect(self, url: str, password: str) -> None:
        """Open the link and enter the password; returns when style, parameters and guide are loaded."""
        self.page.goto(url)
        self.page.get_by_test_id("password").fill(password)
        self.page.get_by_test_id("connect").click()
        self.wait_until_connected()
        expect(self.page.locator("pre.runnable").first).to_be_visible(timeout=WAIT_MS)

    def wait_until_connected(self) -> None:
        """Wait for the frame that confirms the connection; other signs appear too early."""
        connected = re.compile("You are connected|You have a working connection")
        expect(self.frames.filter(has_text=connected).first).to_be_visible(timeout=WAIT_MS)

    @property
    def frames(self) -> Locator:
        """Result frames, newest first."""
        return self.page.locator(_FRAMES)

    def frame(self, words: str) -> Locator:
        """The newest frame whose command has these words."""
        command = self.page.locator('[data-testid="frameCommand"]', has_text=words)
        return self.frames.filter(has=command).first

    def clear(self) -> None:
        """Close all frames; Browser limits their number, so it cannot be used to detect new ones."""
        close = self.frames.locator("button[title=Close]")
        while close.count():
            close.first.click()

    def run(self, command: str) -> Locator:
        """Run a command or a statement from the editor; returns its frame, which may still be empty."""
        self.clear()
        self.page.locator("#monaco-main-editor").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Delete")
        # Typing several lines would trigger indentation and completion.
        self.page.evaluate("text => navigator.clipboard.writeText(text)", command)
        self.page.keyboard.press("Control+V")
        self.page.locator('[data-testid="activeEditor"] [data-testid="editor-Run"]').click()
        return self.frame(command.splitlines()[0])

    def turn_to(self, slide: int) -> None:
        """Show a slide of the guide, counted from 1."""
        self.page.get_by_test_id(f"pagination-{slide}").click()

    def click(self, words: str) -> None:
        """Click the element of the guide with these words."""
        self.guide.locator("a[data-exec]", has_text=words).click()

    def run_shown(self, statement: str) -> Locator:
        """Run a statement of the current slide by its arrow; returns its frame, which may still be empty."""
        first = statement.splitlines()[0]
        self.clear()
        self.guide.locator("pre.runnable", has_text=first).locator("i").click()
        return self.frame(first)

    @property
    def guide(self) -> Locator:
        """The guide in the sidebar."""
        return self.page.get_by_test_id("guidesDrawer")


def fills(frame: Locator) -> Counter[str]:
    """Number of nodes that a frame draws in each colour."""
    circles = frame.locator("g.node circle.b-outline")
    return Counter(circles.evaluate_all("all => all.map(one => one.getAttribute('fill'))"))


@contextmanager
def open_browser(url: str, password: str, *, pixels: float = 1.0) -> Iterator[OpenBrowser]:
    """Start a Chromium with a connected Neo4j Browser; it is closed with the context.

    Args:
        url: Link that `up` prints.
        password: Password of the user.
        pixels: Scale of pictures: number of pixels in each direction for one pixel of the page.
    """
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        context = chrome.new_context(
            viewport=SIZE, device_scale_factor=pixels, permissions=["clipboard-read", "clipboard-write"]
        )
        opened = OpenBrowser(context.new_page())

        def refuse(route: Route) -> None:
            if urlsplit(route.request.url).hostname in _LOCAL:
                route.continue_()
            else:
                opened.outside.append(route.request.url)
                route.abort()

        def listen(message: ConsoleMessage) -> None:
            if message.type == "error" and not _ALWAYS_THERE.search(message.text):
                opened.complaints.append(message.text)

        context.route(re.compile(r"^https?:"), refuse)
        opened.page.on("console", listen)
        opened.page.on("pageerror", lambda error: opened.complaints.append(str(error)))
        try:
            opened.connect(url, password)
            yield opened
        finally:
            chrome.close()
