"""Writes a graph as tables in Parquet: ``nodes/<label>.parquet`` and ``relationships/<type>.parquet`` in one folder.

A table of nodes has the column ``id``, one of relationships ``start_label``, ``start_id``, ``end_label``, ``end_id``;
then come the properties in order of their names, with types: booleans, integers of 64 bits, floats of 64 bits, texts,
and lists of these. A property with values of several types is a column of texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Any

from tetragraph.errors import MissingDependency
from tetragraph.export.contents import (
    Contents,
    Type,
    type_of,
    wider,
)
from tetragraph.host.batches import in_batches
from tetragraph.host.optional_imports import install_command
from tetragraph.model.captions import Properties, as_text

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 10_000
"""Number of rows in memory at a time, a row group of the file."""
NODE_COLUMNS = ("id",)
LINK_COLUMNS = ("start_label", "start_id", "end_label", "end_id")


class _RowBuffer:
    """The rows of one table, buffered in a file until their columns are known."""

    def __init__(self, name: str, rows: IO[str]) -> None:
        self.name = name
        self._rows = rows
        self._types: dict[str, Type] = {}

    def add(self, key: tuple[str, ...], properties: Properties) -> None:
        self._rows.write(json.dumps([key, properties]) + "\n")
        for name, value in properties.items():
            found = type_of(value)
            self._types[name] = wider(self._types[name], found) if name in self._types else found

    def columns(self, keys: tuple[str, ...]) -> dict[str, Type]:
        """Return the type of each column by name, in order."""
        return {**{name: Type("text") for name in keys}, **dict(sorted(self._types.items()))}

    def batches(self, keys: tuple[str, ...]) -> Iterator[list[dict[str, Any]]]:
        """Yield the rows in batches."""
        self._rows.seek(0)
        for lines in in_batches(self._rows, ROWS):
            yield [dict(zip(keys, key, strict=True)) | properties for key, properties in map(json.loads, lines)]


def check() -> None:
    """Check that the packages are installed.

    Raises:
        MissingDependency: a package is missing.
    """
    missing = [name for name in ("pandas", "pyarrow") if find_spec(name) is None]
    if missing:
        raise MissingDependency(f"Parquet needs {' and '.join(missing)}: {install_command('analytics')}")


def write(contents: Contents, folder: Path) -> None:
    """Write the folder; the same graph gives the same bytes."""
    check()
    with TemporaryDirectory(dir=folder.parent) as buffers, ExitStack() as opened:
        tables: dict[str, dict[str, _RowBuffer]] = {"nodes": {}, "relationships": {}}

        def spool(kind: str, name: str) -> _RowBuffer:
            if name not in tables[kind]:
                rows = opened.enter_context((Path(buffers) / f"{kind} {name}").open("w+", encoding="utf-8"))
                tables[kind][name] = _RowBuffer(name, rows)
            return tables[kind][name]

        for node, properties in contents.each_node():
            spool("nodes", node.label).add((node.id,), properties)
        for link, properties in contents.each_link():
            spool("relationships", link.type).add((*link.start, *link.end), properties)
        for kind, keys in (("nodes", NODE_COLUMNS), ("relationships", LINK_COLUMNS)):
            (folder / kind).mkdir(parents=True)
            for table in tables[kind].values():
                _write_table(table, keys, folder / kind / f"{table.name}.parquet")


def _write_table(table: _RowBuffer, keys: tuple[str, ...], file: Path) -> None:
    from pyarrow.parquet import ParquetWriter

    columns = table.columns(keys)
    with ExitStack() as opened:
        writer: ParquetWriter | None = None
        for batch in table.batches(keys):
            arrow = _arrow_table(batch, columns)
            writer = writer or opened.enter_context(ParquetWriter(file, arrow.schema))
            writer.write_table(arrow)


def _arrow_table(rows: list[dict[str, Any]], columns: Mapping[str, Type]) -> pa.Table:
    """Convert rows by a data frame of pandas, so that pandas restores the columns with their types."""
    import pandas as pd
    import pyarrow as pa

    types = {name: _arrow(found) for name, found in columns.items()}
    frame = pd.DataFrame(
        {
            name: pd.Series(
                [_fit(row.get(name), found) for row in rows],
                dtype=object if found.is_list else pd.ArrowDtype(types[name]),  # pandas cannot restore such lists
            )
            for name, found in columns.items()
        }
    )
    return pa.Table.from_pandas(frame, schema=pa.schema(list(types.items())), preserve_index=False)


def _arrow(found: Type) -> pa.DataType:
    """Return the Arrow type of a column; only empty lists count as lists of texts."""
    import pyarrow as pa

    types = {"boolean": pa.bool_(), "integer": pa.int64(), "number": pa.float64()}
    item = types.get(found.scalar or "text", pa.string())
    return pa.list_(item) if found.is_list else item


def _fit(value: Any, found: Type) -> Any:
    if value is None:
        return None
    if found.is_list:
        return [_fit(item, Type(found.scalar)) for item in value]
    if found.scalar == "text":
        return as_text(value)
    return float(value) if found.scalar == "number" else value
