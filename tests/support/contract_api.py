"""Signatures of the public names, one line for each member, without the names of modules."""

from __future__ import annotations

import dataclasses
import enum
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import Any, get_args

import tetragraph

_MODULES = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Z])")
_NAME = re.compile(r"\b[A-Z]\w+")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def classes_of_the_package() -> dict[str, type]:
    """Classes by name; names that several classes share are left out."""
    found: dict[str, set[type]] = {}
    for module in pkgutil.walk_packages(tetragraph.__path__, "tetragraph."):
        if module.name != "tetragraph.__main__":
            for value in vars(importlib.import_module(module.name)).values():
                if inspect.isclass(value) and _is_of_the_package(value):
                    found.setdefault(value.__name__, set()).add(value)
    return {name: next(iter(some)) for name, some in found.items() if len(some) == 1}


def reachable(names: Iterable[str]) -> list[type]:
    """Public classes by names, with the classes that their methods, properties and fields return."""
    classes, found = classes_of_the_package(), dict[str, type]()
    waiting = [value for value in (getattr(tetragraph, name) for name in names) if inspect.isclass(value)]
    while waiting:
        one = waiting.pop()
        if one.__name__ not in found and not one.__name__.startswith("_"):
            found[one.__name__] = one
            around = vars(sys.modules[one.__module__])
            named = sorted({name for text in _results(one) for name in _NAME.findall(text)})
            given = [around.get(name, classes.get(name)) for name in named]
            waiting += [value for value in given if inspect.isclass(value) and _is_of_the_package(value)]
    return [found[name] for name in sorted(found)]


def lines_of(one: type, *, is_named_only: bool = False) -> Iterator[str]:
    """The class with its bases, its fields and its public members.

    Args:
        one: The class.
        is_named_only: Whether members are listed by name, without signatures.
    """
    yield f"{one.__name__}({', '.join(_bases(one))})"
    yield from fields_of(one)
    for name, value in sorted(_members(one)):
        yield f"{one.__name__}.{name}" + ("" if is_named_only else _describe(value))


def fields_of(one: type) -> list[str]:
    """Fields of a dataclass with their defaults; none of any other class."""
    found = dataclasses.fields(one) if dataclasses.is_dataclass(one) else ()
    return [f"{one.__name__}.{_field(field)}" for field in found]


def _bases(one: type) -> list[str]:
    """Names of the documented bases: public ones, those of Python, and of containers."""
    named = [base for base in one.__bases__ if base is not object and _is_known(base)]
    promised = [kind for kind in (Sequence, Iterator, AsyncIterator) if issubclass(one, kind)]
    promised = [kind for kind in promised if not any(issubclass(base, kind) for base in named)]
    return [base.__name__ for base in (*named, *promised)]


def _is_known(base: type) -> bool:
    return not _is_of_the_package(base) or base.__module__ == "tetragraph.errors" or base.__name__ in tetragraph.__all__


def _is_of_the_package(one: type) -> bool:
    return one.__module__.split(".")[0] == "tetragraph"


def signature(value: Callable[..., Any]) -> str:
    """Arguments with annotations as written, defaults, and the return annotation."""
    found = inspect.signature(value)
    parts, marked = [], False
    for one in found.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not marked:
            parts.append("*")
        marked = marked or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        star = "*" * (one.kind is one.VAR_POSITIONAL) + "**" * (one.kind is one.VAR_KEYWORD)
        written = "" if one.annotation is one.empty else f": {_annotation(one.annotation)}"
        default = "" if one.default is one.empty else f" = {_value(one.default)}"
        parts.append(f"{star}{one.name}{written}{default}")
    given = "" if found.return_annotation is found.empty else f" -> {_annotation(found.return_annotation)}"
    return f"({', '.join(parts)}){given}"


def _field(field: dataclasses.Field[Any]) -> str:
    default = ""
    if field.default is not dataclasses.MISSING:
        default = f" = {_value(field.default)}"
    elif field.default_factory is not dataclasses.MISSING:
        default = f" = {_value(field.default_factory())}"
    return f"{field.name}: {_annotation(field.type)}{default}{'' if field.init else ', no argument'}"


def _members(one: type) -> Iterator[tuple[str, Any]]:
    """Public members, also those of bases in the package."""
    fields = {field.name for field in dataclasses.fields(one)} if dataclasses.is_dataclass(one) else set[str]()
    seen = set[str]()
    for base in one.__mro__:
        if _is_of_the_package(base):
            for name, value in vars(base).items():
                is_method = callable(value) or isinstance(value, property | classmethod | staticmethod)
                if is_method and not name.startswith("_") and name not in fields | seen:
                    seen.add(name)
                    yield name, value


def _describe(value: Any) -> str:
    if isinstance(value, property):
        return f": {_annotation(inspect.signature(value.fget).return_annotation)}" if value.fget else ""
    if isinstance(value, classmethod | staticmethod):
        return f"{signature(value.__func__)} [{type(value).__name__}]"
    return signature(value)


def _results(one: type) -> Iterator[str]:
    """Annotations of fields, and return annotations of methods and properties."""
    if issubclass(one, enum.Enum):
        return
    if dataclasses.is_dataclass(one):
        yield from (_annotation(field.type) for field in dataclasses.fields(one))
    for _, value in _members(one):
        got = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if callable(got) and not inspect.isclass(got):
            yield _annotation(inspect.signature(got).return_annotation)


def _annotation(value: Any) -> str:
    text = value if isinstance(value, str) else value.__name__ if not get_args(value) and inspect.isclass(value) else ""
    return _MODULES.sub("", text or str(value))


def _value(value: Any) -> str:
    text = value.__name__ if inspect.isclass(value) or inspect.isroutine(value) else repr(value)
    return _MODULES.sub("", _ADDRESS.sub("", text))
