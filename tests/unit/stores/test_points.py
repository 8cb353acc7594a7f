"""Names, payloads and the order of results in both Qdrant adapters."""

from __future__ import annotations

import uuid

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from tetragraph.errors import EmbeddingFailed, InvalidInput
from tetragraph.stores.points import best, collection_name, matrix, metadata_in, payload_of
from tetragraph.stores.vectors import Point, Scored, point_uuid


@pytest.mark.parametrize("name", ["", "UPPER", "a/b", "../up", "-first", "a" * 64, "é", "a\n"])
def test_a_corpus_name_that_is_no_safe_file_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="a corpus name is 1 to 63"):
        collection_name(name, "chunks")


def test_two_corpora_never_share_a_collection() -> None:
    names = {collection_name(corpus, kind) for corpus in ("a", "a__chunks", "a__") for kind in ("chunks", "entities")}
    assert len(names) == 6


@pytest.mark.parametrize("key", ["id", "corpus", "sha256"])
def test_metadata_named_like_our_own_fields_are_beside_them(key: str) -> None:
    metadata = {key: "mine", f"{key}_": "also", f"_{key}": "other"}
    payload = payload_of("corpus", Point("n1", np.ones(2, np.float32), "hash", metadata))
    assert (payload["id"], payload["corpus"], payload["sha256"]) == ("n1", "corpus", "hash")
    assert metadata_in(payload) == metadata


@pytest.mark.parametrize("vector", [[1.0, np.nan], [np.inf, 0.0], [1.0], [1.0, 2.0, 3.0]])
def test_one_unusable_vector_among_good_ones_is_named(vector: list[float]) -> None:
    points = [Point("good", np.ones(2, np.float32), ""), Point("bad", np.array(vector, np.float32), "")]
    with pytest.raises(EmbeddingFailed):
        matrix(points, 2)


@given(size=st.integers(0, 200), limit=st.integers(1, 210), seed=st.integers(0, 2**16))
def test_ties_are_broken_by_id_also_at_the_cut_however_the_store_orders_them(size: int, limit: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    points = [Scored(f"n{i:03}", float(score)) for i, score in enumerate(random.choice([0.25, 0.5, 0.75], size))]
    stored = sorted((points[i] for i in random.permutation(size)), key=lambda hit: -hit.score)

    found = best(lambda fetch: stored[:fetch], limit)

    assert found == sorted(points, key=lambda hit: (-hit.score, hit.id))[:limit]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(limit: int) -> None:
    with pytest.raises(InvalidInput, match=f"limit must be at least 1, got {limit}"):
        best(lambda _: [], limit)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_point_has_the_uuid_of_version_5_of_its_node(node: str) -> None:
    assert point_uuid(node) == str(uuid.uuid5(uuid.UUID("6f1b1f6e-7c0b-5d0e-9a55-2f0f6b7a9a01"), node))
