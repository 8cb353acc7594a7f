"""The books add up, over operations, corpora, models and processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph.llm import LlmDatabase
from tetragraph.llm.cost import Habits
from tetragraph.llm.usage_log import Account, Ledger
from tetragraph.model.usage import NOTHING, Total, Usage

ASK, BUILD = Account("c", "ask", "m"), Account("c", "build gain", "m")
PAID = Usage(calls=1, retries=1, input_tokens=10, output_tokens=5, cost=0.5, seconds=2.0)
FAILED = Usage(calls=1, failed=1, seconds=1.0)


def enter(ledger: Ledger, account: Account, usage: Usage, characters: int = 0, *, is_counted: bool = False) -> None:
    with ledger.entry(account, usage, characters, is_counted=is_counted):
        pass


@pytest.fixture
def file(tmp_path: Path) -> LlmDatabase:
    return LlmDatabase(tmp_path / "llm.sqlite")


def test_totals_are_sums_for_each_operation_corpus_and_model(file: LlmDatabase) -> None:
    ledger = Ledger(file)
    assert ledger.totals() == []
    assert ledger.spent("c") == NOTHING
    for account in (BUILD, ASK, Account("d", "ask", "m"), ASK, Account("c", "ask", "n")):
        enter(ledger, account, PAID)
    enter(ledger, ASK, FAILED)
    ledger.note(ASK, Usage(cached=1))
    ledger.note(ASK, Usage(cached=2, repairs=1))
    asked = PAID + PAID + FAILED + Usage(cached=3, repairs=1)
    of_c = [Total("ask", "c", "m", asked), Total("ask", "c", "n", PAID), Total("build gain", "c", "m", PAID)]
    assert ledger.totals("c") == of_c
    assert ledger.totals() == [*of_c[:2], Total("ask", "d", "m", PAID), of_c[2]]
    assert ledger.spent("c").tokens == 60


def test_another_process_sees_what_was_spent(file: LlmDatabase) -> None:
    enter(Ledger(file), ASK, PAID)
    other = Ledger(LlmDatabase(file.path))
    enter(other, BUILD, PAID)
    assert Ledger(file).spent("c").cost == other.spent("c").cost == 1.0


def test_an_entry_and_what_is_kept_inside_happen_together(file: LlmDatabase) -> None:
    ledger = Ledger(file)
    with pytest.raises(ZeroDivisionError), ledger.entry(ASK, PAID):
        raise ZeroDivisionError
    assert ledger.totals() == []


def test_what_cost_nothing_is_entered_at_once_then_about_each_second_and_at_the_end(file: LlmDatabase) -> None:
    ledger = Ledger(file)
    for _ in range(50):
        ledger.note(ASK, Usage(cached=1))
    (entries,) = file.read("SELECT count(*), sum(cached) FROM entries")[0][:1]
    assert entries == 1
    ledger.write()
    assert file.read("SELECT sum(cached) FROM entries") == [(50,)]
    ledger.write()
    assert file.read("SELECT count(*) FROM entries") == [(2,)]


def test_habits_are_those_of_the_latest_answered_calls(file: LlmDatabase) -> None:
    ledger = Ledger(file)
    assert ledger.habits("m") == Habits()
    enter(ledger, ASK, FAILED)
    assert ledger.habits("m") == Habits()
    enter(ledger, ASK, Usage(calls=1, input_tokens=1000, seconds=100.0), 1, is_counted=True)
    for _ in range(199):
        enter(ledger, BUILD, PAID, 40, is_counted=True)
    enter(ledger, BUILD, PAID, 77, is_counted=False)
    enter(ledger, Account("c", "ask", "n"), PAID, 1, is_counted=True)
    assert ledger.habits("m") == Habits(200, 199, 199 * 40, 1990, 400.0)
