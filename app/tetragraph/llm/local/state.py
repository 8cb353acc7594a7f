"""What a served model says of itself, in a file of the home."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class State:
    """A server that was started.

    Attributes:
        model: Its name in the list of models.
        context: Tokens that question and reply may have together.
        threads: Of the processor.
        pid: Of its process.
        address: ``http://127.0.0.1:PORT``; empty while the model is being loaded.
    """

    model: str
    context: int
    threads: int
    pid: int
    address: str = ""


def save(folder: Path, state: State) -> None:
    """Record a server; readers see the old record or this one, never a part."""
    written = folder / f".server.{os.getpid()}"
    written.write_text(json.dumps(asdict(state)), encoding="utf-8")
    written.replace(folder / "server.json")


def read(folder: Path) -> State | None:
    """The record of the server that was started last; it may have ended since."""
    try:
        return State(**json.loads((folder / "server.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # none, or of another version of tetragraph
        return None


def clear(folder: Path) -> None:
    """No server runs."""
    (folder / "server.json").unlink(missing_ok=True)
