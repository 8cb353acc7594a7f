"""Executors are found by their names, and results come in the order of their items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest

from tetragraph.errors import InvalidInput, MissingDependency
from tetragraph.executors import LOCAL, NAMES, Step, map_in_order, open_executor, ray_executor
from tetragraph.language.embedders.registry import NAMES as EMBEDDERS
from tetragraph.language.embedders.steps import executor_of
from tetragraph.settings import Settings

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class Double(Step[int, int]):
    """Doubles a number."""

    def load(self) -> Callable[[int], int]:
        return lambda number: 2 * number


class Noting:
    """An executor that begins up to two items ahead, and notes what is begun and taken."""

    name = "noting"
    ahead = 2
    notes = ()

    def __init__(self) -> None:
        self.events: list[str] = []

    def check(self, steps: Sequence[Step[Any, Any]]) -> None:
        """Check nothing."""

    def begin(self, step: Step[ItemT, ResultT], item: ItemT, here: Callable[[ItemT], ResultT]) -> Callable[[], ResultT]:
        self.events.append(f"begin {item}")

        def take() -> ResultT:
            self.events.append(f"take {item}")
            return here(item)

        return take

    def close(self) -> None:
        """End nothing."""


def _doubled(items: Iterable[int]) -> Iterator[int]:
    return map(Double().load(), items)


def test_the_setting_or_the_argument_names_the_executor(settings: Settings) -> None:
    with open_executor(None, settings) as executor:
        assert executor is LOCAL
    remote = settings.model_copy(update={"executor": "ray"})
    with open_executor(None, remote) as executor:
        assert executor.name == "ray"
    with open_executor("local", remote) as executor:
        assert executor is LOCAL
    assert NAMES == ("local", "ray")
    with pytest.raises(InvalidInput, match="must be one of local, ray, got 'dask'"), open_executor("dask", settings):
        pass


def test_without_ray_the_error_has_the_command_that_installs_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_executor, "find_spec", lambda name: None)
    with open_executor("ray", settings) as executor, pytest.raises(MissingDependency, match=r"tetragraph\[ray\]"):
        executor.check([])


def test_a_bounded_number_of_items_is_begun_before_a_result_is_taken() -> None:
    executor = Noting()
    found = map_in_order(executor, Double(), iter(range(5)), _doubled)
    assert next(found) == 0
    assert executor.events == ["begin 0", "begin 1", "begin 2", "take 0"]
    assert list(found) == [2, 4, 6, 8]
    assert list(map_in_order(LOCAL, Double(), range(3), _doubled)) == [0, 2, 4]


def test_a_local_item_is_computed_when_its_result_is_taken() -> None:
    computed: list[int] = []
    take = LOCAL.begin(Double(), 3, lambda number: computed.append(number) or 6)  # type: ignore[func-returns-value]
    LOCAL.check([Double()])
    LOCAL.close()
    assert computed == []
    assert (take(), computed) == (6, [3])


@pytest.mark.parametrize("name", EMBEDDERS)
def test_only_models_at_an_endpoint_stay_in_this_process(name: str) -> None:
    executor = Noting()
    assert (executor_of(name, executor) is LOCAL) == name.startswith("openai")
