"""Addresses of servers and pages: as they may be printed, and in one form."""

from __future__ import annotations

import re


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
