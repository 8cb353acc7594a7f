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
