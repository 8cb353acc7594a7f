"""Names of communities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import sparse

from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.model import Chunk
from tetragraph.systems.encoding_tree.naming import most_telling, name_communities
from tetragraph.systems.entity_links import from_pairs


def names(texts: list[str], labels: list[int], mentioned: list[tuple[int, str]]) -> list[str]:
    """Names of the communities of one level; entities are called by their ids, capitalised."""
    chunks = [Chunk(f"c{row}", f"c{row}", "", "", text, 0, 0, len(text), 1) for row, text in enumerate(texts)]
    links = from_pairs(len(texts), [(row, entity, 1) for row, entity in mentioned], [])
    (found,) = name_communities(
        np.array([labels], dtype=np.int64), links, analyse_chunks(chunks), lambda ids: {one: one.title() for one in ids}
    )
    return found


def test_a_community_is_called_by_what_is_common_in_it_and_rare_elsewhere() -> None:
    texts = ["Ships sail.", "Ships sink in water.", "Clocks tick near water.", "Clocks ring."]
    mentioned = [(0, "ann"), (1, "ann"), (1, "bob"), (2, "carl"), (3, "carl"), (3, "bob")]
    first, second = names(texts, [0, 0, 1, 1], mentioned)
    assert first.startswith("Ann, Bob · ships, ")
    assert second.startswith("Carl, Bob · clocks, ")


def test_words_of_the_entities_are_left_out() -> None:
    texts = ["Harbour and harbour lamps.", "Harbour lamps shine.", "Else."]
    first, _ = names(texts, [0, 0, 1], [(0, "grey harbour"), (1, "grey harbour")])
    assert first == "Grey Harbour · lamps, shine"


def test_short_words_numbers_and_stop_words_say_nothing() -> None:
    assert names(["The of at it 1902 ox.", "Horses."], [0, 1], []) == ["", "horses"]


def test_a_chunk_without_words_is_called_nothing_wherever_it_stands() -> None:
    assert names(["Horses.", "..."], [0, 1], []) == ["horses", ""]
    assert names(["...", "Horses."], [0, 1], []) == ["", "horses"]


def test_no_chunks_have_no_names() -> None:
    assert names([], [], []) == []


def test_a_level_above_is_named_by_all_that_is_below_it() -> None:
    chunks = [
        Chunk(f"c{row}", "", "", "", word, 0, 0, 1, 1) for row, word in enumerate(["Ships.", "Boats.", "Clocks."])
    ]
    found = name_communities(
        np.array([[0, 0, 1], [0, 1, 2]]), from_pairs(3, [], []), analyse_chunks(chunks), lambda _: {}
    )
    assert found == [["boats, ships", "clocks"], ["ships", "boats", "clocks"]]


def test_strength_is_the_share_inside_times_the_logarithm_of_it_over_the_share_of_all() -> None:
    """Column 0: 2/2 · ln((2/2) / (3/4)) = .288; column 1: 1/2 · ln((1/2) / (1/4)) = .347."""
    assert math.log(4 / 3) < 0.5 * math.log(2)
    features = sparse.csr_array(np.array([[1.0, 1], [1, 0], [1, 0], [0, 0]]))
    labels = np.array([0, 0, 1, 1])
    assert most_telling(features, labels, 2) == [[1, 0], [0]]
    assert most_telling(features, labels, 1) == [[1], [0]]


def test_ties_go_to_the_smaller_column() -> None:
    features = sparse.csr_array(np.array([[1.0, 1, 1], [0, 0, 0]]))
    assert most_telling(features, np.array([0, 1]), 2) == [[0, 1], []]


@pytest.mark.parametrize("limit", [1, 3])
def test_no_more_than_the_limit(limit: int) -> None:
    features = sparse.csr_array(np.ones((1, 5)))
    assert most_telling(features, np.array([0]), limit) == [list(range(limit))]
