"""The dense baseline: the order of the vector store, with the chunks of Neo4j."""

from __future__ import annotations

from collections.abc import Callable

import neo4j

from tetragraph.model import content_id
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.systems import dense

TEXTS = {
    "Lisbon": "Lisbon is the capital of Portugal and lies on the river Tagus.",
    "Porto": "Porto is a city on the river Douro, known for its wine.",
    "Tagus": "The Tagus is the longest river of the Iberian peninsula.",
    "Madrid": "Madrid is the capital of Spain.",
}
Ask = Callable[[str], Question]
MakeCorpus = Callable[..., CorpusStores]


def test_the_most_similar_passages_come_first(make_corpus: MakeCorpus, corpus_name: str, ask: Ask) -> None:
    hits = dense.search(make_corpus(corpus_name), ask("Madrid is the capital of Spain."), 3)
    assert [hit.rank for hit in hits] == [1, 2, 3]
    assert hits[0].chunk.title == "Madrid"
    assert hits[0].score > hits[1].score
    assert hits[0].parts == {"similarity": hits[0].score}


def test_k_above_the_corpus_gives_the_whole_corpus(make_corpus: MakeCorpus, corpus_name: str, ask: Ask) -> None:
    assert len(dense.search(make_corpus(corpus_name), ask("river"), 100)) == 4


def test_two_corpora_with_the_same_documents_do_not_cross(make_corpus: MakeCorpus, corpus_name: str, ask: Ask) -> None:
    first = make_corpus(corpus_name)
    second = make_corpus(f"{corpus_name}-twin")
    first.vectors.delete(first.name, "chunks", [content_id("Madrid")])
    titles = [{hit.chunk.title for hit in dense.search(stores, ask("capital"), 9)} for stores in (first, second)]
    assert titles == [{"Lisbon", "Porto", "Tagus"}, {"Lisbon", "Porto", "Tagus", "Madrid"}]


def test_a_vector_whose_passage_is_gone_is_left_out_and_said(
    make_corpus: MakeCorpus, corpus_name: str, ask: Ask, driver: neo4j.Driver
) -> None:
    stores = make_corpus(corpus_name)
    driver.execute_query("MATCH (c:Chunk {corpus: $corpus, title: 'Madrid'}) DETACH DELETE c", corpus=corpus_name)
    hits = dense.search(stores, ask("Madrid is the capital of Spain."), 4)
    assert [hit.rank for hit in hits] == [1, 2, 3]
    assert "Madrid" not in {hit.chunk.title for hit in hits}
    assert stores.notes[0].startswith("1 vectors belong to passages that are no longer there")


def test_passages_that_differ_are_chosen_from_the_nearest(make_corpus: MakeCorpus, corpus_name: str, ask: Ask) -> None:
    texts = {**TEXTS, "Lissabon": "Lisbon, the capital of Portugal, lies on the river Tagus."}
    stores, question = make_corpus(corpus_name, texts, {}), ask("Which capital lies on the river Tagus in Portugal?")
    vectors = {title: ask(text).vector for title, text in texts.items()}
    first, *others = [hit.chunk.title for hit in dense.search(stores, question, 4)]
    worth = {
        title: 0.3 * float(question.vector @ vectors[title]) - 0.7 * float(vectors[first] @ vectors[title])
        for title in others
    }
    hits = dense.search(stores, question, 4, options=dense.DenseOptions(rerank="mmr", pool=4, trade_off=0.3))
    assert {first, others[0]} == {"Lisbon", "Lissabon"}
    assert [hit.chunk.title for hit in hits[:2]] == [first, max(worth, key=lambda title: worth[title])]
    assert hits[1].chunk.title != others[0]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(abs(hit.score - sum(hit.parts.values())) < 1e-9 for hit in hits)
    assert hits[1].parts["redundancy"] < 0 == hits[0].parts["redundancy"]
