"""Requests that no operation takes, and how they are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

MakeKey = Callable[..., str]


@pytest.fixture
def headers(make_key: MakeKey, world: str) -> dict[str, str]:
    """Headers with a key for the corpus."""
    return {"Authorization": f"Bearer {make_key('search', world)}"}


def test_a_method_that_a_path_lacks_is_refused_with_all_that_it_has(
    http: TestClient, world: str, headers: dict[str, str]
) -> None:
    for path, methods in {"documents": "GET, POST", "sessions/prune": "POST", "sessions/x": "DELETE, GET"}.items():
        refused = http.patch(f"/v1/corpora/{world}/{path}", headers=headers)
        assert refused.status_code == 405
        assert refused.headers["Allow"] == methods


@pytest.mark.parametrize(
    ("field", "value"), [("k", "5"), ("k", True), ("min_confidence", False), ("generate", "yes"), ("k", 5.5)]
)
def test_a_value_of_another_type_of_json_is_refused(
    http: TestClient, world: str, headers: dict[str, str], field: str, value: object
) -> None:
    refused = http.post(f"/v1/corpora/{world}/ask", json={"question": "Who?", field: value}, headers=headers)
    assert refused.status_code == 422
    assert field in refused.json()["detail"]


def test_a_service_is_ready_when_each_of_its_checks_passes(http: TestClient) -> None:
    ready = http.get("/readyz")
    assert ready.status_code == 200
    assert ready.json()["checks"] == dict.fromkeys(("neo4j", "schema", "qdrant", "accepting"), "ok")
