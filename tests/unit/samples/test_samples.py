"""The sample of the package is complete: its passages answer its questions."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from tetragraph.indexing.sources import read_documents
from tetragraph.model import Document
from tetragraph.samples import passage_ids, passages, questions


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    found = list(read_documents(passages()))
    return {document.id: document for document in found if isinstance(document, Document)}


def test_all_passages_can_be_read(documents: dict[str, Document]) -> None:
    assert len(documents) == 1890
    assert passage_ids() == documents.keys()


def test_the_id_of_a_passage_is_a_hash_of_its_content(documents: dict[str, Document]) -> None:
    for document in documents.values():
        assert document.id == hashlib.sha256(f"{document.title}\n{document.text}".encode()).hexdigest()[:16]


def test_there_are_four_questions_of_each_number_of_hops_in_order() -> None:
    assert Counter(question.hops for question in questions()) == {2: 4, 3: 4, 4: 4}
    assert questions() == sorted(questions(), key=lambda question: (question.hops, question.id))


def test_each_question_has_an_answer_and_one_gold_passage_a_hop(documents: dict[str, Document]) -> None:
    for question in questions():
        assert question.question.endswith("?")
        assert question.answers
        assert len(set(question.supporting)) == question.hops
        assert documents.keys() >= set(question.supporting)
