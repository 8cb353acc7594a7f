"""Explanations of hits: parts that add up to the score, and the statement that draws the graph."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import neo4j
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import anchored_world
from command_line import run_here
from environments import user_environment
from tetragraph import Corpus, Evidence, Settings, Tetragraph, errors
from tetragraph.model.path_links import links_of
from tetragraph.model.subgraphs import LinkKey, NodeKey
from tetragraph.systems.registry import RETRIEVERS

ACROSS = anchored_world.QUESTION
WORDS = st.sampled_from(
    [*anchored_world.PASSAGES, "Who", "the sister of", "teacher", "mayor", "born", "in", "When", "largest town", "?"]
)


@pytest.fixture(scope="module")
def corpus(anchored_settings: Settings, anchored: str) -> Iterator[Corpus]:
    with Tetragraph.connect(anchored_settings) as client:
        yield client.corpus(anchored)


def drawn(driver: neo4j.Driver, statement: str) -> tuple[set[NodeKey], set[LinkKey]]:
    """The nodes and relationships that a statement shows in Browser."""
    nodes: set[NodeKey] = set()
    links: set[LinkKey] = set()
    for row in driver.execute_query(statement).records:
        nodes |= {key(node) for node in row["shown"].nodes}
        links |= {LinkKey(one.type, key(one.start_node), key(one.end_node)) for one in row["shown"].relationships}
    return nodes, links


def key(node: Any) -> NodeKey:
    (label,) = node.labels
    return NodeKey(label, node["id"])


@pytest.mark.parametrize("method", RETRIEVERS)
@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(WORDS, min_size=1, max_size=6), k=st.integers(1, 12))
def test_the_parts_of_every_score_add_up_and_what_brought_them_is_no_more_than_they_are(
    corpus: Corpus, method: str, words: list[str], k: int
) -> None:
    result = corpus.search(" ".join(words), k=k, method=method)
    for hit in result:
        told = corpus.explain(result, hit)
        assert sum(part.value for part in told.parts) == pytest.approx(hit.score, abs=1e-9)
        for part in told.parts:
            assert part.meaning
            assert sum(one.value for one in part.contributions) <= max(part.value, 0.0) + 1e-9 or part.value < 0
        assert told.notes == ()


@pytest.mark.parametrize("method", RETRIEVERS)
def test_the_statement_draws_the_subgraph_and_nothing_else(corpus: Corpus, driver: neo4j.Driver, method: str) -> None:
    result = corpus.search(ACROSS, k=5, method=method)
    for hit in result:
        told = corpus.explain(result, hit)
        nodes, links = drawn(driver, told.cypher)
        assert nodes == told.subgraph.nodes.keys()
        assert links == told.subgraph.links.keys() == {link for path in told.paths for link in links_of(path)}
        assert NodeKey("Chunk", hit.chunk.id) in nodes
    whole = corpus.subgraph(result)
    assert drawn(driver, whole.cypher) == ({*whole.nodes}, {*whole.links})
    one = corpus.subgraph(result, 2)
    assert one == corpus.explain(result, 2).subgraph
    assert one.nodes.keys() <= whole.nodes.keys()


def test_the_way_over_entities_is_told_with_the_names_of_the_passages(corpus: Corpus) -> None:
    result = corpus.search(ACROSS, k=12)
    told = next(corpus.explain(result, hit) for hit in result if hit.chunk.title == "Ida Brandt")
    assert any("Ida Brandt, from Orla Brandt" in line for line in told.sentences)
    assert "sub-question" in str(told)
    assert str(told).startswith(f"{told.rank}. Ida Brandt, ")


def test_edges_of_information_gain_are_told_with_their_levels(corpus: Corpus) -> None:
    result = corpus.search(ACROSS, k=12, method="gain")
    edges = [link for hit in result for link in corpus.explain(result, hit).subgraph.links.items()]
    levels = {carried["level"] for one, carried in edges if one.type == "INFO_GAIN"}
    lines = [line for hit in result for line in corpus.explain(result, hit).sentences if ", from " in line]
    assert levels
    assert all(any(f" {level}, from " in line for line in lines) for level in levels)


def test_a_fused_score_is_told_by_the_ranks_of_its_methods(corpus: Corpus) -> None:
    result = corpus.search(ACROSS, k=5, method="fused")
    best = {hit.chunk.id: hit.rank for hit in corpus.search(ACROSS, k=100, method="evidence")}
    for hit in result:
        (evidence,) = (part for part in corpus.explain(result, hit).parts if part.name == "evidence")
        assert evidence.contributions[0].label.startswith(f"rank {best[hit.chunk.id]}, score ")


def test_what_is_none_of_the_result_is_refused(corpus: Corpus) -> None:
    result, other = corpus.search(ACROSS, k=2), corpus.search("Low Tide", k=1, method="keyword")
    with pytest.raises(errors.InvalidInput, match=r"^a hit is named by its rank, 1 to 2, got 3$"):
        corpus.explain(result, 3)
    with pytest.raises(errors.InvalidInput, match=r"^the hit must be one of the result, got 'Low Tide' at rank 1$"):
        corpus.explain(result, other[0])
    with pytest.raises(errors.InvalidInput, match=r"^the result must be of corpus .* got one of 'elsewhere'"):
        corpus.explain(Evidence("?", "dense", result.hits, {"corpus": "elsewhere"}), 1)


def test_an_answer_is_explained_and_drawn_by_its_evidence(corpus: Corpus, tmp_path: Path) -> None:
    for answer in (corpus.ask(ACROSS), corpus.anchor(ACROSS).answer):
        assert corpus.explain(answer, 1) == corpus.explain(answer.evidence, 1)
        assert corpus.subgraph(answer) == corpus.subgraph(answer.evidence)
        corpus.export(tmp_path / "answer.html", answer, overwrite=True)
        corpus.export(tmp_path / "evidence.html", answer.evidence, overwrite=True)
        assert (tmp_path / "answer.html").read_bytes() == (tmp_path / "evidence.html").read_bytes()


@pytest.mark.parametrize("kind", ["FactEvidence", "AnchorRun", "Session", "Hit", "NoneType"])
def test_what_is_no_result_of_a_search_is_refused(corpus: Corpus, tmp_path: Path, kind: str) -> None:
    run = corpus.anchor(ACROSS)
    others: list[Any] = [corpus.facts(ACROSS), run, run.session, corpus.search(ACROSS)[0], None]
    (other,) = (one for one in others if type(one).__name__ == kind)
    rule = rf"^a result must be that of search or ask, an Evidence or an Answer, got {kind}$"
    with pytest.raises(errors.InvalidInput, match=rule):
        corpus.explain(other, 1)
    with pytest.raises(errors.InvalidInput, match=rule):
        corpus.subgraph(other)
    if other is not None:
        with pytest.raises(errors.InvalidInput, match=rule):
            corpus.export(tmp_path / "x.html", other)


def test_what_has_gone_since_the_search_is_said(client: Tetragraph, corpus_name: str, driver: neo4j.Driver) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(anchored_world.documents())
    result = corpus.search(ACROSS, k=12, method="gain")
    hit = next(hit for hit in result if len(corpus.explain(result, hit).subgraph.links) > 1)
    corpus.delete(hit.chunk.document_id)
    told = corpus.explain(result, hit)
    assert told.notes[0].endswith("is no longer in the graph: the corpus has changed since the search")
    assert NodeKey("Chunk", hit.chunk.id) not in told.subgraph.nodes
    assert drawn(driver, told.cypher) == ({*told.subgraph.nodes}, {*told.subgraph.links})


def test_the_command_explains_in_words_as_a_statement_and_as_a_page(
    anchored_settings: Settings, anchored: str, tmp_path: Path
) -> None:
    page = tmp_path / "why.html"
    environment = user_environment(anchored_settings, COLUMNS="200")
    run = partial(run_here, "explain", ACROSS, "-c", anchored, environment=environment, folder=tmp_path)
    told = run("--rank", "1", "--out", str(page))
    assert (told.returncode, told.stderr) == (0, f"wrote {page}\n")
    assert told.stdout.splitlines()[0].startswith("1. ")
    assert "RETURN shown" in told.stdout
    assert ACROSS in page.read_text(encoding="utf-8")
    data = json.loads(run("-k", "2", "--json").stdout)
    assert [one["rank"] for one in data["explanations"]] == [1, 2]
    only = run("-k", "2", "--cypher")
    assert only.stdout.strip() == data["cypher"].strip()
    nothing = run("--method", "keyword", "--filter", "year>=3000")
    assert (nothing.returncode, "there is nothing to explain" in nothing.stderr) == (1, True)
