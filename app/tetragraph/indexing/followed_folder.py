"""A folder that a corpus follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tetragraph.errors import InvalidInput
from tetragraph.host.addresses import is_address
from tetragraph.indexing.folder_state import FolderState
from tetragraph.indexing.origins import is_gone
from tetragraph.indexing.sources import File, find_entries
from tetragraph.indexing.sync_source import Stored, Visit, complete_origins
from tetragraph.model import Unreadable
from tetragraph.settings import Settings

_CLOSED = "the folder cannot be read"


@dataclass(frozen=True, slots=True)
class FollowedFolder:
    """A folder.

    Attributes:
        folder: The folder.
        prefix: First part of all ids; None for the name of the folder.
    """

    folder: Path
    prefix: str | None = None

    @property
    def identity(self) -> str:
        return str(self.folder.resolve())

    @property
    def shown(self) -> Mapping[str, object]:
        return {"folder": self.identity}

    def state_folder(self, settings: Settings) -> Path:
        return settings.cache / "sync"

    def may_own(self, origin: str) -> bool:
        return not is_address(origin) and Path(origin).is_relative_to(self.folder.resolve())

    def check(self) -> None:
        if not self.folder.is_dir():
            raise InvalidInput(
                f"a sync follows a folder, got {str(self.folder)!r}, which is none now: nothing was changed; check "
                "that it is mounted, or delete its documents with `tetragraph delete`"
            )

    def look(self, stored: Sequence[Stored], visit: Visit) -> FolderLook:
        known = FolderState.load(visit.known)
        entries = list(find_entries(self.folder, self.prefix))
        files = [entry for entry in entries if isinstance(entry, File)]
        state = FolderState.look(file.path for file in files)
        before = {} if visit.afresh else known.files
        complete = complete_origins(stored)
        unchanged = frozenset(
            file.origin
            for file in files
            if file.origin in complete
            and file.origin in state.files
            and before.get(file.origin) == state.files[file.origin]
        )
        return FolderLook(
            files=tuple(file for file in files if file.origin not in unchanged),
            unchanged=unchanged,
            unreadable=tuple(entry for entry in entries if isinstance(entry, Unreadable)),
            known=known,
            state=state,
        )


@dataclass(frozen=True, slots=True)
class FolderLook:
    """The files of a folder; see :class:`tetragraph.indexing.sync_source.Look`."""

    files: tuple[File, ...]
    unchanged: frozenset[str]
    unreadable: tuple[Unreadable, ...]
    known: FolderState
    state: FolderState

    @property
    def requests(self) -> Mapping[str, int]:
        return {}

    def owns(self, origin: str) -> bool:
        """Whatever the folder may own, it owns: paths state where they belong."""
        return bool(origin)

    def is_gone(self, origin: str) -> bool:
        return is_gone(Path(origin))

    def doubt(self, removed: Sequence[str]) -> str:
        if not self.files and not self.unchanged:
            return "the folder is empty"
        if moved := [one for one in removed if self.known.is_on_other_device(Path(one))]:
            return f"the folder of {moved[0]!r} is on another device than before"
        closed = [one.source for one in self.unreadable if one.reason.startswith(_CLOSED)]
        return f"the folder {closed[0]!r} cannot be read" if closed else ""

    def keep(self, removed: Sequence[str]) -> None:
        parents = {str(Path(one).parent) for one in removed}
        self.state.devices.update({place: self.known.devices[place] for place in parents & self.known.devices.keys()})

    def forget(self, origin: str) -> None:
        self.state.files.pop(origin, None)

    def save(self, known: Path) -> None:
        self.state.save(known)
