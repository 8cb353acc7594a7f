"""Files of rollouts: JSON Lines, and tables in Parquet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tetragraph.errors import InvalidInput, MissingDependency
from tetragraph.host.optional_imports import install_command

JSON_LINES, PARQUET = ".jsonl", ".parquet"


def check_file(file: Path) -> None:
    """Raise if rows cannot be written to a file of this name.

    Raises:
        InvalidInput: the name has another ending, or its folder does not exist.
        MissingDependency: Parquet needs the extra ``analytics``.
    """
    if file.suffix not in (JSON_LINES, PARQUET):
        raise InvalidInput(f"rollouts are written to a file that ends in {JSON_LINES} or {PARQUET}, got {str(file)!r}")
    if not file.absolute().parent.is_dir():
        raise InvalidInput(f"the folder of a file must exist, got {str(file)!r}: create it")
    if file.suffix == PARQUET and find_spec("pyarrow") is None:
        raise MissingDependency(f"Parquet needs pyarrow: {install_command('analytics')}")


def write_rows(rows: Sequence[Mapping[str, Any]], file: Path) -> None:
    """Write rows to a file; the same rows give the same bytes. For the errors see :func:`check_file`."""
    check_file(file)
    if file.suffix == JSON_LINES:
        with file.open("w", encoding="utf-8", newline="\n") as lines:
            for row in rows:
                lines.write(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n")
        return
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.Table.from_pylist([dict(row) for row in rows]), file)
