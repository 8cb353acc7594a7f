"""Exported nodes and relationships with their properties, and the types of the properties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar

from tetragraph.model.captions import Properties
from tetragraph.model.subgraphs import LinkKey, NodeKey, Subgraph

Form = Literal["graphml", "jsonl", "parquet", "html"]
Nodes = Iterable[tuple[NodeKey, Properties]]
Links = Iterable[tuple[LinkKey, Properties]]
Scalar = Literal["boolean", "integer", "number", "text"]
_Key = TypeVar("_Key", NodeKey, LinkKey)


class Type(NamedTuple):
    """Type of a property: that of its values, or of the items where these are lists; None if all lists are empty."""

    scalar: Scalar | None
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class ExportReport:
    """Result of an export.

    Attributes:
        path: Path of the file; for Parquet of the folder.
        form: ``graphml``, ``jsonl``, ``parquet`` or ``html``.
        nodes: Number of nodes by label.
        relationships: Number of relationships by type.
        notes: Warnings in words, such as that the corpus was being changed.
    """

    path: str
    form: Form
    nodes: Mapping[str, int]
    relationships: Mapping[str, int]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contents:
    """Input of a writer; nodes and relationships can be iterated once.

    Attributes:
        counted: Number of iterated nodes by label, and of relationships by type.
    """

    corpus: str
    nodes: Nodes
    links: Links
    counted: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))

    @classmethod
    def of(cls, subgraph: Subgraph) -> Contents:
        """Create the contents of a subgraph."""
        return cls(subgraph.corpus, subgraph.nodes.items(), subgraph.links.items())

    def each_node(self) -> Iterator[tuple[NodeKey, Properties]]:
        """Yield the nodes, with their properties in order of name, without missing values."""
        return _each(self.nodes, self.counted[0])

    def each_link(self) -> Iterator[tuple[LinkKey, Properties]]:
        """Yield the relationships, with their properties in order of name, without missing values."""
        return _each(self.links, self.counted[1])


def _each(things: Iterable[tuple[_Key, Properties]], counted: Counter[str]) -> Iterator[tuple[_Key, Properties]]:
    for key, properties in things:
        counted[key[0]] += 1
        yield key, {name: _plain(value) for name, value in sorted(properties.items()) if value is not None}


def _plain(value: Any) -> Any:
    """Convert a value to one that every format supports; temporal and spatial types of Neo4j become text."""
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.hex() if isinstance(value, bytes | bytearray) else str(value)


def type_of(value: Any) -> Type:
    """Return the type of one plain value.

    >>> type_of([1, 2.5])
    Type(scalar='number', is_list=True)
    """
    if isinstance(value, list):
        found = Type(None, is_list=True)
        for item in value:
            found = wider(found, Type(type_of(item).scalar, is_list=True))
        return found
    if isinstance(value, bool):
        return Type("boolean")
    if isinstance(value, int):
        return Type("integer")
    return Type("number" if isinstance(value, float) else "text")


def wider(one: Type, other: Type) -> Type:
    """Return the common type of two: numbers for integers and numbers, text for other combinations.

    >>> wider(Type("integer"), Type("text"))
    Type(scalar='text', is_list=False)
    """
    if one.is_list != other.is_list:
        return Type("text")
    if one.scalar is None or other.scalar is None or one.scalar == other.scalar:
        return Type(one.scalar or other.scalar, one.is_list)
    has_numbers = {one.scalar, other.scalar} == {"integer", "number"}
    return Type("number" if has_numbers else "text", one.is_list)
