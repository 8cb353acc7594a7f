"""Pages as a browser without scripts gets them: contents, rights, signing in, and errors."""

from __future__ import annotations

import asyncio
import logging
import re
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute
from selectolax.lexbor import LexborHTMLParser, LexborNode
from starlette.testclient import TestClient

from running_service import running_service
from tetragraph import Document, Session, Tetragraph
from tetragraph.service import logs
from tetragraph.service.app import create_app
from tetragraph.service.config import ServiceConfig
from tetragraph.service.keys import KeyStore
from tetragraph.service.page.assets import address_of
from tetragraph.service.page.gate import COOKIE
from tetragraph.service.page.surface import ROUTERS
from tetragraph.service.surfaces import surfaces

HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(1)> "quoted"'
QUESTION = "Who built the harbour of Halvik?"
LOCAL = "http://localhost"
MakeKey = Callable[..., str]
PATIENCE_S = 60


@pytest.fixture
def browser(opened: Tetragraph) -> Iterator[TestClient]:
    """Calls the app with all surfaces; follows no redirects."""
    app = create_app(opened, ServiceConfig.of(opened.connection.settings), surfaces=surfaces())
    with TestClient(app, base_url="http://localhost", follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="module")
def hostile(opened: Tetragraph) -> Iterator[str]:
    """Name of a corpus whose only document attacks the page."""
    name = f"service-{uuid.uuid4().hex[:12]}"
    document = Document(
        "../<b>&?#", HOSTILE, f"Halvik has a harbour. {HOSTILE}", source=HOSTILE, metadata={"k": HOSTILE}
    )
    opened.corpus(name).ingest([document], build=("bipartite", "tree"))
    yield name
    opened.corpus(name).drop()


def first(page: LexborHTMLParser, selector: str) -> LexborNode:
    """The first element that a selector finds; there is one."""
    found = page.css_first(selector)
    assert found is not None, selector
    return found


def text_of(html: str) -> str:
    return " ".join(LexborHTMLParser(html).body.text().split())  # type: ignore[union-attr]  # pages have a body


def test_search_why_document_and_graph_lead_to_one_another(browser: TestClient, world: str) -> None:
    found = browser.get(f"/c/{world}", params={"q": QUESTION, "k": 3})
    page = LexborHTMLParser(found.text)
    assert len(page.css(".hit")) == 3
    assert first(page, ".passage mark").text() in {"harbour", "built", "Halvik"}
    assert page.css(".bar rect.tone0")
    links = {link.text(): str(link.attributes["href"]) for link in page.css("a")}
    document = browser.get(str(first(page, ".hit h3 a").attributes["href"]))
    assert first(LexborHTMLParser(document.text), "#passage").text() == first(page, ".passage").text()
    why = browser.get(str(first(page, ".why a").attributes["href"]))
    assert "Paths from the question" in why.text
    assert LexborHTMLParser(why.text).css(".path .box.chunk")
    graph = LexborHTMLParser(browser.get(links["Graph"]).text)
    assert len(graph.css("#text tbody tr")) > 3
    assert "Evidence walk" in text_of(browser.get(links["Compare"]).text)


def test_an_answer_shows_citations_that_open_the_document_at_the_quote(browser: TestClient, world: str) -> None:
    asked = {"q": QUESTION, "options": "min_confidence = 0"}
    page = LexborHTMLParser(browser.get(f"/c/{world}/ask", params=asked).text)
    assert first(page, ".answer .text")
    quote = first(page, ".citations a")
    document = LexborHTMLParser(browser.get(str(quote.attributes["href"])).text)
    assert first(document, "#cited").text() == quote.text()


def test_an_answer_is_streamed_as_parts_of_the_page(browser: TestClient, world: str) -> None:
    stream = browser.get(f"/c/{world}/ask/stream", params={"q": QUESTION, "options": "min_confidence = 0"})
    assert stream.headers["content-type"].startswith("text/event-stream")
    *parts, end = stream.text.strip().split("\n\n")
    assert end == "event: end\ndata: end"
    assert all(line.startswith("data: ") for part in parts for line in part.splitlines())
    assert "citations" in parts[-1]
    broken = browser.get(f"/c/{world}/ask/stream", params={"q": QUESTION, "options": "nonsense = 1"})
    assert "has no option" in broken.text
    assert broken.text.endswith("event: end\ndata: end\n\n")


def test_entities_themes_and_documents_are_shown(browser: TestClient, world: str) -> None:
    entity = LexborHTMLParser(browser.get(f"/c/{world}/entities", params={"name": "Mina Holt"}).text)
    assert entity.css(".facts li")
    passage = browser.get(str(first(entity, '.facts a[href*="/passage"]').attributes["href"]))
    assert passage.status_code == 303
    assert 'id="passage"' in browser.get(passage.headers["location"]).text
    themes = LexborHTMLParser(browser.get(f"/c/{world}/themes").text)
    assert len(themes.css(".treemap a")) == len(themes.css("tbody tr")) > 0
    theme = browser.get(str(first(themes, ".treemap a").attributes["href"]))
    assert "Central passages" in theme.text
    assert "Graph around" in theme.text
    assert first(LexborHTMLParser(theme.text), "[data-shows]").text(strip=True)
    assert len(LexborHTMLParser(browser.get(f"/c/{world}/documents").text).css("tbody tr")) == 12


def test_a_session_runs_and_streams_its_steps(browser: TestClient, world: str, opened: Tetragraph) -> None:
    started = browser.post(f"/c/{world}/sessions", data={"q": "Who is the daughter of Halvik's builder?"})
    address = started.headers["location"]
    live = browser.get(f"{address}/live")
    parts = live.text.strip().split("\n\n")
    assert parts[-1] == "event: end\ndata: end"
    session = opened.corpus(world).session(address.rsplit("/", 1)[1])
    assert session.record.status == "ended"
    shown = LexborHTMLParser(browser.get(address).text)
    assert len(shown.css(".step")) == session.record.steps > 0
    assert address in browser.get(f"/c/{world}/sessions").text
    exported = browser.get(f"{address}/export/json")
    assert exported.text == session.export("json")
    assert "attachment" in exported.headers["content-disposition"]
    assert browser.get(f"{address}/export/pdf").status_code == 422


@pytest.mark.parametrize("place", ["", "/ask", "/documents", "/compare", "/graph", "/why", "/themes"])
def test_text_of_documents_is_never_markup(browser: TestClient, hostile: str, place: str) -> None:
    found = browser.get(f"/c/{hostile}{place}", params={"q": f"Halvik harbour {HOSTILE}"})
    assert found.status_code == 200
    page = LexborHTMLParser(found.text)
    assert not page.css("img, script:not([src]):not([type='application/json'])")
    assert not [node for node in page.css("*") if any(name.startswith("on") for name in node.attributes)]
    policy = found.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_a_key_for_one_corpus_opens_no_page_of_another(
    browser: TestClient, world: str, hostile: str, make_key: MakeKey
) -> None:
    browser.cookies.set(COOKIE, make_key("search", hostile))
    home = browser.get("/")
    assert hostile in home.text
    assert world not in home.text
    checked = 0
    for route in (route for one in ROUTERS for route in one.routes):
        assert isinstance(route, APIRoute)
        if "{corpus}" not in route.path:
            continue
        for method in route.methods or ():
            address = re.sub(r"\{\w+\}", "x", route.path.replace("{corpus}", world))
            refused = browser.request(method, address, params={"q": QUESTION, "id": "halvik", "chunk": "x"})
            assert refused.status_code == 404, (method, address)
            assert method == "HEAD" or f"there is no corpus named &#39;{world}&#39;" in refused.text
            checked += 1
    assert checked > 12
    assert browser.get("/keys").status_code == 403


def test_a_pattern_learns_no_name_outside_of_it(browser: TestClient, world: str, make_key: MakeKey) -> None:
    browser.cookies.set(COOKIE, make_key("search", "elsewhere-*"))
    for place in ("", "/ask", "/ask/stream", "/documents", "/themes", "/sessions", "/graph"):
        told = browser.get(f"/c/elsewhere-1{place}", params={"q": QUESTION})
        assert "there is no corpus named" in told.text, place
        assert world not in told.text, place


def test_without_a_key_a_browser_signs_in_first(browser: TestClient, world: str, make_key: MakeKey) -> None:
    key = make_key("search", world)
    asked = browser.get(f"/c/{world}?q=harbour")
    assert asked.status_code == 303
    form = browser.get(asked.headers["location"])
    assert form.status_code == 200
    then = first(LexborHTMLParser(form.text), "input[name=then]").attributes["value"]
    assert browser.post("/sign-in", data={"key": "tg_wrong", "then": then}).status_code == 401
    signed = browser.post("/sign-in", data={"key": key, "then": then})
    assert signed.headers["location"] == f"/c/{world}?q=harbour"
    cookie = signed.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert browser.get(signed.headers["location"]).status_code == 200
    assert browser.get("/v1/corpora").status_code == 401, "the cookie is no key of the API"
    signed_out = browser.post("/sign-out")
    browser.cookies.clear()
    assert "max-age=0" in signed_out.headers["set-cookie"].lower()


@pytest.mark.parametrize("then", ["//example.org", "https://example.org", "/\\example.org", "javascript:alert(1)"])
def test_signing_in_leads_to_no_other_site(browser: TestClient, then: str, make_key: MakeKey) -> None:
    signed = browser.post("/sign-in", data={"key": make_key("search"), "then": then})
    assert signed.headers["location"] == "/"


def test_forms_of_other_sites_are_refused(browser: TestClient, world: str) -> None:
    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://example.org"},
    ):
        refused = browser.post(f"/c/{world}/sessions", data={"q": QUESTION}, headers=headers)
        assert refused.status_code == 403


def test_errors_are_pages_with_their_remedy(browser: TestClient, world: str) -> None:
    unknown = browser.get("/c/nothing-here")
    assert unknown.status_code == 404
    assert "there is no corpus named" in unknown.text
    assert world not in unknown.text
    assert "year &gt;= 1990" in browser.get(f"/c/{world}", params={"q": "a", "filters": "year"}).text
    assert browser.get(f"/c/{world}/document", params={"id": "nothing"}).status_code == 404
    assert browser.get(f"/c/{world}/sessions/nothing").status_code == 404
    assert browser.get("/assets/..%2Fpage.css").status_code == 404
    for address, status in ((f"/c/{world}/changes", 404), ("/nope", 404), (f"/c/{world}/files", 405)):
        shown = browser.get(address, headers={"Accept": "text/html,*/*"})
        assert shown.status_code == status
        assert LexborHTMLParser(shown.text).css_first('main a[href="/"]'), address
        assert browser.get(address, headers={"Accept": "*/*"}).json()["status"] == status
    assert browser.get("/v1/nope", headers={"Accept": "text/html"}).json()["status"] == 404


def test_refusals_before_any_route_are_pages_for_browsers(opened: Tetragraph, make_key: MakeKey) -> None:
    config = ServiceConfig(rate=0.001, body_bytes=100)
    key = {"Authorization": f"Bearer {make_key('search')}"}
    html = {"Accept": "text/html", **key}
    with TestClient(create_app(opened, config, surfaces=surfaces()), base_url="http://localhost") as http:
        large = http.post("/sign-in", content=b"x" * 101, headers=html)
        foreign = http.get("/", headers={**html, "Host": "example.org"})
        assert http.get("/", headers=html).status_code != 429
        frequent = http.get("/", headers=html)
        program = http.get("/", headers=key)
        api = http.get("/v1/corpora", headers=html)
    assert (large.status_code, foreign.status_code, frequent.status_code) == (413, 403, 429)
    for reply, text in ((large, "at most 100 bytes"), (foreign, "name of the host"), (frequent, "requests a second")):
        page = LexborHTMLParser(reply.text)
        assert text in first(page, ".fault").text()
        assert "content-security-policy" in reply.headers
    assert int(frequent.headers["retry-after"]) > 0
    for reply in (program, api):
        assert (reply.status_code, reply.headers["content-type"]) == (429, "application/problem+json")


def test_the_error_of_a_form_leads_back_to_it(browser: TestClient, world: str) -> None:
    form = f"http://localhost/c/{world}/jobs"
    refused = browser.post(f"/c/{world}/builds", data={"what": "nonsense"}, headers={"Referer": form})
    assert first(LexborHTMLParser(refused.text), "main .links a").attributes["href"] == form


def test_a_missing_graph_leads_to_its_form_for_those_who_may_build_it(
    browser: TestClient, opened: Tetragraph, make_key: MakeKey
) -> None:
    name = f"service-{uuid.uuid4().hex[:12]}"
    opened.corpus(name).ingest([Document("port", "Port", "The port of Halvik is old.")], build=())
    link = f'href="/c/{name}/jobs#build"'
    for scope, is_shown in (("admin", True), ("search", False)):
        browser.cookies.set(COOKIE, make_key(scope, name))
        shown = browser.get(f"/c/{name}/themes")
        assert shown.status_code == 409
        assert (link in shown.text) == is_shown
    assert "1</b> passage ·" in browser.get("/").text
    opened.corpus(name).drop()


def test_files_are_uploaded_and_the_job_is_followed_to_its_end(browser: TestClient, opened: Tetragraph) -> None:
    name = f"service-{uuid.uuid4().hex[:12]}"
    file = ("files", ("guide/port.md", b"# Port\n\nThe port of Halvik is old.", "text/markdown"))
    picture = ("files", ("pic.gif", b"x", "image/gif"))
    created = browser.post("/corpora", data={"name": name}, files=[file, picture])
    address = created.headers["location"]
    assert address.startswith(f"/c/{name}/jobs/")
    parts = browser.get(f"{address}/live").text.strip().split("\n\n")
    assert parts[-1] == "event: end\ndata: end"
    ended = browser.get(address).text
    assert 'class="state done"' in ended
    assert "Documents: 1 added, 0 changed, 0 unchanged" in ended
    assert "<h2>Skipped</h2>" in ended
    assert "pic.gif: files that end in .gif have no text" in ended
    assert "guide/port.md" in browser.get(f"/c/{name}/documents").text
    for bad in ("../port.md", "/etc/port.md", "port.exe"):
        refused = browser.post(f"/c/{name}/files", files=[("files", (bad, b"x", "text/plain"))])
        assert refused.status_code == 422, bad
    assert browser.post(f"/c/{name}/builds", data={"what": "nonsense"}).status_code == 422
    assert address in browser.get(f"/c/{name}/jobs").text
    opened.corpus(name).drop()


def test_the_stream_of_a_job_ends_without_its_last_event_when_the_service_stops(
    browser: TestClient, world: str
) -> None:
    browser.app.state.service.stop()  # type: ignore[attr-defined]  # the app of the fixture
    address = browser.post(f"/c/{world}/builds", data={"what": "gain"}).headers["location"]
    assert "event: end" not in browser.get(f"{address}/live").text, "the page connects again"
    browser.post(f"{address}/cancel")


def test_keys_are_created_shown_once_and_revoked(
    browser: TestClient, world: str, opened: Tetragraph, make_key: MakeKey
) -> None:
    browser.cookies.set(COOKIE, make_key("admin", "*"))
    created = browser.post("/keys", data={"corpora": world, "scope": ["search"], "name": "<b>web", "days": "3"})
    key = first(LexborHTMLParser(created.text), "code.key").text()
    listed = browser.get("/keys").text
    assert key not in listed
    assert "&lt;b&gt;web" in listed
    identity = key.split("_")[1]
    assert browser.post(f"/keys/{identity}/revoke").status_code == 303
    assert f"/keys/{identity}/revoke" not in browser.get("/keys").text
    KeyStore(opened.connection.graph).delete(identity)  # with one, even a revoked one, each page wants a key
    assert browser.post("/keys", data={"corpora": "", "scope": []}).status_code == 422
    for days in ("9999999999", "36501", "0", "-1", "soon"):
        refused = browser.post("/keys", data={"corpora": world, "scope": ["search"], "days": days})
        assert refused.status_code == 422, days
        assert "100 years" in refused.text


def test_the_stream_of_a_session_ends_without_its_last_event_when_the_service_stops(
    browser: TestClient, world: str, opened: Tetragraph, make_key: MakeKey
) -> None:
    key = {"Authorization": f"Bearer {make_key('search', world)}"}
    session = opened.corpus(world).anchor(QUESTION).answer.session
    app: Any = browser.app
    app.state.service.stop()
    address = f"/c/{world}/sessions/{session}/live"

    async def watch() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with asyncio.timeout(PATIENCE_S), httpx.AsyncClient(transport=transport, base_url=LOCAL) as http:
            return await http.get(address, headers=key)

    assert browser.portal is not None
    stream = browser.portal.call(watch)
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert "event: end" not in stream.text, "the page connects again"


@pytest.fixture
def running(opened: Tetragraph, world: str) -> Iterator[Session]:
    """A session whose process does not continue it after its first step."""
    run = opened.corpus(world).anchor(QUESTION)
    next(iter(run))
    yield run.session
    if any(one.id == run.session.id for one in opened.corpus(world).sessions.newest(50)):
        run.session.delete()


def test_a_watched_session_that_is_deleted_shows_the_fault(
    opened: Tetragraph, world: str, running: Session, make_key: MakeKey
) -> None:
    key = {"Authorization": f"Bearer {make_key('search', world)}"}
    with (
        running_service(opened) as address,
        httpx.stream("GET", f"{address}/c/{world}/sessions/{running.id}/live", headers=key, timeout=PATIENCE_S) as live,
    ):
        lines = live.iter_lines()
        next(lines)
        running.delete()
        rest = "\n".join(lines)
    assert "No session of the corpus has that id" in rest
    assert rest.strip().endswith("event: end\ndata: end")


@pytest.mark.slow
def test_a_watched_session_is_connected_again_after_an_outage(
    opened: Tetragraph, world: str, running: Session, make_key: MakeKey, proxy: Any, tmp_path: Path
) -> None:
    key = {"Authorization": f"Bearer {make_key('search', world)}"}
    changes = {"neo4j_uri": f"bolt://127.0.0.1:{proxy.port}", "home": tmp_path}
    settings = opened.connection.settings.model_copy(update=changes)
    with Tetragraph.connect(settings) as client, running_service(client) as address:
        place = f"{address}/c/{world}/sessions/{running.id}/live"
        with httpx.stream("GET", place, headers=key, timeout=PATIENCE_S) as live:
            lines = live.iter_lines()
            next(lines)
            proxy.cut()
            rest = "\n".join(lines)
        assert "event: end" not in rest, "the page connects again"
        proxy.restore()
        with httpx.stream("GET", place, headers=key, timeout=PATIENCE_S) as live:
            assert next(live.iter_lines()).startswith("data:")


def test_the_audit_log_has_the_requests_that_used_a_corpus_only(
    browser: TestClient, world: str, make_key: MakeKey, caplog: pytest.LogCaptureFixture
) -> None:
    for name in (logs.audit.name, logs.requests.name):
        caplog.set_level(logging.INFO, logger=name)
    key = {"Authorization": f"Bearer {make_key('search', world)}"}
    for path in ("/nope", "/assets/page.css", "/healthz", f"/v1/corpora/{world}"):
        browser.get(path, headers=key)
    browser.get(f"/c/{world}", headers={"Authorization": "Bearer x"})
    browser.post("/mcp", json={}, headers=key)
    entries = [(one.name, one.entry) for one in caplog.records if hasattr(one, "entry")]
    assert len(entries) == 6
    audited = [(entry["route"], entry["corpus"]) for name, entry in entries if name == logs.audit.name]
    assert audited == [("/v1/corpora/{corpus}", world), ("/mcp", "")]


def test_a_page_answers_head_as_it_answers_get_and_a_stream_does_not(
    browser: TestClient, world: str, make_key: MakeKey
) -> None:
    browser.cookies.set(COOKIE, make_key("search", world))
    for path in ("/", f"/c/{world}", f"/c/{world}/documents"):
        assert (browser.head(path).status_code, browser.get(path).status_code) == (200, 200), path
    assert browser.head(f"/c/{world}/ask/stream").status_code == 405


def test_a_browser_keeps_only_the_version_of_a_file_that_it_asked_for(browser: TestClient) -> None:
    kept = browser.get(address_of("page.css"))
    assert "immutable" in kept.headers["cache-control"]
    for query in ("", "?v=0"):
        other = browser.get(f"/assets/page.css{query}")
        assert other.content == kept.content
        assert other.headers["cache-control"] == "no-store"
