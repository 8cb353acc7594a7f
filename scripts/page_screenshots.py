"""Take the pictures of the service's page for docs/web-page.md: docs/images/page-<name>.png.

Usage: PYTHONPATH=tests/support python scripts/page_screenshots.py ADDRESS CORPUS QUESTION [FOLDER]

Needs a running `tetragraph serve` without keys whose corpus has a finished session, and the system's Chromium.
"""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import quote, urlencode

from playwright.sync_api import Page, ViewportSize, expect, sync_playwright

from neo4j_browser import WAIT_MS, chromium

FOLDER = Path(__file__).parents[1] / "docs" / "images"
LARGEST_BYTES = 300_000
SIZE: ViewportSize = {"width": 1200, "height": 820}
DRAWN_MS = 1_500
"""Time until a drawing is complete, in milliseconds; the page does not indicate it."""


def take(page: Page, file: Path) -> None:
    """Save what the window shows."""
    page.wait_for_timeout(DRAWN_MS)
    page.screenshot(path=file)
    size = file.stat().st_size
    print(f"{file}: {size / 1000:.0f} kB")
    if size > LARGEST_BYTES:
        sys.exit(f"a picture has at most {LARGEST_BYTES / 1000:.0f} kB: choose a shorter page")


def take_all(page: Page, corpus: str, question: str, folder: Path) -> None:
    """Take all pictures.

    Args:
        page: A page of the browser.
        corpus: Address of the page of a corpus.
        question: Question to search for.
        folder: Folder of the pictures.
    """
    query = urlencode({"q": question})
    page.goto(f"{corpus}?{query}")
    page.locator(".hit summary").first.click()
    expect(page.locator(".hit .path").first).to_be_visible()
    take(page, folder / "page-search.png")
    page.goto(f"{corpus}/compare?{query}")
    take(page, folder / "page-compare.png")
    page.goto(f"{corpus}/sessions")
    page.locator("tbody a").first.click()
    expect(page.locator("#graph canvas").first).to_be_visible()
    take(page, folder / "page-session.png")


def main() -> None:
    """Take all pictures of a corpus."""
    if len(sys.argv) not in {4, 5}:
        sys.exit(__doc__)
    address, corpus, question, *rest = sys.argv[1:]
    folder = Path(rest[0]) if rest else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = chrome.new_page(viewport=SIZE)
        page.set_default_timeout(WAIT_MS)
        expect.set_options(timeout=WAIT_MS)
        take_all(page, f"{address.rstrip('/')}/c/{quote(corpus)}", question, folder)
        chrome.close()


if __name__ == "__main__":
    main()
