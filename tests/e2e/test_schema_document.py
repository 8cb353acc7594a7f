"""docs/schema.md agrees with a corpus that has everything: no property without description, and vice versa."""

from __future__ import annotations

import re
import runpy
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import neo4j
import pytest

from schema_page import PAGE, parse_page, undescribed, write_page
from schema_reading import Property, Schema, differences, read_examples, read_schema
from tetragraph import Settings
from whole_world import whole_world

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "schema_document.py"))
AGAIN = "is not what `python scripts/schema_document.py` makes now: run it, and look at the difference"


@pytest.fixture(scope="module")
def whole(anchored_settings: Settings) -> Iterator[str]:
    """Name of a corpus that has everything."""
    name = f"whole-{uuid.uuid4().hex[:12]}"
    with whole_world(anchored_settings, name):
        yield name


@pytest.fixture(scope="module")
def session(driver: neo4j.Driver) -> Iterator[neo4j.Session]:
    with driver.session() as session:
        yield session


@pytest.fixture(scope="module")
def found(whole: str, session: neo4j.Session) -> Schema:
    return read_schema(session, whole)


@pytest.fixture(scope="module")
def documented() -> Schema:
    return parse_page(PAGE.read_text(encoding="utf-8"))


def steady(page: str) -> str:
    """Without decimals, as processors differ a little in the embeddings that figures come from."""
    return re.sub(r"\d+\.\d\d\b", "0.00", page)


def test_all_that_exists_is_documented_and_all_that_is_documented_exists(found: Schema, documented: Schema) -> None:
    assert len(found.nodes) == len(documented.nodes)
    assert differences(found, documented, is_whole=True) == []
    assert undescribed(found) == []


def test_the_document_is_what_the_generator_makes_now(found: Schema, whole: str, session: neo4j.Session) -> None:
    made = write_page(found, read_examples(session, whole), whole)
    assert steady(made).splitlines() == steady(PAGE.read_text(encoding="utf-8")).splitlines(), AGAIN


def test_any_corpus_can_be_compared_with_the_document(anchored_settings: Settings, whole: str) -> None:
    assert SCRIPT["check"](anchored_settings, whole) == []
    assert SCRIPT["check"](anchored_settings, "nowhere") == ["there is no corpus 'nowhere'"]


def test_an_empty_list_fits_wherever_a_list_does(documented: Schema) -> None:
    empty = Property(frozenset({"LIST<NOTHING>"}), always=True)
    nodes = {"Step": {**documented.nodes["Step"], "notes": empty, "query": empty}}
    told = ["node label Step: property query is LIST<NOTHING>, documented is STRING"]
    assert differences(Schema(nodes), documented, is_whole=False) == told


def test_a_difference_is_told_in_words(documented: Schema) -> None:
    chunk = documented.nodes["Chunk"]
    text, always = frozenset({"STRING"}), chunk["title"]
    other = {key: value for key, value in chunk.items() if key != "tokens"}
    other |= {"colour": always, "end": Property(text, always=True), "title": Property(text, always=False)}
    nodes = {label: found for label, found in documented.nodes.items() if label != "Alias"}
    there = replace(
        documented, nodes=nodes | {"Chunk": other, "Page": {}}, patterns=frozenset({("Page", "NEXT", "Page")})
    )
    told = [
        "node label Chunk: property colour is not documented",
        "node label Chunk: property end is STRING, documented is INTEGER",
        "node label Chunk: property title is not always there, as is documented",
        "node label Chunk: property tokens is documented, and not there",
        "node label Page is not documented",
        "(Page)-[:NEXT]->(Page) is not documented",
    ]
    assert differences(there, documented, is_whole=False) == told
    whole = differences(there, documented, is_whole=True)
    assert set(whole) > {*told, "node label Alias is documented, and not there"}
    assert "(Chunk)-[:NEXT]->(Chunk) is documented, and not there" in whole
