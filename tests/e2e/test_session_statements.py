"""The statements of docs/anchor-graph.md show a session now, and after each step."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import neo4j
import pytest

from tetragraph import Document, Session, Tetragraph

Ask = Callable[..., list[neo4j.Record]]
QUESTION = "When was the harbour of the town where Elva Kron was born built?"
DOCUMENT = (Path(__file__).parents[2] / "docs" / "anchor-graph.md").read_text(encoding="utf-8")
WATCH, REPLAY, REST = re.findall(r"```cypher\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.fixture
def session(client: Tetragraph, corpus_name: str, world: list[Document]) -> Session:
    """A search in several steps, kept."""
    corpus = client.corpus(corpus_name)
    corpus.ingest(world, build=())
    run = corpus.anchor(QUESTION, documents=2)
    assert len(list(run)) > 1
    return run.session


@pytest.fixture
def asked(driver: neo4j.Driver, corpus_name: str, session: Session) -> Ask:
    """Runs a statement as it stands, but for the name of the corpus."""

    def ask(statement: str, step: int = 0) -> list[neo4j.Record]:
        text = statement.replace("'demo'", f"'{corpus_name}'")
        return driver.execute_query(text, session=session.id, step=step).records

    return ask


def test_the_newest_session_is_watched_with_all_that_it_has(session: Session, asked: Ask) -> None:
    records = asked(WATCH)
    assert {record["session"]["id"] for record in records} == {session.id}
    assert {record["step"]["number"] for record in records} <= {step.number for step in session.steps}
    assert {record["anchor"]["key"] for record in records} == {anchor.key for anchor in session.graph.anchors}
    relations = {record["relation"].element_id for record in records if record["relation"]}
    assert len(relations) == len(session.graph.relations) > 0


def test_replayed_it_is_the_graph_after_each_step(session: Session, asked: Ask) -> None:
    for step in session.steps:
        records = asked(REPLAY, step.number)
        assert {record["anchor"]["key"] for record in records} == {anchor.key for anchor in step.graph.anchors}
        relations = {record["relation"].element_id for record in records if record["relation"]}
        assert len(relations) == len(step.graph.relations)


def test_a_session_is_based_on_chunks_and_entities_of_the_corpus(session: Session, asked: Ask) -> None:
    entities = {anchor.entity for anchor in session.graph.anchors if anchor.entity and anchor.chunks}
    assert {record["entity"] for record in asked(REST)} == entities
    assert all(record["chunks"] for record in asked(REST))
