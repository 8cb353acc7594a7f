"""Source that a sync follows, a folder or a list of addresses, and how it looks at a moment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tetragraph.indexing.sources import File
from tetragraph.model import Unreadable
from tetragraph.progress import Progress
from tetragraph.settings import Settings


@dataclass(frozen=True, slots=True)
class Stored:
    """A document of the corpus that was read from a file or an address.

    Attributes:
        sha256: Its hash; empty where chunks are missing.
        origin: Path of the file, or address.
        source: Its origin for display, with the line where a file has many documents.
    """

    id: str
    sha256: str
    origin: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Visit:
    """One look at a source.

    Attributes:
        known: File with the state of the source at the last sync.
        scratch: Empty folder that stays until the sync has ended.
        afresh: Whether to read everything, as what accompanies the documents may have changed.
        progress: Receives the stages of a look that takes long.
    """

    known: Path
    scratch: Path
    afresh: bool
    progress: Progress


class Look(Protocol):
    """A source as it is found. Files and addresses are named by their origins."""

    @property
    def files(self) -> Sequence[File]:
        """Files that are there and may have changed, in order of id."""

    @property
    def unchanged(self) -> Set[str]:
        """Origins that are there, and are as they were when their complete documents were read."""

    @property
    def unreadable(self) -> Sequence[Unreadable]:
        """Files and pages that cannot be looked at; their documents stay."""

    @property
    def requests(self) -> Mapping[str, int]:
        """Number of requests by outcome; empty for a folder."""

    def owns(self, origin: str) -> bool:
        """Whether a stored document with this origin came from the source."""

    def is_gone(self, origin: str) -> bool:
        """Whether what the source had at an origin is no longer there; False where that cannot be known."""

    def doubt(self, removed: Sequence[str]) -> str:
        """A reason to doubt that somebody has deleted what was at some origins, in words; empty without one."""

    def keep(self, removed: Sequence[str]) -> None:
        """Let the next sync look at these origins as this one does, as their documents stay."""

    def forget(self, origin: str) -> None:
        """Let the next sync read an origin, even if it has not changed."""

    def save(self, known: Path) -> None:
        """Write the state of the source, for the next sync."""


class FollowedSource(Protocol):
    """A source that a corpus can follow."""

    @property
    def identity(self) -> str:
        """Text that distinguishes it from other sources of the same corpus."""

    @property
    def shown(self) -> Mapping[str, object]:
        """Entries about it in the record of the syncs."""

    def state_folder(self, settings: Settings) -> Path:
        """Folder of the files with the states of such sources."""

    def may_own(self, origin: str) -> bool:
        """Whether a stored document with this origin can be of the source."""

    def check(self) -> None:
        """Refuse a source that is not there.

        Raises:
            InvalidInput: it is not there, or a rule is broken.
        """

    def look(self, stored: Sequence[Stored], visit: Visit) -> Look:
        """The source as it is now.

        Args:
            stored: Documents of the corpus that it may own.
            visit: What it needs.
        """


def complete_origins(stored: Iterable[Stored]) -> set[str]:
    """Origins all of whose stored documents are complete."""
    by_origin: dict[str, list[bool]] = defaultdict(list)
    for one in stored:
        by_origin[one.origin].append(bool(one.sha256))
    return {origin for origin, complete in by_origin.items() if all(complete)}
