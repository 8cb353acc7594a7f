"""The keyword baseline: BM25, no syntax, one corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tetragraph.model import Hit
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.systems import keyword

Ask = Callable[[str], Question]
MakeCorpus = Callable[..., CorpusStores]

SYNTAX = st.text(alphabet='ab+-&|!(){}[]^"~*?:\\/ \n<>=@#', max_size=30)
WORDS = st.lists(
    st.sampled_from(["AND", "OR", "NOT", "TO", "corpus:", "text:river", "river", "*:*", "capital~", '"', "(", "\\"])
).map(" ".join)


def titles(hits: Iterable[Hit]) -> list[str]:
    return [hit.chunk.title for hit in hits]


def test_the_passage_that_holds_the_rarest_words_comes_first(
    make_corpus: MakeCorpus, corpus_name: str, ask: Ask
) -> None:
    hits = keyword.search(make_corpus(corpus_name), ask("Which wine comes from the Douro?"), 3)
    assert titles(hits) == ["Porto"]
    assert hits[0].rank == 1
    assert hits[0].parts == {"bm25": hits[0].score}
    assert hits[0].chunk.document_id == "Porto"
    assert hits[0].chunk.metadata["people"] == 231_000.0


def test_a_word_in_the_title_counts_beside_the_text(make_corpus: MakeCorpus, corpus_name: str, ask: Ask) -> None:
    stores = make_corpus(corpus_name, {"Tagus": "It flows.", "River": "The Tagus flows."})
    assert sorted(titles(keyword.search(stores, ask("tagus"), 5))) == ["River", "Tagus"]


def test_equal_scores_are_ordered_by_id_also_at_the_cut(make_corpus: MakeCorpus, corpus_name: str, ask: Ask) -> None:
    stores = make_corpus(corpus_name, {f"Page {number}": "the same words" for number in range(8)})
    hits = keyword.search(stores, ask("same words"), 8)
    assert [hit.chunk.id for hit in hits] == sorted(hit.chunk.id for hit in hits)
    assert [hit.chunk.id for hit in keyword.search(stores, ask("same words"), 3)] == [hit.chunk.id for hit in hits[:3]]


def test_more_equal_scores_than_the_index_is_first_asked_for_are_ordered_by_id(
    make_corpus: MakeCorpus, corpus_name: str, ask: Ask
) -> None:
    stores = make_corpus(corpus_name, {f"Page {number}": "the same words" for number in range(90)})
    every = keyword.search(stores, ask("same words"), 90)
    assert len(every) == 90
    assert [hit.chunk.id for hit in keyword.search(stores, ask("same words"), 3)] == [hit.chunk.id for hit in every[:3]]


def test_few_chunks_of_many_are_read_where_they_determine_the_best(
    make_corpus: MakeCorpus, corpus_name: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = make_corpus(corpus_name, {f"Page {number}": "wine " + "and water " * number for number in range(90)})
    every = keyword.search(stores, ask("wine"), 90)
    asked: list[dict[str, Any]] = []
    read = stores.graph.read

    def count(name: str, **parameters: Any) -> list[dict[str, Any]]:
        asked.extend([parameters] if name == "keyword/find_chunks_by_text" else [])
        return read(name, **parameters)

    monkeypatch.setattr(stores.graph, "read", count)
    found = keyword.search(stores, ask("wine"), 3)
    assert [(hit.chunk.id, hit.score) for hit in found] == [(hit.chunk.id, hit.score) for hit in every[:3]]
    assert [one["options"] for one in asked] == [{"limit": 62}]


def test_a_text_without_words_finds_nothing(make_corpus: MakeCorpus, corpus_name: str, ask: Ask) -> None:
    stores = make_corpus(corpus_name)
    assert keyword.search(stores, ask('?! "" ()'), 5) == []
    assert keyword.search(stores, ask("the of and"), 5) == []


def test_a_question_of_many_thousand_words_is_answered(make_corpus: MakeCorpus, corpus_name: str, ask: Ask) -> None:
    stores = make_corpus(corpus_name)
    assert titles(keyword.search(stores, ask("wine " + " ".join(f"w{n}" for n in range(5_000))), 5)) == ["Porto"]
    assert titles(keyword.search(stores, ask("wine " + "北京大学" * 1_000), 5)) == ["Porto"]
    assert titles(keyword.search(stores, ask("wine " + "1.a" * 1_000), 5)) == ["Porto"]


def test_other_corpora_with_the_same_documents_never_show_nor_push_hits_out(
    make_corpus: MakeCorpus, corpus_name: str, ask: Ask
) -> None:
    mine = make_corpus(corpus_name, {"One": "a single river"})
    make_corpus(f"{corpus_name}-more", {f"River {n}": "river river river" for n in range(30)})
    assert titles(keyword.search(mine, ask("river"), 1)) == ["One"]
    hits = keyword.search(mine, ask("river"), 100)
    assert titles(hits) == ["One"]


def test_two_corpora_with_the_same_documents_give_the_same_scores(
    make_corpus: MakeCorpus, corpus_name: str, ask: Ask
) -> None:
    first, second = make_corpus(corpus_name), make_corpus(f"{corpus_name}-twin")
    question = ask("capital on the Tagus")
    assert keyword.search(first, question, 4) == keyword.search(second, question, 4)


def test_no_text_is_an_error_or_reaches_another_corpus(make_corpus: MakeCorpus, corpus_name: str, ask: Ask) -> None:
    mine = make_corpus(corpus_name)
    other = make_corpus(f"{corpus_name}-other", {"Secret": "ab river capital and or not to corpus text"})

    @settings(max_examples=150)
    @given(text=st.one_of(SYNTAX, WORDS, st.text(max_size=60)))
    def check(text: str) -> None:
        assert {hit.chunk.title for hit in keyword.search(mine, ask(text), 50)} <= {
            "Lisbon",
            "Porto",
            "Tagus",
            "Madrid",
        }
        assert {hit.chunk.title for hit in keyword.search(other, ask(text), 50)} <= {"Secret"}

    check()
