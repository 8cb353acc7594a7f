"""Documents that supersede others: their order, the rules that they meet together, and the file that states it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph import Document, Unreadable
from tetragraph.errors import InvalidInput
from tetragraph.indexing.document_checks import find_fault
from tetragraph.indexing.sources import read_documents
from tetragraph.indexing.succession import hold_successors
from tetragraph.model.reading import ReadingOptions


def document(name: str, *supersedes: str, **metadata: str) -> Document:
    return Document(name, name, "Text.", metadata={**metadata, **({"supersedes": supersedes} if supersedes else {})})


def pass_on(*documents: Document) -> tuple[list[str], dict[str, str]]:
    """Ids in the order of the ingest, and the reasons of what is refused."""
    found = list(hold_successors(documents, None))
    refused = {one.source: one.reason for one in found if isinstance(one, Unreadable)}
    return [one.id for one in found if isinstance(one, Document)], refused


def test_a_successor_comes_after_what_it_supersedes() -> None:
    assert pass_on(document("c", "b"), document("x"), document("b", "a"), document("a")) == (["x", "a", "b", "c"], {})


def test_what_is_superseded_must_be_there() -> None:
    ids, refused = pass_on(document("b", "a"), document("x"))
    assert ids == ["x"]
    assert refused["b"].startswith("supersedes must name documents of the corpus or of this ingest, got 'a'")


def test_a_cycle_is_refused_whole_and_nothing_else_is() -> None:
    ids, refused = pass_on(document("a", "c"), document("b", "a"), document("c", "b"), document("d", "a"))
    assert ids == ["d"]
    assert set(refused) == {"a", "b", "c"}
    assert "cycle, got" in refused["a"]
    assert " → " in refused["a"]


@pytest.mark.parametrize(
    ("metadata", "fault"),
    [
        ({"valid_from": "31.12.2024"}, "valid_from must be a day such as 2024-05-31, got '31.12.2024'"),
        ({"valid_from": "2024-02-01", "valid_to": "2024-01-01"}, "valid_to must not be before valid_from"),
        ({"supersedes": "x"}, "supersedes must name other documents, got the document itself"),
    ],
)
def test_a_document_whose_validity_is_no_such_is_refused(metadata: dict[str, str], fault: str) -> None:
    assert fault in find_fault(Document("x", "X", "Text.", metadata=metadata))


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_states_the_validity_of_documents(tmp_path: Path) -> None:
    lines = '{"id": "b", "valid_from": "2024-01-01", "supersedes": ["a"]}\n\n{"id": "a", "valid_to": null}\n'
    table = "id,valid_from,valid_to,supersedes\nb,2024-01-01,,a\na,,,\n"
    expected = {"b": {"valid_from": "2024-01-01", "supersedes": ["a"], "kind": "page"}, "a": {"kind": "page"}}
    for file in (write(tmp_path, "v.jsonl", lines), write(tmp_path, "v.csv", table)):
        given = [document(name, kind="page") for name in ("a", "b")]
        found = list(read_documents(given, reading=ReadingOptions(versions=file)))
        assert {one.id: dict(one.metadata) for one in found if isinstance(one, Document)} == expected


def test_a_row_of_no_document_is_reported(tmp_path: Path) -> None:
    file = write(tmp_path, "v.csv", "id,valid_to\na,2024-01-01\nold,2020-01-01\n")
    *_, last = read_documents([document("a")], reading=ReadingOptions(versions=file))
    assert isinstance(last, Unreadable)
    assert last.source == "old"


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("v.csv", "id,valid_from\na,soon\n", r"v\.csv:2: valid_from must be a day"),
        ("v.csv", "id,valid_from,valid_to\na,2024-02-01,2024-01-01\n", "valid_to must not be before"),
        ("v.csv", "id,supersedes\na,b\nb,a\n", "must not supersede one another in a cycle"),
        ("v.csv", "id,supersedes\na,b\na,c\n", "v.csv:3 repeats 'a'"),
        ("v.csv", "id,since\na,2024-01-01\n", "columns id, valid_from, valid_to, supersedes, got 'since'"),
        ("v.csv", "valid_from\n2024-01-01\n", "must have the id of a document"),
        ("v.csv", "id\na,b\n", "as many cells as the header"),
        ("v.jsonl", "[1]\n", "must be a JSON object"),
        ("v.jsonl", "{'a'}\n", "must be a JSON object"),
        ("v.txt", "id\n", "ends in .csv, .jsonl or .ndjson"),
    ],
)
def test_a_faulty_file_is_refused_before_anything_is_read(tmp_path: Path, name: str, text: str, fault: str) -> None:
    with pytest.raises(InvalidInput, match=fault):
        read_documents([document("a")], reading=ReadingOptions(versions=write(tmp_path, name, text)))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="must be there"):
        read_documents([document("a")], reading=ReadingOptions(versions=tmp_path / "v.csv"))
    with pytest.raises(InvalidInput, match="versions must be the path of a file"):
        ReadingOptions(versions=3)  # type: ignore[arg-type]
