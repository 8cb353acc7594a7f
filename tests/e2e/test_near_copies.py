"""What a user sees of documents that are nearly the same: one hit, and the places of the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command_line import Cli
from tetragraph import Corpus, Document, Tetragraph
from tetragraph.model import Findings
from tetragraph.systems.base import SearchRequest
from tetragraph.systems.copies import MARGIN
from tetragraph.systems.registry import find_retriever

COPIES = 10
ARTICLE = """# The harbour of Halvik

The harbour of Halvik was built in 1881 by the engineer Orla Brandt, after the old pier had been lost in a storm. It
has room for forty boats and a crane that lifts nine tons. In winter the outer basin freezes, so that ferries land at
the northern wall instead, and the mail is carried over the ice by sledge. The light at the entrance was lit for the
first time in 1884; its keeper lived in the tower with his family until the lamp was made electric. Fishing was the
only trade of the town for a long time, and the auction hall beside the crane still opens at five in the morning.
Today most of the boats belong to visitors, who come for the islands in the summer and leave before the storms.
"""
QUESTION = "Who built the harbour of Halvik?"


def _page(number: int) -> str:
    """The article below the navigation of another site."""
    names = ("Start", "News", "Weather", "Boats", "Islands", "Contact", "Jobs", "Help", "Archive", "Shop")
    links = "\n".join(f"* {name} {number}" for name in (*names[number:], *names[:number]))
    return f"{links}\n\n{ARTICLE}\nPage {number} of site {number}.\n"


def _documents() -> list[Document]:
    pages = [Document(f"site-{number}", "", _page(number)) for number in range(COPIES)]
    return [*pages, Document("tram", "Trams", "The tram of Sund was built in 1902 by Mina Holt. " * 3)]


@pytest.mark.parametrize("method", ["evidence", "dense", "keyword"])
def test_pages_with_other_navigation_are_one_hit(client: Tetragraph, corpus_name: str, method: str) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(_documents())
    hits = corpus.search(QUESTION, k=5, method=method)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    about = [hit for hit in hits if "Orla Brandt" in hit.chunk.text]
    assert len(about) == 1
    named = {about[0].chunk.document_id, *(copy.document for copy in about[0].also_in)}
    assert named == {f"site-{number}" for number in range(COPIES)}
    assert not any(copy.is_exact for copy in about[0].also_in)
    assert "(nearly the same)" in about[0].places


@pytest.mark.parametrize(("copies", "searches"), [(3, 1), (COPIES, 2)])
def test_a_search_is_repeated_only_if_the_margin_does_not_replace_the_copies(
    client: Tetragraph, corpus_name: str, monkeypatch: pytest.MonkeyPatch, copies: int, searches: int
) -> None:
    corpus = client.corpus(corpus_name)
    fillers = [Document(f"tram-{number}", "", f"Tram {number} of Sund was built by Mina Holt.") for number in range(9)]
    corpus.ingest([*_documents()[:copies], *fillers])
    retriever = find_retriever("dense")
    depths: list[int] = []

    def search(request: SearchRequest[Any]) -> Findings:
        depths.append(request.k)
        return type(retriever).search(retriever, request)

    monkeypatch.setattr(retriever, "search", search)
    hits = corpus.search(QUESTION, k=4, method="dense")
    assert len(hits) == 4
    assert len(depths) == searches
    assert depths[0] == 4 + MARGIN


def _nearly_same(corpus: Corpus) -> set[str]:
    """Documents of the copies of the first hit, and of the hit."""
    hit = corpus.search(QUESTION, k=1, method="dense")[0]
    return {hit.chunk.document_id, *(copy.document for copy in hit.also_in)}


def test_copies_follow_added_changed_and_deleted_documents(client: Tetragraph, corpus_name: str) -> None:
    corpus = client.corpus(corpus_name)
    documents = _documents()
    corpus.ingest(documents[5:])
    assert _nearly_same(corpus) == {f"site-{number}" for number in range(5, COPIES)}
    corpus.ingest(documents[:5])
    assert _nearly_same(corpus) == {f"site-{number}" for number in range(COPIES)}
    corpus.delete("site-0", "site-9")
    assert _nearly_same(corpus) == {f"site-{number}" for number in range(1, COPIES - 1)}
    other = ARTICLE.replace("1881", "1781").replace("1884", "1784").replace("Brandt", "Kron").replace("Halvik", "Vik")
    corpus.ingest([Document("site-1", "", other)])
    assert _nearly_same(corpus) == {f"site-{number}" for number in range(2, COPIES - 1)}
    corpus.delete(*(f"site-{number}" for number in range(3, COPIES - 1)))
    assert _nearly_same(corpus) == {"site-2"}
    assert client.connection.stores(corpus_name).record.near_copies is None


def test_the_number_of_copies_is_mended_by_the_next_change(client: Tetragraph, corpus_name: str) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(_documents()[:3], build=())
    # as an interruption between the copies and their number leaves it
    client.connection.graph.write("ingest/upsert_near_count", corpus=corpus_name, near_copies=None)
    corpus.ingest([Document("mill", "Mill", "The mill of Sund grinds rye.")], build=())
    assert client.connection.stores(corpus_name).record.near_copies == 3


def test_hidden_documents_are_no_near_copies(client: Tetragraph, corpus_name: str) -> None:
    corpus = client.corpus(corpus_name)
    former, *others = _documents()[:3]
    corpus.ingest([former, *others, Document("new", "", _page(5), metadata={"supersedes": "site-0"})], build=())
    assert "site-0" in _nearly_same(corpus)
    (hit, *_) = corpus.search(QUESTION, k=1, superseded="hide")
    shown = {hit.chunk.document_id, *(copy.document for copy in hit.also_in)}
    assert shown == {"site-1", "site-2", "new"}


def test_filters_and_the_command_line_know_near_copies(cli: Cli, corpus_name: str, tmp_path: Path) -> None:
    folder = tmp_path / "sites"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.txt").write_text(_page(number), encoding="utf-8")
    assert cli("ingest", str(folder), "-c", corpus_name).returncode == 0
    shown = cli("search", QUESTION, "-c", corpus_name, "-k", "1", "-m", "dense").stdout
    assert "(also in sites/" in shown
    assert "(nearly the same)" in shown
    filtered = cli("search", QUESTION, "-c", corpus_name, "-k", "1", "-m", "dense", "-f", "@source=sites/1.txt").stdout
    assert "also in" not in filtered
