"""Take the pictures of the four graphs in Neo4j Browser for docs/browser.md: docs/images/<graph>.png.

Usage: PYTHONPATH=tests/support python scripts/screenshots.py CORPUS [FOLDER]

Needs a running local Neo4j (`tetragraph up`) with that corpus, all its graphs and one search in several steps, and the
system's Chromium. The chunk or theme at which a picture starts is chosen for the corpus of `tetragraph demo`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import FloatRect, Locator, expect

from neo4j_browser import WAIT_MS, OpenBrowser, open_browser
from tetragraph import Settings, queries
from tetragraph.stores import local
from tetragraph.stores.local import browser_guide

FOLDER = Path(__file__).parents[1] / "docs" / "images"
LARGEST_BYTES = 300_000
MARGIN = 12
"""Margin around the nodes, in pixels of the page."""
SETTLED_MS = 6_000
"""Time until nodes stop moving, in milliseconds; the page does not indicate it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """One graph: its query, and the query's starting point."""

    name: str
    query: str
    place: int = 1
    limit: int = 15


PICTURES = (
    Picture("gain-graph", "browser/find_gains_of_passage"),
    Picture("encoding-tree", "browser/find_theme", limit=12),
    Picture("bipartite-graph", "browser/find_facts_of_entity", place=12, limit=8),
    Picture("anchor-graph", "browser/find_session", limit=12),
)


def take(opened: OpenBrowser, picture: Picture, file: Path) -> None:
    """Run the query of a picture in the full window, and save the drawing."""
    for name in ("place", "limit"):
        expect(opened.run(f":param {name} => {getattr(picture, name)}")).to_contain_text(f'"{name}"', timeout=WAIT_MS)
    frame = opened.run(browser_guide.statement(queries.get(picture.query)))
    expect(frame.locator("g.node").first).to_be_visible(timeout=WAIT_MS)
    frame.locator("button[title=Fullscreen]").click()
    collapse = frame.locator("button[title='Collapse the node properties display']")
    if collapse.count():  # Browser keeps the panel collapsed from then on
        collapse.click()
    opened.page.wait_for_timeout(SETTLED_MS)
    frame.locator("button[aria-label=zoom-to-fit]").click()
    opened.page.wait_for_timeout(SETTLED_MS)
    # The buttons of the frame would cover the drawing.
    zoom = frame.locator("button[aria-label^=zoom]")
    zoom.evaluate_all("all => all.forEach(button => button.parentElement.style.visibility = 'hidden')")
    expand = frame.locator("button[title*='node properties']")
    expand.evaluate_all("all => all.forEach(button => button.style.visibility = 'hidden')")
    opened.page.screenshot(path=file, clip=around(frame.locator("g.node")))
    size = file.stat().st_size
    print(f"{file}: {frame.locator('g.node').count()} nodes, {size / 1000:.0f} kB")
    if size > LARGEST_BYTES:
        sys.exit(f"a picture has at most {LARGEST_BYTES / 1000:.0f} kB: lower its limit")
    frame.locator("button[title='Close fullscreen']").click()


def around(nodes: Locator) -> FloatRect:
    """The part of the page that contains all nodes, with a margin."""
    boxes = [box for box in (node.bounding_box() for node in nodes.all()) if box]
    left, top = (min(box[side] for box in boxes) - MARGIN for side in ("x", "y"))
    right = max(box["x"] + box["width"] for box in boxes) + MARGIN
    bottom = max(box["y"] + box["height"] for box in boxes) + MARGIN
    return {"x": left, "y": top, "width": right - left, "height": bottom - top}


def main() -> None:
    """Take all pictures of a corpus."""
    if len(sys.argv) not in {2, 3}:
        sys.exit(__doc__)
    folder = Path(sys.argv[2]) if len(sys.argv) == 3 else FOLDER
    server = local.find(Settings())
    if server is None:
        sys.exit("no local Neo4j runs: `tetragraph up` starts it")
    folder.mkdir(parents=True, exist_ok=True)
    with open_browser(server.browser_url, server.password, pixels=1.1) as opened:
        opened.run(":config autoComplete: false")  # draw only the relationships that a query returns
        opened.run(f":param corpus => '{sys.argv[1]}'")
        for picture in PICTURES:
            take(opened, picture, folder / f"{picture.name}.png")


if __name__ == "__main__":
    main()
