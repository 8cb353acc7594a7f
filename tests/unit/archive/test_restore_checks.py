"""What a restore refuses before it writes, and what it reports when it is complete."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from small_backups import CORPUS, write_backup
from tetragraph.archive.reading import BackupReader
from tetragraph.archive.restore import _check_properties, _notes
from tetragraph.errors import EmbedderUnavailable, UnusableBackup
from tetragraph.language.embedders import Embedder, load_embedder
from tetragraph.settings import Settings


class Embedders:
    """The part of a connection that loads embedders."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def embedder(self, name: str) -> Embedder:
        return load_embedder(name, self._settings)


@pytest.mark.parametrize("name", ["corpus", "id"])
def test_no_node_is_written_under_another_corpus_or_id(name: str) -> None:
    rows = [{"id": "c0", "properties": {"text": "Halvik"}}, {"id": "c1", "properties": {name: "other"}}]
    _check_properties("nodes/Chunk", rows[:1])
    with pytest.raises(UnusableBackup, match="neither 'corpus' nor 'id', those of 'c1' in nodes/Chunk of the backup"):
        _check_properties("nodes/Chunk", rows)


def test_an_endpoint_that_gives_no_vectors_is_a_note_on_a_complete_restore(
    settings: Settings, serve: Callable[[Any], str]
) -> None:
    address = serve(lambda method, path, body: (401, {"error": {"message": "no such key"}}))
    connection: Any = Embedders(settings.model_copy(update={"openai_base_url": f"{address}/v1"}))
    (note,) = _notes(connection, replace(CORPUS, embedder="openai:some-model"))
    assert note.startswith("searches with vectors need the embedder 'openai:some-model', which is not usable here: ")
    assert "no such key" in note


def test_an_error_of_the_work_on_an_open_backup_is_none_of_its_file(tmp_path: Path) -> None:
    file = write_backup(tmp_path / "one.tetragraph")
    with pytest.raises(EmbedderUnavailable, match="no answer"), BackupReader.open(file):
        raise EmbedderUnavailable("no answer")
