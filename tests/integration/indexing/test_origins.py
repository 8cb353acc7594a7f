"""Which document an id means, and which documents are gone from where they were read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tetragraph import Corpus, Document, Settings, Tetragraph, errors
from tetragraph.stores.graph import Graph


@pytest.fixture
def corpus(server_settings: Settings, corpus_name: str) -> Iterator[Corpus]:
    with Tetragraph.connect(server_settings) as client:
        yield client.corpus(corpus_name)


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A folder ``docs`` with two texts and a table of two rows."""
    folder = tmp_path / "first" / "docs"
    folder.mkdir(parents=True)
    (folder / "ferry.txt").write_text("The ferry goes to Halvik.")
    (folder / "mill.txt").write_text("The mill stands in Brenn.")
    (folder / "rows.jsonl").write_text('{"id": "1", "text": "One."}\n{"id": "2", "text": "Two."}\n')
    return folder


@pytest.fixture
def second(tmp_path: Path) -> Path:
    """Another folder ``docs`` with another text of the same name."""
    folder = tmp_path / "second" / "docs"
    folder.mkdir(parents=True)
    (folder / "ferry.txt").write_text("The ferry goes to Emden.")
    (folder / "more.jsonl").write_text('{"id": "1", "text": "Uno."}\n')
    return folder


def texts(corpus: Corpus) -> dict[str, str]:
    return {hit.chunk.document_id: hit.chunk.text for hit in corpus.search("ferry", k=50, method="dense")}


def sources(corpus: Corpus) -> dict[str, str]:
    """The line of each row, by id, as hits show it."""
    hits = corpus.search("row", k=50, method="dense")
    return {hit.chunk.document_id: hit.chunk.source for hit in hits if "jsonl" in hit.chunk.source}


def test_a_file_does_not_replace_the_file_of_another_folder(corpus: Corpus, first: Path, second: Path) -> None:
    corpus.ingest(first)
    before = texts(corpus)
    report = corpus.ingest(second)
    assert (report.added, report.changed) == ((), ())
    reasons = {one.source: one.reason for one in report.skipped}
    ferry = f"the corpus has 'docs/ferry.txt' from {first / 'ferry.txt'}, and {second / 'ferry.txt'} would replace it"
    assert reasons["docs/ferry.txt"].startswith(ferry)
    assert f"{second / 'more.jsonl'}:1 would replace it" in reasons["docs/more.jsonl:1"]
    assert texts(corpus) == before


def test_a_prefix_keeps_both(corpus: Corpus, first: Path, second: Path) -> None:
    corpus.ingest(first)
    assert set(corpus.ingest(second, prefix="emden").added) == {"emden/ferry.txt", "emden/1"}
    assert corpus.ingest(second, prefix="emden").unchanged == 2
    found = texts(corpus)
    assert (found["docs/ferry.txt"], found["emden/ferry.txt"]) == (
        "The ferry goes to Halvik.",
        "The ferry goes to Emden.",
    )


def test_a_file_that_has_moved_replaces_its_document_when_that_is_said(
    corpus: Corpus, first: Path, second: Path
) -> None:
    corpus.ingest(first)
    assert set(corpus.ingest(second, moved=True).changed) == {"docs/ferry.txt", "1"}
    assert corpus.ingest(second).unchanged == 2


def test_an_unchanged_file_of_a_folder_that_was_moved_is_followed(corpus: Corpus, first: Path) -> None:
    corpus.ingest(first)
    now = first.parent.parent / "docs"
    first.rename(now)
    assert corpus.ingest(now).unchanged == 4
    (now / "mill.txt").write_text("The mill burnt down.")
    report = corpus.ingest(now)
    assert (report.changed, report.skipped) == (("docs/mill.txt",), ())


def test_a_row_below_a_new_one_is_shown_with_its_present_line(corpus: Corpus, first: Path) -> None:
    corpus.ingest(first)
    rows = first / "rows.jsonl"
    rows.write_text('{"id": "0", "text": "Zero."}\n' + rows.read_text())
    report = corpus.ingest(first)
    assert (report.added, report.changed, report.unchanged) == (("0",), (), 4)
    assert sources(corpus) == {"0": "docs/rows.jsonl:1", "1": "docs/rows.jsonl:2", "2": "docs/rows.jsonl:3"}
    rows.write_text('\n{"id": "1", "text": "One."}\n{"id": "2", "text": "Two."}\n{"id": "0", "text": "Zero."}\n')
    synced = corpus.sync(first)
    assert not synced.plan
    assert synced.ingest is not None
    assert synced.ingest.written
    assert sources(corpus) == {"0": "docs/rows.jsonl:4", "1": "docs/rows.jsonl:2", "2": "docs/rows.jsonl:3"}
    assert not corpus.ingest(first).written


def test_a_table_that_is_named_from_another_folder_keeps_its_sources(corpus: Corpus, first: Path) -> None:
    corpus.ingest(first)
    assert not corpus.ingest(first / "rows.jsonl").written
    assert sources(corpus) == {"1": "docs/rows.jsonl:1", "2": "docs/rows.jsonl:2"}


def test_a_corpus_whose_documents_have_no_origin_is_not_ingested_twice(
    corpus: Corpus, first: Path, second: Path, graph: Graph
) -> None:
    corpus.ingest(first)
    sources = {
        "docs/ferry.txt": "docs/ferry.txt",
        "docs/mill.txt": "docs/mill.txt",
        "1": "docs/rows.jsonl:1",
        "2": "docs/rows.jsonl:2",
    }
    rows = [{"id": name, "origin": None, "source": source} for name, source in sources.items()]
    graph.write("ingest/upsert_places", corpus=corpus.name, rows=rows)
    (first / "ferry.txt").write_text("The ferry goes to Norden.")
    report = corpus.ingest(first)
    assert (report.added, report.changed, report.unchanged) == ((), ("docs/ferry.txt",), 3)
    assert len(corpus.ingest(second).skipped) == 2


def test_a_document_of_the_caller_replaces_by_its_id_and_is_not_replaced_by_a_file(corpus: Corpus, first: Path) -> None:
    corpus.ingest([Document("docs/ferry.txt", "", "Mine.")])
    skipped = corpus.ingest(first).skipped
    assert "the corpus has 'docs/ferry.txt' from a document of the caller" in skipped[0].reason
    assert corpus.ingest([Document("docs/mill.txt", "", "Mine.")]).changed == ("docs/mill.txt",)


def test_what_is_gone_is_noted_planned_and_pruned(corpus: Corpus, first: Path, second: Path) -> None:
    corpus.ingest([first, second / "more.jsonl"])
    corpus.ingest([Document("mine", "", "Mine.")])
    (first / "mill.txt").unlink()
    (first / "rows.jsonl").write_text('{"id": "2", "text": "Two."}\n')
    (note,) = corpus.ingest(first).notes
    assert "'docs/mill.txt'; ingest it with --prune" in note
    assert corpus.find_gone(first) == ("1", "docs/mill.txt")
    assert corpus.find_gone(second) == ()
    report = corpus.ingest(first, prune=True)
    assert (report.deleted, report.unchanged, report.notes) == (("1", "docs/mill.txt"), 2, ())
    assert sorted(texts(corpus)) == ["2", "docs/ferry.txt", "mine"]
    assert not corpus.ingest(first, prune=True).written


def test_what_cannot_be_read_and_what_has_moved_within_a_folder_is_not_gone(corpus: Corpus, first: Path) -> None:
    corpus.ingest(first)
    (first / "ferry.txt").write_bytes(b"\xff")
    (first / "rows.jsonl").rename(first / "renamed.jsonl")
    assert corpus.find_gone(first) == ()
    (first / "renamed.jsonl").write_text('{"id": "1", "text": "One."}\nbroken\n')
    corpus.ingest(first, moved=True)
    assert corpus.find_gone(first) == ("2",)
    (first / "renamed.jsonl").rename(first / "rows.jsonl")
    assert corpus.find_gone(first) == ()


def test_documents_of_the_caller_have_no_place_to_be_gone_from(corpus: Corpus) -> None:
    documents = [Document("mine", "", "Mine.")]
    corpus.ingest(documents)
    with pytest.raises(errors.InvalidInput, match="a source that is pruned must be a path"):
        corpus.ingest(documents, prune=True)
    with pytest.raises(errors.InvalidInput, match="a source that is pruned must be a path"):
        corpus.find_gone(documents)
