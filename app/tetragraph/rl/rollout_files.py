"""Files of rollouts: JSON Lines, and tables in Parquet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tetragraph.errors import InvalidInput, MissingDependency
from tetragraph.host.optional_imports import install_command
from tetragraph.host.system_errors import report_unwritable
from tetragraph.host.whole_files import check_writable, save_whole

JSON_LINES, PARQUET = ".jsonl", ".parquet"
MANIFEST = "manifest"
"""Column of the settings of an episode."""
_WRITTEN = "a file of rollouts"


def check_file(file: Path) -> None:
    """Raise if rows cannot be written to a file of this name.

    Raises:
        InvalidInput: the name has another ending, its folder does not exist, or the system refuses such a file.
        MissingDependency: Parquet needs the extra ``analytics``.
        StoreError: the disk is full, or another resource is used up.
    """
    if file.suffix not in (JSON_LINES, PARQUET):
        raise InvalidInput(f"rollouts are written to a file that ends in {JSON_LINES} or {PARQUET}, got {str(file)!r}")
    if not file.absolute().parent.is_dir():
        raise InvalidInput(f"the folder of a file must exist, got {str(file)!r}: create it")
    if file.suffix == PARQUET and find_spec("pyarrow") is None:
        raise MissingDependency(f"Parquet needs pyarrow: {install_command('analytics')}")
    with report_unwritable(file, _WRITTEN):
        check_writable(file)


def write_rows(rows: Sequence[Mapping[str, Any]], file: Path) -> None:
    """Replace a file with rows; the same rows give the same bytes. For the errors see :func:`check_file`."""
    check_file(file)
    write = _write_lines if file.suffix == JSON_LINES else _write_table
    with report_unwritable(file, _WRITTEN):
        save_whole(file, lambda beside: write(rows, beside))


def _write_lines(rows: Sequence[Mapping[str, Any]], file: Path) -> None:
    with file.open("w", encoding="utf-8", newline="\n") as lines:
        for row in rows:
            lines.write(_to_json(row) + "\n")


def _write_table(rows: Sequence[Mapping[str, Any]], file: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.Table.from_pylist([_cells(row) for row in rows]), file)


def _cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with its manifest as JSON: its keys depend on the corpus, and Parquet has no objects without a key."""
    return {name: _to_json(value) if name == MANIFEST else value for name, value in row.items()}


def _to_json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
