"""Public names with their signatures; settings and errors."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import AliasChoices

import tetragraph
from contract import Contract
from contract_api import classes_of_the_package, fields_of, lines_of, reachable, signature
from tetragraph import Settings, Tetragraph, errors, model

OPTIONS = ("AnchorOptions", "BipartiteOptions", "EvidenceOptions", "FusedOptions", "GainOptions", "TreeOptions")


def test_the_public_names_are_the_stored_ones(contract: Contract) -> None:
    contract.check("names.txt", tetragraph.__all__, is_measured=False)


def test_public_classes_and_what_they_give_are_the_stored_ones(contract: Contract) -> None:
    found = [one for one in reachable(tetragraph.__all__) if one is not Settings]
    lines = [line for one in found for line in lines_of(one, is_named_only=one.__name__.startswith("Async"))]
    contract.check("interface.txt", lines, is_measured=False)


def test_the_objects_of_a_corpus_are_the_stored_ones(contract: Contract) -> None:
    connection: Any = None  # a handle on a corpus asks nothing
    corpus = Tetragraph(connection).corpus("any")
    lines = [line for one in (corpus.entities, corpus.sessions) for line in lines_of(type(one))]
    contract.check("objects_of_a_corpus.txt", lines, is_measured=False)


def test_the_options_of_searches_are_the_stored_ones(contract: Contract) -> None:
    classes = classes_of_the_package()
    lines = [line for name in OPTIONS for line in fields_of(classes[name])]
    contract.check("search_options.txt", lines, is_measured=False)


def test_the_names_of_the_model_are_the_stored_ones(contract: Contract) -> None:
    lines: list[str] = []
    for name, value in sorted(vars(model).items()):
        own = f"{getattr(value, '__module__', '')}.".startswith(f"{model.__name__}.")
        if own and inspect.isclass(value):
            lines += lines_of(value)
        elif own and inspect.isfunction(value):
            lines.append(f"{name}{signature(value)}")
        elif isinstance(value, int | str) and name.isupper():
            lines.append(f"{name} = {value!r}")
    contract.check("model.txt", lines, is_measured=False)


def test_the_errors_are_the_stored_ones(contract: Contract) -> None:
    found = [value for _, value in sorted(vars(errors).items()) if inspect.isclass(value)]
    lines = [line for one in found for line in (*lines_of(one), f"{one.__name__}{_arguments(one)}")]
    contract.check("errors.txt", [line for line in lines if not line.endswith("(*args, **kwargs)")], is_measured=False)


def test_the_settings_are_the_stored_ones(contract: Contract, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = []
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        variables = alias.choices if isinstance(alias, AliasChoices) else [f"TETRAGRAPH_{name.upper()}"]
        default = "computed" if field.default_factory else repr(field.default)
        rules = "".join(f", {rule}" for rule in field.metadata)
        lines.append(f"{name}: {_written(field.annotation)} = {default}{rules}; {' '.join(map(str, variables))}")
    contract.check("settings.txt", lines, is_measured=False)


def _arguments(one: Callable[..., Any]) -> str:
    try:
        return signature(one)
    except ValueError:  # a class that is made in C
        return "(*args, **kwargs)"


def _written(annotation: Any) -> str:
    text = (
        annotation.__name__ if inspect.isclass(annotation) and not hasattr(annotation, "__args__") else str(annotation)
    )
    return text.replace("pathlib.", "").replace("pydantic.types.", "").replace("typing.", "")
