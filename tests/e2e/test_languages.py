"""Documents in several languages in one corpus."""

from __future__ import annotations

import pytest

from command_line import Cli
from tetragraph import Document, Tetragraph
from tetragraph.errors import InvalidInput

GERMAN = "Der Hafen von Halvik wurde 1881 von Orla Brandt gebaut, nachdem die alte Mole in einem Sturm verloren ging. "
ENGLISH = "The harbour of Halvik was built in 1881 by Orla Brandt, after the old pier had been lost in a storm at sea. "


def test_the_language_of_documents_is_stored_noted_and_a_filter(cli: Cli, client: Tetragraph, corpus_name: str) -> None:
    corpus = client.corpus(corpus_name)
    texts = {"de": GERMAN, "en": ENGLISH, "short": "Hafen."}
    report = corpus.ingest([Document(name, "", text) for name, text in texts.items()])
    assert any(note.startswith("documents in other languages than English (de 1): bge-small") for note in report.notes)
    assert {one.id: one.language for one in corpus.documents()} == {"de": "de", "en": "en", "short": ""}

    def find(language: object) -> list[str]:
        hits = corpus.search("Hafen Halvik harbour", method="dense", filters={"@language": language})  # type: ignore[dict-item]  # texts, lists and maps
        return sorted(hit.chunk.document_id for hit in hits)

    assert find("DE") == ["de"]
    assert find(["de", "en"]) == ["de", "en"]
    assert find({"ne": "de"}) == ["en", "short"]
    with pytest.raises(InvalidInput, match="the filter on '@language' must be a text such as 'de'"):
        find(3)
    assert "language: de" in cli("show", "de", "-c", corpus_name).stdout
    shown = cli("search", "Halvik", "-c", corpus_name, "-m", "keyword", "-f", "@language=en").stdout
    assert "The harbour" in shown
    assert "Der Hafen" not in shown
