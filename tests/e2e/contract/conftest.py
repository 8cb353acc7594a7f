"""The stored contract files, and the command line in this process."""

from __future__ import annotations

import pytest

from contract import Contract


@pytest.fixture(scope="session")
def contract(pytestconfig: pytest.Config) -> Contract:
    """The files below ``tests/data/contract``: compared, or rewritten under ``--update-contract``."""
    return Contract(is_updated=bool(pytestconfig.getoption("--update-contract")))
