"""Schema files: numbers, statements and indexes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph.errors import MigrationError
from tetragraph.stores import migrations

STATEMENT = "CREATE INDEX one IF NOT EXISTS FOR (n:Thing) ON (n.corpus, n.name);\n"


def folder(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        (tmp_path / f"{name}.cypher").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RETURN 1;", ("RETURN 1",)),
        ("RETURN 1; RETURN 2;\n", ("RETURN 1", "RETURN 2")),
        ("RETURN ';' AS a; // and ; here\n", ("RETURN ';' AS a",)),
        ("/* one; */ RETURN `a;b`;", ("RETURN `a;b`",)),
        (r"RETURN 'it\'s; so';", (r"RETURN 'it\'s; so'",)),
        ("// nothing at all\n", ()),
    ],
)
def test_a_semicolon_closes_a_statement_only_where_it_is_code(text: str, expected: tuple[str, ...]) -> None:
    assert tuple(statement.strip() for statement in migrations.split("V0001__x.cypher", text)) == expected


@pytest.mark.parametrize("text", ["RETURN 1", "RETURN 1; RETURN 2", "RETURN 'open;", "RETURN `open;", "/* open ;"])
def test_what_is_not_closed_is_refused(text: str) -> None:
    with pytest.raises(MigrationError, match=r"V0001__x\.cypher"):
        migrations.split("V0001__x.cypher", text)


def test_files_are_read_in_order_with_the_hash_of_their_bytes(tmp_path: Path) -> None:
    found = migrations.read_folder(folder(tmp_path, V0002__b=STATEMENT, V0001__a=STATEMENT))
    assert [(one.version, one.name) for one in found] == [(1, "a"), (2, "b")]
    assert found[0].sha256 == found[1].sha256
    assert migrations.read_folder(folder(tmp_path, V0002__b=STATEMENT + "\n"))[1].sha256 != found[1].sha256


@pytest.mark.parametrize(
    "names", [("V0002__a",), ("V0001__a", "V0003__b"), ("V0001__a", "V0001__b"), ("a",), ("V1__a",), ()]
)
def test_numbers_have_no_gaps_and_names_their_form(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(MigrationError):
        migrations.read_folder(folder(tmp_path, **dict.fromkeys(names, STATEMENT)))


def test_the_indexes_of_the_shipped_files_are_known_by_name() -> None:
    names = {index.name for index in migrations.expected_indexes(migrations.load())}
    assert {"corpus_id", "document_id", "chunk_id", "entity_id", "chunk_text"} <= names
