"""Rules for every registered retriever where documents state when they are valid and what they supersede."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import small_world
from running_service import asked_from
from tetragraph import Corpus, Document, Tetragraph, errors
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS, find_retriever

QUESTION = "Who was the second director of the Reyer Academy?"
OLD, NEW = "reyer-academy", "reyer-academy-2024"
TEXT = "The Reyer Academy is an art school in Old Port. Its first director was Tomas Reyer, its second Jens Arild."

pytestmark = pytest.mark.parametrize("method", RETRIEVERS)


def dated_world() -> list[Document]:
    """The world, in which a newer text on the academy holds since 2024, and a third of 2026 is out of date again."""
    documents = small_world.documents()
    new = Document(NEW, "Reyer Academy", TEXT, "world", {"valid_from": "2024-01-01", "supersedes": OLD})
    ended = Document("notice", "Notice", "The Reyer Academy was closed.", "world", {"valid_to": "2026-01-31"})
    return [new, *documents, ended]


@pytest.fixture(scope="module")
def dated(opened: Tetragraph) -> Iterator[Corpus]:
    corpus = opened.corpus(f"conformance-{uuid.uuid4().hex[:12]}")
    report = corpus.ingest(dated_world(), build=tuple(BUILD_TARGETS))
    assert report.skipped == ()
    yield corpus
    corpus.drop()


@pytest.fixture(scope="module", params=("local", "remote"))
def asked(request: pytest.FixtureRequest, opened: Tetragraph, dated: Corpus) -> Iterator[Corpus]:
    with asked_from(request.param, opened, dated) as corpus:
        yield corpus


def engines(method: str) -> list[dict[str, Any]]:
    """The options that choose each engine of a method."""
    options = find_retriever(method).search_options
    return [{"engine": "memory"}, {"engine": "stores"}] if "engine" in options.__dataclass_fields__ else [{}]


def places(corpus: Corpus, method: str, k: int = 50, **options: Any) -> dict[str, int]:
    """Rank of the best hit of each document."""
    found: dict[str, int] = {}
    for hit in corpus.search(QUESTION, k=k, method=method, **options):
        found.setdefault(hit.chunk.document_id, hit.rank)
    return found


def test_a_superseded_passage_never_outranks_its_successor(asked: Corpus, method: str) -> None:
    for engine in engines(method):
        for k in (50, 3, 1):
            found = places(asked, method, k, **engine)
            if k == 50:
                is_found = NEW in found
            if OLD in found and is_found:
                assert found[NEW] < found[OLD]
        everything = asked.search(QUESTION, k=50, method=method, **engine)
        assert everything.hits
        for hit in everything:
            assert hit.superseded_by == ((NEW,) if hit.chunk.document_id == OLD else ())
            assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-9)
        for hit in everything:
            parts = (
                {part.name: part for part in asked.explain(everything, hit).parts} if "superseded" in hit.parts else {}
            )
            assert all(part.meaning for part in parts.values())
            assert set(parts) >= {"superseded"} & set(hit.parts)
        scores = [hit.score for hit in everything]
        assert scores == sorted(scores, reverse=True)
        if {OLD, NEW} <= {hit.chunk.document_id for hit in everything}:
            assert any("which supersedes it, are both in the result" in note for note in everything.notes)


def test_what_supersedes_a_document_later_changes_nothing_on_an_earlier_day(asked: Corpus, method: str) -> None:
    for engine in engines(method):
        for k in (1, 3):
            then = asked.search(QUESTION, k=k, method=method, as_of="2023-12-31", **engine)
            plain = asked.search(QUESTION, k=k, method=method, as_of="2023-12-31", superseded="keep", **engine)
            assert [hit.chunk.id for hit in then] == [hit.chunk.id for hit in plain]
            assert {hit.superseded_by for hit in then} <= {()}
            assert not [note for note in then.notes if "superseded by" in note]


def test_a_search_of_a_day_finds_what_was_valid_then(asked: Corpus, method: str) -> None:
    for engine in engines(method):
        before = places(asked, method, as_of="2023-12-31", **engine)
        assert OLD in before
        assert NEW not in before
        after = places(asked, method, as_of="2024-01-01", **engine)
        assert NEW in after
        assert OLD not in after
        assert "notice" in before
        assert "notice" not in places(asked, method, as_of="2026-02-01", **engine)


def test_a_search_of_a_day_is_that_of_a_corpus_of_that_day(dated: Corpus, searched: Corpus, method: str) -> None:
    """With the later texts left out, a method that scores each passage by itself finds what it finds without them."""
    if method != "dense":
        pytest.skip("other methods score a passage by its neighbours, too")
    old = dated.search(QUESTION, k=5, method=method, as_of="2023-12-31", filters={"kind": "page"})
    alone = searched.search(QUESTION, k=5, method=method)
    assert [hit.chunk.id for hit in old] == [hit.chunk.id for hit in alone]
    assert [hit.score for hit in old] == pytest.approx([hit.score for hit in alone], abs=1e-6)


def test_a_superseded_passage_is_hidden_or_kept_on_request(asked: Corpus, method: str) -> None:
    assert OLD not in places(asked, method, superseded="hide")
    kept = asked.search(QUESTION, k=50, method=method, superseded="keep")
    assert all("superseded" not in hit.parts for hit in kept)
    assert kept.manifest["options"]["superseded"] == "keep"
    assert {hit.chunk.document_id for hit in kept if hit.superseded_by} == {OLD}


def test_an_answer_is_not_taken_from_what_is_superseded(asked: Corpus, method: str) -> None:
    answer = asked.ask(QUESTION, method=method, generate=False, min_confidence=0)
    cited = {citation.document for citation in answer.citations}
    if NEW in {hit.chunk.document_id for hit in answer.evidence}:
        assert OLD not in cited
    old = asked.ask(QUESTION, method=method, generate=False, min_confidence=0, as_of="2023-12-31")
    assert NEW not in {hit.chunk.document_id for hit in old.evidence}


def test_a_day_is_checked_and_its_form_is_free(asked: Corpus, method: str) -> None:
    for wrong in ("2024-13-01", "soon", 2024):
        with pytest.raises(errors.InvalidInput, match="as_of must be a day"):
            asked.search(QUESTION, method=method, as_of=wrong)
    with pytest.raises(errors.InvalidInput, match="superseded must be one of below, hide, keep"):
        asked.search(QUESTION, method=method, superseded="gone")
    with pytest.raises(errors.UnknownFilter, match="@hidden"):
        asked.search(QUESTION, method=method, filters={"@hidden": []})
    text = asked.search(QUESTION, method=method, as_of="2024-01-01")
    assert asked.search(QUESTION, method=method, as_of=dt.date(2024, 1, 1)) == replace(text, usage=text.usage)


def test_a_corpus_without_validity_is_searched_as_before(searched: Corpus, method: str) -> None:
    plain = searched.search(QUESTION, k=5, method=method)
    given: list[dict[str, Any]] = [{"as_of": "2024-01-01"}, {"superseded": "hide"}]
    for options in given:
        found = searched.search(QUESTION, k=5, method=method, **options)
        assert found.hits == plain.hits
        assert any("no document states valid_from, valid_to or supersedes" in note for note in found.notes)
    assert "as_of" not in plain.manifest["options"]
    assert "superseded" not in plain.manifest["options"]
    assert all("superseded_by" not in hit.to_dict() for hit in plain)
