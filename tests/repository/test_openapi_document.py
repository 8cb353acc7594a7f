"""docs/openapi.json describes the routes of the HTTP service as they are."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "openapi_document.py"))
PAGE = (ROOT / "docs" / "openapi.json").read_text(encoding="utf-8")
SCOPE = "x-tetragraph-scope"


def test_the_document_is_that_of_the_routes() -> None:
    assert SCRIPT["document"]() == PAGE, "run `python scripts/openapi_document.py`, and look at the difference"


def test_every_operation_has_a_summary_and_a_scope_unless_it_is_public() -> None:
    for path, operations in json.loads(PAGE)["paths"].items():
        for method, operation in operations.items():
            assert operation["description"], (method, path)
            assert (SCOPE in operation) == (path not in ("/healthz", "/readyz")), (method, path)
            assert ("{corpus}" in path) == (operation.get(SCOPE) in ("search", "ingest", "admin", "member")), path


def test_every_schema_has_a_name_and_a_title_of_its_own() -> None:
    schemas = json.loads(PAGE)["components"]["schemas"]
    titles = [schema.get("title", name) for name, schema in schemas.items()]
    long = [name for name in schemas if "__" in name and not name.startswith("Body_")]  # forms are named after a path
    assert not long, "two classes have one name: rename one of them"
    assert len(set(titles)) == len(titles)


def test_files_are_declared_with_the_types_that_are_sent() -> None:
    paths, corpus = json.loads(PAGE)["paths"], "/v1/corpora/{corpus}"

    def sent(method: str, path: str) -> list[str]:
        return list(paths[path][method]["responses"]["200"]["content"])

    assert sent("get", "/metrics") == ["text/plain"]
    assert sent("post", f"{corpus}/subgraph/graphml") == ["application/xml"]
    assert sent("get", f"{corpus}/graph") == ["application/xml", "application/jsonl"]
    assert sent("get", f"{corpus}/sessions/{{session}}/export") == [
        "application/json", "application/xml", "text/html",
    ]  # fmt: skip
