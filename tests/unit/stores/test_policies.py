"""The policies of a home: versions that never change, promotions in their order, damage that is reported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from file_limit import largest_file
from tetragraph.errors import InvalidInput, StoreError, UnknownPolicy
from tetragraph.stores.policies import PolicyStore

WEIGHTS = {"hidden": np.arange(6.0).reshape(2, 3), "bias": np.zeros(3)}


@pytest.fixture
def store(tmp_path: Path) -> PolicyStore:
    """A store whose folder does not exist yet."""
    return PolicyStore(tmp_path / "policies")


def test_versions_are_numbered_and_keep_their_bytes(store: PolicyStore, tmp_path: Path) -> None:
    assert store.versions() == []
    assert PolicyStore().versions() == []
    first, second = store.add("mine", WEIGHTS, {"cost": 0.01}), store.add("mine", WEIGHTS, {"cost": 0.01})
    store.add("other", WEIGHTS, {})
    assert [one.identity for one in store.versions()] == ["mine@1", "mine@2", "other@1"]
    assert [one.identity for one in store.versions("mine")] == ["mine@1", "mine@2"]
    assert (store.weights(second)["hidden"] == WEIGHTS["hidden"]).all()
    files = [tmp_path / "policies" / "mine" / number / "weights.safetensors" for number in ("0001", "0002")]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert (tmp_path / "policies").stat().st_mode & 0o077 == 0
    assert store.find("mine@1") == first


def test_a_name_means_the_promoted_version_until_it_is_rolled_back(store: PolicyStore) -> None:
    versions = [store.add("mine", WEIGHTS, {}) for _ in range(2)]
    with pytest.raises(UnknownPolicy, match="no version of policy 'mine' is promoted: name one, as mine@2"):
        store.find("mine")
    for version in (*versions, versions[1]):
        store.promote(version)
    assert store.promotions("mine") == [1, 2]
    assert store.find("mine").identity == "mine@2"
    assert [one.is_promoted for one in store.versions()] == [False, True]
    with pytest.raises(InvalidInput, match="got 'mine@2'"):
        store.roll_back("mine@2")
    assert store.identify("mine") == "mine@2"
    before = store.roll_back("mine")
    assert before is not None
    assert before.identity == "mine@1"
    assert store.roll_back("mine") is None
    with pytest.raises(UnknownPolicy):
        store.roll_back("mine")


def test_a_version_that_could_not_be_written_leaves_no_policy(store: PolicyStore) -> None:
    store.add("mine", WEIGHTS, {})
    with largest_file(8), pytest.raises(StoreError, match="raise the limit of file sizes"):
        store.add("halved", WEIGHTS, {})
    assert [one.identity for one in store.versions()] == ["mine@1"]
    with pytest.raises(UnknownPolicy, match="no policy named 'halved'"):
        store.versions("halved")
    assert store.add("halved", WEIGHTS, {}).identity == "halved@1"


def test_evaluations_are_added_in_their_order(store: PolicyStore) -> None:
    version = store.add("mine", WEIGHTS, {})
    version = store.evaluated(version, {"corpus": "a"})
    assert store.evaluated(version, {"corpus": "b"}).evaluations == ({"corpus": "a"}, {"corpus": "b"})


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("", InvalidInput, "the name of a policy must be 1 to 63 of"),
        ("../up", InvalidInput, "got '../up'"),
        ("none", UnknownPolicy, "no policy named 'none' .there are: mine."),
        ("mine@3", UnknownPolicy, "policy 'mine' has the versions 1 to 1, got '3'"),
        ("mine@x", UnknownPolicy, "got 'x'"),
    ],
)
def test_what_is_not_there_is_named(store: PolicyStore, name: str, error: type[Exception], message: str) -> None:
    store.add("mine", WEIGHTS, {})
    with pytest.raises(error, match=message):
        store.find(name)


def test_damage_is_reported_and_large_weights_are_refused(store: PolicyStore, tmp_path: Path) -> None:
    version = store.add("mine", WEIGHTS, {})
    folder = tmp_path / "policies" / "mine" / "0001"
    (folder / "weights.safetensors").write_bytes(b"none")
    with pytest.raises(StoreError, match=r"the weights of policy mine@1 in .* are damaged"):
        store.weights(version)
    (folder / "manifest.json").write_text("{")
    with pytest.raises(StoreError, match=r"manifest\.json must be JSON, and is damaged"):
        store.find("mine@1")
    with pytest.raises(InvalidInput, match="at most 1,000,000 bytes"):
        store.add("big", {"hidden": np.zeros((400, 400))}, {})
