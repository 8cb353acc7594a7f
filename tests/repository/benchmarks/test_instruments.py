"""Measuring functions of the benchmarks: percentiles, exponents, readings, and the list of searches."""

from __future__ import annotations

import threading
import time
from functools import partial
from pathlib import Path

import pytest
from benchmarks import growth, measure
from benchmarks.variants import Variant, engines, variants
from benchmarks.watch import Watch

from tetragraph.retrieval.request import make_options
from tetragraph.systems.registry import RETRIEVERS, find_retriever


def test_percentiles_lie_between_the_two_nearest_values() -> None:
    found = measure.percentiles([float(value) for value in range(101)][::-1])
    assert found == {"p50_ms": 50.0, "p95_ms": 95.0, "p99_ms": 99.0}


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_the_exponent_is_the_power_of_the_size(power: float) -> None:
    sizes = [1_000, 10_000, 100_000]
    assert measure.exponent(sizes, [7 * size**power for size in sizes]) == power


def test_the_exponent_is_the_best_line_where_there_is_noise() -> None:
    assert measure.exponent([1, 10, 100], [1.0, 100.0, 100.0]) == 1.0


def test_there_is_no_exponent_of_one_size_nor_of_nothing() -> None:
    assert measure.exponent([1_000], [3.0]) is None
    assert measure.exponent([1_000, 10_000], [0.0, 3.0]) is None


def test_load_runs_every_piece_once_with_as_many_clients_as_asked() -> None:
    together = threading.Barrier(3, timeout=60)
    done: list[int] = []

    def piece() -> None:
        done.append(together.wait())

    found = measure.load([piece] * 6, clients=3, warm_up=0)
    assert sorted(done) == [0, 0, 1, 1, 2, 2]
    assert found["per_s"] > 0
    assert found["p50_ms"] <= found["p95_ms"] <= found["p99_ms"]


def test_load_does_some_pieces_beforehand_unmeasured() -> None:
    done: list[int] = []
    measure.load([partial(done.append, number) for number in range(4)], warm_up=2)
    assert done == [0, 1, 0, 1, 2, 3]


def test_a_file_with_holes_takes_up_what_is_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with (tmp_path / "folder" / "holes").open("wb") as file:
        file.write(b"x" * 8192)
        file.truncate(50_000_000)
    assert 0 < measure.disk_mb(tmp_path) < 1
    assert measure.disk_mb(tmp_path / "absent") == 0


def test_a_watch_reads_before_after_and_in_between() -> None:
    values = iter(range(1_000_000))
    read = threading.Event()

    def probe() -> float:
        value = next(values)
        if value == 3:
            read.set()
        return value

    with Watch({"n": probe}, every_s=0.001) as watch:
        assert read.wait(60)
        middle = time.monotonic()
    assert watch.first("n") == 0
    assert watch.highest("n", 0.0, middle) >= 3
    assert watch.at("n", time.monotonic()) == next(values) - 1
    assert watch.at("n", 0.0) == 0


def test_every_method_is_measured_and_each_engine_of_those_that_have_several() -> None:
    found = variants()
    assert list(dict.fromkeys(variant.method for variant in found)) == list(RETRIEVERS)
    assert {Variant("gain", (("engine", "gds"),)), Variant("gain", (("engine", "memory"),)), Variant("dense")} <= set(
        found
    )
    assert engines("gain") == ("gds", "memory", "stores")
    assert not any(variant.options.get("engine") == "auto" for variant in found), "it is one of the others"
    assert engines("dense") == ()
    for variant in found:
        make_options(find_retriever(variant.method), variant.options)


def test_figures_of_several_sizes_become_rows_with_an_exponent() -> None:
    figures = {10: {"total": {"s": 1.0, "written": True}}, 100: {"total": {"s": 10.0, "written": True}}}
    assert growth.by_size(figures) == {"total, s": {"10": 1.0, "100": 10.0, "exponent": 1.0}}


def test_entity_statistics_count_entities_by_how_many_passages_mention_them() -> None:
    found = growth.statistics([(0, 1), (1, 2), (5, 1)], passages=10)
    assert found["entities a passage"] == 0.4
    assert found["mentions a passage"] == 0.7
    assert found["most mentioned, % of passages"] == 50.0
    assert found["mentioned by 5 or more, %"] == 25.0
    assert found["mentioned by 10 or more, %"] == 0.0
