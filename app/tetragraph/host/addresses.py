"""Addresses of servers and pages: as they may be printed, in one form, and whether they are of this machine."""

from __future__ import annotations

import ipaddress
import re
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from ssl import SSLContext


def hide_credentials(address: str) -> str:
    """Replace user and password in an address by ``…``.

    >>> hide_credentials("bolt://neo4j:pass/w@rd@host:7687"), hide_credentials("bolt://host:7687")
    ('bolt://…@host:7687', 'bolt://host:7687')
    """
    return re.sub(r"(?<=://).*@", "…@", address)


def is_address(text: str) -> bool:
    """Whether a text begins like the address of a web page, not like a path.

    >>> is_address("https://docs.example.org/a"), is_address("docs/a.md")
    (True, False)
    """
    return text[:8].lower().startswith(("http://", "https://"))


def is_loopback(host: str) -> bool:
    """Whether a name or an address is one of the loopback interface.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("example.org")
    (True, True, False, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def leads_to_this_machine(address: str) -> bool:
    """Whether an address with a scheme has a host of the loopback interface.

    >>> leads_to_this_machine("http://localhost:6333"), leads_to_this_machine("https://qdrant.localhost")
    (True, True)
    >>> leads_to_this_machine("http://[::1]:80"), leads_to_this_machine("http://127.example.org")
    (True, False)
    """
    host = urlsplit(address).hostname or ""
    return is_loopback(host) or host.endswith(".localhost")


def connection_options(address: str) -> dict[str, Any]:
    """Options of an HTTP client for an address: no proxy of the environment leads to this machine.

    A proxy could not reach it, and would receive texts and keys. The authority of ``SSL_CERT_FILE`` counts all the
    same. Clients of plain connections, which need authorities only where they are led elsewhere, share the usual ones.
    """
    if not leads_to_this_machine(address):
        return {}
    if urlsplit(address).scheme != "https":
        return {"trust_env": False, "verify": _usual_authorities()}
    from httpx import create_ssl_context  # takes a moment to import, which is needed for these addresses only

    return {"trust_env": False, "verify": create_ssl_context()}


@cache
def _usual_authorities() -> SSLContext:
    """Authorities that clients know by themselves; reading them takes 20 ms."""
    from httpx import create_ssl_context  # as in `connection_options`

    return create_ssl_context(trust_env=False)
