"""Another embedder for a corpus that is searched: no search fails, and none mixes the two."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import neo4j
import pytest

import small_world
from tetragraph import Document, Gold, GoldQuestion, Settings, Tetragraph, errors
from tetragraph.doctor.run_checks import abandoned_collections
from tetragraph.progress import NoProgress
from tetragraph.stores.graph import Graph

QUESTIONS = ("Who founded the Reyer Academy?", "Who is the mayor of Old Port?", "What did Ida Brandt write?")
METHODS = ("dense", "evidence")
Serve = Callable[[Callable[[str, str, Any], tuple[int, Any]]], str]
Answers = dict[tuple[str, str], list[tuple[str, float]]]


@pytest.fixture(params=["engine", pytest.param("server", marks=pytest.mark.slow)])
def client(request: pytest.FixtureRequest, server_settings: Settings, graph: Graph) -> Iterator[Tetragraph]:
    """A client with the engine in the process, and one with a Qdrant server."""
    settings = server_settings
    if request.param == "server":
        server: Settings = request.getfixturevalue("qdrant_settings")
        values = {"qdrant_url": server.qdrant_url, "qdrant_api_key": server.qdrant_api_key}
        settings = server_settings.model_copy(update=values)
    with Tetragraph.connect(settings) as client:
        yield client


@pytest.fixture
def corpus_of(client: Tetragraph) -> Iterator[str]:
    name = f"reembedded-{uuid.uuid4().hex[:10]}"
    client.corpus(name).ingest(small_world.documents(), build=("gain",), embedder="bge-small")
    yield name
    client.corpus(name).drop()
    assert not [found for found, _ in client.connection.vectors.collections() if found.startswith(name)]


def ask(client: Tetragraph, corpus: str, question: str, method: str) -> tuple[str, list[tuple[str, float]]]:
    """Embedder of a search and its hits."""
    found = client.corpus(corpus).search(question, method=method, k=5)
    return str(found.manifest["embedder"]), [(hit.chunk.id, round(hit.score, 5)) for hit in found.hits]


def ask_all(client: Tetragraph, corpus: str) -> Answers:
    return {(one, method): ask(client, corpus, one, method)[1] for one in QUESTIONS for method in METHODS}


class _Killed(BaseException):
    """Stands for the end of the process."""


class _KilledAt(NoProgress):
    """Progress that ends the process when a stage starts."""

    def __init__(self, stage: str) -> None:
        self._stage = stage

    def finish(self, stage: str) -> None:
        if stage == self._stage:
            raise _Killed


def test_searches_during_the_change_are_of_one_embedder_and_none_fails(client: Tetragraph, corpus_of: str) -> None:
    corpus = client.corpus(corpus_of)
    before = {"bge-small": ask_all(client, corpus_of)}
    done, seen = threading.Event(), list[tuple[str, str, str, list[tuple[str, float]]]]()

    def search(number: int) -> None:
        while not done.is_set():
            question, method = QUESTIONS[number % len(QUESTIONS)], METHODS[number % len(METHODS)]
            seen.append((question, method, *ask(client, corpus_of, question, method)))
            number += 1

    with ThreadPoolExecutor(4) as pool:
        searching = [pool.submit(search, number) for number in range(4)]
        try:
            report = corpus.reembed("minilm", keep_s=3.0)
        finally:
            done.set()
        for one in searching:
            one.result()
    answers = before | {"minilm": ask_all(client, corpus_of)}
    assert answers["bge-small"] != answers["minilm"]
    assert {embedder for *_, embedder, _ in seen} == {"bge-small", "minilm"}
    assert [one for one in seen if answers[one[2]][one[0], one[1]] != one[3]] == []
    assert (report.before, report.embedder, report.embedded) == ("bge-small", "minilm", len(small_world.WORLD))
    assert client.doctor(corpus=corpus_of).faults == ()
    assert {name for name, _ in client.connection.vectors.collections() if name.startswith(corpus_of)} == {
        f"{corpus_of}~2"
    }


def test_it_ends_as_a_corpus_that_was_ingested_with_the_embedder(client: Tetragraph, corpus_of: str) -> None:
    corpus, other = client.corpus(corpus_of), client.corpus(f"{corpus_of}-b")
    with pytest.raises(_Killed):
        corpus.reembed("minilm", progress=_KilledAt("embedding"))
    assert corpus.search(QUESTIONS[0], method="dense").manifest["embedder"] == "bge-small"
    corpus.ingest([Document("new", "New", "The Reyer Academy has a new director, Ida Brandt.")])
    corpus.delete("halvik")
    report = corpus.reembed("minilm", keep_s=0.0)
    assert report.embedded == 1
    documents = [one for one in small_world.documents() if one.id != "halvik"]
    new = Document("new", "New", "The Reyer Academy has a new director, Ida Brandt.")
    other.ingest([*documents, new], build=("gain",), embedder="minilm")
    try:
        assert ask_all(client, corpus_of) == ask_all(client, other.name)
        corpus.ingest([Document("newer", "Newer", "Halvik has a second harbour.")])
        assert client.doctor(corpus=corpus_of).faults == ()
    finally:
        other.drop()
    with pytest.raises(errors.InvalidInput, match="which it has"):
        corpus.reembed("minilm")


def test_a_search_reads_the_embedder_where_it_reads_which_vectors_are_used(
    client: Tetragraph, corpus_of: str, driver: neo4j.Driver
) -> None:
    client.corpus(corpus_of).reembed("minilm", keep_s=0.0)
    # two nodes that one statement reads can be of before and after a commit
    driver.execute_query("MATCH (c:Corpus {corpus: $name, id: $name}) SET c.embedder = 'bge-small'", name=corpus_of)
    record = client.connection.stores(corpus_of).record
    assert (record.embedder, record.vector_set) == ("minilm", 2)


def test_an_interrupted_switch_is_undone_by_the_next_change(
    client: Tetragraph, corpus_of: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = client.corpus(corpus_of)
    before = corpus.fingerprint()

    def end(*_: object) -> None:
        raise _Killed

    with monkeypatch.context() as patch:  # the graphs are those of the new vectors, and nothing is published
        patch.setattr("tetragraph.indexing.publishing.Inventory.read", end)
        with pytest.raises(_Killed):
            corpus.reembed("minilm", keep_s=0.0)
    assert corpus.search(QUESTIONS[0], method="dense").manifest["embedder"] == "bge-small"
    corpus.ingest(small_world.documents())
    assert corpus.cancel_reembed()
    assert corpus.fingerprint() == before
    assert client.doctor(corpus=corpus_of).faults == ()


class _Other(NoProgress):
    """Progress that calls a function once, when the embedding starts or has finished."""

    def __init__(self, moment: str, call: Callable[[], object]) -> None:
        self._moment, self._call = moment, call

    def start(self, stage: str, total: int | None, unit: str) -> None:
        self._reach("start", stage)

    def finish(self, stage: str) -> None:
        self._reach("finish", stage)

    def _reach(self, moment: str, stage: str) -> None:
        if (moment, stage) == (self._moment, "embedding"):
            self._moment = ""
            self._call()


def embed_letters(method: str, path: str, body: Any) -> tuple[int, Any]:
    """Vectors of four numbers from the letters of texts."""
    vectors = [[1.0 + text.lower().count(letter) for letter in "aeio"] for text in body["input"]]
    data = [{"object": "embedding", "index": place, "embedding": vector} for place, vector in enumerate(vectors)]
    return 200, {"object": "list", "data": data, "model": "letters", "usage": {"prompt_tokens": 1, "total_tokens": 1}}


@pytest.mark.parametrize("moment", ["start", "finish"])
def test_of_two_changes_at_once_one_is_refused_and_no_vectors_are_mixed(
    server_settings: Settings, corpus_name: str, serve: Serve, moment: str
) -> None:
    settings = server_settings.model_copy(update={"openai_base_url": f"{serve(embed_letters)}/v1"})
    with Tetragraph.connect(settings) as client:
        corpus = client.corpus(corpus_name)
        corpus.ingest(small_world.documents(), build=(), embedder="bge-small")

        def change_otherwise() -> None:
            if moment == "finish":
                corpus.reembed("openai:letters", keep_s=0.0)
                return
            with pytest.raises(_Killed):
                corpus.reembed("openai:letters", progress=_KilledAt("embedding"))

        with pytest.raises(errors.CorpusBusy, match="one call at a time"):
            corpus.reembed("minilm", progress=_Other(moment, change_otherwise), keep_s=0.0)
        if moment == "start":
            assert corpus.reembed("openai:letters", keep_s=0.0).embedded == 0
        assert client.connection.stores(corpus_name).record.embedder == "openai:letters"
        assert client.doctor(corpus=corpus_name).faults == ()
        sets = {name for name, _ in client.connection.vectors.collections() if name.startswith(corpus_name)}
        assert sets == {f"{corpus_name}~3"}


def test_the_doctor_leaves_vectors_alone_that_searches_may_still_use(
    client: Tetragraph, corpus_of: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look() -> set[str]:
        found = {name for name, _ in abandoned_collections(client.connection)}
        return {name for name in found if name.startswith(corpus_of)}

    def end(*_: object) -> None:
        raise _Killed

    monkeypatch.setattr("tetragraph.indexing.reembed._drop_others", end)
    with pytest.raises(_Killed):
        client.corpus(corpus_of).reembed("minilm", keep_s=0.0)
    assert look() == set()
    monkeypatch.setattr("tetragraph.indexing.reembed._DROP_S", 0.0)
    with pytest.raises(_Killed):
        client.corpus(corpus_of).reembed("bge-small", keep_s=0.0)
    assert look() == {corpus_of, f"{corpus_of}~2"}


def gold() -> list[GoldQuestion]:
    """A question for each document, which names it."""
    return [GoldQuestion(one.id, f"What is told of {one.title}?", (Gold(one.id),)) for one in small_world.documents()]


def test_both_embedders_are_measured_on_questions_before_the_switch(client: Tetragraph, corpus_of: str) -> None:
    corpus = client.corpus(corpus_of)
    first = [one for one in gold() if one.id != "halvik"]
    expected = corpus.evaluate(first, ("dense", "evidence"), ks=(5, 10)).scores
    report = corpus.reembed("minilm", questions=first, only_if="better", keep_s=0.0)
    assert [(one.method, one.metric) for one in report.scores] == [
        (method, f"{metric}@{k}") for method in METHODS for k in (5, 10) for metric in ("recall", "ndcg")
    ]
    assert (report.is_switched, report.embedder, report.before) == (False, "minilm", "bge-small")
    assert {one.verdict for one in report.scores} <= {"undecided", "worse"}
    assert [one.before for one in report.scores] == [expected[one.method].metrics[one.metric] for one in report.scores]
    assert corpus.search(QUESTIONS[0]).manifest["embedder"] == "bge-small"
    again = corpus.reembed("minilm", questions=first, keep_s=0.0)
    assert (again.embedded, again.is_switched, again.scores) == (0, True, report.scores)
    switched = corpus.evaluate(first, ("dense", "evidence"), ks=(5, 10)).scores
    assert [one.after for one in again.scores] == [switched[one.method].metrics[one.metric] for one in again.scores]
    assert client.doctor(corpus=corpus_of).faults == ()


def test_a_comparison_that_cannot_be_made_is_refused_before_anything_is_embedded(
    client: Tetragraph, corpus_of: str
) -> None:
    corpus, one = client.corpus(corpus_of), gold()[:1]
    unknown = [GoldQuestion("a", "Who?", (Gold("none"),))]
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"only_if": "better"}, "only_if needs questions"),
        ({"questions": one, "only_if": "nicer"}, "only_if must be not-worse or better"),
        ({"questions": one, "methods": ["gain"]}, "methods that need no graph"),
        ({"questions": one, "methods": ["dense", "fused"]}, "methods that need no graph .*, got 'fused'"),
        ({"questions": one, "methods": []}, "with one method at least"),
        ({"questions": [GoldQuestion("a", "Who?")]}, "questions with gold"),
    ]
    for options, reason in wrong:
        with pytest.raises(errors.InvalidInput, match=reason):
            corpus.reembed("minilm", **options)
    with pytest.raises(errors.UnknownDocument):
        corpus.reembed("minilm", questions=unknown)
    assert not corpus.cancel_reembed()
