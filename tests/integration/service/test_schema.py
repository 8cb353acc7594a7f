"""Requests made from the OpenAPI document, valid and not, get the responses that it describes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS

from tetragraph import Tetragraph
from tetragraph.service.app import describe_routes
from tetragraph.service.keys import KeyStore

EXAMPLES = 3
LEFT_OUT = {
    "positive_data_acceptance",  # names of methods, options, sessions and metadata depend on the corpus: 422
}


@pytest.fixture(scope="module")
def key(opened: Tetragraph) -> Iterator[str]:
    """A key that may do everything, on corpora that other tests do not use."""
    keys = KeyStore(opened.connection.graph)
    made, record = keys.create(["admin"], ["*"])
    yield made
    keys.revoke(record.id)
    keys.delete(record.id)


schema = schemathesis.openapi.from_dict(describe_routes()).exclude(path_regex="/events$|^/v1/keys")


@schema.parametrize()
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), deadline=None)
def test_an_operation_answers_as_it_is_described(case: Any, address: str, key: str) -> None:
    checks = [check for check in CHECKS.get_all() if check.__name__ not in LEFT_OUT]
    case.call_and_validate(base_url=address, headers={"Authorization": f"Bearer {key}"}, checks=checks)
