"""The OpenAPI document of the app: short descriptions, keys as security, problems as errors."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from tetragraph.client.remote.values import Problem
from tetragraph.service.access import FIELD, PROBLEMS
from tetragraph.service.examples import add_examples

DESCRIPTION: Final = (
    "Search and answers over corpora in a property graph. Send a key as `Authorization: Bearer <key>`; a server "
    "without keys listens on the loopback interface only and needs none. Errors are problem details (RFC 9457)."
)
_SECURITY: Final = {"key": {"type": "http", "scheme": "bearer", "description": "A key of `tetragraph keys create`."}}


def install(app: FastAPI) -> None:
    """Let the app describe itself."""
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]  # FastAPI documents this way to replace it


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, made once."""
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title,
            version=app.version,
            description=DESCRIPTION,
            routes=app.routes,
            separate_input_output_schemas=False,
        )
        schemas = made["components"]["schemas"]
        schemas["Problem"] = Problem.model_json_schema()
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        for schema in schemas.values():
            _shorten(schema)
        made["components"]["responses"] = {str(status): told for status, told in PROBLEMS.items()}
        made["components"]["securitySchemes"] = _SECURITY
        for path, operations in made["paths"].items():
            for method, operation in operations.items():
                _secure(operation)
                add_examples(method.upper(), path, operation)
        app.openapi_schema = made
    return app.openapi_schema


def _secure(operation: dict[str, Any]) -> None:
    """Declare the key that an operation needs, and let its problems refer to their common descriptions."""
    if FIELD in operation:
        operation["security"] = [{"key": []}]
        for status in PROBLEMS:
            operation["responses"][str(status)] = {"$ref": f"#/components/responses/{status}"}


def _shorten(schema: dict[str, Any]) -> None:
    """Keep the first paragraph of a description, in one line."""
    if "description" in schema:
        schema["description"] = " ".join(schema["description"].split("\n\n")[0].split())
