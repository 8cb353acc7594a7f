"""Rules for the description of every registered system; without stores."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tetragraph import errors, queries
from tetragraph.cli import app
from tetragraph.retrieval.request import make_options
from tetragraph.systems import base
from tetragraph.systems.base import BuildTarget, Retriever
from tetragraph.systems.registry import BUILD_TARGETS, FACTS, RETRIEVERS, find_build_target, find_retriever

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
OPTIONS = [
    pytest.param(options, field, id=f"{name}-{field.name}")
    for name, options in [
        *((name, one.search_options) for name, one in RETRIEVERS.items()),
        *((f"build-{name}", one.build_options) for name, one in BUILD_TARGETS.items() if one.build_options),
    ]
    for field in dataclasses.fields(options)
]
GRIDS = [
    pytest.param(name, option, values, id=f"{name}-{option}")
    for name, one in RETRIEVERS.items()
    for option, values in one.tuning_grid.items()
]
NONSENSE: tuple[Any, ...] = (object(), -1e9, "no such value", float("nan"), ())
"""Values of which every option must refuse at least one."""


@pytest.mark.parametrize("registered", [RETRIEVERS, BUILD_TARGETS], ids=["retrievers", "build targets"])
def test_names_and_descriptions_are_there_and_unique(registered: dict[str, Any]) -> None:
    for attribute in ("name", "summary", "title", "contents"):
        values = [getattr(one, attribute) for one in registered.values() if hasattr(one, attribute)]
        assert all(value.strip() == value != "" for value in values)
        assert len({*values}) == len(values)
    assert [one.name for one in registered.values()] == list(registered)


@pytest.mark.parametrize(("options", "field"), OPTIONS)
def test_options_are_frozen_and_have_defaults(options: type, field: dataclasses.Field[Any]) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(options(), field.name, None)


@pytest.mark.parametrize(("options", "field"), OPTIONS)
def test_every_option_is_documented_and_refuses_values_outside_its_range(
    options: type, field: dataclasses.Field[Any]
) -> None:
    described = "\n".join(one.__doc__ or "" for one in options.__mro__)
    assert re.search(rf"^\s+(\w+, )*{field.name}(, \w+)*: \S", described, re.MULTILINE)
    if isinstance(field.default, bool):
        return
    refused = []
    for value in NONSENSE:
        try:
            options(**{field.name: value})
        except errors.InvalidInput as error:
            refused.append(str(error))
        except (TypeError, ValueError):
            continue
    assert refused
    assert any(field.name in message for message in refused)


@pytest.mark.parametrize(("name", "option", "values"), GRIDS)
def test_every_value_of_a_grid_is_accepted_and_changes_the_options(
    name: str, option: str, values: tuple[Any, ...]
) -> None:
    retriever = find_retriever(name)
    made = [make_options(retriever, {option: value}) for value in values]
    assert len({getattr(one, option) for one in made}) == len(values) > 1


@pytest.mark.parametrize(("name", "option", "values"), GRIDS)
def test_a_grid_contains_the_default(name: str, option: str, values: tuple[Any, ...]) -> None:
    default = getattr(find_retriever(name).search_options(), option)
    assert default is None or default in values


@pytest.mark.parametrize("name", RETRIEVERS)
def test_a_required_graph_is_a_build_target(name: str) -> None:
    required = find_retriever(name).requires
    assert not required or find_build_target(required).name == required


@pytest.mark.parametrize("system", [*RETRIEVERS.values(), *BUILD_TARGETS.values()], ids=lambda one: one.name)
def test_the_queries_that_drop_a_system_exist_and_write(system: Retriever[Any] | BuildTarget[Any]) -> None:
    assert all(queries.get(name).access == "write" for name in system.drop_queries)


@pytest.mark.parametrize("command", ["search", "ask", "explain"])
def test_help_texts_list_the_registered_methods(command: str) -> None:
    shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200", "TERM": "dumb"}).output
    *first, last = RETRIEVERS
    assert f"{', '.join(first)} or {last}." in " ".join(re.sub(r"[│|]", " ", shown).split())


@pytest.mark.parametrize("name", [*RETRIEVERS, *BUILD_TARGETS])
def test_readme_names_every_system(name: str) -> None:
    assert re.search(rf"`{name}`|build {name}|`[^`]*\b{name}\b[^`]*`", README)


def test_names_that_are_not_registered_are_refused_with_those_that_are() -> None:
    with pytest.raises(errors.UnknownMethod, match=f"one of {', '.join(RETRIEVERS)}, got 'magic'"):
        find_retriever("magic")
    with pytest.raises(errors.InvalidInput, match=f"one of {', '.join(BUILD_TARGETS)}, got 'magic'"):
        find_build_target("magic")


def test_the_retriever_of_facts_is_registered() -> None:
    assert find_retriever(FACTS.name) is FACTS  # type: ignore[comparison-overlap]  # the registry holds it as both


def test_the_defaults_of_the_interface_ask_for_nothing() -> None:
    class Nothing(base.BuildTarget[base.NoOptions]):
        name, title, contents = "nothing", "nothing", "nothings"

        def build(self, context: base.BuildContext, options: base.NoOptions | None) -> base.BuildReport:
            raise AssertionError

        def update(self, context: base.BuildContext, change: Any) -> base.BuildReport | None:
            raise AssertionError

    target, anything = Nothing(), Any
    assert not target.is_unfinished(anything)  # type: ignore[arg-type]  # no default looks at its arguments
    assert target.has_root(anything)  # type: ignore[arg-type]  # likewise
    assert target.drift(anything) == 0.0  # type: ignore[arg-type]  # likewise
    assert not target.uses_llm(anything, None)  # type: ignore[arg-type]  # likewise
    assert list(target.llm_requests(anything, anything, None, "m")) == []  # type: ignore[arg-type]  # likewise
    assert target.faults({}) == {}
    assert target.vector_sources(anything) == ()  # type: ignore[arg-type]  # likewise
