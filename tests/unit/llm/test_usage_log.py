"""Tests of ``tetragraph.llm.usage_log``: totals over operations, corpora, models and processes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tetragraph.llm import LlmDatabase
from tetragraph.llm.usage_log import UsageLog
from tetragraph.model.usage import NOTHING, Total, Usage

ASK, BUILD = Total("ask", "c", "m", NOTHING), Total("build gain", "c", "m", NOTHING)
PAID = Usage(calls=1, retries=1, input_tokens=10, output_tokens=5, cost=0.5, seconds=2.0)
FAILED = Usage(calls=1, failed=1, seconds=1.0)


def insert(log: UsageLog, key: Total, usage: Usage, characters: int = 0, *, is_counted: bool = False) -> None:
    with log.entry(replace(key, usage=usage), characters, is_counted=is_counted):
        pass


@pytest.fixture
def file(tmp_path: Path) -> LlmDatabase:
    return LlmDatabase(tmp_path / "llm.sqlite")


def test_totals_are_sums_for_each_operation_corpus_and_model(file: LlmDatabase) -> None:
    log = UsageLog(file)
    assert log.totals() == []
    assert log.spent("c") == NOTHING
    for key in (BUILD, ASK, Total("ask", "d", "m", NOTHING), ASK, Total("ask", "c", "n", NOTHING)):
        insert(log, key, PAID)
    insert(log, ASK, FAILED)
    log.add(replace(ASK, usage=Usage(cached=1)))
    log.add(replace(ASK, usage=Usage(cached=2, repairs=1)))
    asked = PAID + PAID + FAILED + Usage(cached=3, repairs=1)
    of_c = [Total("ask", "c", "m", asked), Total("ask", "c", "n", PAID), Total("build gain", "c", "m", PAID)]
    assert log.totals("c") == of_c
    assert log.totals() == [*of_c[:2], Total("ask", "d", "m", PAID), of_c[2]]
    assert log.spent("c").tokens == 60


def test_another_process_sees_what_was_spent(file: LlmDatabase) -> None:
    insert(UsageLog(file), ASK, PAID)
    other = UsageLog(LlmDatabase(file.path))
    insert(other, BUILD, PAID)
    assert UsageLog(file).spent("c").cost == other.spent("c").cost == 1.0


def test_an_entry_and_what_is_kept_inside_happen_together(file: LlmDatabase) -> None:
    log = UsageLog(file)
    with pytest.raises(ZeroDivisionError), log.entry(replace(ASK, usage=PAID)):
        raise ZeroDivisionError
    assert log.totals() == []


def test_what_cost_nothing_is_entered_at_once_then_about_each_second_and_at_the_end(file: LlmDatabase) -> None:
    log = UsageLog(file)
    for _ in range(50):
        log.add(replace(ASK, usage=Usage(cached=1)))
    (entries,) = file.read("SELECT count(*), sum(cached) FROM entries")[0][:1]
    assert entries == 1
    log.flush()
    assert file.read("SELECT sum(cached) FROM entries") == [(50,)]
    log.flush()
    assert file.read("SELECT count(*) FROM entries") == [(2,)]


def test_tokens_and_durations_are_those_of_the_latest_answered_calls(file: LlmDatabase) -> None:
    log = UsageLog(file)
    assert (log.counted_calls("m"), log.mean_seconds("m")) == ((0, 0, 0), None)
    insert(log, ASK, FAILED)
    assert (log.counted_calls("m"), log.mean_seconds("m")) == ((0, 0, 0), None)
    insert(log, ASK, Usage(calls=1, input_tokens=1000, seconds=100.0), 1, is_counted=True)
    for _ in range(199):
        insert(log, BUILD, PAID, 40, is_counted=True)
    insert(log, BUILD, PAID, 77, is_counted=False)
    insert(log, Total("ask", "c", "n", NOTHING), PAID, 1, is_counted=True)
    assert log.counted_calls("m") == (199, 199 * 40, 1990)
    assert log.mean_seconds("m") == 2.0
