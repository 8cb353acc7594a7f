"""The client from documents to evidence, on real stores."""

from __future__ import annotations

import asyncio
import threading
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tetragraph import AsyncTetragraph, Corpus, Document, Settings, Tetragraph, errors

Fingerprint = Callable[[Tetragraph, str], dict[str, list[Any]]]
METHODS = ("evidence", "gain", "tree", "bipartite", "anchor", "dense", "keyword", "fused")
GRAPHS = ("bipartite", "gain", "tree")
QUESTION = "Who founded the school where the second director was Mina Holt?"


@pytest.fixture(scope="module")
def searched(anchored_settings: Settings, world: list[Document]) -> Iterator[Corpus]:
    """The world with all graphs, for tests that only search in it."""
    with Tetragraph.connect(anchored_settings) as client:
        corpus = client.corpus(f"searched-{uuid.uuid4().hex[:12]}")
        corpus.ingest(world, build=GRAPHS)
        yield corpus
        corpus.drop()


def test_a_multi_hop_question_reaches_the_passage_that_its_words_do_not_name(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world)
    evidence = corpus.search("Which poet was the mayor of the seat of the county where Mina Holt died?", k=6)
    assert "jens-arild" in [hit.chunk.document_id for hit in evidence]
    assert evidence.notes == ()


@pytest.mark.parametrize("method", METHODS)
def test_every_method_explains_its_scores_and_repeats_itself(searched: Corpus, method: str) -> None:
    first, second = (searched.search(QUESTION, k=5, method=method) for _ in range(2))
    assert first == second
    assert [hit.rank for hit in first] == [1, 2, 3, 4, 5]
    scores = [hit.score for hit in first]
    assert scores == sorted(scores, reverse=True)
    for hit in first:
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_more_hits_than_there_are_chunks_gives_each_chunk_once(
    searched: Corpus, world: list[Document], method: str
) -> None:
    ids = [hit.chunk.id for hit in searched.search(QUESTION, k=1000, method=method)]
    assert len(ids) == len(set(ids))
    if method != "keyword":
        assert len(ids) == len(world)


@pytest.mark.parametrize("method", METHODS)
def test_a_filter_keeps_other_documents_out(searched: Corpus, method: str) -> None:
    evidence = searched.search(QUESTION, k=12, method=method, filters={"year": {"gte": 1902, "lt": 1906}})
    assert {hit.chunk.metadata["year"] for hit in evidence} <= {1902, 1903, 1904, 1905}
    assert len(evidence) > 0


def test_two_corpora_with_the_same_documents_do_not_meet(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    ours, theirs = client.corpus(corpus_name), client.corpus(f"{corpus_name}.b")
    ours.ingest(world, build=GRAPHS)
    before = {method: ours.search(QUESTION, k=12, method=method) for method in METHODS}
    theirs.ingest([replace(one, text=f"{one.text} Secret.") for one in world], build=GRAPHS)
    try:
        for method in METHODS:
            after = ours.search(QUESTION, k=12, method=method)
            assert [hit.chunk for hit in after] == [hit.chunk for hit in before[method]]
            assert all("Secret" not in hit.chunk.text for hit in after)
            assert all("Secret" in hit.chunk.text for hit in theirs.search(QUESTION, k=12, method=method))
    finally:
        theirs.drop()


def test_the_same_again_writes_nothing(
    client: Tetragraph, corpus_name: str, world: list[Document], fingerprint: Fingerprint
) -> None:
    corpus = client.corpus(corpus_name)
    first = corpus.ingest(world, build=GRAPHS)
    before = fingerprint(client, corpus_name)
    again = corpus.ingest(world, build=GRAPHS)
    assert first.written
    assert not again.written
    assert (again.unchanged, again.added, again.generation) == (len(world), (), first.generation)
    assert fingerprint(client, corpus_name) == before


def test_documents_added_later_make_the_graph_that_all_at_once_make(
    client: Tetragraph, corpus_name: str, world: list[Document], fingerprint: Fingerprint
) -> None:
    parts, whole = client.corpus(corpus_name), client.corpus(f"{corpus_name}.b")
    whole.ingest(world)
    for some in (world[:5], world[5:9], world[9:]):
        parts.ingest(some)
    try:
        a, b = fingerprint(client, parts.name), fingerprint(client, whole.name)
        assert a["nodes"] == b["nodes"]
        assert [row for row in a["links"] if "INFO_GAIN" not in row] == [
            row for row in b["links"] if "INFO_GAIN" not in row
        ]
        assert parts.counts() == whole.counts()
    finally:
        whole.drop()


def test_a_changed_document_is_replaced_in_both_stores(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world, build=GRAPHS)
    report = corpus.ingest([replace(world[0], text="Elva Kron was a Nordish astronomer who found a comet.")])
    assert report.changed == ("elva-kron",)
    for method in METHODS:
        texts = [hit.chunk.text for hit in corpus.search("Elva Kron", k=12, method=method)]
        assert any("astronomer" in text for text in texts)
        assert not any("painter. She" in text for text in texts)


def test_a_deleted_document_leaves_no_trace(
    client: Tetragraph, corpus_name: str, world: list[Document], fingerprint: Fingerprint
) -> None:
    corpus, rest = client.corpus(corpus_name), client.corpus(f"{corpus_name}.b")
    corpus.ingest(world)
    corpus.delete("low-tide", "halvik")
    rest.ingest([one for one in world if one.id not in {"low-tide", "halvik"}])
    try:
        ours, fresh = fingerprint(client, corpus.name), fingerprint(client, rest.name)
        assert ours["nodes"] == fresh["nodes"]
        assert ours["vectors"] == fresh["vectors"]
        assert corpus.counts() == rest.counts()
    finally:
        rest.drop()


def test_a_dropped_corpus_is_gone_and_can_be_made_anew(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world, build=GRAPHS)
    corpus.search(QUESTION)
    corpus.drop()
    assert corpus_name not in [one.name for one in client.corpora()]
    with pytest.raises(errors.UnknownCorpus):
        corpus.search(QUESTION)
    corpus.ingest(world[:3], build=GRAPHS)
    for method in ("evidence", "tree", "bipartite"):
        assert len(corpus.search(QUESTION, k=10, method=method)) == 3


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"question": "   "}, errors.InvalidInput, "must have words"),
        ({"question": "x" * 10_001}, errors.InvalidInput, "10000 characters"),
        ({"k": 0}, errors.InvalidInput, "k must be an integer from 1 to 1,000,000, got 0"),
        ({"k": -3}, errors.InvalidInput, "got -3"),
        ({"k": 2.5}, errors.InvalidInput, "got 2.5"),
        ({"method": "magic"}, errors.UnknownMethod, "evidence, gain, tree, bipartite, anchor, dense, keyword, fused"),
        ({"filters": {"colour": "red"}}, errors.UnknownFilter, "kind, year"),
        ({"method": "gain", "engine": "abacus"}, errors.InvalidInput, "abacus"),
        ({"method": "gain", "restart": 1.5}, errors.InvalidInput, "1.5"),
        ({"method": "tree", "mode": "fast"}, errors.InvalidInput, "one of tetragraph, paper, got 'fast'"),
        ({"method": "tree", "coarse": "much"}, errors.InvalidInput, "between 0 and 1, got 'much'"),
        ({"method": "bipartite", "ranking": "fast"}, errors.InvalidInput, "one of similarity, paper, got 'fast'"),
        ({"method": "bipartite", "hops": -1}, errors.InvalidInput, "at least 0, got -1"),
        ({"method": "dense", "restart": 0.5}, errors.InvalidInput, "no option 'restart'"),
        ({"method": "fused", "of": ("dense",)}, errors.InvalidInput, "two or more"),
        ({"method": "anchor", "retriever": "anchor"}, errors.InvalidInput, "another method, got 'anchor'"),
        ({"method": "anchor", "steps": 0}, errors.InvalidInput, "at least 1, got 0"),
        ({"budget": 5}, errors.InvalidInput, r"budget must be a Budget, such as Budget\(tokens=20_000\), got 5"),
    ],
)
def test_bad_input_is_told_with_its_rule_and_value(
    searched: Corpus, arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        searched.search(**{"question": QUESTION, **arguments})


def test_ids_and_budgets_of_the_wrong_kind_are_refused(searched: Corpus) -> None:
    with pytest.raises(
        errors.InvalidInput, match=r"document_ids must be a list of ids of documents, .* got 'low-tide'"
    ):
        searched.files("low-tide")
    for call in (searched.ask, searched.facts, searched.anchor):
        with pytest.raises(errors.InvalidInput, match=r"budget must be a Budget"):
            call(QUESTION, budget=5)  # type: ignore[arg-type]  # on purpose


def test_settings_of_the_wrong_kind_are_refused() -> None:
    with pytest.raises(errors.InvalidInput, match=r"settings must be Settings\(…\), the address .* or None, got dict"):
        Tetragraph.connect({"home": "x"})  # type: ignore[arg-type]  # on purpose


def test_clients_corpora_and_sessions_are_printed_with_their_names(client: Tetragraph, searched: Corpus) -> None:
    run = searched.anchor(QUESTION)
    session = f"Session({run.session.id!r}, corpus={searched.name!r})"
    assert repr(client) == f"Tetragraph({client.connection.settings.neo4j_uri!r})"
    assert (repr(run), repr(run.session)) == (f"AnchorRun({session})", session)
    assert repr(AsyncTetragraph(client)) == f"AsyncTetragraph({client!r})"
    assert repr(AsyncTetragraph(client).corpus(searched.name)) == f"AsyncCorpus(Corpus({searched.name!r}))"
    with Tetragraph.connect("http://127.0.0.1:1/") as remote:
        assert repr(remote) == "Tetragraph('http://127.0.0.1:1')"


def test_an_unknown_corpus_is_told_with_those_there_are(client: Tetragraph, corpus_name: str) -> None:
    with pytest.raises(errors.UnknownCorpus, match=f"no corpus named '{corpus_name}'"):
        client.corpus(corpus_name).search(QUESTION)
    with pytest.raises(errors.UnknownCorpus):
        client.corpus(corpus_name).delete("a")


@pytest.mark.parametrize("name", ["", "Big", "a/b", "../up", "a b", "-a", "x" * 64])
def test_a_corpus_name_that_could_do_harm_is_refused(client: Tetragraph, name: str) -> None:
    with pytest.raises(errors.InvalidInput, match="corpus name"):
        client.corpus(name)


@pytest.mark.parametrize("method", GRAPHS)
def test_a_graph_that_was_not_built_is_told_with_the_command_that_makes_it(
    client: Tetragraph, corpus_name: str, world: list[Document], method: str
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world[:3], build=())
    with pytest.raises(errors.NotBuilt, match=f"tetragraph build {method} -c {corpus_name}"):
        corpus.search(QUESTION, method=method)
    corpus.build(method)
    assert len(corpus.search(QUESTION, method=method)) > 0


def test_an_unknown_document_is_not_deleted_and_nothing_else_either(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world[:3])
    with pytest.raises(errors.UnknownDocument, match="'nobody': this call deleted nothing"):
        corpus.delete("halvik", "nobody")
    assert corpus.counts()["documents"] == 3


def test_other_settings_for_a_corpus_that_exists_are_refused(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world[:2])
    with pytest.raises(errors.EmbedderMismatch, match=r"change it first .`tetragraph reembed"):
        corpus.ingest(world, embedder="minilm")
    with pytest.raises(errors.InvalidInput, match="was made with chunk_tokens 510, got 64"):
        corpus.ingest(world, chunk_tokens=64)
    for tokens in (0, 31, 511):
        with pytest.raises(errors.InvalidInput, match=f"between 32 and the 510 that bge-small reads, got {tokens}"):
            client.corpus(f"{corpus_name}.b").ingest(world, chunk_tokens=tokens)
    with pytest.raises(errors.InvalidInput, match="what to build"):
        corpus.ingest(world, build=["magic"])
    assert corpus.counts()["documents"] == 2


def test_threads_share_a_client(searched: Corpus) -> None:
    expected = {method: searched.search(QUESTION, method=method) for method in METHODS}
    wrong: list[str] = []

    def ask(method: str) -> None:
        wrong.extend(method for _ in range(5) if searched.search(QUESTION, method=method) != expected[method])

    threads = [threading.Thread(target=ask, args=(method,)) for method in METHODS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_question_is_embedded_while_the_state_of_its_corpus_is_read(
    anchored_settings: Settings, searched: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tetragraph.connect(anchored_settings) as client:
        connection, corpus = client.connection, client.corpus(searched.name)
        corpus.search("Where is Halvik?", method="dense")
        model = connection.embedder_of(connection.stores(corpus.name).record)
        find_stores, embed, begun = connection.find_stores, model.embed_question, threading.Event()

        def embed_question(text: str) -> Any:
            begun.set()
            return embed(text)

        def find_late(name: str) -> Any:
            assert begun.wait(60), "the embedding waits for the state"
            return find_stores(name)

        monkeypatch.setattr(model, "embed_question", embed_question)
        monkeypatch.setattr(connection, "find_stores", find_late)
        assert corpus.search("Where is Old Port?", method="dense", k=1)[0].chunk.title == "Old Port"


def test_the_asynchronous_client_gives_the_same(
    server_settings: Settings, corpus_name: str, world: list[Document]
) -> None:
    async def work() -> tuple[int, list[str]]:
        async with await AsyncTetragraph.connect(server_settings) as client:
            corpus = client.corpus(corpus_name)
            await corpus.ingest(world)
            first, second = await asyncio.gather(corpus.search(QUESTION, k=3), corpus.search(QUESTION, k=3))
            assert first == second
            return (await corpus.counts())["documents"], [hit.chunk.document_id for hit in first]

    documents, ids = asyncio.run(work())
    assert documents == len(world)
    assert "reyer-academy" in ids
