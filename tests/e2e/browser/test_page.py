"""The page of the service in a real Chromium: accessible, without foreign requests, by keyboard and without scripts."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

import anchored_world
import axe
from neo4j_browser import WAIT_MS, chromium
from running_service import running_service
from tetragraph import Document, Settings, Tetragraph

ASKED = urlencode({"q": anchored_world.QUESTION, "k": 4, "options": "min_confidence = 0"})
SEARCHED = urlencode({"q": anchored_world.QUESTION, "k": 4})
LATE_S = 0.5
"""Seconds by which a script comes late: more than a page needs for all others."""
PAGES = {
    "home": "/",
    "sign-in": "/sign-in",
    "keys": "/keys",
    "form": "/c/{corpus}",
    "results": "/c/{corpus}?" + SEARCHED,
    "why": "/c/{corpus}/why?rank=1&" + SEARCHED,
    "graph": "/c/{corpus}/graph?" + SEARCHED,
    "compare": "/c/{corpus}/compare?" + SEARCHED,
    "answer": "/c/{corpus}/ask?" + ASKED,
    "documents": "/c/{corpus}/documents",
    "document": "/c/{corpus}/document?id=halvik",
    "entity": "/c/{corpus}/entities?name=Orla+Brandt",
    "themes": "/c/{corpus}/themes",
    "sessions": "/c/{corpus}/sessions",
    "session": "/c/{corpus}/sessions/{session}",
    "error": "/c/nothing",
}


@dataclass
class Opened:
    """A running service, and a browser.

    Attributes:
        address: Address of the service.
        corpus: Name of a corpus with every graph.
        session: Id of an ended session.
        chrome: The browser.
        script: axe-core; None where it cannot be fetched.
        outside: Addresses of other servers that pages asked for.
        complaints: Messages on the consoles of pages.
    """

    address: str
    corpus: str
    session: str
    chrome: Browser
    script: str | None
    outside: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def place(self, name: str) -> str:
        return self.address + PAGES[name].format(corpus=self.corpus, session=self.session)

    @contextmanager
    def page(self, **options: object) -> Iterator[Page]:
        """A page that reaches this service only."""
        context: BrowserContext = self.chrome.new_context(**options)  # type: ignore[arg-type]  # options of Playwright
        context.set_default_timeout(WAIT_MS)

        def refuse(route: Route) -> None:
            if route.request.url.startswith((self.address, "data:")):
                route.continue_()
            else:
                self.outside.append(route.request.url)
                route.abort()

        context.route("**/*", refuse)
        page = context.new_page()
        page.on("console", lambda one: self.complaints.append(one.text) if one.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        yield page
        context.close()

    def watch_session(self, page: Page) -> None:
        """Start a session on a page, and wait there until it has ended."""
        page.goto(self.place("sessions"))
        page.get_by_role("searchbox").fill(anchored_world.QUESTION)
        page.keyboard.press("Enter")
        expect(page.locator("#session .answer")).to_be_visible()


@pytest.fixture(scope="module")
def opened(
    pytestconfig: pytest.Config, anchored: str, anchored_settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Opened]:
    """The service with a corpus of every graph and a session."""
    if chromium() is None:
        reason = "no Chromium: install the package `chromium` of Debian or Ubuntu"
        (pytest.fail if pytestconfig.getoption("--require-browser") else pytest.skip)(reason)
    with Tetragraph.connect(anchored_settings) as client, running_service(client) as address:
        run = client.corpus(anchored).anchor(anchored_world.QUESTION, documents=1)
        list(run)
        script = axe.fetch(tmp_path_factory.mktemp("axe"))
        with sync_playwright() as playwright:
            chrome = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            expect.set_options(timeout=WAIT_MS)
            yield Opened(address, anchored, run.session.id, chrome, script)
            chrome.close()


@pytest.fixture
def long_word(anchored_settings: Settings) -> Iterator[str]:
    """Name of a corpus with a word of 800 characters."""
    name = f"long-{uuid.uuid4().hex[:8]}"
    text = f"The code of the Velmar archive is {'x' * 800} today."
    with Tetragraph.connect(anchored_settings) as client:
        corpus = client.corpus(name)
        corpus.ingest([Document("velmar", "Velmar archive", text)])
        yield name
        corpus.drop()


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_no_page_has_a_fault_of_accessibility(pytestconfig: pytest.Config, opened: Opened, theme: str) -> None:
    if opened.script is None:
        reason = "axe-core cannot be fetched: npm or its registry is missing"
        (pytest.fail if pytestconfig.getoption("--require-browser") else pytest.skip)(reason)
    faults: list[str] = []
    with opened.page(color_scheme=theme) as page:
        page.add_init_script(opened.script)
        for name in PAGES:
            page.goto(opened.place(name))
            faults += [f"{name}: {fault}" for fault in axe.violations(page)]
    assert faults == []


def test_from_question_to_graph_by_keyboard_alone(opened: Opened) -> None:
    with opened.page() as page:
        page.goto(opened.place("form"))
        page.keyboard.type(anchored_world.QUESTION)
        page.keyboard.press("Enter")
        expect(page.locator(".hit").first).to_be_visible()
        assert "q=Who+is+the+teacher" in page.url
        why = page.locator(".hit summary").first
        while not why.evaluate("node => node === document.activeElement"):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator(".hit .path").first).to_be_visible()
        link = page.get_by_role("link", name="Explanation with the graph").first
        while not link.evaluate("node => node === document.activeElement"):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#graph canvas").first).to_be_visible()
        node = page.locator("[data-shows]").first
        while not node.evaluate("node => node === document.activeElement"):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#details h3")).to_have_text(node.inner_text())
        page.keyboard.press("/")


def test_search_answers_and_results_need_no_script(opened: Opened) -> None:
    with opened.page(java_script_enabled=False) as page:
        page.goto(opened.place("form"))
        page.get_by_role("searchbox").fill(anchored_world.QUESTION)
        page.get_by_role("button", name="Search").click()
        expect(page.locator(".hit")).to_have_count(8)
        page.locator(".hit summary").first.click()
        page.get_by_role("link", name="Open the explanation").first.click()
        expect(page.locator(".path").first).to_be_visible()
        page.goto(opened.place("answer"))
        page.locator(".citations a").first.click()
        expect(page.locator("#cited")).to_be_visible()


def test_an_answer_and_a_session_grow_on_the_page(opened: Opened) -> None:
    with opened.page() as page:
        page.goto(opened.address + f"/c/{opened.corpus}/ask")
        page.get_by_text("Filters and options").click()
        page.get_by_label("Options of the method").fill("min_confidence = 0")
        page.get_by_role("searchbox").fill(anchored_world.QUESTION)
        page.keyboard.press("Enter")
        expect(page.locator(".answer .text")).to_contain_text(anchored_world.ANSWER)
        opened.watch_session(page)
        drawn = page.evaluate("window.drawing.nodes().map(node => node.data('title')).sort()")
        listed = page.locator("#session [data-shows]").all_inner_texts()
        assert drawn == sorted(listed) != []
        before = page.locator(".step").count()
        page.reload()
        expect(page.locator(".step")).to_have_count(before)


def test_a_session_grows_where_the_script_of_streams_comes_late(opened: Opened) -> None:
    def delay(route: Route) -> None:
        time.sleep(LATE_S)
        route.fallback()

    with opened.page() as page:
        page.route("**/hx-sse*", delay)
        opened.watch_session(page)


def test_a_phone_shows_every_page_without_scrolling_sideways(opened: Opened) -> None:
    with opened.page(viewport={"width": 360, "height": 740}) as page:
        for name in PAGES:
            page.goto(opened.place(name))
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, name
            cells = page.evaluate("[...document.querySelectorAll('.scroll td:not(.number)')].map(td => td.offsetWidth)")
            assert min(cells, default=90) >= 90, f"{name}: words are broken letter by letter"


def test_a_long_word_in_citations_and_errors_is_broken(opened: Opened, long_word: str) -> None:
    with opened.page(viewport={"width": 320, "height": 740}) as page:
        asked = urlencode({"q": "What is the code of the Velmar archive?", "options": "min_confidence = 0"})
        for address, shown in ((f"/c/{long_word}/ask?{asked}", ".citations q"), (f"/c/{'n' * 60}", ".fault")):
            page.goto(opened.address + address)
            expect(page.locator(shown).first).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, address


@pytest.mark.parametrize("place", ["", "/ask"])
def test_of_two_questions_at_once_the_last_is_answered(opened: Opened, place: str) -> None:
    with opened.page() as page:
        held: list[Route] = []
        page.route("**/*First+question*", lambda route: held.append(route))
        page.goto(f"{opened.address}/c/{opened.corpus}{place}")
        page.get_by_role("searchbox").fill("First question?")
        page.keyboard.press("Enter")
        expect(page.locator("#busy")).to_have_class(re.compile("htmx-request"))
        page.get_by_role("searchbox").fill(anchored_world.QUESTION)
        with page.expect_request("**/*Who+is+the+teacher*"):
            page.keyboard.press("Enter")
            if held:
                page.wait_for_timeout(200)
                held[0].fallback()
        expect(page.locator(".hit, .answer").first).to_be_visible()
        expect(page.locator("#busy")).not_to_have_class(re.compile("htmx-request"))
        assert "q=Who+is+the+teacher" in page.url
        assert page.locator("#results").inner_html().count("First+question") == 0


def test_a_request_without_an_answer_leaves_a_message_in_place_of_older_results(opened: Opened) -> None:
    page = opened.chrome.new_page()  # not that of `opened`: failed requests are complaints
    page.goto(opened.place("results"))
    expect(page.locator(".hit")).to_have_count(4)
    page.context.set_offline(True)
    page.locator(".hit summary").first.click()
    expect(page.locator(".hit").first.get_by_role("alert")).to_contain_text("The service does not answer")
    page.get_by_role("searchbox").fill("Another question?")
    page.keyboard.press("Enter")
    expect(page.locator("#results").get_by_role("alert")).to_contain_text("The service does not answer")
    expect(page.locator(".hit")).to_have_count(0)
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.locator(".hit").first).to_be_visible()
    assert "q=Another+question" in page.url
    page.route("**/c/**", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"))
    page.get_by_role("searchbox").fill("One more?")
    page.keyboard.press("Enter")
    expect(page.locator("#results").get_by_role("alert")).to_contain_text("The service answers with status 502")
    page.close()


def test_pages_asked_no_other_server_and_broke_no_policy(opened: Opened) -> None:
    refused = [one for one in opened.complaints if "404" not in one]  # the page of an error
    assert (opened.outside, refused) == ([], [])
