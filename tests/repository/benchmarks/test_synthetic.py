"""A synthetic corpus is the same in every run, and mentions entities like the real one."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence

import numpy as np
import pytest
from benchmarks.carried_vectors import CarriedSentences, Original
from benchmarks.growth import statistics
from benchmarks.synthetic import Passage, Renaming, generate, rotate, shared_words

from tetragraph import samples
from tetragraph.language.embedders.minilm import minilm
from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.language.lexicon.dictionary import build_dictionary
from tetragraph.model import Chunk, content_id

COPIES = 4


@pytest.fixture(scope="module")
def originals() -> list[Passage]:
    with gzip.open(samples.passages(), "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Passage(row["id"], row["title"], row["text"], place) for place, row in enumerate(rows)]


@pytest.fixture(scope="module")
def made(originals: list[Passage]) -> list[Passage]:
    return list(generate(originals, {originals[7].id, originals[3].id}, COPIES * len(originals)))


def entity_statistics(passages: Sequence[Passage]) -> dict[str, float]:
    chunks = [
        Chunk(content_id(one.id), one.id, one.title, one.title, one.text, 0, 0, len(one.text), 0) for one in passages
    ]
    chunks.sort(key=lambda chunk: chunk.id)
    df = build_dictionary(chunks, analyse_chunks(chunks)).df
    return statistics([(int(value), int((df == value).sum())) for value in np.unique(df)], len(chunks))


def test_the_same_seed_gives_the_same_corpus_and_another_seed_another(originals: list[Passage]) -> None:
    few = originals[:60]
    made = list(generate(few, (), 150, seed=3))
    assert made == list(generate(few, (), 150, seed=3))
    assert made != list(generate(few, (), 150, seed=4))


def test_a_smaller_corpus_is_the_beginning_of_a_larger_one(originals: list[Passage], made: list[Passage]) -> None:
    asked = {originals[7].id, originals[3].id}
    assert list(generate(originals, asked, 500)) == made[:500]
    assert {passage.id for passage in made[:2]} == asked


def test_ids_are_unique_and_copies_share_no_title(made: list[Passage]) -> None:
    assert len({passage.id for passage in made}) == len(made)
    titles: dict[int, set[str]] = {}
    for passage in made:
        titles.setdefault(passage.copy, set()).add(passage.title)
    assert len(titles) > COPIES
    assert sum(map(len, titles.values())) == len(set().union(*titles.values()))


def test_entities_are_mentioned_as_often_as_in_the_originals(originals: list[Passage], made: list[Passage]) -> None:
    """Within a tenth where all count, a third in the middle of the distribution, a factor of 2.5 in its tail."""
    real, synthetic = entity_statistics(originals), entity_statistics(made)
    assert synthetic["mentions a passage"] == pytest.approx(real["mentions a passage"], rel=0.10)
    assert synthetic["entities a passage"] == pytest.approx(real["entities a passage"], rel=0.10)
    assert synthetic["most mentioned, % of passages"] == pytest.approx(real["most mentioned, % of passages"], rel=0.10)
    for bound, tolerance in ((2, 0.15), (5, 0.33), (10, 0.33), (20, 0.33), (50, 1.5)):
        key = f"mentioned by {bound} or more, %"
        assert synthetic[key] == pytest.approx(real[key], rel=tolerance), key


def test_a_name_is_renamed_alike_everywhere_in_a_copy_and_a_shared_one_nowhere() -> None:
    rename = Renaming(frozenset({"france", "the", "was"}), copy=1)
    text = rename("The painter Elva Kron lived in France. Kron's sister Érika Kron was O'Kron.")
    assert re.fullmatch(r"The painter (\w+) (\w{4}) lived in France. \2's sister (É\w+) \2 was \w'(\w+).", text)
    assert "Kron" not in text
    assert text == Renaming(frozenset({"france", "the", "was"}), copy=1)(
        "The painter Elva Kron lived in France. Kron's sister Érika Kron was O'Kron."
    )


def test_different_names_stay_different() -> None:
    rename = Renaming(frozenset(), copy=2)
    names = ["Anna", "Enno", "Inne", "Otto", "Utta", "Bella", "Della"]
    assert len({rename(name) for name in names}) == len(names)


def test_what_many_passages_name_and_what_is_written_small_is_shared() -> None:
    texts = ["The river Zor is in France."] * 300 + ["A river of Kron."]
    shared = shared_words([Passage(f"{row:03d}", "", text, row) for row, text in enumerate(texts)])
    assert {"france", "zor", "river"} <= shared
    assert "kron" not in shared


def test_vectors_of_a_copy_keep_their_neighbours_and_leave_the_original() -> None:
    draw = np.random.default_rng(0)
    vectors = draw.normal(size=(50, 384)).astype(np.float32) + 2 * draw.normal(size=384).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    copy = rotate(vectors, 1)
    assert rotate(vectors, 0) is vectors
    np.testing.assert_array_equal(copy, rotate(vectors, 1))
    np.testing.assert_allclose(np.linalg.norm(copy, axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(copy @ copy.T, vectors @ vectors.T, atol=0.2)
    assert np.einsum("ij,ij->i", copy, vectors).mean() == pytest.approx(1 / np.hypot(1, 1.5), abs=0.1)


def test_carried_vectors_are_found_by_the_text_that_is_embedded() -> None:
    passages = [
        Passage("a", "One", "First. Text.", 0),
        Passage("b", "", "Second.", 1),
        Passage("c", "X", "Y. Z.", 0, 1),
    ]
    vectors = np.eye(4, 384, dtype=np.float32)
    originals = [Original(vectors[0], vectors[2:3]), Original(vectors[1], vectors[3:])]
    carried = CarriedSentences(minilm(), originals, passages)
    done: list[int] = []
    found = carried.embed(["Second.", "One. First. Text.", "X. Y. Z."], done.append)
    np.testing.assert_array_equal(found[:2], vectors[[1, 0]])
    np.testing.assert_allclose(found[2], rotate(vectors, 1)[0], atol=1e-6)
    assert done == [3]
    assert carried.count_tokens(["two words"]) == [2]


def test_sentences_carry_vectors_in_their_order_and_one_too_many_has_its_passages() -> None:
    vectors = np.eye(3, 384, dtype=np.float32)
    carried = CarriedSentences(minilm(), [Original(vectors[0], vectors[1:])], [Passage("a", "T", "A. B. C.", 0)])
    passages, sentences = carried.embed_with_spans(["T. A. B. C."], [[(3, 5), (6, 8), (9, 11)]])
    np.testing.assert_array_equal(passages, vectors[:1])
    np.testing.assert_array_equal(sentences[0], vectors[[1, 2, 0]])
