"""Reads what a service answers; what is no such value is an error of the service."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import ValidationError

from tetragraph.client.remote.values import adapter
from tetragraph.errors import ServiceError


def read_reply(kind: Any, content: str | bytes) -> Any:
    """The value of a class or type that the service sent as JSON.

    Raises:
        ServiceError: the JSON is no such value, or the content is no JSON.
    """
    with _translated():
        return adapter(kind).validate_json(content)


def read_result(kind: Any, value: object) -> Any:
    """The value of a class or type from types of JSON, which the result of a job has.

    Raises:
        ServiceError: the result is no such value.
    """
    with _translated():
        return adapter(kind).validate_python(value)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        raise ServiceError(
            f"the service answers in another form than this version reads; are both of one version? {error}"
        ) from error
