"""State of a folder at a sync, by which the next one reads only files that may have changed.

It is a cache: without it every file is read, and the outcome is the same.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from tetragraph.host.private_files import make_private_folder, write_private
from tetragraph.host.system_errors import report_refusals

_SETTLED_S = 2.0
"""Age below which a file may change again without another time of change; such files are read next time."""
_SETTING = "TETRAGRAPH_CACHE"


@dataclass(slots=True)
class FolderState:
    """Files of a folder at the last sync.

    Attributes:
        files: Size, inode, time of change of the content and of the inode in ns, by absolute path. Size and time of
            the content alone do not show that another file was renamed to the path: archives, rsync and a coarse clock
            give many files the same time. On Windows the last one is the time of creation.
        devices: Device of each folder with files, by absolute path.
    """

    files: dict[str, tuple[int, ...]] = field(default_factory=dict)
    devices: dict[str, int] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a stored state; an empty one where there is none, or it is damaged.

        Files of an earlier form, which has their size and one time only, count as changed.
        """
        try:
            tree: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            files = {name: tuple(int(one) for one in found) for name, found in tree["files"].items()}
            return cls(files, {name: int(device) for name, device in tree["devices"].items()})
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls()

    @classmethod
    def look(cls, paths: Iterable[Path]) -> Self:
        """The present state of some files.

        Those that cannot be looked at, or are so new that they may still change unnoticed, are left out.
        """
        state, now = cls(), time.time()
        for path in paths:
            try:
                found = path.stat()
                state.devices.setdefault(str(path.parent), path.parent.stat().st_dev)
            except OSError:
                continue
            if found.st_mtime < now - _SETTLED_S:
                state.files[str(path)] = (found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns)
        return state

    def save(self, path: Path) -> None:
        """Write the state."""
        with report_refusals(path.parent, _SETTING):
            make_private_folder(path.parent)
            write_private(path, json.dumps(asdict(self), sort_keys=True))

    def is_on_other_device(self, path: Path) -> bool:
        """Whether the folder of a file, or what is left of it, is on another device than at the last sync."""
        known = self.devices.get(str(path.parent))
        if known is None:
            return False
        there = next((one for one in path.parents if one.is_dir()), None)
        return there is not None and there.stat().st_dev != known
