"""What a user sees of the documents behind hits: copies once, pages, own titles, and filters on files and tags."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import Cli
from tetragraph import Corpus, Document, Page, Settings, Tetragraph

METHODS = ("evidence", "gain", "tree", "bipartite", "anchor", "dense", "keyword", "fused")
GRAPHS = ("bipartite", "gain", "tree")
QUESTION = "Who founded the school where the second director was Mina Holt?"
COPIES = 4
"""Number of documents with each text of the world."""


@pytest.fixture(scope="module")
def copied(anchored_settings: Settings, world: list[Document]) -> Iterator[Corpus]:
    """The world with every document four times, with all graphs, for tests that only search in it."""
    with Tetragraph.connect(anchored_settings) as client:
        corpus = client.corpus(f"copied-{uuid.uuid4().hex[:12]}")
        documents = [
            Document(f"{one.id}-{copy}", one.title, one.text, metadata={"copy": copy})
            for one in world
            for copy in range(COPIES)
        ]
        corpus.ingest(documents, build=GRAPHS)
        yield corpus
        corpus.drop()


@pytest.mark.parametrize("method", METHODS)
def test_each_text_is_found_once_with_its_other_places(copied: Corpus, method: str) -> None:
    k = 5
    evidence = copied.search(QUESTION, k=k, method=method)
    assert [hit.rank for hit in evidence] == list(range(1, k + 1))
    assert len({hit.chunk.text for hit in evidence}) == k
    for hit in evidence:
        own, _, _ = hit.chunk.document_id.rpartition("-")
        listed = [copy.document for copy in hit.also_in]
        assert {hit.chunk.document_id, *listed} == {f"{own}-{copy}" for copy in range(COPIES)}
        assert [copy.chunk for copy in hit.also_in] == sorted(copy.chunk for copy in hit.also_in)
    assert copied.search(QUESTION, k=k, method=method) == evidence


def test_of_equal_copies_the_first_by_id_is_kept(copied: Corpus) -> None:
    hit = copied.search(QUESTION, k=1, method="dense")[0]
    assert hit.chunk.id < min(copy.chunk for copy in hit.also_in)


@pytest.mark.parametrize("method", ["evidence", "dense", "keyword"])
def test_copies_that_a_filter_excludes_are_not_named(copied: Corpus, method: str) -> None:
    for hit in copied.search(QUESTION, k=3, method=method, filters={"copy": {"ne": [0, 1]}}):
        assert len(hit.also_in) == COPIES - 3
        assert all(one.rpartition("-")[2] in "23" for one in (hit.chunk.document_id, hit.also_in[0].document))


def test_every_text_is_found_where_more_hits_are_wanted_than_there_are(copied: Corpus, world: list[Document]) -> None:
    assert len(copied.search(QUESTION, k=1_000)) == len(world)


def test_texts_without_copies_name_no_other_place(client: Tetragraph, corpus_name: str, world: list[Document]) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world)
    assert all(hit.also_in == () for hit in corpus.search(QUESTION))


def test_copies_are_read_only_where_there_are_some_and_at_once_when_there_are(
    client: Tetragraph, corpus_name: str, world: list[Document], caplog: pytest.LogCaptureFixture
) -> None:
    corpus, own = client.corpus(corpus_name), world[0]
    corpus.ingest(world, build=())
    corpus.search(QUESTION, method="dense")
    with caplog.at_level(logging.DEBUG, logger="tetragraph"):
        hit = next(hit for hit in corpus.search(own.text, method="dense") if hit.chunk.document_id == own.id)
    assert hit.also_in == ()
    assert "corpus/get_corpus" in caplog.text
    assert "corpus/find_copies" not in caplog.text
    corpus.ingest([Document("another", own.title, own.text)], build=())
    hit = next(hit for hit in corpus.search(own.text, method="dense") if hit.chunk.title == own.title)
    assert {hit.chunk.document_id, *(copy.document for copy in hit.also_in)} == {own.id, "another"}
    corpus.delete("another")
    assert all(hit.also_in == () for hit in corpus.search(own.text, method="dense"))


def test_a_hit_says_on_which_page_it_begins(client: Tetragraph, corpus_name: str) -> None:
    corpus = client.corpus(corpus_name)
    ferries, trams = (" ".join(f"{name} {row} leaves." for row in range(60)) for name in ("Ferry", "Tram"))
    text = f"{ferries} {trams}"
    pages = (Page(0, 7), Page(text.index("Tram"), 8))
    corpus.ingest([Document("plan.pdf", "", text, pages=pages), Document("note", "", "Buses.")], chunk_tokens=64)
    hits = [hit.chunk for hit in corpus.search("When does the tram leave?", k=50)]
    found = {chunk.position: chunk for chunk in hits if chunk.document_id == "plan.pdf"}
    assert found[0].page == 7
    assert found[max(found)].page == 8
    assert found[max(found)].place == "plan.pdf, page 8"
    ferry = corpus.search("When does ferry 1 leave?", k=1)
    assert ferry.to_dict()["hits"][0]["chunk"]["page"] == ferry[0].chunk.page == 7
    assert ", page 7" in ferry._repr_html_()
    assert next(iter(corpus.search("Buses", k=1, method="keyword"))).chunk.page is None
    assert corpus.ask("When does the tram leave?").citations[0].page in {7, 8}


def test_the_name_of_a_file_is_no_entity_and_no_topic_of_facts(client: Tetragraph, corpus_name: str) -> None:
    corpus = client.corpus(corpus_name)
    text = "Mina Holt founded the Harbour School in Bergen in 1912. Mina Holt was born in Oslo."
    documents = [
        Document("a", "copy of social contract", text, named_by_file=True),
        Document("b", "Old Charter", f"{text} The school stands."),
    ]
    corpus.ingest(documents, build=("bipartite",))
    rows = corpus.cypher("MATCH (e:Entity {corpus: $corpus}) RETURN e.name AS name").rows
    names = {str(row["name"]).lower() for row in rows}
    assert not any("social contract" in name for name in names)
    assert "old charter" in names
    facts = corpus.cypher("MATCH (r:Relation {corpus: $corpus}) RETURN r.description AS words").rows
    assert facts
    assert not any("social contract" in str(row["words"]).lower() for row in facts)
    assert corpus.search("social contract", k=1, method="dense")[0].chunk.title == "copy of social contract"


def test_the_command_line_filters_by_tags_and_files_and_names_copies(
    cli: Cli, corpus_name: str, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    (docs / "old").mkdir(parents=True)
    (docs / "a.md").write_text("---\ntags: [sea, ferry]\n---\nThe ferry leaves at nine.")
    (docs / "old" / "b.txt").write_text("The ferry leaves at nine.")
    (docs / "c.txt").write_text("The ferry is red.")
    assert cli("ingest", str(docs), "-c", corpus_name).returncode == 0

    def find(*filters: str) -> list[str]:
        conditions = [part for one in filters for part in ("--filter", one)]
        run = cli("search", "When does the ferry leave?", "-c", corpus_name, "--json", *conditions)
        return sorted(hit["chunk"]["document_id"] for hit in json.loads(run.stdout)["hits"])

    assert find("tags=sea|land") == find("tags=sea") == ["docs/a.md"]
    assert find("tags!=sea") == ["docs/c.txt", "docs/old/b.txt"]
    assert find("@source=docs/old") == ["docs/old/b.txt"]
    assert find("@suffix=txt", "@source!=docs/old") == ["docs/c.txt"]
    shown = cli("search", "When does the ferry leave?", "-c", corpus_name).stdout
    assert "(also in docs/" in shown
