"""The gate of the page: the key of the cookie, the sign-in form, headers, and forms of other sites."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from tetragraph.service.page.gate import COOKIE, POLICY, PageGate

KEY = "tg_0123456789ab_secret"


async def keyed(scope: Scope, receive: Receive, send: Send) -> None:
    """An app that answers with the key of a request, and 401 without one."""
    key = Request(scope).headers.get("authorization")
    await PlainTextResponse(key or "no key", 200 if key else 401)(scope, receive, send)


def browser(**cookies: str) -> TestClient:
    return TestClient(PageGate(keyed), base_url="http://localhost", cookies=cookies, follow_redirects=False)


def test_the_cookie_is_the_key_of_pages_and_not_of_the_api() -> None:
    client = browser(**{COOKIE: KEY})
    assert client.get("/c/handbook").text == f"Bearer {KEY}"
    for path in ("/v1/corpora", "/v1", "/mcp", "/metrics"):
        assert client.get(path).status_code == 401


def test_a_header_with_a_key_precedes_the_cookie() -> None:
    assert browser(**{COOKIE: KEY}).get("/", headers={"Authorization": "Bearer other"}).text == "Bearer other"


def test_without_a_key_pages_lead_to_the_form_and_back() -> None:
    asked = browser().get("/c/a b", params={"q": "x&y"})
    assert asked.status_code == 303
    assert asked.headers["location"] == "/sign-in?then=%2Fc%2Fa%20b%3Fq%3Dx%2526y"
    part = browser().get("/c/a", headers={"HX-Request": "true"})
    assert part.headers["hx-redirect"] == "/sign-in?then=%2Fc%2Fa"
    assert browser().post("/c/a").headers["location"] == "/sign-in"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://localhost"}, 200),
        ({"Origin": "http://example.org"}, 403),
        ({"Origin": "null"}, 403),
        ({}, 200),
    ],
)
def test_only_forms_of_this_site_are_accepted(headers: Mapping[str, str], status: int) -> None:
    assert browser(**{COOKIE: KEY}).post("/keys", headers=dict(headers)).status_code == status


def test_every_page_has_the_policy_and_the_api_has_not() -> None:
    client = browser(**{COOKIE: KEY})
    assert client.get("/").headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert "content-security-policy" not in client.get("/v1/corpora").headers
