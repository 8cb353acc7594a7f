"""The token-free judge on pairs with known results."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tetragraph.algorithms import information_gain as module
from tetragraph.algorithms.information_gain import (
    GAIN_WEIGHTS,
    Statements,
    incidence,
    information_gain,
)
from tetragraph.arrays import CSR

Sets = list[set[int]]
ENTITIES, TERMS = 8, 10


def matrix(sets: Sets, columns: int) -> CSR:
    rows = np.array([row for row, found in enumerate(sets) for _ in found], dtype=np.int64)
    return incidence(
        rows, np.array([item for found in sets for item in sorted(found)], dtype=np.int64), (len(sets), columns)
    )


def statements(mentions: Sets, describes: Sets, terms: Sets, vectors: NDArray[np.float32] | None = None) -> Statements:
    size = len(mentions)
    return Statements(
        np.eye(size, dtype=np.float32) if vectors is None else vectors,
        matrix([found - own for found, own in zip(mentions, describes, strict=True)], ENTITIES),
        matrix(describes, ENTITIES),
        matrix(terms, TERMS),
    )


def gain(given_statements: Statements, base: int, other: int) -> float:
    return float(information_gain(given_statements, np.array([base]), np.array([other]))[0])


@st.composite
def corpora(draw: st.DrawFn) -> Statements:
    size = draw(st.integers(1, 6))
    names = st.lists(st.sets(st.integers(0, ENTITIES - 1)), min_size=size, max_size=size)
    words = st.lists(st.sets(st.integers(0, TERMS - 1)), min_size=size, max_size=size)
    angles = np.array(draw(st.lists(st.floats(0, 6.3), min_size=size, max_size=size)))
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    return statements(draw(names), draw(names), draw(words), vectors)


def test_equation_2_by_hand() -> None:
    found = statements([{0, 1}, {2}, set()], [set(), {0}, set()], [{0}, {0, 1}, set()])
    rare, common = np.log1p(3 / 1), np.log1p(3 / 2)  # entity 0 and term 0 are in two passages, the others in one
    news = 0.4 * rare / (rare + common) + 0.3 * rare / (rare + common) + 0.3
    certainty = common / np.log1p(3)
    anchor = 1 - (1 - 0.9 * certainty) * (1 - GAIN_WEIGHTS.shared * certainty)
    assert gain(found, 0, 1) == pytest.approx(min(1, GAIN_WEIGHTS.scale * news * anchor), abs=1e-6)


@given(corpora())
def test_a_passage_adds_nothing_to_itself(found: Statements) -> None:
    rows = np.arange(found.terms.shape[0])
    assert information_gain(found, rows, rows).tolist() == pytest.approx([0.0] * len(rows), abs=1e-6)


@given(corpora())
def test_gains_lie_between_nothing_and_one(found: Statements) -> None:
    size = found.terms.shape[0]
    base, other = np.divmod(np.arange(size * size), size)
    gains = information_gain(found, base, other, replace(GAIN_WEIGHTS, scale=5.0))
    assert ((gains >= 0) & (gains <= 1)).all()


@given(st.sets(st.integers(2, 6)), st.integers(2, 6))
def test_one_more_new_name_never_lowers_the_gain(names: set[int], one_more: int) -> None:
    empty: Sets = [set(), set(), set()]
    gains = []
    for stated in ({1, *names}, {1, *names, one_more}):
        gains.append(gain(statements([{0, 1}, stated, {2, 3, 4, 5, 6}], empty, [{0}, {1}, {2}]), 0, 1))
    assert gains[1] > gains[0] or one_more in names


def test_explaining_a_name_anchors_more_than_sharing_it() -> None:
    found = statements([{0}, set(), {0}], [set(), {0}, set()], [{0}, {1}, {2}])
    assert gain(found, 0, 1) > gain(found, 0, 2) > 0


def test_what_has_nothing_in_common_adds_nothing() -> None:
    assert gain(statements([{0}, {1}], [set(), set()], [{0}, {1}]), 0, 1) == 0.0


def test_the_size_of_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    sets = [set(rng.integers(0, ENTITIES, 4).tolist()) for _ in range(12)]
    found = statements(sets, sets[::-1], sets)
    base, other = np.divmod(np.arange(144), 12)
    whole = information_gain(found, base, other)
    monkeypatch.setattr(module, "_BLOCK", 5)
    assert information_gain(found, base, other).tolist() == whole.tolist()


def test_without_a_single_name_nothing_is_explained_by_one() -> None:
    none = matrix([set(), set()], columns=0)
    assert module._strongest(none, np.zeros(0)).tolist() == [0.0, 0.0]
