"""Rules for query files that can be checked without a server; one test for each file and rule."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tetragraph import queries

APP = Path(queries.__file__).parent
FILES = list(queries.names())
FOLDERS = {name.split("/")[0] for name in FILES}
OF_THE_DATABASE = {"gds", "server"}
"""Folders whose statements look at the database, not at a corpus: projections by name, versions."""
FOR_PEOPLE = {
    *(name for name in FILES if name.startswith("analytics/")),
}
"""No code asks this by its name, and a test runs each on a server."""
OF_THE_GUIDE = {name for name in FILES if name.startswith("browser/")}
"""For people, too: the guide in Neo4j Browser shows them."""
LISTS_ALL_CORPORA = {
    "archive/find_restores",
    "corpus/find_corpora",
    "corpus/find_remains",
    "reembed/find_vector_sets",
    "service/delete_jobs",
    "service/find_unfinished_jobs",
}
OF_KEYS = {name for name in FILES if re.match(r"service/\w+_keys?(_|$)", name)}
"""About keys of the service, each of which may be valid for several corpora."""
CLAUSE = re.compile(
    r"\b(OPTIONAL MATCH|MATCH|MERGE)\b(.*?)(?=\b(?:OPTIONAL MATCH|MATCH|MERGE|WHERE|WITH|RETURN|SET|ON CREATE|ON MATCH|"
    r"DELETE|DETACH|CALL|UNWIND|CREATE|REMOVE|FOREACH|ORDER BY)\b|\Z)",
    re.DOTALL,
)


def columns(statement: str) -> list[str]:
    """The items of the last RETURN that stands outside of braces."""
    flat = statement
    while re.search(r"[{(\[][^{}()\[\]]*[})\]]", flat):
        flat = re.sub(r"[{(\[][^{}()\[\]]*[})\]]", " ", flat)
    found = re.split(r"\bRETURN\b", flat)
    if len(found) == 1:
        return []
    items = re.split(r"\b(?:ORDER BY|SKIP|LIMIT)\b", found[-1])[0]
    return [item.strip() for item in items.split(",")]


@cache
def names_in_code() -> frozenset[str]:
    found: set[str] = set()
    for file in APP.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                name = re.fullmatch(r"(\w+)/(\w+)", node.value)
                if name and name[1] in FOLDERS and name[2].split("_")[0] in queries.VERBS:
                    found.add(node.value)
    return frozenset(found)


def unbound(statement: str) -> list[str]:
    """Patterns that neither name ``$corpus`` nor hang on a variable that was bound before."""
    found: list[str] = []
    for clause in CLAUSE.finditer(statement):
        for pattern in re.split(r",\s*(?=\()", clause[2]):
            variables = re.findall(r"[(\[](\w+)", pattern)
            before = statement[: clause.start()]
            is_bound = (
                re.search(r"corpus: (\$corpus|\w+\.corpus)\b", pattern)
                or any(re.search(rf"\b{name}\.corpus (=|IN) \$corpus\b", statement) for name in variables)
                or any(re.search(rf"\b{name}\b", before) for name in variables)
            )
            if not is_bound:
                found.append(" ".join(pattern.split()))
    return found


def looks_at_the_database(name: str) -> bool:
    """Whether the statement is about the server or all corpora, not about one corpus."""
    return name.split("/")[0] in OF_THE_DATABASE or name in LISTS_ALL_CORPORA | OF_KEYS


@pytest.mark.parametrize("name", FILES)
def test_the_header_is_complete_and_true_to_name_and_parameters(name: str) -> None:
    assert queries.get(name).summary


@pytest.mark.parametrize("name", FILES)
def test_every_column_has_the_declared_alias(name: str) -> None:
    query = queries.get(name)
    items = columns(queries.code(query.text))
    aliases = [re.fullmatch(r".*\bAS (\w+)", item, re.DOTALL) for item in items]
    assert [match and match[1] for match in aliases] == list(query.returns)


@pytest.mark.parametrize("name", FILES)
def test_rows_have_an_order_before_they_are_cut(name: str) -> None:
    statement = queries.code(queries.get(name).text)
    if re.match(r"\w+/(find|stream)_", name):
        assert re.search(r"\bORDER BY\b", statement)
    for cut in re.finditer(r"\bLIMIT\b", statement):
        clause = re.split(r"\b(?:RETURN|WITH)\b", statement[: cut.start()])[-1]
        assert re.search(r"\bORDER BY\b", clause)


@pytest.mark.parametrize("name", [name for name in FILES if not looks_at_the_database(name)])
def test_every_pattern_is_bound_to_its_corpus(name: str) -> None:
    query = queries.get(name)
    assert "corpus" in query.parameters
    assert unbound(queries.code(query.text)) == []


@pytest.mark.parametrize("name", [name for name in FILES if name not in FOR_PEOPLE | OF_THE_GUIDE])
def test_the_file_is_used_by_the_code(name: str) -> None:
    assert name in names_in_code()


def test_documents_pass_the_same_filters_in_every_file() -> None:
    filtered = {name: text for name in FILES if "filter IN $filters" in (text := queries.get(name).text)}
    conditions = {name: " ".join(re.findall(r"filter\.\w+(?: [<>]=?)?", text)) for name, text in filtered.items()}
    assert len(filtered) > 3
    assert len(set(conditions.values())) == 1, conditions


def test_every_name_in_the_code_is_a_file() -> None:
    assert names_in_code() <= set(FILES)


@pytest.mark.parametrize(
    "statement",
    [
        "MATCH (a:Chunk) RETURN a.id AS id",
        "MATCH (a:Chunk {corpus: $corpus}), (b:Chunk) RETURN b.id AS id",
        "MATCH (a:Chunk {corpus: $corpus}) MATCH (b:Chunk) WHERE b.id = a.id RETURN b.id AS id",
    ],
)
def test_a_pattern_that_could_reach_another_corpus_is_seen(statement: str) -> None:
    assert unbound(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "MATCH (a:Chunk {corpus: $corpus})-[:NEXT]->(b) RETURN b.id AS id",
        "MATCH (a:Chunk) WHERE a.corpus = $corpus MATCH (a)-[:NEXT]->(b) RETURN b.id AS id",
    ],
)
def test_a_pattern_that_hangs_on_the_corpus_passes(statement: str) -> None:
    assert unbound(statement) == []
