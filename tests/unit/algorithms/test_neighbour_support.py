"""Support by similar texts, computed by hand."""

import numpy as np
import pytest

from tetragraph.algorithms.neighbour_support import NEIGHBOURS, flatness, neighbour_support


def circle(degrees: list[float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    angles = np.deg2rad(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_the_mean_of_the_five_nearest_others_is_compared_with_the_text_itself() -> None:
    relevance = np.array([0.50, 0.49, 0.48, 0.47, 0.46, 0.45, 0.44])
    vectors = circle([0, 1, 2, 3, 4, 5, 180])
    found = neighbour_support(relevance, vectors.__getitem__)
    flat = flatness(np.sort(relevance)[::-1])
    assert found[0] == pytest.approx(flat * (0.47 - 0.50))
    assert found[5] == pytest.approx(flat * (0.48 - 0.45))
    assert found[6] == pytest.approx(flat * (0.47 - 0.44))


def test_a_text_that_stands_out_makes_all_support_small() -> None:
    vectors = circle([0, 1, 2, 3, 4, 5, 6])
    clear = neighbour_support(np.array([2.0, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2]), vectors.__getitem__)
    assert np.abs(clear).max() < 1e-9


def test_texts_that_are_left_out_neither_get_nor_give_support() -> None:
    relevance = np.array([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, -np.inf])
    assert neighbour_support(relevance, circle([0, 1, 2, 3, 4, 5, 2.5]).__getitem__).tolist() == [0.0] * 7


def test_few_texts_have_no_support() -> None:
    relevance = np.linspace(0.1, 0.5, NEIGHBOURS)
    assert not neighbour_support(relevance, circle(list(range(NEIGHBOURS))).__getitem__).any()


def test_flatness_grows_with_the_number_of_equal_texts() -> None:
    assert [flatness(np.zeros(size)) for size in (1, 2, 5)] == pytest.approx([0.0, 0.5, 0.8])
