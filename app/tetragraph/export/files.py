"""Writes a file or folder to a temporary path, and moves it to its place when it is complete."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

from tetragraph.errors import InvalidInput
from tetragraph.export.contents import Form
from tetragraph.host.system_errors import report_unwritable

FORMS: tuple[Form, ...] = get_args(Form)


def form_of(path: Path, form: str | None) -> Form:
    """Return the requested format, by default that of the suffix of the path.

    Raises:
        InvalidInput: there is no such format.
    """
    chosen = form or path.suffix.removeprefix(".").lower()
    for known in FORMS:
        if chosen == known:
            return known
    raise InvalidInput(
        f"a graph is exported as {', '.join(FORMS)}, a page (html) for results of a search only, got "
        f"{chosen or str(path)!r}: name the file like that, or give the format"
    )


def check_place(path: Path, form: Form, *, overwrite: bool) -> None:
    """Check that an export may be written to a path.

    Raises:
        InvalidInput: the path exists and is not to be replaced, or is not an export.
    """
    if not path.exists() and not path.is_symlink():
        return
    if not overwrite:
        raise InvalidInput(f"an export replaces nothing unless it is told to, got {str(path)!r}, which exists: "
                           f"overwrite=True or --force replaces it")  # fmt: skip
    if form == "parquet" and not _is_export(path):
        raise InvalidInput(f"only a folder that an export to Parquet made is replaced, got {str(path)!r}: "
                           f"name another, or take it away")  # fmt: skip
    if form != "parquet" and path.is_dir():
        raise InvalidInput(f"a file does not replace a folder, got {str(path)!r}: name a file")


def _is_export(path: Path) -> bool:
    if not path.is_dir() or path.is_symlink():
        return False
    inside = list(path.rglob("*"))
    folders = {path / "nodes", path / "relationships"}
    return all(one in folders or (one.suffix == ".parquet" and one.parent in folders) for one in inside)


def save(path: Path, write: Callable[[Path], None]) -> None:
    """Create a file or folder with ``write``, then move it to ``path``, which is unchanged after an error.

    Raises:
        InvalidInput: the path is not writable.
        StoreError: the disk is full, or another resource is used up.
    """
    with report_unwritable(path, "an export"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as beside:
            made = Path(beside) / "new"
            write(made)
            if path.is_dir() and not path.is_symlink():
                path.rename(Path(beside) / "old")
            made.replace(path)
