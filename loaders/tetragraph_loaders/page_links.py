"""Addresses to which the text of a web page links."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import urldefrag, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

MOST_LINKS: Final = 50
"""Number of links that are kept of a page, the first ones."""
_LONGEST = 500
"""Longest address in characters; longer ones are mostly those of scripts."""


def find_base(page: LexborHTMLParser, source: str) -> str:
    """The address to which the relative links of a page refer; empty where it is unknown.

    Args:
        page: The page, which may state the address of itself or of its links.
        source: Where the page was read from, an address or the path of a file.
    """
    own = _web_address("", _first(page, "head > link[rel=canonical]") or source)
    return _web_address(own, _first(page, "head > base[href]"))


def read_addresses(links: Iterable[str], base: str) -> list[str]:
    """Web addresses of links, each once and without its fragment, in their order.

    Args:
        links: Values of ``href``. Relative ones are left out where the base is unknown, as are those to the base.
        base: Address to which relative links refer, or empty.

    >>> read_addresses(["/b#top", "#note", "mailto:a@example.org", "http://example.org/c"], "https://example.org/a")
    ['https://example.org/b', 'http://example.org/c']
    """
    itself = urldefrag(base).url
    found = dict.fromkeys(_web_address(base, link) for link in links)
    return [one for one in found if one not in {"", itself} and len(one) <= _LONGEST][:MOST_LINKS]


def _first(page: LexborHTMLParser, query: str) -> str:
    return next((one.attributes.get("href") or "" for one in page.css(query)), "").strip()


def _web_address(base: str, link: str) -> str:
    """The address of a link without its fragment; empty if it is none of the web."""
    try:
        address = urldefrag(urljoin(base, "".join(link.split()))).url
        parts = urlsplit(address)
    except ValueError:  # half an IPv6 address
        return ""
    return address if parts.scheme in {"http", "https"} and parts.netloc else ""
