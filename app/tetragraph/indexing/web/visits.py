"""Visits all pages of a list: those that it names, and those of its sitemaps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from tetragraph.errors import InvalidInput, UnreadableDocument
from tetragraph.indexing.sources import File
from tetragraph.indexing.web.addresses import MOST, normalise, site_of
from tetragraph.indexing.web.fetcher import Fetcher, Reply
from tetragraph.indexing.web.page_file import name_file, read_content_type, write_utf8
from tetragraph.indexing.web.page_requests import STAGE, PageRequests
from tetragraph.indexing.web.page_state import PageState, Validators
from tetragraph.indexing.web.sitemap import Sitemap, read_sitemap
from tetragraph.model import Unreadable
from tetragraph.model.fetching import FetchOptions
from tetragraph.progress import Progress

_DEEPEST = 3
"""Largest number of sitemaps above one another."""
_GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)


@dataclass(slots=True)
class Visits:
    """Outcome of the visits to the addresses of a list.

    Attributes:
        files: Pages that were read, by address.
        validators: What their servers stated about them.
        same: Pages that are as they were.
        gone: Addresses that have no page any more.
        failed: Reason by address of what could not be read; its documents stay.
        sitemaps: Addresses of the sitemaps that were read.
        lost_sitemaps: Those of the failed addresses that are sitemaps, so that their pages are unknown.
        foreign: Number of addresses of other hosts by sitemap and host; they were not read.
    """

    files: dict[str, File] = field(default_factory=dict)
    validators: dict[str, Validators] = field(default_factory=dict)
    same: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    failed: dict[str, str] = field(default_factory=dict)
    sitemaps: list[str] = field(default_factory=list)
    lost_sitemaps: list[str] = field(default_factory=list)
    foreign: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))

    @property
    def requests(self) -> dict[str, int]:
        """Number of addresses by outcome."""
        found = {
            "read": len(self.files),
            "not modified": len(self.same),
            "gone": len(self.gone),
            "failed": len(self.failed),
            "sitemaps": len(self.sitemaps),
        }
        return {outcome: count for outcome, count in found.items() if count}

    def unreadable(self) -> list[Unreadable]:
        """Addresses that could not be read, with the reasons, in order."""
        failed = [Unreadable(one, f"{reason}; its documents stay as they are") for one, reason in self.failed.items()]
        others = [
            Unreadable(one, f"{count:,} of its pages are of {host}, which the list does not name: add an address of it")
            for (one, host), count in self.foreign.items()
        ]
        return sorted([*failed, *others], key=lambda one: (one.source, one.reason))


@dataclass(frozen=True, slots=True)
class Call:
    """An address to fetch.

    Attributes:
        may_be_sitemap: Whether it may be a sitemap: the user or a sitemap of sitemaps names it.
        must_be_sitemap: Whether it is one for sure: a sitemap of sitemaps names it, or it was one at the last sync.
    """

    address: str
    may_be_sitemap: bool
    must_be_sitemap: bool = False


def visit_pages(
    addresses: Iterable[str],
    known: PageState,
    complete: Collection[str],
    requests: PageRequests,
    fetcher: Fetcher,
    progress: Progress,
) -> Visits:
    """Fetch the pages of a list, those of its sitemaps included.

    Args:
        addresses: Normalised addresses that the user has named.
        known: Pages and sitemaps at the last sync.
        complete: Addresses of the pages that need not be read again while they are the same.
        requests: Fetches pages.
        fetcher: Knows the hosts that the list names.
        progress: Receives the number of pages.

    Raises:
        InvalidInput: there are more than 100,000 addresses.
    """
    visits = Visits()
    calls = [Call(one, may_be_sitemap=True, must_be_sitemap=one in known.sitemaps) for one in dict.fromkeys(addresses)]
    seen = {call.address for call in calls}
    conditions = {one: stated.headers for one, stated in known.pages.items() if one in complete}
    for _ in range(_DEEPEST + 1):
        progress.start(STAGE, len(seen), "pages")
        replies = requests.fetch([call.address for call in calls], conditions)
        found = []
        for call in calls:
            if sitemap := _sort(visits, call, *replies[call.address], is_known=call.address in known.pages):
                found += list(_list_new(fetcher, visits, call, sitemap, seen))
        calls = found
        if len(seen) > MOST:
            raise InvalidInput(f"a list may have {MOST:,} addresses with those of its sitemaps, got more: divide it")
        if not calls:
            break
    for call in calls:
        visits.failed[call.address] = f"at most {_DEEPEST} sitemaps may be above one another, here are more"
        visits.lost_sitemaps.append(call.address)
    progress.finish(STAGE)
    return visits


def _sort(visits: Visits, call: Call, reply: Reply, file: Path, *, is_known: bool) -> Sitemap | None:
    """Note what came of a call; returns the sitemap if it is one."""
    if reply.status == HTTPStatus.OK:
        return _read(visits, call, reply, file)
    is_lost_sitemap = call.must_be_sitemap or (not is_known and _looks_like_sitemap(call))
    if reply.status == HTTPStatus.NOT_MODIFIED:
        visits.same.add(call.address)
    elif reply.status in _GONE and not is_lost_sitemap:
        visits.gone.add(call.address)
    else:
        visits.failed[call.address] = reply.fault or f"the server answers with status {reply.status}"
        if is_lost_sitemap:
            visits.lost_sitemaps.append(call.address)
    return None


def _looks_like_sitemap(call: Call) -> bool:
    return call.may_be_sitemap and call.address.partition("?")[0].lower().endswith((".xml", ".xml.gz"))


def _read(visits: Visits, call: Call, reply: Reply, file: Path) -> Sitemap | None:
    """Keep an answer as a page, or return its sitemap."""
    try:
        sitemap = _read_sitemap(call, file)
    except UnreadableDocument as error:
        visits.failed[call.address] = str(error)
        visits.lost_sitemaps.append(call.address)
        return None
    if sitemap is not None:
        visits.sitemaps.append(call.address)
        return sitemap
    kind, charset = read_content_type(reply.headers.get("content-type", ""))
    folder = file.with_name(f"{file.name}.page")
    folder.mkdir()
    page = file.rename(folder / name_file(call.address, kind))
    write_utf8(page, kind, charset)
    visits.files[call.address] = File(page, call.address, address=call.address)
    visits.validators[call.address] = Validators.of(reply.headers)
    return None


def _read_sitemap(call: Call, file: Path) -> Sitemap | None:
    """The sitemap of an answer, or None for a page.

    Raises:
        UnreadableDocument: it is a damaged one, or none where it has to be one.
    """
    sitemap = read_sitemap(file) if call.may_be_sitemap else None
    if sitemap is None and call.must_be_sitemap:
        raise UnreadableDocument("it was a sitemap, or is listed as one, and is none")
    return sitemap


def _list_new(fetcher: Fetcher, visits: Visits, call: Call, sitemap: Sitemap, seen: set[str]) -> Iterator[Call]:
    """The addresses of a sitemap that are new, and of hosts that the list names."""
    for text, is_sitemap in (*((one, False) for one in sitemap.pages), *((one, True) for one in sitemap.sitemaps)):
        try:
            address = normalise(text)
        except InvalidInput as error:
            visits.failed[f"{call.address}: {text:.200}"] = str(error)
            continue
        if not fetcher.may_ask(address):
            visits.foreign[call.address, site_of(address)] += 1
        elif address not in seen:
            seen.add(address)
            yield Call(address, may_be_sitemap=is_sitemap, must_be_sitemap=is_sitemap)


def visit(
    addresses: Sequence[str],
    known: PageState,
    complete: Collection[str],
    options: FetchOptions,
    scratch: Path,
    progress: Progress,
) -> Visits:
    """Fetch the pages of a list by requests of its own; only hosts that the list names are asked."""
    with Fetcher({site_of(one) for one in addresses}, options) as fetcher:
        requests = PageRequests(fetcher, scratch, options.at_once, progress)
        return visit_pages(addresses, known, complete, requests, fetcher, progress)
