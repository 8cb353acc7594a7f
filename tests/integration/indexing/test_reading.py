"""A folder of many formats: what a preview counts, what an ingest stores, and where passages stand."""

from __future__ import annotations

import gzip
import json
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tetragraph import Corpus, Document, ReadingOptions, Settings, Tetragraph, errors
from tetragraph.cli import app

NOTEBOOK = {"cells": [{"cell_type": "markdown", "source": "# Tides\n\nHigh water is at noon in Halvik."}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    (made / "guide.md").write_text("# Ferry\n\n## Times\n\nThe ferry leaves at nine.\n")
    (made / "tides.ipynb").write_text(json.dumps(NOTEBOOK))
    (made / "kaese.txt").write_bytes("Käse wird in Brenn gemacht, schöne Grüße.".encode("cp1252"))
    (made / "rows.csv").write_text("name,description\nDyke,It is built of clay.\nMill,It grinds flour.\n")
    (made / "old.txt.gz").write_bytes(gzip.compress(b"The old ferry sank in 1901."))
    (made / "broken.zip").write_bytes(b"PK")
    return made


@pytest.fixture
def corpus(server_settings: Settings, corpus_name: str) -> Iterator[Corpus]:
    with Tetragraph.connect(server_settings) as client:
        yield client.corpus(corpus_name)


def test_a_preview_counts_what_the_ingest_does_and_writes_nothing(corpus: Corpus, folder: Path) -> None:
    preview = corpus.preview(folder)
    with pytest.raises(errors.UnknownCorpus):
        corpus.counts()
    assert (preview.added, preview.changed, preview.unchanged) == (6, 0, 0)
    assert preview.formats == {".csv": 2, ".gz": 1, ".ipynb": 1, ".md": 1, ".txt": 1}
    report = corpus.ingest(folder, build=())
    assert len(report.added) == preview.added
    assert report.counts["chunks"] == preview.chunks
    assert report.skipped == preview.skipped
    assert sorted(report.notes) == sorted(preview.notes)
    assert sorted(note.partition(":")[0] for note in report.notes) == ["docs/kaese.txt", "docs/rows.csv"]
    (folder / "guide.md").write_text("# Ferry\n\n## Times\n\nThe ferry leaves at ten.\n")
    again = corpus.preview(folder, reading=ReadingOptions(text_key="description"))
    assert (again.added, again.changed, again.unchanged) == (0, 3, 3)


def test_a_preview_refuses_the_settings_that_an_ingest_refuses(corpus: Corpus) -> None:
    given = [Document("a", "Tides", "High water at noon.")]
    wrong: list[dict[str, Any]] = [
        {"chunk_tokens": 5},
        {"chunk_tokens": "64"},
        {"chunk_tokens": 1_000_000},
        {"sentences": "some"},
        {"loader": 3},
    ]
    other: list[dict[str, Any]] = [{"chunk_tokens": 64}, {"sentences": "none"}, {"embedder": "other"}]
    for settings in wrong:
        assert _refusal(corpus.preview, given, settings) == _refusal(corpus.ingest, given, settings)
    corpus.ingest(given, build=())
    for settings in [*wrong, *other]:
        assert _refusal(corpus.preview, given, settings) == _refusal(corpus.ingest, given, settings)


def _refusal(read: Callable[..., object], given: list[Document], settings: dict[str, Any]) -> tuple[type, str]:
    with pytest.raises((errors.InvalidInput, errors.EmbedderMismatch)) as refused:
        read(given, **settings)
    return refused.type, str(refused.value)


def test_a_preview_lists_documents_that_an_ingest_would_skip(corpus: Corpus) -> None:
    corpus.ingest([Document("a", "Tides", "High water at noon.")], build=())
    given = [Document("a", "Tides", "half \ud800 of a letter"), Document("b", "Tides", "High water at ten.")]
    preview = corpus.preview(given)
    assert (preview.added, preview.changed) == (1, 0)
    assert preview.skipped == corpus.ingest(given, build=()).skipped != ()


def test_a_passage_is_found_and_shown_where_it_stands(
    corpus: Corpus, folder: Path, server_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.ingest(folder, build=())
    stored = corpus.document("docs/guide.md")
    assert [chunk.section for chunk in stored.chunks] == ["Ferry", "Ferry › Times"]
    assert corpus.files(["docs/guide.md", "none"]) == {"docs/guide.md": str(folder / "guide.md")}
    (hit, *_) = corpus.search("When is high water?", method="dense", k=1)
    assert hit.chunk.place == "docs/tides.ipynb, cell 1"
    with pytest.raises(errors.UnknownDocument, match="has no document 'none'"):
        corpus.document("none")

    monkeypatch.setattr("tetragraph.cli.llm_options.settings_for", lambda _=None: server_settings)
    at = str(stored.chunks[1].start + stored.chunks[1].text.index("nine"))
    for arguments in ([], ["--at", at], ["--at", at, "--json"]):
        result = CliRunner().invoke(app, ["show", "docs/guide.md", "-c", corpus.name, *arguments])
        assert result.exit_code == 0, result.output
        assert "leaves at nine" in result.output
        assert ("# Ferry\n" in result.output) == (not arguments)
    result = CliRunner().invoke(app, ["show", "docs/guide.md", "-c", corpus.name, "--at", "999"])
    assert isinstance(result.exception, errors.InvalidInput)
    result = CliRunner().invoke(app, ["ingest", str(folder), "-c", corpus.name, "--dry-run"])
    assert "documents: 0 new, 0 changed, 6 unchanged" in result.output


def test_a_file_is_named_in_either_form_of_unicode(corpus: Corpus, tmp_path: Path) -> None:
    stored, typed = ("docs/" + unicodedata.normalize(form, "Größe.txt") for form in ("NFD", "NFC"))
    (tmp_path / "docs").mkdir()
    (tmp_path / stored).write_text(unicodedata.normalize("NFD", "Die Größe der Fähre."), encoding="utf-8")
    corpus.ingest(tmp_path / "docs", build=())
    document = corpus.document(typed)
    assert (document.record.id, document.text) == (stored, "Die Größe der Fähre.")
    (hit,) = corpus.search("Größe", method="keyword", filters={"@source": typed})
    assert hit.chunk.document_id == stored


@pytest.mark.parametrize("question", [unicodedata.normalize("NFD", "Größe"), "Grö\u00adße"])
def test_a_question_is_spelled_as_documents_are(corpus: Corpus, question: str) -> None:
    corpus.ingest([Document("faehre", "Fähre", "Die Größe der Fähre.")], build=())
    (hit,) = corpus.search(question, method="keyword")
    assert hit.chunk.document_id == "faehre"
