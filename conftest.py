"""Options of all tests, also of the examples in docstrings, which are outside the folder of tests."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    parser.addoption(
        "--require-stores", action="store_true", help="a store that cannot be had fails its tests instead of skipping"
    )
    parser.addoption(
        "--require-browser",
        action="store_true",
        help="without Chromium, tests that need it fail instead of skipping",
    )
    parser.addoption(
        "--update-contract",
        action="store_true",
        help="store what the contract tests find in tests/data/contract in place of comparing it",
    )
