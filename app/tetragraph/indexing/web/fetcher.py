"""Requests for pages: conditional, paced, within limits, and only to hosts that the list names."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urljoin

import httpx

from tetragraph.errors import InvalidInput
from tetragraph.indexing.web import robots
from tetragraph.indexing.web.addresses import normalise, site_of
from tetragraph.indexing.web.robots import Rules
from tetragraph.indexing.web.site import REFUSALS_IN_A_ROW, Site, find_private
from tetragraph.model.fetching import FetchOptions
from tetragraph.version import __version__

USER_AGENT = f"{robots.AGENT}/{__version__}"
MOST_REDIRECTS = 5
MOST_TRIES = 3
"""Largest number of times that a page is asked for while its host asks to come back later."""
LONGEST_PAUSE_S = 120.0
"""Longest time that a host may ask to wait, once or between any two requests; for a longer one its pages are left to
the next sync."""
USUAL_PAUSE_S = 5.0
"""Wait for a host that is too busy and does not state for how long."""
SLOW = 10
"""Factor on the timeout that a whole page may take."""
_REDIRECTIONS = (301, 302, 303, 307, 308)
_LATER = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class Reply:
    """Outcome of a request, after all redirects.

    Attributes:
        status: Status of the answer; 0 where there is none that can be used.
        headers: Headers of the answer, with names in small letters.
        fault: Why there is no answer, in words; empty if there is one.
        address: Address that answered.
    """

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""
    address: str = ""

    @property
    def is_redirection(self) -> bool:
        """Whether the answer leads to another address."""
        return self.status in _REDIRECTIONS and "location" in self.headers


class _Refused(Exception):
    """A request that is not sent, or whose answer is not used; the message is the reason."""


class Fetcher:
    """Sends requests to some hosts; thread-safe, and a context manager.

    Args:
        sites: Hosts that may be asked.
        options: How they are treated.

    Attributes:
        stop: Ends all waiting when it is set.
    """

    def __init__(self, sites: Iterable[str], options: FetchOptions) -> None:
        self.stop = threading.Event()
        self._options = options
        self._sites = {one: Site(options, self.stop) for one in sites}
        self._client = httpx.Client(
            headers={"User-Agent": USER_AGENT, "Accept": "*/*"},
            timeout=httpx.Timeout(options.timeout_s, connect=min(options.timeout_s, 10.0)),
            follow_redirects=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop.set()
        self._client.close()

    def may_ask(self, address: str) -> bool:
        """Whether the host of an address is one of those named."""
        return site_of(address) in self._sites

    def get(self, address: str, into: Path, headers: Mapping[str, str] | None = None) -> Reply:
        """Fetch an address.

        Args:
            address: A normalised address.
            into: File that the body of an answer with status 200 is written to.
            headers: Headers that make the request conditional.
        """
        try:
            return self._follow(address, into, headers or {})
        except _Refused as error:
            return Reply(0, fault=str(error), address=address)

    def _follow(self, address: str, into: Path, headers: Mapping[str, str]) -> Reply:
        place = address
        for _ in range(MOST_REDIRECTS + 1):
            self._check_named(place)
            self._prepare(place)
            if not self._sites[site_of(place)].allows(place):
                raise _Refused(f"the robots.txt of {site_of(place)} does not allow it")
            reply = self._send_patiently(place, into, headers, self._options.most_mb * 1_000_000)
            if not reply.is_redirection:
                return reply
            place = _target(place, reply.headers["location"])
        raise _Refused(f"it leads on more than {MOST_REDIRECTS} times")

    def _check_named(self, address: str) -> None:
        if not self.may_ask(address):
            raise _Refused(
                f"it leads to {site_of(address)}, which the list does not name: give an address of that host, too"
            )

    def _prepare(self, address: str) -> None:
        """Read what the host allows, at the first request to it."""
        site = self._sites[site_of(address)]
        with site.first_visit() as is_first:
            if is_first:
                self._read_rules(site, address)
        if site.away:
            raise _Refused(site.away)

    def _read_rules(self, site: Site, address: str) -> None:
        host = site_of(address)
        if not self._options.private and (place := find_private(address)):
            site.give_up(
                f"{host} is at {place}, an address of a private network: give --private (private=True) if that is meant"
            )
            return
        place = urljoin(address, "/robots.txt")
        try:
            for _ in range(MOST_REDIRECTS + 1):
                body = bytearray()
                reply = self._send_patiently(place, body, {}, robots.MOST_BYTES)
                if not reply.is_redirection:
                    break
                place = _target(place, reply.headers["location"])
                self._check_named(place)
        except _Refused as error:
            site.give_up(f"the robots.txt of {host} cannot be read: {error}")
            return
        if reply.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            site.give_up(f"the robots.txt of {host} cannot be read: status {reply.status}")
        else:  # no robots.txt allows everything
            text = body.decode("utf-8", errors="replace") if reply.status == HTTPStatus.OK else ""
            _set_rules(site, Rules.of(text) if text else Rules(), host)

    def _send_patiently(self, address: str, into: Path | bytearray, headers: Mapping[str, str], most: int) -> Reply:
        """Send a request, and again after the time that a busy host asks for."""
        site = self._sites[site_of(address)]
        for attempt in range(MOST_TRIES):
            reply = self._send(site, address, into, headers, most)
            if reply.status not in _LATER:
                site.note_served()
                break
            pause = _read_pause(reply.headers.get("retry-after"))
            if pause is None or pause > LONGEST_PAUSE_S:
                wait = "later" if pause is None else f"in {pause:,.0f} s"
                site.give_up(f"{site_of(address)} answers with status {reply.status} and asks to come back {wait}")
                break
            if attempt + 1 < MOST_TRIES:
                site.pause(pause)
        else:
            pages = f"{REFUSALS_IN_A_ROW} pages in a row, after {MOST_TRIES} tries each"
            site.note_refused(f"{site_of(address)} answers with status {reply.status} to {pages}")
        return reply

    def _send(self, site: Site, address: str, into: Path | bytearray, headers: Mapping[str, str], most: int) -> Reply:
        try:
            with site.turn():
                if self.stop.is_set() or site.away:
                    raise _Refused(site.away or "the sync was ended")
                with self._client.stream("GET", address, headers=dict(headers)) as response:
                    site.note_answer()
                    if response.status_code == HTTPStatus.OK:
                        self._read(response, into, most)
                    return Reply(response.status_code, dict(response.headers), address=address)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            reason = f"{site_of(address)} does not answer: {error or type(error).__name__}"
            site.note_failure(reason)
            raise _Refused(reason) from error

    def _read(self, response: httpx.Response, into: Path | bytearray, most: int) -> None:
        """Write the body of an answer to a file, or the beginning of it to memory."""
        latest = time.monotonic() + SLOW * self._options.timeout_s
        length = 0
        target = into.open("wb") if isinstance(into, Path) else None
        try:
            for block in response.iter_bytes(_BLOCK):
                length += len(block)
                if isinstance(into, bytearray):
                    into += block[: max(0, most - len(into))]
                elif target is not None:
                    target.write(block)
                if length > most:
                    if target is None:
                        return
                    raise _Refused(f"a page may have {most // 1_000_000} MB, this one has more")
                if time.monotonic() > latest or self.stop.is_set():
                    raise _Refused(f"a page may take {SLOW * self._options.timeout_s:.0f} s, this one takes longer")
        finally:
            if target is not None:
                target.close()


def _set_rules(site: Site, rules: Rules, host: str) -> None:
    """Keep the rules of a host, unless its pages would take longer than a sync waits."""
    if rules.delay_s <= LONGEST_PAUSE_S:
        site.set_rules(rules)
    else:
        site.give_up(
            f"the robots.txt of {host} asks for {rules.delay_s:g} s between two requests, and a sync waits "
            f"{LONGEST_PAUSE_S:.0f} s at most: leave the host out, or ask its owner"
        )


def _target(address: str, location: str) -> str:
    try:
        return normalise(urljoin(address, location))
    except (InvalidInput, ValueError) as error:
        raise _Refused(f"it leads to what is no address of a page: {error}") from error


def _read_pause(value: str | None) -> float | None:
    """Seconds that a host asks to wait: a number, or a time; None where neither can be read."""
    if value is None:
        return USUAL_PAUSE_S
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
