"""How soon a step of a session is on its page, and how smoothly the largest picture moves.

``python -m benchmarks.service.page`` runs it with stores of its own. It needs the system's Chromium.
"""

from __future__ import annotations

import itertools
import random
import shutil
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Page, Route, sync_playwright

from benchmarks import measure
from benchmarks.hostile import first_documents
from benchmarks.plan import Plan, own_stores
from benchmarks.service import tables
from benchmarks.service.process import Served
from tetragraph import Tetragraph, samples
from tetragraph.model.subgraphs import LinkKey, NodeKey, Subgraph
from tetragraph.service.page.asked import Asked
from tetragraph.service.page.drawing import MOST_NODES, picture_of
from tetragraph.service.page.rendering import to_html
from tetragraph.stores import local

CORPUS: Final = "read"
PASSAGES: Final = 400
SESSIONS: Final = 12
PAUSE_S: Final = (0.3, 1.5)
"""Bounds of the pause between two steps: as a language model makes them, and at no fixed place between two looks."""
MOVES: Final = 120
"""Movements of the mouse in which a picture is dragged, and turns of its wheel."""
LINKS_PER_NODE: Final = 2
SIZES: Final = (500, MOST_NODES)
WAIT_MS: Final = 60_000
_NOTE_STEPS: Final = """
window.shownAt = {};
document.addEventListener("DOMContentLoaded", () => {
  const note = () => {
    const count = document.querySelectorAll(".step").length;
    for (let number = 1; number <= count; number++) { window.shownAt[number] ??= Date.now() / 1000; }
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
});
"""
_NOTE_FRAMES: Final = """() => {
  window.framesAt = [];
  const note = (now) => { window.framesAt.push(now); requestAnimationFrame(note); };
  requestAnimationFrame(note);
}"""


def measure_page(plan: Plan) -> dict[str, Any]:
    """Watch sessions whose steps another process stores, and drag and zoom pictures of two sizes.

    Returns:
        Number of steps with the percentiles of the milliseconds from the end of the step's transaction to its place on
        the page; for each size of a picture, the frames a second and the longest time between two frames.
    """
    local.start(plan.settings)
    with (
        Tetragraph.connect(plan.settings) as client,
        Served(plan.environment, plan.home / "server.log") as served,
        _chromium() as page,
    ):
        client.corpus(CORPUS).ingest(first_documents(PASSAGES), build=())
        delays = _watch_sessions(client, served, page)
        pictures = {f"{size:,} nodes": _move_picture(client, served, page, size) for size in SIZES}
    return {"steps": {"steps": len(delays), **measure.percentiles(delays)}, "pictures": pictures}


@contextmanager
def _chromium() -> Iterator[Page]:
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = chrome.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(WAIT_MS)
        yield page
        chrome.close()


def _watch_sessions(client: Tetragraph, served: Served, page: Page) -> list[float]:
    """Milliseconds from each stored step to its place on the page."""
    chance = random.Random(7)  # noqa: S311  # pauses, no secret
    page.add_init_script(_NOTE_STEPS)
    delays_ms: list[float] = []
    for question in samples.questions()[:SESSIONS]:
        run = client.corpus(CORPUS).anchor(question.question, documents=1)
        with page.expect_response("**/live"):
            page.goto(f"{served.address}/c/{CORPUS}/sessions/{run.session.id}")
        stored: list[float] = []
        for _ in run:
            stored.append(time.time())
            page.wait_for_timeout(1000 * chance.uniform(*PAUSE_S))
        page.wait_for_function(f"() => {len(stored)} in window.shownAt")
        shown = page.evaluate("window.shownAt")
        delays_ms += [1000 * (shown[str(number)] - at) for number, at in enumerate(stored, 1)]
    return delays_ms


def _move_picture(client: Tetragraph, served: Served, page: Page, size: int) -> dict[str, float]:
    """Frames a second while the picture of a search is dragged and zoomed, and the seconds until it is drawn."""
    asked = Asked(samples.questions()[0].question)
    values = {"caller": None, "corpus": CORPUS, "may_ingest": False, "is_part": False, "path": ""}
    picture = picture_of(_graph(size))
    body = to_html("graph.html", asked=asked, found=asked.search(client.corpus(CORPUS)), **values, **picture)
    address = f"{served.address}/c/{CORPUS}/graph?{asked.query()}"

    def replace_body(route: Route) -> None:
        route.fulfill(response=route.fetch(), body=body)

    page.route(address, replace_body)
    began = time.monotonic()
    page.goto(address)
    page.wait_for_function("() => window.drawing && window.drawing.nodes().length")
    drawn_s = time.monotonic() - began
    page.unroute(address)
    box = page.locator("#graph").bounding_box()
    if box is None:
        raise RuntimeError("the page has no picture")
    x, y = box["x"] + box["width"] / 2, box["y"] + 40  # above the nodes, so that all of them are dragged
    page.mouse.move(x, y)
    page.evaluate(_NOTE_FRAMES)
    page.mouse.down()
    for number in range(MOVES):
        page.mouse.move(x + 2 * number, y + number)
    page.mouse.up()
    for number in range(MOVES):
        page.mouse.wheel(0, 40 if number % 20 < 10 else -40)
    frames = page.evaluate("window.framesAt")
    times = [later - earlier for earlier, later in itertools.pairwise(frames)]
    return {
        "drawn_s": round(drawn_s, 2),
        "frames_per_s": round(1000 / statistics.fmean(times), 1),
        "longest_frame_ms": round(max(times)),
    }


def _graph(size: int) -> Subgraph:
    """A connected graph of entities, each joined to earlier ones at random."""
    chance = random.Random(size)  # noqa: S311  # links, no secret
    keys = [NodeKey("Entity", f"e{number:04}") for number in range(size)]
    links: dict[LinkKey, dict[str, Any]] = {}
    for number in range(1, size):
        for _ in range(LINKS_PER_NODE):
            links[LinkKey("AFFINITY", keys[chance.randrange(number)], keys[number])] = {"weight": 1.0}
    nodes = {key: {"name": f"Entity {number}"} for number, key in enumerate(keys)}
    return Subgraph(CORPUS, nodes, dict(sorted(links.items())))


def main() -> None:
    """Run with stores of its own, and print the tables."""
    with own_stores("page") as plan:
        print("\n".join(tables.page({"service_page": measure_page(plan)})))


if __name__ == "__main__":
    main()
