"""The default method on real stores: chains of sub-questions, scopes, and the walk on the server."""

import pytest

from command_line import Cli
from tetragraph import Corpus, Document, Tetragraph

QUESTION = "Which academy was founded by the teacher of Elva Kron?"


@pytest.fixture
def corpus(client: Tetragraph, corpus_name: str, world: list[Document]) -> Corpus:
    made = client.corpus(corpus_name)
    made.ingest(world, build=())
    return made


@pytest.mark.parametrize("chain", ["match", "embed", "read"])
def test_the_result_tells_how_the_question_was_taken_apart(corpus: Corpus, chain: str) -> None:
    evidence = corpus.search(QUESTION, k=12, chain=chain)
    assert evidence.notes == ()
    assert [step.refers for step in evidence.chain] == [(), (1,)]
    first, second = evidence.chain
    assert first.bridges
    assert not second.bridges
    ids = {hit.chunk.id for hit in evidence}
    for step in evidence.chain:
        assert {chunk for chunk, _ in step.passages} <= ids
        assert all(0 < weight <= 1.000001 for _, weight in step.passages)


def test_each_scope_finds_the_same(corpus: Corpus) -> None:
    whole, local = (corpus.search(QUESTION, k=5, scope=scope) for scope in ("whole", "local"))
    assert [hit.chunk.id for hit in local] == [hit.chunk.id for hit in whole]
    assert [hit.score for hit in local] == pytest.approx([hit.score for hit in whole], abs=1e-5)
    assert local.manifest["options"]["scope"] == "local"


def test_a_corpus_without_vectors_of_sentences_says_so(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world, build=(), sentences="none")
    assert "stores no vectors of sentences" in corpus.search(QUESTION, k=3).notes[0]
    assert corpus.search(QUESTION, k=3, sentences=False).notes == ()


def test_the_command_line_shows_the_chain(corpus: Corpus, cli: Cli) -> None:
    shown = cli("search", QUESTION, "--corpus", corpus.name)
    assert shown.returncode == 0, shown.stderr
    assert "#1 the teacher of Elva Kron [" in shown.stdout
    assert "#2 Which academy was founded by #1?" in shown.stdout
