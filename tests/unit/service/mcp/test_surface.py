"""Errors that callers over HTTP see: nothing of the operator's machines, and no corpus of others."""

from __future__ import annotations

from tetragraph.errors import InvalidInput, StoreUnavailable, TetragraphError, UnknownCorpus
from tetragraph.service.mcp.surface import _public


def test_addresses_and_other_corpora_are_withheld_and_rules_are_not() -> None:
    assert "10.1.2.3" not in str(_public(StoreUnavailable("bolt://10.1.2.3:7687 does not answer")))
    told = _public(UnknownCorpus("no corpus named 'a' (there are: salaries)"))
    assert isinstance(told, UnknownCorpus)
    assert "salaries" not in str(told)
    rule = InvalidInput("k must be 1 to 100, got 0")
    assert _public(rule) is rule
    assert isinstance(_public(StoreUnavailable("x")), TetragraphError)
