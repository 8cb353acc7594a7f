"""Documents that are nearly the same are found, and the passages in them that belong together."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from tetragraph.algorithms import near_copies
from tetragraph.algorithms.near_copies import LEAST, WORDS, Texts, find_near_copies, hash_shingles

PAGE = " ".join(f"wave{place}" for place in range(160))
"""A text of 160 words without names and numbers."""


def texts(*documents: list[str]) -> Texts:
    """Documents given as lists of passages; words with a capital or a digit at their beginning are particular."""
    passages = [passage.split() for document in documents for passage in document]
    words = [word for passage in passages for word in passage]
    return Texts(
        np.array([zlib.crc32(word.lower().encode()) for word in words], dtype=np.uint64),
        np.array([not word[0].islower() for word in words], dtype=bool),
        np.cumsum([0, *map(len, passages)]),
        np.array([number for number, document in enumerate(documents) for _ in document], dtype=np.int64),
    )


def navigation(words: int, seed: int) -> str:
    return " ".join(f"entry{seed}x{place}" for place in range(words))


def test_pages_with_other_navigation_are_copies_of_the_first() -> None:
    pages = [[f"{navigation(12, seed)} {PAGE} {navigation(5, 50 + seed)}"] for seed in range(10)]
    assert find_near_copies(texts(*pages)).tolist() == [-1] + 9 * [0]


def test_a_text_with_a_small_edit_is_a_copy_and_another_text_is_none() -> None:
    other = navigation(160, 1)
    edited = PAGE.replace("wave40 wave41 wave42", "our port")
    assert find_near_copies(texts([other], [PAGE], [edited])).tolist() == [-1, -1, 1]


def test_a_text_that_names_or_counts_something_else_is_no_copy() -> None:
    def report(name: str, number: int) -> list[str]:
        return [PAGE.replace("wave40", f"wave40 of {name} with {number}").replace("wave90", "wave90 at Sund")]

    assert find_near_copies(texts(report("Halvik", 12), report("Halvik", 12))).tolist() == [-1, 0]
    assert find_near_copies(texts(report("Halvik", 12), report("Halvik", 13))).tolist() == [-1, -1]
    assert find_near_copies(texts(report("Halvik", 12), report("Norsund", 12))).tolist() == [-1, -1]


def test_few_of_many_particulars_may_differ() -> None:
    named = " ".join(f"{word} Name{place}" if place % 4 == 0 else word for place, word in enumerate(PAGE.split()))
    changed = named.replace("Name40", "Other40").replace("Name80", "Other80")
    assert find_near_copies(texts([named], [changed])).tolist() == [-1, 0]


def test_a_document_that_quotes_another_is_no_copy() -> None:
    assert find_near_copies(texts([PAGE], [f"{PAGE} {navigation(400, 2)}"])).tolist() == [-1, -1]


@pytest.mark.parametrize("words", [0, 1, WORDS - 1, WORDS, LEAST + WORDS - 2])
def test_short_documents_are_not_compared(words: int) -> None:
    short = " ".join(PAGE.split()[:words])
    assert find_near_copies(texts([short], [short])).tolist() == [-1, -1]


def test_passages_that_are_cut_elsewhere_belong_to_those_with_most_of_their_words() -> None:
    words = [f"word{place}" for place in range(300)]
    cut = [" ".join(words[start:end]) for start, end in ((0, 100), (100, 200), (200, 300))]
    moved = [" ".join([navigation(30, 3), *words[:70]])] + [
        " ".join(words[start:end]) for start, end in ((70, 170), (170, 300))
    ]
    assert find_near_copies(texts(cut, moved)).tolist() == [-1, -1, -1, 0, 1, 2]


def test_a_passage_that_shares_little_with_each_of_the_original_is_none() -> None:
    words = PAGE.split()
    mixed = " ".join([*words[150:], navigation(30, 5)])
    found = find_near_copies(texts([PAGE], [" ".join(words[:150]), mixed]))
    assert found.tolist() == [-1, 0, -1]


def test_documents_are_read_again_where_many_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_copies, "_KEPT", 2)
    pages = texts(*([f"{navigation(12, seed)} {PAGE}"] for seed in range(6)))
    assert find_near_copies(pages).tolist() == [-1, 0, 0, 0, 0, 0]


def test_a_passage_without_its_like_in_the_original_is_none() -> None:
    assert find_near_copies(texts([PAGE], [navigation(20, 4), PAGE])).tolist() == [-1, -1, 0]


def test_groups_do_not_grow_by_chains() -> None:
    words = [f"word{place}" for place in range(300)]
    steps = [" ".join(words[start : start + 150]) for start in (0, 25, 50)]
    assert find_near_copies(texts(*([step] for step in steps))).tolist() == [-1, 0, -1]


def test_many_documents_with_a_common_part_are_paired_with_few_others() -> None:
    documents = [[f"{navigation(300, seed)} {PAGE}"] for seed in range(30)]
    assert set(find_near_copies(texts(*documents)).tolist()) == {-1}


def test_blocks_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = texts(*([f"{navigation(12, seed)} {PAGE}"] for seed in range(6)), [navigation(90, 9)], [PAGE])
    whole = find_near_copies(pages).tolist()
    monkeypatch.setattr(near_copies, "_BLOCK", 200)
    assert find_near_copies(pages).tolist() == whole == [-1, 0, 0, 0, 0, 0, -1, 0]


def test_no_texts_have_no_copies() -> None:
    assert find_near_copies(texts()).tolist() == []


def test_a_shingle_is_a_run_of_words() -> None:
    words = np.arange(8, dtype=np.uint64)
    shingles = hash_shingles(words)
    assert len(shingles) == len({*shingles.tolist()}) == 8 - WORDS + 1
    assert hash_shingles(words[1:]).tolist() == shingles[1:].tolist()
    assert len(hash_shingles(words[: WORDS - 1])) == 0
