"""Planted communities have the declared properties, and every partition is measured in the same way."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from benchmarks import partitions, planted

from tetragraph.algorithms.structural_entropy import structural_entropy

SIZE = 3000


def test_planted_graphs_have_the_degrees_sizes_and_mixing_that_were_asked_for() -> None:
    graph, labels = planted.planted_graph(SIZE)
    rows = np.repeat(np.arange(SIZE), np.diff(graph.bounds))
    sizes = np.bincount(labels)
    assert 30 < len(rows) / SIZE <= planted.DEGREE
    assert np.mean(labels[rows] != labels[graph.neighbours]) == pytest.approx(planted.MIXING, abs=0.06)
    assert np.sort(sizes)[1] >= planted.SMALLEST
    assert sizes.max() <= planted.LARGEST
    assert graph.weights.min() >= planted.LIGHTEST - 1e-6
    assert planted.planted_graph(SIZE)[1].tolist() == labels.tolist()


def test_planted_communities_are_found() -> None:
    figures = planted.find(SIZE)
    assert figures["H2"] <= figures["planted_H2"] < figures["H1"]
    assert figures["communities"] == figures["planted_communities"]


def test_a_method_is_measured_by_the_entropy_of_its_communities(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, labels = planted.planted_graph(SIZE)
    monkeypatch.setattr(partitions, "METHODS", {"entropy": partitions.entropy, "planted": lambda _: lambda: 3 * labels})
    rows = partitions.compare(lambda: {"graph": graph})["graph"]
    assert rows["planted"]["H2"] == pytest.approx(structural_entropy(graph, labels[None, :]), abs=1e-4)
    assert rows["planted"]["communities"] == labels.max() + 1
    assert rows["entropy"]["H2"] <= rows["planted"]["H2"]


@pytest.mark.parametrize("library", ["igraph", "infomap"])
def test_a_library_that_is_not_there_is_asked_for_in_words(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    method = partitions.leiden if library == "igraph" else partitions.infomap
    with pytest.raises(SystemExit, match=f"the comparison needs {library}: pip install igraph"):
        method(planted.planted_graph(100)[0])
