"""Rows that no backup of tetragraph has are refused before they are written."""

from __future__ import annotations

import pytest

from tetragraph.archive.restore import _check_properties
from tetragraph.errors import UnusableBackup


@pytest.mark.parametrize("name", ["corpus", "id"])
def test_no_node_is_written_under_another_corpus_or_id(name: str) -> None:
    rows = [{"id": "c0", "properties": {"text": "Halvik"}}, {"id": "c1", "properties": {name: "other"}}]
    _check_properties("nodes/Chunk", rows[:1])
    with pytest.raises(UnusableBackup, match="neither 'corpus' nor 'id', those of 'c1' in nodes/Chunk of the backup"):
        _check_properties("nodes/Chunk", rows)
