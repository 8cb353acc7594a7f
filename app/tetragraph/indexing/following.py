"""Reads the source of a sync from its arguments: one folder, or addresses and files that list addresses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tetragraph.errors import InvalidInput
from tetragraph.host.addresses import is_address
from tetragraph.indexing.followed_folder import FollowedFolder
from tetragraph.indexing.sync_plan import Followed
from tetragraph.indexing.sync_source import FollowedSource
from tetragraph.model.fetching import FetchOptions
from tetragraph.model.reading import ReadingOptions


def follow(
    source: str | Path | Sequence[str | Path],
    loader: str | None,
    prefix: str | None,
    reading: ReadingOptions,
    fetching: FetchOptions,
) -> Followed:
    """The source of a sync; see ``Corpus.sync``.

    Raises:
        InvalidInput: there are several folders, a folder and addresses, nothing, or a prefix for addresses.
    """
    return Followed(_find_source(source, prefix, fetching), loader, reading)


def _find_source(
    source: str | Path | Sequence[str | Path], prefix: str | None, fetching: FetchOptions
) -> FollowedSource:
    given = [source] if isinstance(source, str | Path) else list(source)
    if not given or not all(isinstance(one, str | Path) and str(one) for one in given):
        raise InvalidInput(f"a sync follows a folder, or addresses, got {source!r:.200}")
    listed = [str(one) for one in given]
    if len(listed) == 1 and not is_address(listed[0]) and not Path(listed[0]).is_file():
        return FollowedFolder(Path(listed[0]), prefix)
    if folders := [one for one in listed if not is_address(one) and not Path(one).is_file()]:
        raise InvalidInput(
            f"a sync follows one folder, or addresses and files that list them, got {len(listed)} of them with "
            f"{folders[0]!r}: follow each folder by a command of its own"
        )
    if prefix is not None:
        raise InvalidInput(
            f"the ids of pages are their addresses, so they have no prefix, got {prefix!r}: leave it out"
        )
    from tetragraph.indexing.web.followed_addresses import FollowedAddresses  # imports the HTTP client

    return FollowedAddresses(tuple(listed), fetching)
