"""Neo4j Browser as started by `up`, in a real Chromium: colours, guide, and drawings of the guide's queries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import neo4j
import pytest
from playwright.sync_api import expect

import anchored_world
from neo4j_browser import WAIT_MS, OpenBrowser, chromium, fills, open_browser
from tetragraph import Settings, Tetragraph, queries
from tetragraph.cli.explain import edit_link
from tetragraph.stores import local
from tetragraph.stores.local import browser_files, browser_guide
from tetragraph.stores.local.server import LocalServer

pytestmark = pytest.mark.slow
SLIDES = browser_guide.slides()
PLACES = range(1, len(SLIDES) + 1)
NEEDED = {
    1: {"Document", "Chunk", "Entity"},
    2: {"Chunk", "Entity"},
    3: {"Chunk"},
    4: {"EncodingTree", "Community", "Chunk"},
    5: {"Entity", "Relation"},
    6: {"Session", "Step", "Anchor", "Chunk"},
}
"""Labels that the drawing of each slide must show."""
COLOURS = dict(
    re.findall(r"node\.(\w+) \{[^}]*?\n  color: (#\w+);", browser_files.files()[browser_files.STYLE].decode())
)


@pytest.fixture(scope="module")
def server(pytestconfig: pytest.Config, neo4j_server: Settings) -> LocalServer:
    """The local server that the tests started; another has no start kit."""
    if chromium() is None:
        reason = "no Chromium: install the package `chromium` of Debian or Ubuntu"
        (pytest.fail if pytestconfig.getoption("--require-browser") else pytest.skip)(reason)
    found = local.find(neo4j_server)
    if found is None or found.uri != neo4j_server.neo4j_uri:
        pytest.skip("the start kit is served by the local Neo4j alone, and the tests run on another")
    return found


@pytest.fixture(scope="module")
def corpus(server: LocalServer, anchored: str, anchored_settings: Settings) -> str:
    """A small corpus with every graph, and a search in several steps."""
    with Tetragraph.connect(anchored_settings) as client:
        list(client.corpus(anchored).anchor(anchored_world.QUESTION, documents=1))
    return anchored


@pytest.fixture(scope="module")
def browser(server: LocalServer, corpus: str) -> Iterator[OpenBrowser]:
    """Browser, opened by the printed link and the password, looking at that corpus."""
    with open_browser(server.browser_url, server.password) as opened:
        # The server has corpora of other tests, too, so the one that is chosen at the start is not known.
        shown = opened.run(f":param corpus => '{corpus}'")
        expect(shown).to_contain_text(corpus, timeout=WAIT_MS)
        yield opened


def rows(driver: neo4j.Driver, name: str, corpus: str) -> list[neo4j.Record]:
    """What a query of the guide gives, asked directly."""
    values: dict[str, Any] = {"corpus": corpus, "place": 1, "limit": 15}
    needed = {key: values[key] for key in queries.get(name).parameters}
    return driver.execute_query(queries.get(name).text, needed).records


def nodes(drawn: list[neo4j.Record]) -> dict[str, str]:
    """Element id to label of all nodes on the paths."""
    return {node.element_id: next(iter(node.labels)) for record in drawn for node in record["shown"].nodes}


def test_the_link_is_one_password_away_from_style_parameters_and_guide(browser: OpenBrowser) -> None:
    expect(browser.guide.locator("h3")).to_have_text(SLIDES[0].title)
    expect(browser.page.get_by_test_id(f"pagination-{len(SLIDES)}")).to_be_visible()
    expect(browser.run(":style")).to_contain_text("node.Community", timeout=WAIT_MS)


@pytest.mark.parametrize("place", PLACES)
def test_the_slide_draws_every_node_in_the_colour_of_its_label(
    browser: OpenBrowser, driver: neo4j.Driver, corpus: str, place: int
) -> None:
    slide = SLIDES[place - 1]
    browser.turn_to(place)
    expect(browser.guide.locator("h3")).to_have_text(slide.title)
    expected = nodes(rows(driver, slide.draw, corpus))
    assert set(expected.values()) >= NEEDED[place]
    frame = browser.run_shown(browser_guide.statement(queries.get(slide.draw)))
    expect(frame.locator("g.node")).to_have_count(len(expected), timeout=WAIT_MS)
    assert fills(frame) == Counter(COLOURS[label] for label in expected.values())
    assert frame.locator("g.relationship").count() >= len(expected) - 1


@pytest.mark.parametrize("place", PLACES)
def test_the_slide_lists_what_can_be_drawn(browser: OpenBrowser, driver: neo4j.Driver, corpus: str, place: int) -> None:
    slide = SLIDES[place - 1]
    browser.turn_to(place)
    expected = rows(driver, slide.table, corpus)
    assert [record["place"] for record in expected] == list(range(1, len(expected) + 1))
    frame = browser.run_shown(browser_guide.statement(queries.get(slide.table)))
    told = re.compile(rf"streaming {len(expected)} records? ")
    expect(frame.get_by_test_id("frameStatusbar")).to_contain_text(told, timeout=WAIT_MS)
    expect(frame).to_contain_text(str(expected[0][1]))


def test_a_click_chooses_another_place_of_the_list(browser: OpenBrowser, driver: neo4j.Driver, corpus: str) -> None:
    browser.turn_to(4)
    browser.click(SLIDES[3].choices[1].words)
    expect(browser.frame(":param place => 2")).to_contain_text('"place": 2', timeout=WAIT_MS)
    browser.click(SLIDES[3].choices[0].words)
    expect(browser.frame(":param place => 1")).to_contain_text('"place": 1', timeout=WAIT_MS)


def test_captions_are_what_people_call_things(browser: OpenBrowser, driver: neo4j.Driver, corpus: str) -> None:
    browser.turn_to(1)
    drawn = [node for record in rows(driver, SLIDES[0].draw, corpus) for node in record["shown"].nodes]
    expected = {node.get("title") or node["name"] for node in drawn}
    frame = browser.run_shown(browser_guide.statement(queries.get(SLIDES[0].draw)))
    expect(frame.locator("g.node text.caption").first).to_be_visible(timeout=WAIT_MS)
    lines = frame.locator("g.node").evaluate_all(
        "all => all.map(node => [...node.querySelectorAll('text.caption')].map(line => line.textContent.trim()))"
    )
    assert {" ".join(filter(None, words)) for words in lines} == expected


def test_the_link_of_an_explanation_has_its_statement_in_the_editor_and_that_draws_it(
    browser: OpenBrowser, server: LocalServer, corpus: str, anchored_settings: Settings
) -> None:
    with Tetragraph.connect(anchored_settings) as client:
        asked = client.corpus(corpus)
        told = asked.explain(asked.search(anchored_world.QUESTION, method="gain"), 1)
    browser.page.goto(edit_link(server.browser_url, told.cypher))
    browser.wait_until_connected()
    browser.page.locator('[data-testid="activeEditor"] [data-testid="editor-Run"]').click()
    frame = browser.frame(told.cypher.splitlines()[0])
    expect(frame.locator("g.node")).to_have_count(len(told.subgraph.nodes), timeout=WAIT_MS)
    assert frame.locator("g.relationship").count() >= len(told.subgraph.links) > 0


def test_nothing_is_asked_of_another_machine_and_nothing_is_complained_of(browser: OpenBrowser) -> None:
    assert browser.outside == []
    assert browser.complaints == []
