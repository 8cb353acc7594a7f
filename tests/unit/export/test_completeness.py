"""An export of a corpus has every label and type, and the document lists them."""

from __future__ import annotations

import re
from pathlib import Path

from tetragraph import queries

INTERNAL = {"Extraction", "IngestState", "Job", "PendingDocument", "SchemaMigration", "ServiceKey", "Term"}
DOCUMENT = Path(__file__).parents[3] / "docs" / "export.md"
NODES = set(re.findall(r"RETURN '(\w+)' AS label", queries.get("export/find_nodes").text))
LINKS = queries.get("export/find_relationships").text


def test_every_public_label_of_the_schema_is_exported() -> None:
    files = [file for file in queries.root("schema").iterdir() if file.name.endswith(".cypher")]
    labels = {name for file in files for name in re.findall(r"FOR \(n:(\w+)\) REQUIRE", file.read_text("utf-8"))}
    assert labels - INTERNAL == NODES
    assert set(re.findall(r"MATCH \(node:(\w+)\)", queries.get("export/find_nodes").text)) == NODES


def test_every_type_that_is_written_is_exported_as_what_it_is() -> None:
    written = {
        found
        for name in queries.names()
        if queries.get(name).access == "write"
        for found in re.findall(r"(?:MERGE|CREATE) \(\w+\)-\[\w*:(\w+)", queries.get(name).text)
    }
    parts = re.findall(
        r"MATCH \(source:(\w+)\)\nWHERE .* AND EXISTS { \(source\)-\[:(\w+)\]->\(:(\w+)\) }\n"
        r"RETURN '(\w+)' AS type, '(\w+)' AS start_label, source.id AS start_id, '(\w+)' AS end_label, COLLECT {\n"
        r"  MATCH \(source\)-\[link:(\w+)\]->\(target:(\w+)\) ",
        LINKS,
    )
    assert {kind for _, kind, *_ in parts} == written
    assert len(parts) == LINKS.count("COLLECT ")
    for start, kind, end, *returned in parts:
        assert returned == [kind, start, end, kind, end]


def test_the_document_names_the_labels() -> None:
    if DOCUMENT.is_file():  # it is not beside the tests of the wheel
        told = DOCUMENT.read_text(encoding="utf-8").split("nodes of the labels", 1)[1].split(", and the", 1)[0]
        assert set(re.findall(r"`(\w+)`", told)) == NODES
