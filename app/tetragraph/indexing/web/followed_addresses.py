"""Addresses that a corpus follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tetragraph.host.addresses import is_address
from tetragraph.indexing.sources import File
from tetragraph.indexing.sync_source import Stored, Visit, complete_origins
from tetragraph.indexing.web.addresses import normalise, read_list
from tetragraph.indexing.web.page_state import PageState, Validators
from tetragraph.indexing.web.visits import Visits
from tetragraph.indexing.web.visits import visit as visit_addresses
from tetragraph.model import Unreadable
from tetragraph.model.fetching import FetchOptions
from tetragraph.settings import Settings


@dataclass(frozen=True, slots=True)
class FollowedAddresses:
    """A list of addresses: of pages, and of sitemaps.

    Attributes:
        given: Addresses, and paths of files with an address in each line.
        options: How the hosts are treated.
    """

    given: tuple[str, ...]
    options: FetchOptions

    @property
    def identity(self) -> str:
        return "\n".join(sorted({self._identify(one) for one in self.given}))

    @property
    def shown(self) -> Mapping[str, object]:
        return {"addresses": list(self.given)}

    def state_folder(self, settings: Settings) -> Path:
        return settings.home / "sync"  # what belongs to the list is nowhere else

    def may_own(self, origin: str) -> bool:
        return is_address(origin)

    def check(self) -> None:
        self._addresses()

    def look(self, stored: Sequence[Stored], visit: Visit) -> AddressLook:
        known = PageState.load(visit.known)
        addresses = self._addresses()
        complete = set() if visit.afresh else complete_origins(stored)
        found = visit_addresses(addresses, known, complete, self.options, visit.scratch, visit.progress)
        kept = {one: known.pages[one] for one in {*found.same, *found.failed} & known.pages.keys()}
        lost = known.sitemaps & {*found.lost_sitemaps}
        state = PageState({**kept, **found.validators}, {*found.sitemaps, *lost})
        return AddressLook(found, known, state, is_listed=bool(addresses))

    def _addresses(self) -> list[str]:
        found = [[normalise(one)] if is_address(one) else read_list(Path(one)) for one in self.given]
        return [address for addresses in found for address in addresses]

    @staticmethod
    def _identify(given: str) -> str:
        return normalise(given) if is_address(given) else str(Path(given).resolve())


@dataclass(frozen=True, slots=True)
class AddressLook:
    """The pages of a list; see :class:`tetragraph.indexing.sync_source.Look`.

    Attributes:
        visits: What came of the addresses.
        known: Pages at the last sync.
        state: Pages now.
        is_listed: Whether the list has an address.
    """

    visits: Visits
    known: PageState
    state: PageState
    is_listed: bool

    @property
    def files(self) -> Sequence[File]:
        return [file for _, file in sorted(self.visits.files.items())]

    @property
    def unchanged(self) -> frozenset[str]:
        return frozenset(self.visits.same)

    @property
    def unreadable(self) -> Sequence[Unreadable]:
        return self.visits.unreadable()

    @property
    def requests(self) -> Mapping[str, int]:
        return self.visits.requests

    def owns(self, origin: str) -> bool:
        found = self.visits
        return any(origin in some for some in (self.known.pages, found.files, found.same, found.gone, found.failed))

    def is_gone(self, origin: str) -> bool:
        """Whether the server has no such page, or the list no longer names it."""
        found = self.visits
        return not any(origin in some for some in (found.files, found.same, found.failed))

    def doubt(self, removed: Sequence[str]) -> str:  # noqa: ARG002  # pages are doubted together
        found = self.visits
        there = len(found.files) + len(found.same)
        if not self.is_listed:
            return "the list of addresses is empty"
        if found.lost_sitemaps:
            return f"the sitemap {found.lost_sitemaps[0]!r} cannot be read"
        if len(found.failed) > there:
            return f"{len(found.failed):,} of {len(found.failed) + there + len(found.gone):,} pages cannot be read"
        return "" if there else "none of the addresses has a page"

    def keep(self, removed: Sequence[str]) -> None:
        for one in removed:
            self.state.pages.setdefault(one, Validators())

    def forget(self, origin: str) -> None:
        if origin in self.state.pages:
            self.state.pages[origin] = Validators()

    def save(self, known: Path) -> None:
        self.state.save(known)
